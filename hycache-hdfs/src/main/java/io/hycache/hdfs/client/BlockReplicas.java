// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import io.hycache.core.model.BlockKey;
import java.util.List;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/** A located block: where the NameNode says its replicas are. Immutable. */
final class BlockReplicas {
  final BlockKey block;
  final long offset;
  final long lengthBytes;

  /** Some DataNode reports it to the NameNode as cached. */
  final boolean cached;

  /** Null if the cluster uses none. */
  final @Nullable Token<BlockTokenIdentifier> token;

  /** By name: the order that the NameNode gives depends on who asks, and on chance. */
  final List<DataNode> holders;

  BlockReplicas(
      BlockKey block,
      long offset,
      long lengthBytes,
      boolean cached,
      @Nullable Token<BlockTokenIdentifier> token,
      List<DataNode> holders) {
    this.block = block;
    this.offset = offset;
    this.lengthBytes = lengthBytes;
    this.cached = cached;
    this.token = token;
    this.holders = holders;
  }
}
