// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.model.BlockKey;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/** Looks up the block access token that the NameNode issued to a client for a block. */
@FunctionalInterface
public interface BlockTokens {
  /** For clusters without block access tokens. */
  BlockTokens NONE = block -> null;

  /** Returns the token of a block, or null if there is none. */
  @Nullable Token<BlockTokenIdentifier> of(BlockKey block);
}
