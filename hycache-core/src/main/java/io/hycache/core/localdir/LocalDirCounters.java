// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import io.hycache.core.localdir.LocalDirStatus.Figure;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a tree's activity. Thread-safe. */
final class LocalDirCounters {
  private final Map<Figure, LongAdder> adders = new EnumMap<>(Figure.class);

  LocalDirCounters() {
    for (Figure figure : Figure.values()) {
      if (!figure.isGauge()) {
        adders.put(figure, new LongAdder());
      }
    }
  }

  void add(Figure figure, long by) {
    LongAdder adder = adders.get(figure);
    if (adder == null) {
      throw new IllegalArgumentException(figure + " is not counted");
    }
    adder.add(by);
  }

  void count(Figure figure) {
    add(figure, 1);
  }

  /** The current values of all counters. */
  Map<Figure, Long> snapshot() {
    Map<Figure, Long> values = new EnumMap<>(Figure.class);
    adders.forEach((figure, adder) -> values.put(figure, adder.sum()));
    return values;
  }
}
