// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Records how users read from a DISK volume. Thread-safe; a read costs a clock call and a store,
 * its begin and end one counter more each.
 */
final class DiskUse {
  /** Reads of fewer bytes are dominated by seeks. */
  private static final long MAX_SMALL_READ_BYTES = 1 << 20;

  /**
   * A read that takes longer waited for other I/O: a few seeks, for inode, checksums and data, take
   * less.
   */
  private static final long MIN_SLOW_READ_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** A read that lasts longer is a stream, which hardly waits for seeks. */
  private static final long MAX_SEEK_BOUND_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Time within which a user opens a block's data after its checksums. */
  private static final long MAX_OPEN_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Maximum time for which a move yields at once; constant reads are handled by the busy pace. */
  private static final long MAX_YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final long POLL_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final LongSupplier nanoTime;
  private final AtomicInteger inProgress = new AtomicInteger();
  private volatile long lastBegunNanos;
  private volatile long lastLookUpNanos = Long.MIN_VALUE;
  private final LongAdder smallReads = new LongAdder();
  private final LongAdder slowReads = new LongAdder();
  private volatile long lastReadNanos = Long.MIN_VALUE;

  DiskUse() {
    this(System::nanoTime);
  }

  DiskUse(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Called when a user opens the checksums of a block, whose data follows. */
  void lookedUp() {
    lastLookUpNanos = nanoTime.getAsLong();
  }

  /** Called when a user opens a block. Returns the time for {@link #ended}. */
  long begun() {
    long now = nanoTime.getAsLong();
    lastReadNanos = now;
    lastBegunNanos = now;
    inProgress.incrementAndGet();
    return now;
  }

  /** Called when a user reads bytes. */
  void read() {
    lastReadNanos = nanoTime.getAsLong();
  }

  /** Called when a user's read of a block ends; once for each {@link #begun}. */
  void ended(long bytes, long begunNanos) {
    inProgress.decrementAndGet();
    if (bytes < MAX_SMALL_READ_BYTES) {
      smallReads.increment();
      if (nanoTime.getAsLong() - begunNanos > MIN_SLOW_READ_NANOS) {
        slowReads.increment();
      }
    }
  }

  /**
   * Yields to users who have just begun to read. Called by background moves between chunks. Returns
   * after at most a fifth of a second.
   */
  void giveWay() {
    long begun = nanoTime.getAsLong();
    for (long now = begun; isWaitedFor(now); now = nanoTime.getAsLong()) {
      if (now - begun > MAX_YIELD_NANOS || Thread.currentThread().isInterrupted()) {
        return;
      }
      LockSupport.parkNanos(this, POLL_INTERVAL_NANOS);
    }
  }

  private boolean isWaitedFor(long now) {
    long lookUp = lastLookUpNanos;
    return (lookUp != Long.MIN_VALUE && now - lookUp < MAX_OPEN_DELAY_NANOS)
        || (inProgress.get() > 0 && now - lastBegunNanos < MAX_SEEK_BOUND_NANOS);
  }

  /**
   * Returns the {@link System#nanoTime} of the last read; {@code Long.MIN_VALUE} if there was none.
   */
  long lastReadNanos() {
    return lastReadNanos;
  }

  /** Returns the number of reads of less than 1 MiB. */
  long smallReads() {
    return smallReads.sum();
  }

  /** Returns the number of small reads that took longer than 50 ms. */
  long slowReads() {
    return slowReads.sum();
  }
}
