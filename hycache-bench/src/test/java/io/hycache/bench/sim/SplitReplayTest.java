// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.PartitionRule;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.CacheKey;
import io.hycache.core.policy.Policies;
import org.junit.jupiter.api.Test;

class SplitReplayTest {
  private static final CacheKey READ = new CacheKey("trace", 0);
  private static final CacheKey WRITTEN = new CacheKey("trace", 1);

  private final SplitReplay replay =
      new SplitReplay(
          () -> Policies.create("lru"),
          PartitionRule.parse("--partition", "0.8:0.2"),
          100,
          DiskTime.DEFAULT,
          1);

  private boolean access(CacheKey object, long size, long request, boolean write, long at) {
    return replay.access(object, size, request, write, 0, at);
  }

  @Test
  void partialWrite_ofWhatWasRead_movesItToTheWriteShare() {
    access(READ, 10, 10, false, 0);
    assertTrue(access(READ, 10, 10, false, 1));
    access(READ, 10, 1, true, 2);
    assertEquals(10, replay.usedBytes());
    assertTrue(access(READ, 10, 10, false, 3));
  }

  @Test
  void partialWrite_ofWhatExceedsTheWriteShare_leavesTheOthersThere() {
    access(WRITTEN, 15, 15, true, 0);
    access(READ, 50, 50, false, 1);
    assertEquals(65, replay.usedBytes());
    access(READ, 50, 1, true, 2);
    assertEquals(15, replay.usedBytes(), "the copy in the read share is old");
    assertTrue(access(WRITTEN, 15, 15, false, 3));
    assertFalse(access(READ, 50, 50, false, 4));
  }
}
