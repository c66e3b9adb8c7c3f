// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.TrafficHistory.Series;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TrafficHistoryTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final long BEGIN = -7 * MINUTE; // a monotonic clock may be negative

  private final Counters counters = new Counters();

  private long[] ssd(TrafficHistory history) {
    return history.snapshot().values(Series.SSD_READ_BYTES);
  }

  @Test
  void sample_keepsIncrements_oldestFirst() {
    counters.add(Counter.BYTES_READ_FAST, 1000); // before its time
    TrafficHistory history = new TrafficHistory(counters, BEGIN);
    assertEquals(0, history.snapshot().minutes());
    counters.add(Counter.BYTES_READ_FAST, 5);
    counters.add(Counter.BYTES_READ_SLOW, 7);
    history.sample(BEGIN + MINUTE);
    counters.add(Counter.BYTES_READ_FAST, 3);
    history.sample(BEGIN + 2 * MINUTE);
    assertArrayEquals(new long[] {5, 3}, ssd(history));
    assertArrayEquals(new long[] {7, 0}, history.snapshot().values(Series.DISK_READ_BYTES));
  }

  @Test
  void sample_twiceInAMinute_countsInTheNext() {
    TrafficHistory history = new TrafficHistory(counters, BEGIN);
    history.sample(BEGIN + MINUTE);
    counters.add(Counter.BYTES_READ_FAST, 5);
    history.sample(BEGIN + MINUTE);
    history.sample(BEGIN); // late
    assertArrayEquals(new long[] {0}, ssd(history));
    history.sample(BEGIN + 2 * MINUTE);
    assertArrayEquals(new long[] {0, 5}, ssd(history));
  }

  /** The timer has a phase of its own, and pauses of the process delay it. */
  @Test
  void sample_lateBySeconds_isOneMinute() {
    TrafficHistory history = new TrafficHistory(counters, BEGIN);
    long[] millis = {59_500, 120_300, 179_500, 239_500, 339_500, 359_500, 419_500};
    long last = 0;
    for (long now : millis) {
      counters.add(Counter.BYTES_READ_FAST, now - last); // a byte in each millisecond
      last = now;
      history.sample(BEGIN + TimeUnit.MILLISECONDS.toNanos(now));
    }
    // One call was late by 40 seconds: only then there is a gap.
    assertArrayEquals(
        new long[] {59_500, 60_800, 59_200, 60_000, 0, 100_000, 80_000}, ssd(history));
    assertEquals(BEGIN + TimeUnit.MILLISECONDS.toNanos(last), history.snapshot().endNanos());
  }

  @Test
  void minutesMissed_areZeros() {
    TrafficHistory history = new TrafficHistory(counters, BEGIN);
    counters.add(Counter.BYTES_READ_FAST, 5);
    history.sample(BEGIN + MINUTE);
    counters.add(Counter.BYTES_READ_FAST, 6);
    history.sample(BEGIN + 4 * MINUTE);
    assertArrayEquals(new long[] {5, 0, 0, 6}, ssd(history));
    history.sample(Long.MAX_VALUE / 2); // asleep for long
    assertEquals(TrafficHistory.MINUTES, history.snapshot().minutes());
    assertArrayEquals(new long[TrafficHistory.MINUTES], ssd(history));
  }

  @Test
  void afterADay_theOldestMinutesAreForgotten() {
    TrafficHistory history = new TrafficHistory(counters, BEGIN);
    for (int i = 1; i <= TrafficHistory.MINUTES + 10; i++) {
      counters.add(Counter.BYTES_PROMOTED, i);
      history.sample(BEGIN + i * MINUTE);
    }
    long[] expected = new long[TrafficHistory.MINUTES];
    Arrays.setAll(expected, i -> i + 11);
    assertArrayEquals(expected, history.snapshot().values(Series.PROMOTED_BYTES));
  }

  @Test
  void eachSeries_hasItsCounterAndKey() {
    TrafficHistory history = new TrafficHistory(counters, BEGIN);
    int different = 0;
    for (Counter counter : Counter.values()) {
      counters.add(counter, ++different);
    }
    history.sample(BEGIN + MINUTE);
    long distinct =
        Arrays.stream(Series.values())
            .mapToLong(series -> history.snapshot().values(series)[0])
            .filter(value -> value > 0)
            .distinct()
            .count();
    assertEquals(Series.values().length, distinct);
    assertEquals(
        Series.values().length, Arrays.stream(Series.values()).map(Series::key).distinct().count());
  }
}
