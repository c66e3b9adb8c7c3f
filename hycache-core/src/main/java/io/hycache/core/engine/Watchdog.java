package io.hycache.core.engine;

import io.hycache.core.move.Supervisor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees when the planner does not come round, says so once for each stall, and starts its thread
 * anew if it is dead. Thread-safe; a thread of its own, which does nothing else.
 */
final class Watchdog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);

  /** Shorter silences are work. */
  static final long LEAST_STALL_SECONDS = 2;

  private final LongSupplier silentNanos;
  private final Runnable revive;
  private final Thread thread;
  private volatile boolean running = true;
  private boolean reported;

  /**
   * @param silentNanos since the planner last moved on
   * @param revive starts its thread anew if it is dead
   */
  Watchdog(LongSupplier silentNanos, Runnable revive, Supervisor.Part part) {
    this.silentNanos = silentNanos;
    this.revive = revive;
    this.thread = part.thread("HyCacheWatchdog", this::look);
  }

  void start() {
    thread.start();
  }

  /** How long the planner has not come round; 0 if it has lately. */
  long stalledSeconds() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(silentNanos.getAsLong());
    return seconds < LEAST_STALL_SECONDS ? 0 : seconds;
  }

  private boolean look() {
    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
    if (!running) {
      return false;
    }
    check();
    return true;
  }

  /** One look. Returns true if a stall was reported that had not been before. */
  boolean check() {
    long stalled = stalledSeconds();
    if (stalled == 0) {
      reported = false;
      return false;
    }
    revive.run();
    if (reported) {
      return false;
    }
    reported = true;
    LOG.warn("the planner has not come round: PlannerStalledSeconds={}", stalled);
    return true;
  }

  @Override
  public void close() {
    running = false;
    LockSupport.unpark(thread);
  }
}
