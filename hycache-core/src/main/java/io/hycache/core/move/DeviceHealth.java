package io.hycache.core.move;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Is a fast device fit for use? Two states:
 *
 * <pre>
 *            3 errors within a minute, 3 slow probes in a row, or a probe that hangs
 *   HEALTHY ------------------------------------------------------------------------> QUARANTINED
 *      ^                                                                                  |
 *      +---- 5 good probes in a row, and 10 s since it was quarantined or last failed ----+
 * </pre>
 *
 * <p>Slow is a probe of a few bytes that takes over a second: a hundred times what a loaded SSD
 * needs. A probe hangs after ten. Errors are those of probes and of users' reads; what is a {@link
 * HostLimit} is none and must not be passed here. Time comes in as an argument. Thread-safe; {@link
 * #sick} takes no lock and is for the read path.
 */
public final class DeviceHealth {
  private static final int ERRORS = 3;
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int SLOW_IN_A_ROW = 3;
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long HANGS_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int GOOD_IN_A_ROW = 5;
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long NOTHING = Long.MIN_VALUE;

  private final ArrayDeque<Long> errors = new ArrayDeque<>();
  private int slow;
  private int good;
  private long notBeforeNanos;
  private volatile boolean quarantined;
  private volatile long begunNanos = NOTHING;

  /** A probe begins. */
  public void probing(long nowNanos) {
    begunNanos = nowNanos;
  }

  /**
   * The probe that began last ended without an error.
   *
   * @return what changed, for the log; null if nothing did
   */
  public @Nullable String probed(long nowNanos) {
    synchronized (this) {
      long took = nowNanos - begunNanos;
      begunNanos = NOTHING;
      if (took >= HANGS_NANOS) {
        return quarantine(nowNanos, "a probe took " + seconds(took));
      }
      if (took >= SLOW_NANOS) {
        good = 0;
        slow++;
        return slow >= SLOW_IN_A_ROW
            ? quarantine(
                nowNanos, slow + " probes in a row were slow, the last took " + seconds(took))
            : null;
      }
      slow = 0;
      good++;
      if (!quarantined || good < GOOD_IN_A_ROW || nowNanos - notBeforeNanos < 0) {
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
   * @return what changed, for the log; null if nothing did
   */
  public @Nullable String failed(long nowNanos, boolean probe) {
    synchronized (this) {
      if (probe) {
        begunNanos = NOTHING;
      }
      errors.add(nowNanos);
      while (nowNanos - errors.getFirst() > WINDOW_NANOS) {
        errors.removeFirst();
      }
      if (quarantined || errors.size() >= ERRORS) {
        return quarantine(nowNanos, errors.size() + " errors within a minute");
      }
      return null;
    }
  }

  /**
   * The probe that began last could not be made, for no fault of the device's, see {@link
   * HostLimit}: it says neither that the device is well nor that it is sick.
   */
  public void notProbed() {
    synchronized (this) {
      begunNanos = NOTHING;
    }
  }

  private @Nullable String quarantine(long nowNanos, String why) {
    boolean before = quarantined;
    quarantined = true;
    good = 0;
    slow = 0;
    notBeforeNanos = nowNanos + REST_NANOS;
    while (errors.size() > ERRORS) {
      errors.removeFirst();
    }
    return before ? null : "quarantined: " + why;
  }

  /** True while the device must not be used: quarantined, or a probe hangs right now. */
  public boolean sick(long nowNanos) {
    if (quarantined) {
      return true;
    }
    long begun = begunNanos;
    return begun != NOTHING && nowNanos - begun >= HANGS_NANOS;
  }

  private static String seconds(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos) / 1000.0 + " s";
  }
}
