// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.ObservedDay;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The counts of {@link ObservedDay} by day, of the last {@link ObservedDay#MAX_DAYS} days of this
 * process; about 1 KB each, in memory only. Thread-safe; O(counters).
 */
final class ObservedDays {
  private final Counters counters;
  private final Supplier<LocalDate> today;

  // Guarded by this.
  private final Deque<ObservedDay> ended = new ArrayDeque<>();
  private LocalDate day;
  private Map<Counter, Long> before;

  /**
   * @param today the date in the DataNode's time zone
   */
  ObservedDays(Counters counters, Supplier<LocalDate> today) {
    this.counters = counters;
    this.today = today;
    this.day = today.get();
    this.before = counts();
  }

  private Map<Counter, Long> counts() {
    Map<Counter, Long> counts = new EnumMap<>(Counter.class);
    ObservedDay.COUNTERS.forEach(counter -> counts.put(counter, counters.get(counter)));
    return counts;
  }

  private ObservedDay grown(Map<Counter, Long> now) {
    Map<Counter, Long> growth = new EnumMap<>(now);
    before.forEach((counter, count) -> growth.merge(counter, -count, Long::sum));
    return new ObservedDay(day.toString(), growth);
  }

  /** Ends the day if it is over. To be called often: what is counted until then is of that day. */
  synchronized void maintain() {
    LocalDate now = today.get();
    if (!now.isAfter(day)) {
      return; // also while a clock that was set back has not caught up
    }
    Map<Counter, Long> counts = counts();
    ended.addLast(grown(counts));
    if (ended.size() >= ObservedDay.MAX_DAYS) {
      ended.removeFirst();
    }
    day = now;
    before = counts;
  }

  /**
   * The days, the oldest first, today last; those on which the process did not run are left out.
   */
  synchronized List<ObservedDay> all() {
    maintain();
    List<ObservedDay> days = new ArrayList<>(ended);
    days.add(grown(counts()));
    return days;
  }
}
