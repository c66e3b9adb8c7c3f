// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import io.hycache.core.stats.Counters.Counter;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What mode {@code active} would have done on one day, by mode {@code observe}: the growth of some
 * counters. Immutable.
 */
public final class ObservedDay {
  /** Days that a DataNode remembers, with the present one. */
  public static final int MAX_DAYS = 14;

  /** The counters that are summed by day, in order. */
  public static final List<Counter> COUNTERS =
      List.of(
          Counter.OBSERVED_BLOCKS_PLACED,
          Counter.OBSERVED_BYTES_PLACED,
          Counter.OBSERVED_BLOCKS_PROMOTED,
          Counter.OBSERVED_BYTES_PROMOTED,
          Counter.OBSERVED_BLOCKS_DEMOTED,
          Counter.OBSERVED_BYTES_DEMOTED,
          Counter.OBSERVED_BLOCKS_EVICTED,
          Counter.OBSERVED_BYTES_EVICTED,
          Counter.OBSERVED_READS_FAST,
          Counter.OBSERVED_READS_SLOW,
          Counter.OBSERVED_BYTES_READ_FAST,
          Counter.OBSERVED_BYTES_READ_SLOW);

  private final String day;
  private final Map<Counter, Long> counts;

  /**
   * @param day as in ISO 8601, such as 2026-11-26, in the DataNode's time zone
   * @param counts of {@link #COUNTERS}; 0 for those that are left out
   */
  public ObservedDay(String day, Map<Counter, Long> counts) {
    this.day = day;
    this.counts = new EnumMap<>(Counter.class);
    COUNTERS.forEach(counter -> this.counts.put(counter, counts.getOrDefault(counter, 0L)));
  }

  /** The day as in ISO 8601, such as 2026-11-26, in the DataNode's time zone. */
  public String day() {
    return day;
  }

  /** What was counted on the day; 0 if the counter is none of {@link #COUNTERS}. */
  public long count(Counter counter) {
    return counts.getOrDefault(counter, 0L);
  }

  /** The counts by label, in order. */
  public Map<String, Long> toMap() {
    Map<String, Long> map = new LinkedHashMap<>();
    counts.forEach((counter, count) -> map.put(counter.label(), count));
    return Collections.unmodifiableMap(map);
  }

  /** The sum of two DataNodes' counts of the same day. */
  public ObservedDay plus(ObservedDay other) {
    Map<Counter, Long> sum = new EnumMap<>(counts);
    other.counts.forEach((counter, count) -> sum.merge(counter, count, Long::sum));
    return new ObservedDay(day, sum);
  }
}
