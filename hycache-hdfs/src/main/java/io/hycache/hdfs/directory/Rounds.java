// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import io.hycache.core.move.RequestedTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs actions periodically. One that throws, an {@code Error} too, is counted, logged when that
 * begins, and pauses for twice as long each time, up to a minute. Thread-safe.
 */
final class Rounds {
  private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);
  private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final LongSupplier nanos;
  private final AtomicLong failures = new AtomicLong();

  Rounds(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Rounds that threw. */
  long failures() {
    return failures.get();
  }

  /** Runs an action so often on a timer, until that is shut down. */
  void every(long millis, ScheduledExecutorService on, Runnable action) {
    ScheduledFuture<?> unused =
        on.scheduleWithFixedDelay(guarded(millis, action), 0, millis, TimeUnit.MILLISECONDS);
  }

  /** An action to be requested, see {@link RequestedTask}; the timer has one thread. */
  RequestedTask soon(long millis, ScheduledExecutorService on, Runnable action) {
    return new RequestedTask(on, millis, guarded(millis, action));
  }

  /** An action that never throws; one thread runs it. */
  Runnable guarded(long millis, Runnable action) {
    return new Runnable() {
      private int inARow;
      private long pausedUntilNanos;

      @Override
      public void run() {
        if (inARow > 0 && nanos.getAsLong() - pausedUntilNanos < 0) {
          return;
        }
        try {
          action.run();
          inARow = 0;
        } catch (RuntimeException | Error e) {
          failures.incrementAndGet();
          inARow++;
          long pauseNanos = TimeUnit.MILLISECONDS.toNanos(millis) << Math.min(inARow, 20);
          pausedUntilNanos = nanos.getAsLong() + Math.min(pauseNanos, MAX_PAUSE_NANOS);
          if (inARow == 1) {
            LOG.warn("directory: a round failed, the next one follows after a pause", e);
          }
        }
      }
    };
  }
}
