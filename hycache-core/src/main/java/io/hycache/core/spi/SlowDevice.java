package io.hycache.core.spi;

/** A slow device (a DISK volume) as the engine sees it. Thread-safe. */
public interface SlowDevice {

  /** Stable while the DataNode runs. */
  String id();

  /** Free for new bytes when it was last looked at. */
  long availableBytes();

  /**
   * When a user last read from it, on the clock of {@link System#nanoTime}; live. {@code
   * Long.MIN_VALUE}: not since the start.
   */
  long lastReadNanos();

  /** Reads by users since the start that took little, so that the head moved for each; live. */
  long smallReads();

  /** Those among {@link #smallReads} that took much longer than moving the head does; live. */
  long slowReads();
}
