// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts the bytes written to one SSD by cause, and enforces its write budget.
 *
 * <p>Idea: a budget in drive writes per day is a token bucket that holds one day's worth and
 * refills evenly over the day. Every byte written is taken from it, below zero if necessary,
 * because a user's write is never interrupted, but not further than one day's worth: whatever was
 * written, the SSD is used again within one to two days. Promotions stop while less than a fifth is
 * left, which reserves the rest for writes; SSD-first writes stop while nothing is left. Bytes of
 * the last day are counted per hour, so that the sum is accurate to an hour. Demotions with a kept
 * clean copy write nothing to the SSD: the bytes only get another name.
 *
 * <p>Not thread-safe. Time is passed in as an argument.
 */
public final class WriteBudget {
  /** Why bytes were written. */
  public enum Cause {
    USER_WRITE,
    PROMOTION
  }

  private static final long DAY_NANOS = TimeUnit.DAYS.toNanos(1);
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final int HOURS = 24;

  /** Causes in their order in the saved format; do not reorder. */
  private static final List<Cause> SAVED = List.of(Cause.USER_WRITE, Cause.PROMOTION);

  private static final int SAVED_NUMBERS = 1 + SAVED.size() * HOURS;

  /** In the saved format, in place of the bytes left. */
  private static final long NO_LIMIT = Long.MAX_VALUE;

  private static final double SHARE_RESERVED_FOR_WRITES = 0.2;

  private final double driveWritesPerDay;
  private final Map<Cause, long[]> byHour = new EnumMap<>(Cause.class);
  private long hour;
  private long bytesPerDay;
  private double left;
  private long filledNanos;
  private boolean saved = true;

  /**
   * @param driveWritesPerDay &gt;= 0; 0 for no limit
   * @param capacityBytes the size of one drive write
   */
  public WriteBudget(double driveWritesPerDay, long capacityBytes, long nowNanos) {
    this.driveWritesPerDay = driveWritesPerDay;
    this.hour = Math.floorDiv(nowNanos, HOUR_NANOS);
    this.filledNanos = nowNanos;
    this.bytesPerDay = (long) (driveWritesPerDay * capacityBytes);
    this.left = (double) bytesPerDay;
  }

  /** Changes the device's capacity; the bytes left do not grow by it. */
  public void setCapacity(long capacityBytes) {
    bytesPerDay = (long) (driveWritesPerDay * capacityBytes);
    left = bounded(Math.min(left, (double) bytesPerDay));
  }

  /** Records bytes written to the device. */
  public void wrote(Cause cause, long bytes, long nowNanos) {
    advance(nowNanos);
    hours(cause)[slot(0)] += bytes;
    left = bounded(left - bytes);
    saved = false;
  }

  /** True if nothing was written since {@link #save}. */
  public boolean isSaved() {
    return saved;
  }

  /**
   * State for the next start: the bytes left, {@link #NO_LIMIT} without a limit, then for each
   * cause the bytes of the last 24 hours, the latest hour first.
   */
  public long[] save(long nowNanos) {
    advance(nowNanos);
    saved = true;
    long[] numbers = new long[SAVED_NUMBERS];
    numbers[0] = driveWritesPerDay == 0 ? NO_LIMIT : (long) left;
    int at = 1;
    for (Cause cause : SAVED) {
      for (int ago = 0; ago < HOURS; ago++) {
        numbers[at++] = hours(cause)[slot(ago)];
      }
    }
    return numbers;
  }

  /**
   * Adds the state that an earlier process saved. Numbers that {@link #save} can't have produced
   * are ignored.
   *
   * @param agoNanos time since they were saved; negative values count as 0
   */
  public void restore(long[] numbers, long agoNanos, long nowNanos) {
    if (numbers.length != SAVED_NUMBERS) {
      return;
    }
    advance(nowNanos);
    long passed = Math.max(0, agoNanos);
    int hoursPassed = (int) Math.min(HOURS, passed / HOUR_NANOS);
    long lastDay = 0;
    int from = 1;
    for (Cause cause : SAVED) {
      for (int ago = 0; ago + hoursPassed < HOURS; ago++) {
        long bytes = Math.max(0, numbers[from + ago]);
        hours(cause)[slot(ago + hoursPassed)] += bytes;
        lastDay += bytes;
      }
      from += HOURS;
    }
    double before = numbers[0] + (double) bytesPerDay * passed / DAY_NANOS;
    if (numbers[0] == NO_LIMIT || before < -bytesPerDay) {
      // There was no limit, or a higher one; earlier versions then saved any number below zero.
      before = (double) bytesPerDay - lastDay;
    }
    left = bounded(Math.min((double) bytesPerDay, before) - (bytesPerDay - left));
  }

  private double bounded(double bytes) {
    return Math.max(bytes, (double) -bytesPerDay);
  }

  private int slot(int hoursAgo) {
    return (int) Math.floorMod(hour - hoursAgo, (long) HOURS);
  }

  private long[] hours(Cause cause) {
    return byHour.computeIfAbsent(cause, c -> new long[HOURS]);
  }

  /** Whether bytes may be written for this cause now. */
  public boolean allows(Cause cause, long nowNanos) {
    if (driveWritesPerDay == 0) {
      return true;
    }
    advance(nowNanos);
    return cause == Cause.PROMOTION ? left > bytesPerDay * SHARE_RESERVED_FOR_WRITES : left > 0;
  }

  /** Bytes written for a cause in the last 24 hours. */
  public long lastDayBytes(Cause cause, long nowNanos) {
    advance(nowNanos);
    return Arrays.stream(hours(cause)).sum();
  }

  /**
   * Bytes left now; negative after writes beyond the budget; {@code Long.MAX_VALUE} without a
   * limit.
   */
  public long leftBytes(long nowNanos) {
    advance(nowNanos);
    return driveWritesPerDay == 0 ? Long.MAX_VALUE : (long) left;
  }

  /** Bytes that may be written in a day; 0 without a limit. */
  public long bytesPerDay() {
    return bytesPerDay;
  }

  private void advance(long nowNanos) {
    long nowHour = Math.floorDiv(nowNanos, HOUR_NANOS);
    for (long passed = Math.max(hour + 1, nowHour - HOURS + 1); passed <= nowHour; passed++) {
      for (long[] hours : byHour.values()) {
        hours[(int) Math.floorMod(passed, (long) HOURS)] = 0;
      }
    }
    hour = Math.max(hour, nowHour);
    long since = nowNanos - filledNanos;
    if (since > 0) {
      left = Math.min((double) bytesPerDay, left + (double) bytesPerDay * since / DAY_NANOS);
      filledNanos = nowNanos;
    }
  }
}
