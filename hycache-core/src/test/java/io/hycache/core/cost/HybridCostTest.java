// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * C_GC, C_PW and C(u, r) computed by hand, and the optimum compared with a different formulation.
 */
class HybridCostTest {
  private static final FlashModel FLASH = FlashModel.DEFAULT;
  private static final DiskTime DISK = DiskTime.DEFAULT;

  // u = (u' - 1) / ln u'; C_GC = u' 128 350us + 2ms; C_PW = C_GC / ((1 - u') 128) + 300us
  @ParameterizedTest
  @CsvSource({
    "0.39086503, 0.1, 0.00648, 0.00035625",
    "0.72134752, 0.5, 0.02440, 0.00068125",
    "0.94912216, 0.9, 0.04232, 0.00360625",
  })
  void flash_byHand(double u, double victim, double collect, double write) {
    assertEquals(victim, FlashModel.utilisationOfVictim(u), 1e-6);
    assertEquals(collect, FLASH.collectSeconds(u), 1e-7);
    assertEquals(write, FLASH.writePageSeconds(u), 1e-7);
  }

  @Test
  void flash_ends() {
    assertEquals(0, FlashModel.utilisationOfVictim(0));
    assertEquals(0.002 / 128 + 0.0003, FLASH.writePageSeconds(0), 1e-12);
    assertTrue(FLASH.writePageSeconds(0.999) > 0.1, "a full device spends its time on collection");
    assertThrows(IllegalArgumentException.class, () -> FLASH.writePageSeconds(1));
  }

  @Test
  void cost_byHand() {
    double u = 0.72134752; // u' = 0.5, C_PW = 681.25 us
    // C_DR = C_DW = 8 ms + 4096 / 144e6 = 8.0284444 ms; C_FR = 50 us
    HybridCost cost =
        new HybridCost(FLASH, DISK, new HitCurve(0.5, 0.5), new HitCurve(0.25, 0.25), 0.75, 10);

    // 0.5 x 0.05 + 0.5 x (8.0284444 + 0.68125)
    assertEquals(0.004_379_847, cost.readSeconds(u, 0.5), 1e-8);
    // 0.68125 + 0.75 x (0.05 + 8.0284444)
    assertEquals(0.006_740_083, cost.writeSeconds(u, 0.5), 1e-8);
    // 0.75 x 4.379847 + 0.25 x 6.740083
    assertEquals(0.004_969_906, cost.seconds(u, 0.5), 1e-8);
  }

  private static double[] curve(Random random, int segments) {
    double[] steps = random.doubles(segments + 1).toArray();
    steps[0] = 0;
    Arrays.parallelPrefix(steps, Double::sum);
    double most = steps[segments] * (1 + random.nextDouble());
    return Arrays.stream(steps).map(s -> s / most).toArray();
  }

  /**
   * The same cost, formulated as a single sum of what each access costs flash and disk, with u' by
   * Newton's method.
   */
  private static double independent(
      double[] reads, double[] writes, double ioRead, int read, int write, int segments) {
    double u = (double) (read + write) / segments;
    double v = 0.5;
    for (int i = 0; i < 100; i++) {
      // f(v) = u ln v - v + 1
      double next = v - (u * Math.log(v) - v + 1) / (u / v - 1);
      v = Math.min(0.999_999_999, Math.max(1e-12, next));
    }
    double copied = v / (1 - v) * 350e-6;
    double erased = 2e-3 / 128 / (1 - v);
    double program = copied + erased + 300e-6;
    double disk = 8e-3 + 4096 / 144e6;
    double programs = ioRead * (1 - reads[read]) + (1 - ioRead);
    double diskOperations = ioRead * (1 - reads[read]) + (1 - ioRead) * (1 - writes[write]);
    double flashReads = ioRead * reads[read] + (1 - ioRead) * (1 - writes[write]);
    return programs * program + diskOperations * disk + flashReads * 50e-6;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void best_isTheLeastOfAllSplits(long seed) {
    Random random = new Random(seed);
    int segments = 24;
    double[] reads = curve(random, segments);
    double[] writes = curve(random, segments);
    double ioRead = random.nextDouble();
    double least = Double.POSITIVE_INFINITY;
    String at = "";
    for (int read = 0; read < segments; read++) {
      for (int write = 0; read + write < segments; write++) {
        if (read + write > 0) {
          double cost = independent(reads, writes, ioRead, read, write, segments);
          if (cost < least) {
            least = cost;
            at = "read=" + read + " write=" + write + " free=" + (segments - read - write);
          }
        }
      }
    }
    Partition best =
        new HybridCost(FLASH, DISK, new HitCurve(reads), new HitCurve(writes), ioRead, segments)
            .best();

    assertEquals(at + " of 24", best.toString(), "seed=" + seed);
    assertEquals(least, best.seconds(), least * 1e-6, "seed=" + seed);
    assertEquals(
        1, best.readShare() + best.writeShare() + best.reserveShare(), 1e-12, "seed=" + seed);
  }

  @Test
  void partition_towards_movesBordersByASegment() {
    Partition here = Partition.of(0.5, 0.3, 10);
    Partition goal = Partition.of(0.2, 0.7, 10);

    Partition next = here.towards(goal);
    assertEquals("read=4 write=4 free=2 of 10", next.toString());
    for (int i = 0; i < 10; i++) {
      next = next.towards(goal);
    }
    assertEquals(goal.toString(), next.toString());
    assertEquals(
        "read=4 write=5 free=1 of 10",
        Partition.of(0.5, 0.4, 10).towards(Partition.of(0.4, 0.5, 10)).toString(),
        "the total does not change");
  }
}
