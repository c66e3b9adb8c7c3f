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
    assertEquals(0, replay.totals().hits);
    read(replay, 1, 10);
    read(replay, 2, 10);
    assertEquals(2, replay.totals().hits);
    assertEquals(30, replay.totals().ssdWrittenBytes);
    assertEquals(230, replay.totals().hddBytes);
  }

  @Test
  void access_objectGrew_missesAndIsFetchedAgain() {
    Replay replay = new Replay(new LruPolicy(), 200_000_000);
    read(replay, 1, 1000);
    read(replay, 1, 100_000_000);
    assertEquals(0, replay.totals().hits);
    assertEquals(100_001_000, replay.totals().hddBytes);
    assertEquals(2, replay.totals().hddOperations);
    assertEquals(100_001_000, replay.totals().ssdWrittenBytes);
    assertEquals(100_000_000, replay.usedBytes());
    read(replay, 1, 100_000_000);
    read(replay, 1, 1000);
    assertEquals(2, replay.totals().hits);
  }

  @Test
  void access_writeThatMakesTheObjectGrow_hitsIfItHoldsAllThatIsNew() {
    Replay replay = new Replay(new LruPolicy(), 1000);
    replay.access(block(1), 100, 100, true, 0, 0);
    replay.access(block(1), 150, 50, true, 0, 0);
    assertEquals(1, replay.totals().hits);
    assertEquals(150, replay.totals().ssdWrittenBytes);
    assertEquals(0, replay.totals().hddBytes);
    // 49 of the 50 new bytes are written; the dirty 150 go to the HDD, from which 200 come.
    replay.access(block(1), 200, 49, true, 0, 0);
    assertEquals(1, replay.totals().hits);
    assertEquals(350, replay.totals().ssdWrittenBytes);
    assertEquals(350, replay.totals().hddBytes);
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
