// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;

/**
 * Records reads, at the cost of two counters and a slot of the ring: no lock, no clock, no
 * allocation. A full ring drops the record, which is counted. Measured by {@code
 * AccessRingBenchmark}. Thread-safe.
 */
public final class AccessRecorder {
  private final Counters counters;
  private final AccessRing ring;

  public AccessRecorder(Counters counters, AccessRing ring) {
    this.counters = counters;
    this.ring = ring;
  }

  /**
   * Records that bytes of a block were read.
   *
   * @param source see {@link HyCacheEngine#source}
   * @param fast whether the data came from a fast device
   */
  public void record(long source, long blockId, long bytes, boolean fast) {
    counters.increment(fast ? Counter.BLOCKS_READ_FAST : Counter.BLOCKS_READ_SLOW);
    counters.add(fast ? Counter.BYTES_READ_FAST : Counter.BYTES_READ_SLOW, bytes);
    offer(source, blockId, bytes);
  }

  /** As {@link #record}, of a read that ended on the other device, which sent some of the bytes. */
  void recordMoved(long source, long blockId, long bytes, long movedBytes, boolean fast) {
    counters.increment(fast ? Counter.BLOCKS_READ_FAST : Counter.BLOCKS_READ_SLOW);
    counters.add(Counter.BYTES_READ_FAST, fast ? bytes - movedBytes : movedBytes);
    counters.add(Counter.BYTES_READ_SLOW, fast ? movedBytes : bytes - movedBytes);
    offer(source, blockId, bytes);
  }

  private void offer(long source, long blockId, long bytes) {
    if (!ring.offer(source, blockId, bytes)) {
      counters.increment(Counter.EVENTS_DROPPED);
    }
  }
}
