// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.move.Supervisor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that the planner makes no progress, logs it once for each stall, and has its thread
 * replaced if it is dead. {@link #check} is for one thread at a time, all else is thread-safe.
 */
final class Watchdog {
  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);

  /** A shorter time without progress is one long step, not a stall. */
  static final long MIN_STALL_SECONDS = 2;

  private final LongSupplier silentNanos;
  private final Runnable revive;
  private final Supervisor.Part part;
  private boolean reported;

  /**
   * @param silentNanos supplies the time since the planner's last progress
   * @param revive replaces the planner's thread if it is dead
   * @param part counts failures of the watchdog itself
   */
  Watchdog(LongSupplier silentNanos, Runnable revive, Supervisor.Part part) {
    this.silentNanos = silentNanos;
    this.revive = revive;
    this.part = part;
  }

  /** Seconds since the planner's last progress; 0 if that is less than a stall. */
  long stalledSeconds() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(silentNanos.getAsLong());
    return seconds < MIN_STALL_SECONDS ? 0 : seconds;
  }

  /**
   * Checks once, and never throws. Returns true if it logged a stall, which it does once for each.
   */
  boolean check() {
    try {
      return look();
    } catch (Throwable e) {
      part.note(e);
      return false;
    }
  }

  private boolean look() {
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
    LOG.warn("the planner makes no progress: PlannerStalledSeconds={}", stalled);
    return true;
  }
}
