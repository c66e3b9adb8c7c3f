// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Makes names that differ: of those that are equal, the second one ends in {@code -2}, the third
 * one in {@code -3}. Not thread-safe; O(1) a name, amortized.
 */
final class UniqueNames {
  private final Set<String> used = new HashSet<>();

  /** The number that the next equal name is tried with. */
  private final Map<String, Integer> next = new HashMap<>();

  /** Returns the name, with a number behind it if it was returned before. */
  String of(String name) {
    if (used.add(name)) {
      return name;
    }
    int number = next.getOrDefault(name, 2);
    while (!used.add(name + "-" + number)) {
      number++;
    }
    next.put(name, number + 1);
    return name + "-" + number;
  }
}
