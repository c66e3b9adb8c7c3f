// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static io.hycache.core.policy.CachePolicyContract.block;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What a simulated cache does with sizes at the border. */
class ReplayTest {
  private static void read(Replay replay, int id, long size) {
    replay.access(block(id), size, size, false, 0, 0);
  }

  @Test
  void access_objectGrowsBeyondTheCapacity_leavesAlone() {
    Replay replay = new Replay(new LruPolicy(), 100);
    for (int id = 1; id <= 3; id++) {
      read(replay, id, 10);
    }
    read(replay, 3, 200);

    assertEquals(20, replay.usedBytes());
    assertFalse(replay.isResident(3));
    assertEquals(1, replay.totals().hits);
    read(replay, 1, 10);
    read(replay, 2, 10);
    assertEquals(3, replay.totals().hits);
  }

  @Test
  void access_objectGrowsWithinTheCapacity_evictsOthersFirst() {
    Replay replay = new Replay(new LruPolicy(), 100);
    for (int id = 1; id <= 3; id++) {
      read(replay, id, 10);
    }
    read(replay, 1, 90);

    assertTrue(replay.isResident(1));
    assertFalse(replay.isResident(2));
    assertTrue(replay.isResident(3));
    assertEquals(100, replay.usedBytes());
  }

  @Test
  void access_sizeThatCannotBeHeld_isRefused() {
    Replay replay = new Replay(new LruPolicy(), Long.MAX_VALUE);
    long size = 1L << 62;
    assertEquals(
        "sizeBytes: expected less than 2^62 - 1, found 4611686018427387904",
        assertThrows(
                IllegalArgumentException.class, () -> replay.access(block(1), size, 1, false, 0, 0))
            .getMessage());
  }
}
