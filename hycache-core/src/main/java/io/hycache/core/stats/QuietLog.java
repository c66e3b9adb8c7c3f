// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

/**
 * Logs what may happen often and means the same each time: the first time, and then after pauses
 * that double from 10 seconds to an hour, with the number of times in between. That is at most 33
 * lines in 24 hours. An hour in which it did not happen at all starts over.
 *
 * <p>A cause that is an {@link IOException} is expected here (devices fail, peers are away): it is
 * a part of the line, and its stack trace is logged at DEBUG only. Thread-safe; O(1).
 */
public final class QuietLog {
  static final long MIN_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
  static final long MAX_PAUSE_NANOS = TimeUnit.HOURS.toNanos(1);

  private final Logger log;
  private final LongSupplier nanoTime;
  private long pauseNanos;
  private long loggedNanos;
  private long lastNanos;
  private long unlogged;

  public QuietLog(Logger log) {
    this(log, System::nanoTime);
  }

  /**
   * @param nanoTime a monotonic clock in nanoseconds
   */
  public QuietLog(Logger log, LongSupplier nanoTime) {
    this.log = log;
    this.nanoTime = nanoTime;
  }

  /**
   * Logs a line at WARN, or counts it.
   *
   * @param why appended as {@code cause=}; null if there is none
   * @param format with {@code {}} for each of the arguments
   * @return whether it was logged
   */
  public boolean warn(@Nullable Throwable why, String format, Object... arguments) {
    long others = admit();
    if (others < 0) {
      if (log.isDebugEnabled()) {
        log.debug(MessageFormatter.arrayFormat(format, arguments).getMessage(), why);
      }
      return false;
    }
    String line = MessageFormatter.arrayFormat(format, arguments).getMessage();
    if (why != null) {
      line += " cause=" + why.toString().replaceAll("(?s)\\s*\\R.*", "");
    }
    if (others > 0) {
      line += " othersSinceLast=" + others;
    }
    if (why == null || why instanceof IOException) {
      log.warn(line);
      if (why != null) {
        log.debug("The stack trace", why);
      }
    } else {
      log.warn(line, why);
    }
    return true;
  }

  /** Returns how often it was not logged since it was logged last; -1 if it is not logged now. */
  private synchronized long admit() {
    long now = nanoTime.getAsLong();
    boolean first = pauseNanos == 0;
    boolean over = first || now - loggedNanos >= pauseNanos;
    boolean calm = first || now - lastNanos >= MAX_PAUSE_NANOS;
    lastNanos = now;
    if (!over) {
      unlogged++;
      return -1;
    }
    pauseNanos = calm ? MIN_PAUSE_NANOS : Math.min(2 * pauseNanos, MAX_PAUSE_NANOS);
    loggedNanos = now;
    long others = unlogged;
    unlogged = 0;
    return others;
  }
}
