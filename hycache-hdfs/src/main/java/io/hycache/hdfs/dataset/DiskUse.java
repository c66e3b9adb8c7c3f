package io.hycache.hdfs.dataset;

/** When users last read from a DISK volume. Thread-safe; a read costs a clock call and a store. */
final class DiskUse {
  private volatile long lastReadNanos = Long.MIN_VALUE;

  void read() {
    lastReadNanos = System.nanoTime();
  }

  /** On the clock of {@link System#nanoTime}; {@code Long.MIN_VALUE}: never. */
  long lastReadNanos() {
    return lastReadNanos;
  }
}
