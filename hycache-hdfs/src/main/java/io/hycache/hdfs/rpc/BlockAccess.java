package io.hycache.hdfs.rpc;

import io.hycache.core.model.BlockKey;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockPoolTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;

/** Checks that whoever hints at a block may read it. Thread-safe. */
@FunctionalInterface
public interface BlockAccess {

  /**
   * Refuses by throwing.
   *
   * @param identifier of the block access token that came with the block; empty if none did
   * @param password of that token
   * @throws IOException if the block may not be read with this token; the message says why
   */
  void check(BlockKey block, byte[] identifier, byte[] password) throws IOException;

  /** For clusters without block access tokens. */
  static BlockAccess unchecked() {
    return (block, identifier, password) -> {};
  }

  /**
   * The DataNode's own check: READ access, token not expired, its password right. A DataNode learns
   * from the NameNode that tokens are in use, and only then is a block pool registered with its
   * secret manager; so tokens are asked for when that happened or the configuration says so.
   */
  static BlockAccess tokens(Configuration conf, BlockPoolTokenSecretManager secrets) {
    boolean configured =
        conf.getBoolean(
            DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY,
            DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_DEFAULT);
    return (block, identifier, password) -> {
      if (!secrets.isBlockPoolRegistered(block.pool())) {
        if (configured) {
          throw new RefusedException("no block keys for the block pool yet: block=" + block);
        }
        if (UserGroupInformation.isSecurityEnabled()) {
          throw new RefusedException(
              "Kerberos is on and block access tokens are off, so that nobody can show that he may"
                  + " read a block. Fix: set dfs.block.access.token.enable to true");
        }
        return;
      }
      TokenLengths.check(identifier);
      Token<BlockTokenIdentifier> token =
          new Token<>(identifier, password, new BlockTokenIdentifier().getKind(), new Text());
      try {
        secrets.checkAccess(
            token, null, new ExtendedBlock(block.pool(), block.id()), AccessMode.READ, null, null);
      } catch (IOException | RuntimeException e) {
        throw new RefusedException(
            "block access token refused: block=" + block + " cause=" + e.getMessage());
      }
    };
  }
}
