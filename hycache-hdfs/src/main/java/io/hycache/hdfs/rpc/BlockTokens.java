package io.hycache.hdfs.rpc;

import io.hycache.core.model.BlockKey;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/** Where a client finds the block access token that the NameNode gave it for a block. */
@FunctionalInterface
public interface BlockTokens {
  /** Of a cluster without them. */
  BlockTokens NONE = block -> null;

  /** Null if there is none. */
  @Nullable Token<BlockTokenIdentifier> of(BlockKey block);
}
