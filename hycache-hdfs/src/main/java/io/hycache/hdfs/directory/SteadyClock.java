// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Milliseconds for pauses, deadlines and other times that are not passed to other nodes. They begin
 * with the wall clock's time, and pass evenly when that clock is set. Thread-safe.
 */
final class SteadyClock implements LongSupplier {
  private final LongSupplier nanos;
  private final long beganMillis;
  private final long beganNanos;

  SteadyClock() {
    this(System::currentTimeMillis, System::nanoTime);
  }

  /**
   * @param wallMillis called once
   * @param nanoTime a monotonic clock in nanoseconds
   */
  SteadyClock(LongSupplier wallMillis, LongSupplier nanoTime) {
    this.nanos = nanoTime;
    this.beganMillis = wallMillis.getAsLong();
    this.beganNanos = nanoTime.getAsLong();
  }

  @Override
  public long getAsLong() {
    return beganMillis + TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - beganNanos);
  }
}
