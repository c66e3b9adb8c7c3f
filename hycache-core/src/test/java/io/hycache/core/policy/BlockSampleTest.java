// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static io.hycache.core.policy.CachePolicyContract.block;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.CacheKey;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The sample of all blocks. */
class BlockSampleTest {
  private static final int BLOCKS = 100_000;

  private final BlockSample sample = new BlockSample();

  private long[] members() {
    return LongStream.range(0, BLOCKS).filter(id -> sample.has(block(id))).toArray();
  }

  @Test
  void atFirst_allBlocksAreInIt() {
    assertTrue(sample.isAll());
    assertEquals(1, sample.rate());
    assertEquals(BLOCKS, members().length);
  }

  @Test
  void halved_aboutHalfOfTheBlocksLeave_andNoneArrive() {
    for (double rate = 0.5; rate > 0.01; rate /= 2) {
      long[] before = members();
      sample.halve();
      long[] after = members();

      assertFalse(sample.isAll());
      assertEquals(rate, sample.rate());
      assertEquals(rate * BLOCKS, after.length, 5 * Math.sqrt(rate * BLOCKS));
      assertEquals(after.length, LongStream.of(before).filter(id -> sample.has(block(id))).count());
    }
  }

  @Test
  void picked_areThoseInIt_inTheirOrder() {
    sample.halve();
    CacheKey[] from = LongStream.range(0, 64).mapToObj(id -> block(id)).toArray(CacheKey[]::new);
    CacheKey[] picked = new CacheKey[64];
    int count = sample.pick(from, 60, picked);

    List<CacheKey> expected =
        Stream.of(from).limit(60).filter(sample::has).collect(Collectors.toList());
    assertEquals(expected, Arrays.asList(picked).subList(0, count));
  }

  @Test
  void halvedManyTimes_rateStaysAboveZero() {
    for (int i = 0; i < 100; i++) {
      sample.halve();
    }
    assertFalse(sample.canBeHalved());
    assertEquals(Math.pow(2, -30), sample.rate());
  }
}
