// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Blocks that HDFS locks in memory because of a cache directive. Clients read such a block without
 * verifying checksums, so they must get the file that HDFS has verified and locked.
 *
 * <p>HDFS does not report when it failed to lock a block, or when a directive was removed before
 * that: a block that is not in memory some time after the request is not locked. Thread-safe; O(1).
 */
final class LockedBlocks {
  private static final long LOCK_TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final ReplicaStore store;
  private final Map<BlockKey, Long> sinceNanos = new ConcurrentHashMap<>();

  LockedBlocks(ReplicaStore store) {
    this.store = store;
  }

  /** Called when HDFS is asked to lock the block. */
  void add(BlockKey block) {
    sinceNanos.put(block, System.nanoTime());
  }

  /** Called when HDFS has unlocked the block or removed its replica. */
  void remove(BlockKey block) {
    sinceNanos.remove(block);
  }

  boolean contains(BlockKey block) {
    if (sinceNanos.isEmpty()) {
      return false;
    }
    Long since = sinceNanos.get(block);
    if (since == null) {
      return false;
    }
    if (System.nanoTime() - since < LOCK_TIMEOUT_NANOS || store.isLockedInMemory(block)) {
      return true;
    }
    sinceNanos.remove(block, since);
    return false;
  }
}
