// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A set of blocks that the planner keeps up to date and other threads see. Thread-safe; no method
 * waits or takes a lock, and all but {@link #blocks} are O(1).
 */
public final class PublishedBlocks {
  private final Set<BlockKey> blocks = ConcurrentHashMap.newKeySet();

  PublishedBlocks() {}

  /** Number of blocks. */
  public int count() {
    return blocks.size();
  }

  /** True for a block of the set. */
  public boolean contains(BlockKey block) {
    return blocks.contains(block);
  }

  /** The blocks of a pool, in no order. O(blocks). */
  public List<BlockKey> blocks(String pool) {
    List<BlockKey> ofPool = new ArrayList<>();
    for (BlockKey block : blocks) {
      if (block.pool().equals(pool)) {
        ofPool.add(block);
      }
    }
    return ofPool;
  }

  // ---- by the planner -----------------------------------------------------------------------

  void add(BlockKey block) {
    blocks.add(block);
  }

  void remove(BlockKey block) {
    blocks.remove(block);
  }

  /** The blocks of all pools, in no order. O(blocks). */
  List<BlockKey> all() {
    return new ArrayList<>(blocks);
  }
}
