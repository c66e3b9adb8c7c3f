// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps a few names to small numbers, from 1 on; 0 stands for null. Numbers are never reused. */
final class Names {
  private final String what;
  private final int most;
  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();

  Names(String what, int most) {
    this.what = what;
    this.most = most;
  }

  int of(@Nullable String name) {
    if (name == null) {
      return 0;
    }
    Integer known = numbers.get(name);
    if (known != null) {
      return known;
    }
    if (names.size() == most) {
      throw new IllegalStateException("more than " + most + " " + what + ": " + name);
    }
    names.add(name);
    numbers.put(name, names.size());
    return names.size();
  }

  /** The number of a name; -1 if it has none. */
  int find(String name) {
    return numbers.getOrDefault(name, -1);
  }

  @Nullable String get(int number) {
    return number == 0 ? null : names.get(number - 1);
  }
}
