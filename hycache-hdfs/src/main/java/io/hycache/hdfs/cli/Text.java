// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;

/** Numbers and names for people. */
final class Text {
  /** With those that set the direction of a text, and separators of lines and paragraphs. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Text() {}

  /**
   * A text with names that users chose, in one line: characters that a terminal would obey become
   * question marks.
   */
  static String printable(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }

  /** For example {@code 512 B}, {@code 1.5 GiB}. */
  static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (Math.abs(value) >= 1023.95 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
  }

  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** For example {@code 45.0 %}; {@code -} if {@code whole} is 0. */
  static String share(long part, long whole) {
    return whole == 0 ? "-" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
  }

  /** For example {@code 2h}, {@code 90m}, as manifests have it. */
  static String duration(Duration duration) {
    long seconds = duration.toSeconds();
    if (seconds == 0) {
      return "0s";
    }
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3600 == 0) {
      return seconds / 3600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }

  /** One word in the singular or plural. */
  static String plural(long count, String word) {
    return count(count) + " " + word + (count == 1 ? "" : "s");
  }
}
