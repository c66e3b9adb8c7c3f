// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.ObservedDay;
import io.hycache.core.stats.ObservedPlace;
import io.hycache.hdfs.client.NodeAnswer;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** What mode observe says that mode active would do, for people. */
final class ObservedText {
  static final String DETAILS =
      "\nOf DataNodes in mode observe, what mode active would have done on each day since their\n"
          + "start, at most "
          + ObservedDay.MAX_DAYS
          + " days, all DataNodes together:\n"
          + "  PLACED, PROMOTED, DEMOTED, EVICTED   blocks/bytes\n"
          + "  FROM SSD    of the reads and of the bytes read, what SSD would have served\n";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  private ObservedText() {}

  /** The reason for a block's place; in mode observe, for the place where it would be. */
  static String why(BlockStatus status, Instant now, ZoneId zone) {
    ObservedPlace would = status.observed;
    if (would == null) {
      return status.reason.text();
    }
    String place =
        would.isFast()
            ? "would be on "
                + would.storage
                + " since "
                + TIME.format(now.minusMillis(would.agoMillis).atZone(zone))
                + ", because "
            : "would be on DISK: ";
    return place + would.reason.text();
  }

  /** The days of all DataNodes in mode observe, summed; without rows if there is none. */
  static Table days(List<NodeAnswer<NodeStatus>> answers) {
    SortedMap<String, ObservedDay> days = new TreeMap<>();
    for (NodeAnswer<NodeStatus> answer : answers) {
      if (answer.isAnswered()) {
        for (ObservedDay day : answer.value().observedDays()) {
          days.merge(day.day(), day, ObservedDay::plus);
        }
      }
    }
    Table table = new Table("DAY", ">PLACED", ">PROMOTED", ">DEMOTED", ">EVICTED", ">FROM SSD");
    for (ObservedDay day : days.values()) {
      table.row(
          day.day().substring(day.day().indexOf('-') + 1),
          amount(day, Counter.OBSERVED_BLOCKS_PLACED, Counter.OBSERVED_BYTES_PLACED),
          amount(day, Counter.OBSERVED_BLOCKS_PROMOTED, Counter.OBSERVED_BYTES_PROMOTED),
          amount(day, Counter.OBSERVED_BLOCKS_DEMOTED, Counter.OBSERVED_BYTES_DEMOTED),
          amount(day, Counter.OBSERVED_BLOCKS_EVICTED, Counter.OBSERVED_BYTES_EVICTED),
          percent(day, Counter.OBSERVED_READS_FAST, Counter.OBSERVED_READS_SLOW)
              + ", "
              + percent(day, Counter.OBSERVED_BYTES_READ_FAST, Counter.OBSERVED_BYTES_READ_SLOW)
              + " %");
    }
    return table;
  }

  private static String amount(ObservedDay day, Counter blocks, Counter bytes) {
    return Text.count(day.count(blocks)) + "/" + Text.bytes(day.count(bytes));
  }

  private static String percent(ObservedDay day, Counter fast, Counter slow) {
    long all = day.count(fast) + day.count(slow);
    return all == 0 ? "-" : Text.count(Math.round(100.0 * day.count(fast) / all));
  }
}
