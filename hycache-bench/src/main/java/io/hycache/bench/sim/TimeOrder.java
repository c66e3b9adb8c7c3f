// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.time.Duration;
import java.util.Locale;

/** The order in which times come, in milliseconds since any fixed moment. Not thread-safe. */
final class TimeOrder {
  /** Threads write lines of about the same time to a log in any order. */
  private static final long MAX_BEHIND_MILLIS = 60_000;

  private long earliest = Long.MAX_VALUE;
  private long latest = Long.MIN_VALUE;
  private long before = Long.MIN_VALUE;
  private long stepsBack;
  private long behindMillis;

  void add(long millis) {
    stepsBack += millis < before ? 1 : 0;
    before = millis;
    earliest = Math.min(earliest, millis);
    latest = Math.max(latest, millis);
    behindMillis = Math.max(behindMillis, latest - millis);
  }

  /** Times that are earlier than the one before. */
  long stepsBack() {
    return stepsBack;
  }

  /** How much earlier a time is, at most, than one that came before it, such as 23h or 1.5s. */
  String behind() {
    return text(behindMillis);
  }

  /** Whether {@link #behind} is more than a log has whose lines are in the order of their times. */
  boolean isWrong() {
    return behindMillis > MAX_BEHIND_MILLIS;
  }

  /** From the earliest to the latest; 0 if there are none. */
  long spanMillis() {
    return latest < earliest ? 0 : latest - earliest;
  }

  /** Such as 23h or 1.5s. */
  static String text(long millis) {
    return Duration.ofMillis(millis).toString().substring("PT".length()).toLowerCase(Locale.ROOT);
  }
}
