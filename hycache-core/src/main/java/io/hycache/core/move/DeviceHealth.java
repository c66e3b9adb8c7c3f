// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tracks whether a fast device is fit for use. Two states:
 *
 * <pre>
 *            3 errors within a minute, 3 slow probes in a row, or a probe that hangs
 *   HEALTHY ------------------------------------------------------------------------> QUARANTINED
 *      ^                                                                                  |
 *      +---- 5 good probes in a row, and 10 s since it was quarantined or last failed ----+
 * </pre>
 *
 * <p>A probe of a few bytes is slow if it takes more than one second, a hundred times what a loaded
 * SSD needs, and hangs after ten. Errors come from probes and from users' reads; failures caused by
 * a {@link HostLimit} are not errors of the device and must not be passed in. Time is passed in as
 * an argument. Thread-safe; {@link #sick} takes no lock and is meant for the read path.
 */
public final class DeviceHealth {
  private static final int ERRORS_TO_QUARANTINE = 3;
  private static final long ERROR_WINDOW_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int SLOW_PROBES_TO_QUARANTINE = 3;
  private static final long SLOW_PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long HANGING_PROBE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int GOOD_PROBES_TO_RECOVER = 5;
  private static final long MIN_QUARANTINE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long NO_PROBE = Long.MIN_VALUE;

  private final ArrayDeque<Long> errors = new ArrayDeque<>();
  private int slow;
  private int good;
  private long notBeforeNanos;
  private volatile boolean quarantined;
  private volatile long begunNanos = NO_PROBE;

  /** A probe begins. */
  public void probing(long nowNanos) {
    begunNanos = nowNanos;
  }

  /**
   * The probe that began last completed without an error.
   *
   * @return the state change, for the log; null if there was none
   */
  public @Nullable String probed(long nowNanos) {
    synchronized (this) {
      long took = nowNanos - begunNanos;
      begunNanos = NO_PROBE;
      if (took >= HANGING_PROBE_NANOS) {
        return quarantine(nowNanos, "a probe took " + seconds(took));
      }
      if (took >= SLOW_PROBE_NANOS) {
        good = 0;
        slow++;
        return slow >= SLOW_PROBES_TO_QUARANTINE
            ? quarantine(
                nowNanos, slow + " probes in a row were slow, the last took " + seconds(took))
            : null;
      }
      slow = 0;
      good++;
      if (!quarantined || good < GOOD_PROBES_TO_RECOVER || nowNanos - notBeforeNanos < 0) {
        return null;
      }
      quarantined = false;
      errors.clear();
      return "healthy again after " + good + " good probes";
    }
  }

  /**
   * A probe or a user's read failed.
   *
   * @return the state change, for the log; null if there was none
   */
  public @Nullable String failed(long nowNanos, boolean probe) {
    synchronized (this) {
      long begun = begunNanos;
      if (probe) {
        begunNanos = NO_PROBE;
      }
      errors.add(nowNanos);
      while (nowNanos - errors.getFirst() > ERROR_WINDOW_NANOS) {
        errors.removeFirst();
      }
      if (probe && begun != NO_PROBE && nowNanos - begun >= HANGING_PROBE_NANOS) {
        return quarantine(nowNanos, "a probe failed after " + seconds(nowNanos - begun));
      }
      if (quarantined || errors.size() >= ERRORS_TO_QUARANTINE) {
        return quarantine(nowNanos, errors.size() + " errors within a minute");
      }
      return null;
    }
  }

  /**
   * The probe that began last could not run because of a {@link HostLimit}. It counts neither as
   * good nor as bad.
   */
  public void notProbed() {
    synchronized (this) {
      begunNanos = NO_PROBE;
    }
  }

  private @Nullable String quarantine(long nowNanos, String why) {
    boolean before = quarantined;
    quarantined = true;
    good = 0;
    slow = 0;
    notBeforeNanos = nowNanos + MIN_QUARANTINE_NANOS;
    while (errors.size() > ERRORS_TO_QUARANTINE) {
      errors.removeFirst();
    }
    return before ? null : "quarantined: " + why;
  }

  /** True while the device must not be used: it is quarantined, or a probe is hanging. */
  public boolean sick(long nowNanos) {
    if (quarantined) {
      return true;
    }
    long begun = begunNanos;
    return begun != NO_PROBE && nowNanos - begun >= HANGING_PROBE_NANOS;
  }

  private static String seconds(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos) / 1000.0 + " s";
  }
}
