// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.policy.BlockKinds.Kind;
import io.hycache.core.policy.BlockKinds.Order;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlockKindsTest {
  private static final long SIZE = 128L << 20;

  /** Of 1,000 blocks that a nightly job reads, 900 were read when the job is nearly over. */
  @ParameterizedTest
  @EnumSource(Order.class)
  void readsAfterTheCountOfTheAgeHasDecayed_makeNoRankNegative_andNoValueTooLarge(Order order) {
    DiskTime disk = DiskTime.DEFAULT;
    BlockKinds kinds = new BlockKinds(disk, order);
    int gap = 255_000;
    int step = BlockKinds.stepOf(gap);
    Kind kind = kinds.of(2, gap, SIZE);
    Arrays.fill(kind.reached, 0, step, 1_000);
    kind.reached[step] = 167;
    kind.read[step] = 900;
    for (int victims = 0; victims < 1_000; victims++) {
      kinds.spaceTaken(1e-14);
    }

    kinds.update();

    for (int age = 0; age < BlockKinds.AGES; age++) {
      assertTrue(kind.ranks[age] >= 0, "rank " + kind.ranks[age] + " at age " + age);
      assertTrue(kind.densities[age] >= 0, "density " + kind.densities[age] + " at age " + age);
    }
    assertTrue(
        kind.ranks[step] > kind.ranks[step + 1], "those that are due are worth more than the rest");
    double most = disk.seconds(SIZE) + disk.secondsOfWrite(SIZE);
    assertTrue(kind.value <= most, kind.value + " s, more than a fetch: " + most);
  }
}
