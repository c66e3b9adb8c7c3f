// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.model;

import java.util.LinkedHashMap;
import java.util.Map;

/** Maps with a bound. Stateless. */
public final class LatestEntries {
  private static final float LOAD_FACTOR = 0.75f;

  private LatestEntries() {}

  /**
   * Returns an empty map that drops an entry when it has more than so many: that which was put or
   * got the longest ago, which is the first one of its iterators. Not thread-safe.
   *
   * @param most &gt; 0
   */
  public static <K, V> Map<K, V> map(int most) {
    return new LinkedHashMap<>(16, LOAD_FACTOR, true) {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
      }
    };
  }
}
