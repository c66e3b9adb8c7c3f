// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A path whose dates are known as such: {@code /logs/2026-11-26}, {@code /logs/20261126}, {@code
 * /logs/2026/11/26} and {@code /logs/year=2026/month=11/day=26}. Immutable.
 */
final class DatedPath {
  private static final Pattern DATE =
      Pattern.compile(
          "(?<![0-9])(?:"
              + "(?<y1>\\d{4})-(?<m1>\\d{2})-(?<d1>\\d{2})"
              + "|(?<y2>\\d{4})(?<m2>\\d{2})(?<d2>\\d{2})"
              + "|(?<y3>\\d{4})/(?<m3>\\d{2})/(?<d3>\\d{2})"
              + "|year=(?<y4>\\d{4})/month=(?<m4>\\d{1,2})/day=(?<d4>\\d{1,2})"
              + ")(?![0-9])");

  /** How each form is written, and what stands for it in a template. */
  private static final List<String> FORMS =
      List.of("%04d-%02d-%02d", "%04d%02d%02d", "%04d/%02d/%02d", "year=%04d/month=%02d/day=%02d");

  /** The last form where months and days are integers, as Hive and Spark write them. */
  private static final String UNPADDED = "year=%04d/month=%d/day=%d";

  private static final int MAX_WORD = 40;
  private static final int FIRST_YEAR = 1970;
  private static final int LAST_YEAR = 2199;

  private final String template;
  private final List<LocalDate> dates;
  private final boolean unpadded;

  private DatedPath(String template, List<LocalDate> dates, boolean unpadded) {
    this.template = template;
    this.dates = List.copyOf(dates);
    this.unpadded = unpadded;
  }

  /** Parses any path; one without a date is its own template. O(length). */
  static DatedPath of(String path) {
    String escaped = path.replace("%", "%%");
    Matcher matcher = DATE.matcher(escaped);
    StringBuilder template = new StringBuilder();
    List<LocalDate> dates = new ArrayList<>();
    boolean unpadded = false;
    int at = 0;
    while (matcher.find()) {
      int form = 1;
      while (matcher.group("y" + form) == null) {
        form++;
      }
      String month = matcher.group("m" + form);
      String day = matcher.group("d" + form);
      LocalDate date = date(matcher.group("y" + form), month, day);
      if (date != null) {
        unpadded |= month.length() == 1 || day.length() == 1;
        dates.add(date);
        template.append(escaped, at, matcher.start()).append("%").append(form);
        at = matcher.end();
      }
    }
    return new DatedPath(template.append(escaped.substring(at)).toString(), dates, unpadded);
  }

  private static @Nullable LocalDate date(String year, String month, String day) {
    try {
      LocalDate date =
          LocalDate.of(Integer.parseInt(year), Integer.parseInt(month), Integer.parseInt(day));
      return date.getYear() < FIRST_YEAR || date.getYear() > LAST_YEAR ? null : date;
    } catch (DateTimeException e) {
      return null; // other digits
    }
  }

  /** Returns the path without its dates: equal for paths that differ in nothing else. */
  String template() {
    return template;
  }

  /** Returns true if a month or a day is written with one digit. */
  boolean isUnpadded() {
    return unpadded;
  }

  /** Returns the last two names of a template, without dates, for the name of a workflow. */
  static String words(String template) {
    String[] names = template.replaceAll("%[0-9%]", "").split("[^A-Za-z0-9_]+", -1);
    List<String> out = new ArrayList<>();
    for (int i = names.length - 1; i >= 0 && out.size() < 2; i--) {
      if (!names[i].isEmpty()) {
        out.add(0, names[i].length() > MAX_WORD ? names[i].substring(0, MAX_WORD) : names[i]);
      }
    }
    return out.isEmpty() ? "root" : String.join("-", out);
  }

  /** Returns the days from a day to each of the dates. */
  List<Integer> offsets(LocalDate day) {
    List<Integer> out = new ArrayList<>(dates.size());
    for (LocalDate date : dates) {
      out.add((int) ChronoUnit.DAYS.between(day, date));
    }
    return List.copyOf(out);
  }

  /**
   * Returns the path of a template on another day.
   *
   * @param offsets as many as the template has dates
   * @param unpadded whether months and days of partitions are written without a zero before them
   */
  static String path(String template, LocalDate day, List<Integer> offsets, boolean unpadded) {
    StringBuilder out = new StringBuilder();
    int next = 0;
    for (int i = 0; i < template.length(); i++) {
      char c = template.charAt(i);
      if (c == '%') {
        i++;
        char form = template.charAt(i);
        if (form == '%') {
          out.append('%');
        } else {
          LocalDate date = day.plusDays(offsets.get(next));
          next++;
          int index = form - '1';
          boolean last = index == FORMS.size() - 1;
          out.append(
              String.format(
                  Locale.ROOT,
                  unpadded && last ? UNPADDED : FORMS.get(index),
                  date.getYear(),
                  date.getMonthValue(),
                  date.getDayOfMonth()));
        }
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }
}
