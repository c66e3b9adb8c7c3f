// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.spi;

/** A slow device (a DISK volume) as seen by the engine. Thread-safe. */
public interface SlowDevice {

  /** Stable while the DataNode runs. */
  String id();

  /** Space free for new bytes at the last check. */
  long availableBytes();

  /**
   * Time of the last read by a user, on the clock of {@link System#nanoTime}, updated live; {@code
   * Long.MIN_VALUE} if there was none since the start.
   */
  long lastReadNanos();

  /**
   * Number of small reads by users since the start, each of which moved the disk head; updated
   * live.
   */
  long smallReads();

  /** Number of {@link #smallReads} that took much longer than a head movement; updated live. */
  long slowReads();
}
