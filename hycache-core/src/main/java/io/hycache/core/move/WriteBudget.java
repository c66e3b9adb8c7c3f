package io.hycache.core.move;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What was written to one SSD, by cause, and what may still be.
 *
 * <p>Idea: a budget in drive writes per day is a bucket that holds one day's worth and fills evenly
 * over the day; every byte written takes from it, also below zero, because a user's write is never
 * cut off. Promotions stop while less than a fifth is left, so that the last of it is for writes;
 * SSD-first writes stop while nothing is. Bytes of the last day are counted by the hour, so the sum
 * is at most an hour old. Write-backs cost an SSD nothing: its bytes stay under a second name.
 *
 * <p>Not thread-safe. Time comes in as an argument.
 */
public final class WriteBudget {
  /** What bytes were written for. */
  public enum Cause {
    USER_WRITE,
    PROMOTION
  }

  private static final long DAY_NANOS = TimeUnit.DAYS.toNanos(1);
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final int HOURS = 24;

  /** The causes in the order in which they are saved, which stays. */
  private static final List<Cause> SAVED = List.of(Cause.USER_WRITE, Cause.PROMOTION);

  private static final int SAVED_NUMBERS = 1 + SAVED.size() * HOURS;
  private static final double LAST_FOR_WRITES = 0.2;

  private final double driveWritesPerDay;
  private final Map<Cause, long[]> byHour = new EnumMap<>(Cause.class);
  private long hour;
  private long bytesPerDay;
  private double left;
  private long filledNanos;
  private boolean saved = true;

  /**
   * @param driveWritesPerDay &gt;= 0; 0 is no bound
   * @param capacityBytes what one drive write is
   */
  public WriteBudget(double driveWritesPerDay, long capacityBytes, long nowNanos) {
    this.driveWritesPerDay = driveWritesPerDay;
    this.hour = Math.floorDiv(nowNanos, HOUR_NANOS);
    this.filledNanos = nowNanos;
    this.bytesPerDay = (long) (driveWritesPerDay * capacityBytes);
    this.left = (double) bytesPerDay;
  }

  /** The device's capacity may change; what is left doesn't grow by that. */
  public void setCapacity(long capacityBytes) {
    bytesPerDay = (long) (driveWritesPerDay * capacityBytes);
    left = Math.min(left, (double) bytesPerDay);
  }

  /** Bytes went to the device. */
  public void wrote(Cause cause, long bytes, long nowNanos) {
    advance(nowNanos);
    hours(cause)[slot(0)] += bytes;
    left -= bytes;
    saved = false;
  }

  /** True while nothing was written since {@link #save} that a restart would forget. */
  public boolean isSaved() {
    return saved;
  }

  /**
   * What has to survive a restart: the bytes left, then for each cause those of the last 24 hours,
   * the latest hour first.
   */
  public long[] save(long nowNanos) {
    advance(nowNanos);
    saved = true;
    long[] numbers = new long[SAVED_NUMBERS];
    numbers[0] = (long) left;
    int at = 1;
    for (Cause cause : SAVED) {
      for (int ago = 0; ago < HOURS; ago++) {
        numbers[at++] = hours(cause)[slot(ago)];
      }
    }
    return numbers;
  }

  /**
   * Adds what an earlier process saved to what this one has written. Numbers that no {@link #save}
   * made are ignored.
   *
   * @param agoNanos how long ago they were saved; less than 0 counts as 0
   */
  public void restore(long[] numbers, long agoNanos, long nowNanos) {
    if (numbers.length != SAVED_NUMBERS) {
      return;
    }
    advance(nowNanos);
    long passed = Math.max(0, agoNanos);
    double before = numbers[0] + (double) bytesPerDay * passed / DAY_NANOS;
    left = Math.min((double) bytesPerDay, before) - (bytesPerDay - left);
    int hoursPassed = (int) Math.min(HOURS, passed / HOUR_NANOS);
    int from = 1;
    for (Cause cause : SAVED) {
      for (int ago = 0; ago + hoursPassed < HOURS; ago++) {
        hours(cause)[slot(ago + hoursPassed)] += Math.max(0, numbers[from + ago]);
      }
      from += HOURS;
    }
  }

  private int slot(int hoursAgo) {
    return (int) Math.floorMod(hour - hoursAgo, (long) HOURS);
  }

  private long[] hours(Cause cause) {
    return byHour.computeIfAbsent(cause, c -> new long[HOURS]);
  }

  /** May bytes be written for this cause now? */
  public boolean allows(Cause cause, long nowNanos) {
    if (driveWritesPerDay == 0) {
      return true;
    }
    advance(nowNanos);
    return cause == Cause.PROMOTION ? left > bytesPerDay * LAST_FOR_WRITES : left > 0;
  }

  /** Bytes written for a cause in the last 24 hours. */
  public long lastDayBytes(Cause cause, long nowNanos) {
    advance(nowNanos);
    return Arrays.stream(hours(cause)).sum();
  }

  /**
   * Bytes left now; negative after writes that went over it; {@code Long.MAX_VALUE} without bound.
   */
  public long leftBytes(long nowNanos) {
    advance(nowNanos);
    return driveWritesPerDay == 0 ? Long.MAX_VALUE : (long) left;
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
