// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the plugin's threads alive. A throwable from supervised work, including an {@link Error},
 * is caught, counted ({@code Failures}) and logged, once per cause and at most every {@value
 * #LOG_EVERY_SECONDS} seconds. The work then continues after a pause that doubles with each
 * consecutive failure. After {@link #MAX_CONSECUTIVE_FAILURES} consecutive failures of one part,
 * the supervisor gives up permanently for all parts, and the host switches to pass-through.
 *
 * <p>No method throws or depends on memory being available, because an {@link OutOfMemoryError} is
 * one of the failures to handle. Thread-safe.
 */
public final class Supervisor {
  private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
  private static final int LOG_EVERY_SECONDS = 10;

  /** Consecutive failures after which a part gives up. */
  public static final int MAX_CONSECUTIVE_FAILURES = 10;

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Counters counters;
  private final Consumer<Throwable> onFailure;
  private final Consumer<String> onGivenUp;
  private final AtomicBoolean givenUp = new AtomicBoolean();

  /**
   * @param onFailure receives each failure, on the thread that failed
   * @param onGivenUp called once with a text that names the part and its last failure
   */
  public Supervisor(Counters counters, Consumer<Throwable> onFailure, Consumer<String> onGivenUp) {
    this.counters = counters;
    this.onFailure = onFailure;
    this.onGivenUp = onGivenUp;
  }

  /** True once a part has given up. */
  public boolean givenUp() {
    return givenUp.get();
  }

  /** Work that a supervised thread repeats until it is done. */
  public interface Work {
    /**
     * Performs one step.
     *
     * @return false if no work is left; the thread ends
     */
    boolean step() throws Exception;
  }

  /** Creates a part of the plugin that counts its consecutive failures separately. */
  public Part part(String name) {
    return new Part(name);
  }

  /** A supervised part of the plugin. Thread-safe. */
  public final class Part {
    private final String name;
    private final AtomicInteger inARow = new AtomicInteger();
    private volatile @Nullable Class<?> loggedCause;
    private volatile long loggedNanos;

    private Part(String name) {
      this.name = name;
    }

    /** The part succeeded: earlier failures no longer count as consecutive. */
    public void succeeded() {
      if (inARow.get() != 0) {
        inARow.set(0);
      }
    }

    /**
     * The part failed. Counts, logs, and gives up if the limit is reached. Never throws.
     *
     * @return how long to pause before the next attempt, in nanoseconds
     */
    public long failed(Throwable why) {
      note(why);
      return strike(why);
    }

    /** A failure that does not interrupt the part's work. Counts and logs. Never throws. */
    public void note(Throwable why) {
      try {
        counters.increment(Counter.FAILURES);
        log(why);
        onFailure.accept(why);
      } catch (Throwable again) {
        // Logging ran out of memory or the listener failed; the failure is counted already.
      }
    }

    /**
     * Counts a consecutive failure that was already passed to {@link #note}. Gives up if the limit
     * is reached. Never throws.
     *
     * @return how long to pause before the next attempt, in nanoseconds
     */
    public long strike(Throwable why) {
      int failures = inARow.incrementAndGet();
      if (failures >= MAX_CONSECUTIVE_FAILURES) {
        giveUp(why);
      }
      return Math.min(MAX_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(failures - 1, 20));
    }

    private void log(Throwable why) {
      long now = System.nanoTime();
      if (why.getClass() != loggedCause
          || now - loggedNanos >= TimeUnit.SECONDS.toNanos(LOG_EVERY_SECONDS)) {
        loggedCause = why.getClass();
        loggedNanos = now;
        LOG.warn(
            "failed; continuing after a pause: part={} consecutiveFailures={}",
            name,
            inARow.get(),
            why);
      }
    }

    private void giveUp(Throwable why) {
      if (!givenUp.compareAndSet(false, true)) {
        return;
      }
      for (int attempt = 0; attempt < MAX_CONSECUTIVE_FAILURES; attempt++) {
        try {
          onGivenUp.accept(
              "part=" + name + " consecutiveFailures=" + MAX_CONSECUTIVE_FAILURES + " last=" + why);
          return;
        } catch (Throwable again) {
          LockSupport.parkNanos(FIRST_PAUSE_NANOS);
        }
      }
    }

    /** Wraps a task for an executor that would stop repeating a task that throws. */
    public Runnable guarding(Runnable task) {
      return () -> {
        try {
          task.run();
          succeeded();
        } catch (Throwable e) {
          failed(e);
        }
      };
    }

    /**
     * Creates a daemon thread, not started, that performs the work step by step. It ends only when
     * the work is done or the part has given up.
     */
    public Thread thread(String threadName, Work work) {
      Thread thread = new Thread(() -> keepAtIt(work), threadName);
      thread.setDaemon(true);
      return thread;
    }

    private void keepAtIt(Work work) {
      boolean more = true;
      while (more && !givenUp()) {
        try {
          more = work.step();
        } catch (Throwable e) {
          LockSupport.parkNanos(failed(e));
        }
      }
    }
  }
}
