package io.hycache.core.move;

import com.google.common.util.concurrent.RateLimiter;
import io.hycache.core.spi.BlockMover;

/**
 * Bounds the bytes per second of background moves. Thread-safe. The rate may change at any time and
 * holds from the next chunk on.
 */
public final class RateLimit implements BlockMover.Throttle {
  private final RateLimiter limiter;

  /**
   * @param bytesPerSec &gt; 0
   */
  public RateLimit(long bytesPerSec) {
    limiter = RateLimiter.create((double) bytesPerSec);
  }

  @Override
  public void take(long bytes) throws InterruptedException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedException("move interrupted");
    }
    if (bytes > 0) {
      limiter.acquire((int) Math.min(bytes, Integer.MAX_VALUE));
    }
  }

  /** The rate that holds now. */
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
