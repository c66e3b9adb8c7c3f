// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.cost;

/**
 * The hit ratio of a cache as a function of its size in segments. Non-decreasing. Immutable; a
 * look-up is O(1).
 */
public final class HitCurve {
  private final double[] ratios;

  /**
   * @param ratios hit ratios with 0, 1, 2, ... segments; each 0 to 1 and not less than the one
   *     before
   */
  public HitCurve(double... ratios) {
    double before = 0;
    for (double ratio : ratios) {
      if (!(ratio >= before && ratio <= 1)) {
        throw new IllegalArgumentException(
            "hit ratio: expected " + before + " to 1, found " + ratio);
      }
      before = ratio;
    }
    if (ratios.length == 0) {
      throw new IllegalArgumentException("a hit curve needs a value for 0 segments");
    }
    this.ratios = ratios.clone();
  }

  /** The hit ratio with a number of segments, interpolated; constant beyond the last one. */
  public double at(double segments) {
    double within = Math.max(0, Math.min(segments, ratios.length - 1));
    int below = (int) within;
    if (below == ratios.length - 1) {
      return ratios[below];
    }
    return ratios[below] + (within - below) * (ratios[below + 1] - ratios[below]);
  }

  public int segments() {
    return ratios.length - 1;
  }
}
