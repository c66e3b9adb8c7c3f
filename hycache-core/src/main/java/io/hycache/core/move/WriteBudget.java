package io.hycache.core.move;

import java.util.Arrays;
import java.util.EnumMap;
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
  private static final double LAST_FOR_WRITES = 0.2;

  private final double driveWritesPerDay;
  private final Map<Cause, long[]> byHour = new EnumMap<>(Cause.class);
  private long hour;
  private long bytesPerDay;
  private double left;
  private long filledNanos;

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
    hours(cause)[(int) Math.floorMod(hour, (long) HOURS)] += bytes;
    left -= bytes;
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
