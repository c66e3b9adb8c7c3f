// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import com.google.common.util.concurrent.RateLimiter;
import io.hycache.core.spi.BlockMover;
import java.util.concurrent.TimeUnit;

/**
 * Limits the bytes per second of background moves. The rate can be changed at any time and takes
 * effect with the next chunk. Thread-safe.
 */
public final class RateLimit implements BlockMover.Throttle {
  private static final long POLL_INTERVAL_MILLIS = 10;
  private static final long MIN_CHUNK_BYTES = 64 << 10;
  private final RateLimiter limiter;

  /**
   * @param bytesPerSec &gt; 0
   */
  public RateLimit(long bytesPerSec) {
    limiter = RateLimiter.create((double) bytesPerSec);
  }

  @Override
  public void take(long bytes) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("move interrupted");
    }
    int permits = (int) Math.min(bytes, Integer.MAX_VALUE);
    // Wait in short steps: acquire() would ignore interrupts and rate changes while it sleeps.
    while (bytes > 0 && !limiter.tryAcquire(permits, POLL_INTERVAL_MILLIS, TimeUnit.MILLISECONDS)) {
      Thread.sleep(POLL_INTERVAL_MILLIS);
    }
  }

  /** Bytes of an eighth of a second, but at least 64 KiB, below which head movement dominates. */
  @Override
  public int chunkBytes(int mostBytes) {
    long bytes = Math.max(MIN_CHUNK_BYTES, bytesPerSec() / 8);
    return (int) Math.min(bytes, mostBytes);
  }

  /** The current rate. */
  public long bytesPerSec() {
    return Math.round(limiter.getRate());
  }

  /**
   * Changes the rate.
   *
   * @param bytesPerSec &gt; 0
   */
  public void set(long bytesPerSec) {
    if (bytesPerSec() != bytesPerSec) {
      limiter.setRate((double) bytesPerSec);
    }
  }
}
