// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers with units on the command line: 256MB, 144MB/s, 8ms, 5%. As with disks, MB are 10^6 and
 * MiB 2^20 bytes.
 */
final class Units {
  private static final Pattern NUMBER = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([A-Za-z%/]*)");
  private static final Map<String, Long> BYTES =
      Map.ofEntries(
          Map.entry("", 1L),
          Map.entry("b", 1L),
          Map.entry("kb", 1_000L),
          Map.entry("mb", 1_000_000L),
          Map.entry("gb", 1_000_000_000L),
          Map.entry("tb", 1_000_000_000_000L),
          Map.entry("pb", 1_000_000_000_000_000L),
          Map.entry("kib", 1L << 10),
          Map.entry("mib", 1L << 20),
          Map.entry("gib", 1L << 30),
          Map.entry("tib", 1L << 40),
          Map.entry("pib", 1L << 50));

  /** A unit that means bits to many people, as Mb does; mb is only short for MB. */
  private static final Pattern BITS = Pattern.compile("[KMGTP]i?b");

  private static final Map<String, BigDecimal> SECONDS =
      Map.of(
          "s", BigDecimal.ONE,
          "ms", new BigDecimal("0.001"),
          "us", new BigDecimal("0.000001"));

  private Units() {}

  private static Matcher match(String option, String text, String example) {
    Matcher matcher = NUMBER.matcher(text.strip());
    if (!matcher.matches()) {
      throw refused(option, text, example);
    }
    return matcher;
  }

  private static IllegalArgumentException refused(String option, String text, String example) {
    return new IllegalArgumentException(
        option + ": expected something like " + example + ", found " + text);
  }

  /** Bytes, rounded down. */
  static long bytes(String option, String text) {
    String example = "256MB, 10GiB or a number of bytes";
    Matcher matcher = match(option, text, example);
    if (BITS.matcher(matcher.group(2)).matches()) {
      throw new IllegalArgumentException(
          option
              + ": expected bytes, such as 144MB, found "
              + text
              + ", which may mean bits. Fix: B for bytes; divide bits by 8");
    }
    Long unit = BYTES.get(matcher.group(2).toLowerCase(Locale.ROOT));
    if (unit == null) {
      throw refused(option, text, example);
    }
    BigDecimal bytes = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
    if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          option + ": expected at most 2^63 - 1 bytes, found " + text);
    }
    return bytes.setScale(0, RoundingMode.FLOOR).longValueExact();
  }

  /**
   * Bytes, or n% of the footprint: floor(footprint x n / 100). A number needs its unit: who forgets
   * the % of 5% does not mean five bytes.
   */
  static long capacity(String option, String text, long footprintBytes) {
    String stripped = text.strip();
    if (!stripped.isEmpty() && CharMatcher.anyOf("0123456789.").matchesAllOf(stripped)) {
      throw new IllegalArgumentException(
          option
              + ": expected a size with its unit, such as 5%, 256MB or 10GiB, found "
              + stripped
              + ". Fix: "
              + stripped
              + "% for a part of the footprint, "
              + stripped
              + "B for bytes");
    }
    if (!stripped.endsWith("%")) {
      return bytes(option, text);
    }
    return BigDecimal.valueOf(footprintBytes)
        .multiply(percent(option, text))
        .divide(BigDecimal.valueOf(100), 0, RoundingMode.FLOOR)
        .longValueExact();
  }

  /** The n of n%. */
  static BigDecimal percent(String option, String text) {
    Matcher matcher = match(option, text, "5% or 0.1%");
    if (!matcher.group(2).equals("%")) {
      throw refused(option, text, "5% or 0.1%");
    }
    return new BigDecimal(matcher.group(1));
  }

  static double bytesPerSec(String option, String text) {
    String stripped = text.strip();
    return bytes(
        option, stripped.endsWith("/s") ? stripped.substring(0, stripped.length() - 2) : stripped);
  }

  static double seconds(String option, String text) {
    Matcher matcher = match(option, text, "8ms or 0.008s");
    BigDecimal unit = SECONDS.get(matcher.group(2).toLowerCase(Locale.ROOT));
    if (unit == null) {
      throw refused(option, text, "8ms or 0.008s");
    }
    return new BigDecimal(matcher.group(1)).multiply(unit).doubleValue();
  }

  /** Three digits and a unit, for people. */
  static String human(long bytes) {
    String[] units = {"B", "KB", "MB", "GB", "TB", "PB"};
    double value = (double) bytes;
    int unit = 0;
    while (value >= 999.5 && unit < units.length - 1) {
      value /= 1000;
      unit++;
    }
    int digits = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + digits + "f %s", value, units[unit]);
  }

  /** Parts of a list. */
  static List<String> list(String text) {
    return Splitter.on(',').trimResults().omitEmptyStrings().splitToList(text);
  }

  /** The parts of {@code 5%+20%}. */
  static List<String> tiers(String text) {
    return Splitter.on('+').trimResults().splitToList(text);
  }
}
