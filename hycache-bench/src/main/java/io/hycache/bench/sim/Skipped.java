// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Counts what a reader left out, by reason. Not thread-safe. */
final class Skipped {
  private static final class Count {
    long lines;
    String example = "";
  }

  private static final int EXAMPLE_CHARS = 120;

  private final Map<String, Count> counts = new LinkedHashMap<>();

  /**
   * @param reason why, for people; there are few different ones
   * @param line what was left out; the first one of each reason is shown
   */
  void count(String reason, String line) {
    Count count = counts.computeIfAbsent(reason, r -> new Count());
    if (count.lines++ == 0) {
      count.example =
          line.length() <= EXAMPLE_CHARS ? line : line.substring(0, EXAMPLE_CHARS) + "...";
    }
  }

  long total() {
    return counts.values().stream().mapToLong(count -> count.lines).sum();
  }

  /** A note for each reason. */
  void report(Consumer<String> notes) {
    counts.forEach(
        (reason, count) ->
            notes.accept(
                String.format(
                    Locale.ROOT,
                    "skipped %,d lines: %s, the first: %s",
                    count.lines,
                    reason,
                    count.example)));
  }
}
