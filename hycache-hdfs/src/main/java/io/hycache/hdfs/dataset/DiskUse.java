package io.hycache.hdfs.dataset;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * What users read from a DISK volume. Thread-safe; a read costs a clock call and a store, its begin
 * and its end a counter more.
 */
final class DiskUse {
  /** Below this, moving the head takes longer than the transfer. */
  private static final long SMALL_READ_BYTES = 1 << 20;

  /** A few movements of the head, for inode, checksums and data, take less. */
  private static final long SLOW_READ_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** A read that goes on for longer is a stream, which hardly waits for the head. */
  private static final long YOUNG_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A user who looks up a block's checksums opens its data within this. */
  private static final long LOOK_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** A move gives way for no longer at a time: who always reads has the busy pace for it. */
  private static final long MOST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

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

  /** A user looks up the checksums of a block, and will open it if they are there. */
  void lookedUp() {
    lastLookUpNanos = nanoTime.getAsLong();
  }

  /** A user opens a block. Returns when, for {@link #ended}. */
  long begun() {
    long now = nanoTime.getAsLong();
    lastReadNanos = now;
    lastBegunNanos = now;
    inProgress.incrementAndGet();
    return now;
  }

  /** A user takes bytes. */
  void read() {
    lastReadNanos = nanoTime.getAsLong();
  }

  /** A user has taken all that was wanted of a block; once for each {@link #begun}. */
  void ended(long bytes, long begunNanos) {
    inProgress.decrementAndGet();
    if (bytes < SMALL_READ_BYTES) {
      smallReads.increment();
      if (nanoTime.getAsLong() - begunNanos > SLOW_READ_NANOS) {
        slowReads.increment();
      }
    }
  }

  /**
   * Lets users go first who have just begun to read: to be called by a background move between two
   * of its chunks. Returns after a fifth of a second at the latest.
   */
  void giveWay() {
    long begun = nanoTime.getAsLong();
    for (long now = begun; isWaitedFor(now); now = nanoTime.getAsLong()) {
      if (now - begun > MOST_WAIT_NANOS || Thread.currentThread().isInterrupted()) {
        return;
      }
      LockSupport.parkNanos(this, LOOK_NANOS);
    }
  }

  private boolean isWaitedFor(long now) {
    long lookUp = lastLookUpNanos;
    return (lookUp != Long.MIN_VALUE && now - lookUp < LOOK_UP_NANOS)
        || (inProgress.get() > 0 && now - lastBegunNanos < YOUNG_NANOS);
  }

  /** On the clock of {@link System#nanoTime}; {@code Long.MIN_VALUE}: never. */
  long lastReadNanos() {
    return lastReadNanos;
  }

  /** Reads that ended after less than 1 MiB. */
  long smallReads() {
    return smallReads.sum();
  }

  /** Those that took longer than 50 ms. */
  long slowReads() {
    return slowReads.sum();
  }
}
