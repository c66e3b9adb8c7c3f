package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Blocks that HDFS locks in memory because of a cache directive. A client reads such a block
 * without looking at checksums, so what it gets must be the file that HDFS has verified and locked.
 *
 * <p>HDFS does not say when it could not lock a block, or when a directive went before it had: what
 * it does not have in memory a while after it was asked is not locked. Thread-safe; O(1).
 */
final class LockedBlocks {
  private static final long DONE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final ReplicaStore store;
  private final Map<BlockKey, Long> sinceNanos = new ConcurrentHashMap<>();

  LockedBlocks(ReplicaStore store) {
    this.store = store;
  }

  /** HDFS is asked to lock the block. */
  void add(BlockKey block) {
    sinceNanos.put(block, System.nanoTime());
  }

  /** HDFS does not lock it any more, or its replica is gone. */
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
    if (System.nanoTime() - since < DONE_NANOS || store.isLockedInMemory(block)) {
      return true;
    }
    sinceNanos.remove(block, since);
    return false;
  }
}
