// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Names that are there after all have appended to the same directories. Each was appended once: one
 * that is there twice was carried out again. Of tens of millions of names there is room for a bit
 * each. Not thread-safe.
 */
final class AppendedNames {
  /** By the owner, with the separator. */
  private final Map<String, BitSet> numbers = new HashMap<>();

  private long different;
  private long again;

  /** Counts a name: its owner, a separator and a number. */
  void add(String name) {
    int digits = name.length();
    while (digits > 0 && Character.isDigit(name.charAt(digits - 1))) {
      digits--;
    }
    BitSet of = numbers.computeIfAbsent(name.substring(0, digits), owner -> new BitSet());
    int number = Integer.parseInt(name.substring(digits));
    if (of.get(number)) {
      again++;
    } else {
      of.set(number);
      different++;
    }
  }

  /** Different names. */
  long different() {
    return different;
  }

  /** Names that are there once more. */
  long again() {
    return again;
  }
}
