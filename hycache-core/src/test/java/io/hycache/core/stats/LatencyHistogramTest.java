// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  private static final double MAX_ERROR = 0.0625;

  private static void assertNear(long expected, long found) {
    assertTrue(
        Math.abs(found - expected) <= MAX_ERROR * expected + 1,
        () -> "expected about " + expected + ", found " + found);
  }

  @Test
  void roll_ofRandomDurations_isWithinSixPercentOfTheExactQuantile() {
    long seed = 27;
    Random random = new Random(seed);
    LatencyHistogram histogram = new LatencyHistogram(1);
    long[] micros = new long[10_000];
    for (int i = 0; i < micros.length; i++) {
      micros[i] = (long) Math.exp(random.nextDouble() * Math.log(1e9));
      histogram.record(micros[i]);
    }
    Arrays.sort(micros);
    long[] found = histogram.roll(0.5, 0.95, 0.99, 1);
    assertNear(micros[4_999], found[0]);
    assertNear(micros[9_499], found[1]);
    assertNear(micros[9_899], found[2]);
    assertNear(micros[9_999], found[3]);
  }

  @Test
  void roll_ofEachPowerOfTwo_isNearIt() {
    for (int bit = 0; bit < 36; bit++) {
      LatencyHistogram histogram = new LatencyHistogram(1);
      histogram.record(1L << bit);
      assertNear(1L << bit, histogram.roll(0.5)[0]);
    }
  }

  @Test
  void record_ofNegativeAndHugeDurations_countsAsTheLeastAndTheMost() {
    LatencyHistogram histogram = new LatencyHistogram(1);
    histogram.record(-1);
    histogram.record(Long.MAX_VALUE);
    long[] found = histogram.roll(0.5, 1);
    assertEquals(0, found[0]);
    assertNear(1L << 36, found[1]);
  }

  @Test
  void roll_forgetsWhatIsOlderThanTheWindow() {
    LatencyHistogram histogram = new LatencyHistogram(2);
    histogram.record(1000);
    assertNear(1000, histogram.roll(0.5)[0]);
    histogram.record(5);
    histogram.record(5);
    assertArrayEquals(new long[] {5}, histogram.roll(0.5), "both intervals: 1000, 5, 5");
    assertArrayEquals(new long[] {5, 5}, histogram.roll(0.5, 1), "the second alone");
    assertArrayEquals(new long[] {0, 0}, histogram.roll(0.5, 1), "neither");
  }

  @Test
  void record_byManyThreads_losesNone() throws Exception {
    LatencyHistogram histogram = new LatencyHistogram(1);
    int each = 20_000;
    List<Thread> threads = new ArrayList<>();
    for (long micros : new long[] {3, 3, 3, 6}) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  histogram.record(micros);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    // Exactly three quarters are 3: one lost of them, or one more of the others, and this would be
    // 6.
    assertArrayEquals(new long[] {3, 6}, histogram.roll(0.75, 0.75 + 1.0 / (4 * each)));
  }
}
