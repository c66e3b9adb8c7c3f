package io.hycache.hdfs.dataset;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What users read from a DISK volume. Thread-safe; a read costs a clock call and a store. */
final class DiskUse {
  /** Below this, moving the head takes longer than the transfer. */
  private static final long SMALL_READ_BYTES = 1 << 20;

  /** A few movements of the head, for inode, checksums and data, take less. */
  private static final long SLOW_READ_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final LongAdder smallReads = new LongAdder();
  private final LongAdder slowReads = new LongAdder();
  private volatile long lastReadNanos = Long.MIN_VALUE;

  /** A user takes bytes. Returns when, on the clock of {@link System#nanoTime}. */
  long read() {
    long now = System.nanoTime();
    lastReadNanos = now;
    return now;
  }

  /** A user has taken all that was wanted of a block, and began to so long ago. */
  void ended(long bytes, long nanos) {
    if (bytes < SMALL_READ_BYTES) {
      smallReads.increment();
      if (nanos > SLOW_READ_NANOS) {
        slowReads.increment();
      }
    }
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
