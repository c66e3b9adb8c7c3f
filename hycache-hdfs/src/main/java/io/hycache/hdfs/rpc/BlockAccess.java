// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
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

/** Checks that a caller may read a block. Thread-safe. */
@FunctionalInterface
public interface BlockAccess {

  /**
   * Checks a block access token.
   *
   * @param identifier of the token sent with the block; empty without a token
   * @param password of the token; empty without a token
   * @throws IOException if the token does not permit to read the block; the message says why
   */
  void check(BlockKey block, byte[] identifier, byte[] password) throws IOException;

  /** Permits everything, for clusters without block access tokens. */
  static BlockAccess unchecked() {
    return (block, identifier, password) -> {};
  }

  /**
   * The DataNode's own check: READ access, an unexpired token, the right password. The NameNode
   * informs a DataNode whether tokens are in use, and only then does the DataNode register the
   * block pool with its secret manager. Tokens are therefore required if the pool is registered or
   * the configuration enables them.
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
              "Kerberos is on and block access tokens are off, so that no caller can prove that it"
                  + " may read a block. Fix: set dfs.block.access.token.enable to true");
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
