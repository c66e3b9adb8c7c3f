package io.hycache.hdfs.dataset;

import java.util.concurrent.atomic.LongAdder;

/** What users read from a DISK volume. Thread-safe; a read costs a clock call and a store. */
final class DiskUse {
  /** Below this, moving the head takes longer than the transfer. */
  private static final long SMALL_READ_BYTES = 1 << 20;

  private final LongAdder smallReads = new LongAdder();
  private volatile long lastReadNanos = Long.MIN_VALUE;

  /** A user takes bytes. */
  void read() {
    lastReadNanos = System.nanoTime();
  }

  /** A user has taken all that was wanted of a block. */
  void ended(long bytes) {
    if (bytes < SMALL_READ_BYTES) {
      smallReads.increment();
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
}
