package io.hycache.core.move;

import com.google.common.util.concurrent.RateLimiter;
import io.hycache.core.spi.BlockMover;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the bytes per second of background moves. Thread-safe. The rate may change at any time and
 * holds from the next chunk on.
 */
public final class RateLimit implements BlockMover.Throttle {
  private static final long WAIT_MILLIS = 10;
  private static final long LEAST_CHUNK_BYTES = 64 << 10;
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
    // In short waits: acquire() would sleep through interrupts and through a change of the rate.
    while (bytes > 0 && !limiter.tryAcquire(permits, WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
      Thread.sleep(WAIT_MILLIS);
    }
  }

  /**
   * An eighth of a second's, but no less than 64 KiB, below which moving the head takes longest.
   */
  @Override
  public int chunkBytes(int mostBytes) {
    long bytes = Math.max(LEAST_CHUNK_BYTES, bytesPerSec() / 8);
    return (int) Math.min(bytes, mostBytes);
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
