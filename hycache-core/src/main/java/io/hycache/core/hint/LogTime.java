// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.time.DateTimeException;
import java.time.LocalDate;

/**
 * Times at the beginning of log lines, in the form that Hadoop's log4j.properties give them: {@code
 * 2026-11-26 03:01:03,123}, with T for the space, a point for the comma, or without the
 * milliseconds. The time zone is not in the line; it is taken as UTC.
 */
public final class LogTime {
  private static final int DATE_END = 10;
  private static final int TIME_END = 19;
  private static final int MILLIS_END = 23;
  private static final long MILLIS_A_SECOND = 1000;
  private static final long SECONDS_A_DAY = 86_400;

  private LogTime() {}

  /** Milliseconds since 1970; -1 if the line does not begin with a time. */
  public static long millis(String line) {
    if (line.length() < TIME_END
        || line.charAt(4) != '-'
        || line.charAt(7) != '-'
        || (line.charAt(DATE_END) != ' ' && line.charAt(DATE_END) != 'T')
        || line.charAt(13) != ':'
        || line.charAt(16) != ':') {
      return -1;
    }
    try {
      LocalDate day =
          LocalDate.of(digits(line, 0, 4), digits(line, 5, 7), digits(line, 8, DATE_END));
      long seconds =
          digits(line, 11, 13) * 3600L + digits(line, 14, 16) * 60L + digits(line, 17, TIME_END);
      boolean precise =
          line.length() >= MILLIS_END
              && (line.charAt(TIME_END) == ',' || line.charAt(TIME_END) == '.');
      int millis = precise ? digits(line, TIME_END + 1, MILLIS_END) : 0;
      return (day.toEpochDay() * SECONDS_A_DAY + seconds) * MILLIS_A_SECOND + millis;
    } catch (NumberFormatException | DateTimeException e) {
      return -1;
    }
  }

  private static int digits(String line, int from, int to) {
    return Integer.parseInt(line, from, to, 10);
  }
}
