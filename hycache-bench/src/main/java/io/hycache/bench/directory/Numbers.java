// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.List;

/** Lists on the command line. */
final class Numbers {
  private Numbers() {}

  /** Parts of a list. */
  static List<String> texts(String list) {
    return Splitter.on(',').trimResults().omitEmptyStrings().splitToList(list);
  }

  /**
   * Whole numbers of a list.
   *
   * @throws IllegalArgumentException if one is out of bounds, or there is none
   */
  static List<Integer> of(String option, String list, int least, int most) {
    List<Integer> out = new ArrayList<>();
    for (String text : texts(list)) {
      out.add(checked(option, text, least, most));
    }
    if (out.isEmpty()) {
      throw new IllegalArgumentException(option + ": expected one or more numbers, found none");
    }
    return out;
  }

  private static int checked(String option, String text, int least, int most) {
    try {
      int number = Integer.parseInt(text);
      return checked(option, number, least, most);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          option + ": expected whole numbers from " + least + " to " + most + ", found " + text, e);
    }
  }

  /** The number, if it is allowed. */
  static int checked(String option, int number, int least, int most) {
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          option + ": expected " + least + " to " + most + ", found " + number);
    }
    return number;
  }
}
