// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.util.Arrays;
import java.util.Random;

/**
 * Draws 0 to n - 1, k with a probability in proportion to 1 / (k + 1)^skew. O(log n) a draw, 8
 * bytes for each number. Immutable.
 */
public final class Zipf {
  /** The skew of the workloads here. */
  public static final double SKEW = 0.9;

  private final double[] sums;

  /**
   * @param n of numbers, &gt; 0
   * @param skew 0 for equal chances
   */
  public Zipf(int n, double skew) {
    sums = new double[n];
    double sum = 0;
    for (int k = 0; k < n; k++) {
      sum += 1 / Math.pow(k + 1, skew);
      sums[k] = sum;
    }
  }

  public int draw(Random random) {
    double at = random.nextDouble() * sums[sums.length - 1];
    int found = Arrays.binarySearch(sums, at);
    return found < 0 ? Math.min(-found - 1, sums.length - 1) : found;
  }
}
