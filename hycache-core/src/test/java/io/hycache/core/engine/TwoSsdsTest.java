// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.config;
import static io.hycache.core.engine.EngineRig.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.model.Part;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.NodeStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The moves of one SSD must not depend on the state of another. */
class TwoSsdsTest {
  private static EngineRig rig(HyCacheConfig.Builder config, CachePolicy policy, long... ssds) {
    return new EngineRig(config.build(), policy, new FakeDataNode(ssds)).start();
  }

  /** Fills both SSDs with guests, the first of the order on the first SSD. */
  private static EngineRig full(String policy, long... ssds) throws Exception {
    EngineRig rig = rig(config().checksumShare(0), Policies.create(policy), ssds);
    int id = 1;
    for (int i = 0; i < ssds.length; i++) {
      for (long room = ssds[i]; room >= BLOCK; room -= BLOCK) {
        rig.guest(id++, i == 0 ? FakeDataNode.SSD : FakeDataNode.SSD2);
      }
    }
    rig.probe();
    return rig;
  }

  @ParameterizedTest
  @ValueSource(strings = {"lru", "lfu", "s3-fifo", "w-tinylfu", "fifo"})
  void sickSsd_holdsTheHeadOfTheOrder_promotionsGoOnOnTheHealthyOne(String policy)
      throws Exception {
    try (EngineRig rig = full(policy, 4 * BLOCK + 500, 6 * BLOCK + 3_000)) {
      rig.node.setUsable(FakeDataNode.SSD, false);
      rig.probe();
      for (int id = 101; id <= 116; id++) {
        rig.disk(id);
        for (int reads = 0; reads < 3; reads++) {
          rig.read(id);
        }
      }
      rig.quiet();
      List<String> promotions = rig.moves("promote");
      assertTrue(promotions.size() >= 6, () -> policy + ": " + rig.node.moves());
      for (int id = 101; id <= 116; id++) {
        String on = rig.node.cleanOn(id);
        assertTrue(on == null || on.equals(FakeDataNode.SSD2), policy + " id=" + id);
      }
      for (int id = 1; id <= 4; id++) {
        assertTrue(rig.locate(id).dirty, "left alone: id=" + id);
      }
      rig.engine.settle();
      rig.node.setUsable(FakeDataNode.SSD, true);
      rig.quiet();
      rig.engine.settle();
    }
  }

  /** Shares are of the whole: what is dirty on the sick one is in the sum, so its size is too. */
  @Test
  void sickSsd_status_hasItsSizeAsItsDirtyBytes() throws Exception {
    try (EngineRig rig = full("lru", 4 * BLOCK + 500, 6 * BLOCK + 3_000)) {
      long capacity = rig.status().capacityBytes();
      assertEquals(10 * BLOCK + 3_500, capacity);
      rig.node.setUsable(FakeDataNode.SSD2, false);
      rig.probe();
      NodeStatus status = rig.status();
      assertEquals(10 * BLOCK, status.dirtyBytes());
      assertEquals(capacity, status.capacityBytes());
      DeviceStatus sick = status.devices().get(1);
      assertFalse(sick.isUsable());
      assertEquals(6 * BLOCK + 3_000, sick.figure(DeviceStatus.Figure.CAPACITY_BYTES));
      assertEquals(0, sick.figure(DeviceStatus.Figure.FREE_BYTES));
    }
  }

  @Test
  void sickSsd_hintedBlocks_areFetchedToTheHealthyOne() throws Exception {
    try (EngineRig rig = full("heuristic", 4 * BLOCK + 500, 6 * BLOCK + 2_000)) {
      rig.node.setUsable(FakeDataNode.SSD, false);
      rig.probe();
      long[] ids = new long[12];
      for (int id = 101; id <= 106; id++) {
        rig.disk(id);
        ids[id - 101] = id;
        ids[id - 95] = id;
      }
      rig.hints("w", 60_000_000, ids);
      rig.quiet();
      assertEquals(6, rig.moves("promote").size(), () -> rig.node.moves().toString());
    }
  }

  @Test
  void suspended_blocksThatComeGoAndChange_areRightWhenTheSsdIsBack() throws Exception {
    CachePolicy policy = Policies.create("lru");
    try (EngineRig rig = rig(config().checksumShare(0), policy, 4 * BLOCK + 500, 6 * BLOCK + 500)) {
      for (int id = 1; id <= 3; id++) {
        rig.guest(id, FakeDataNode.SSD);
      }
      rig.guest(11, FakeDataNode.SSD2);
      rig.probe();
      rig.engine.settle();
      rig.node.setUsable(FakeDataNode.SSD, false);
      rig.probe();
      rig.engine.settle();
      assertEquals(List.of(11L), order(policy));
      rig.gone(1);
      rig.guest(4, FakeDataNode.SSD);
      rig.guest(2, FakeDataNode.SSD2);
      rig.disk(5);
      rig.node.leaveClean(new Replica(key(5), 1, BLOCK), FakeDataNode.SSD);
      rig.engine.onClean(key(5), Part.DATA, FakeDataNode.SSD, BLOCK);
      rig.engine.settle();
      assertEquals(List.of(11L, 2L), order(policy));
      rig.engine.onCleanDropped(key(5));
      rig.engine.settle();
      rig.engine.reconfigure(config().checksumShare(0).policy("fifo").build());
      rig.node.setUsable(FakeDataNode.SSD, true);
      rig.probe();
      rig.engine.settle();
      assertEquals(4 * BLOCK, rig.status().dirtyBytes());
      assertEquals(0, rig.status().cleanBytes());
    }
  }

  private static List<Long> order(CachePolicy policy) {
    List<Long> ids = new ArrayList<>();
    policy.evictionOrder().forEach(block -> ids.add(block.id()));
    return ids;
  }

  @Test
  void ssdLeavesWhileADemotionRuns_theOutcomeIsBookedRight() throws Exception {
    try (EngineRig rig =
        rig(
            config().checksumShare(0).demoteWatermarks(0.1, 0.2),
            Policies.create("lru"),
            4 * BLOCK + 500,
            6 * BLOCK + 500)) {
      var gate = rig.node.hold("demote 1");
      rig.guest(1, FakeDataNode.SSD);
      rig.guest(2, FakeDataNode.SSD);
      rig.awaitMove("demote 1");
      rig.node.setUsable(FakeDataNode.SSD, false);
      rig.probe();
      gate.countDown();
      rig.quiet();
      assertTrue(rig.locate(1).cleanData);
      rig.engine.settle();
      rig.node.setUsable(FakeDataNode.SSD, true);
      rig.quiet();
      assertEquals(BLOCK, rig.status().dirtyBytes());
    }
  }

  @Test
  void roomIsSplitOverTheSsds_victimsOfOneSsdGo() throws Exception {
    // 0.6 of a block free on each: together more than a block, on none of them enough.
    try (EngineRig rig = full("lru", 3 * BLOCK + 6_000, 5 * BLOCK + 6_500)) {
      rig.disk(101);
      rig.read(101);
      rig.quiet();
      assertEquals(List.of("replace 1", "promote 101"), rig.moves("replace", "promote"));
      assertEquals(FakeDataNode.SSD, rig.node.cleanOn(101));
    }
  }

  @Test
  void blockThatFitsTheLargerSsdOnly_victimsThereGoAndNoOthers() throws Exception {
    try (EngineRig rig = full("lru", 2 * BLOCK, 6 * BLOCK + 1_000)) {
      rig.disk(101, 3 * BLOCK);
      rig.read(101, 3 * BLOCK, false);
      rig.quiet();
      assertEquals(FakeDataNode.SSD2, rig.node.cleanOn(101), () -> rig.node.moves().toString());
      assertTrue(rig.locate(1).dirty);
      assertTrue(rig.locate(2).dirty);
      assertEquals(
          List.of("replace 3", "replace 4", "replace 5", "promote 101"),
          rig.moves("replace", "promote"));
    }
  }

  @Test
  void blockLargerThanTheLargestSsd_isTooLarge() throws Exception {
    try (EngineRig rig = full("lru", 2 * BLOCK, 3 * BLOCK)) {
      rig.disk(101, 4 * BLOCK);
      rig.read(101, 4 * BLOCK, false);
      rig.quiet();
      assertEquals(List.of(), rig.moves("replace", "promote"));
      assertEquals(Reason.TOO_LARGE, rig.locate(101).reason);
    }
  }

  @Test
  void headOfTheOrderCannotBeWrittenToDisk_othersGoForTheNewcomers() throws Exception {
    try (EngineRig rig = full("lru", 4 * BLOCK, 6 * BLOCK)) {
      rig.node.fail("replace 1", new IOException("made to fail"));
      rig.disk(101);
      rig.disk(102);
      rig.read(101);
      EngineRig.await("failure", () -> rig.count(Counter.MOVES_FAILED) == 1);
      // Its rest is not over: the next block of the order leaves.
      rig.read(102, BLOCK, false);
      rig.awaitMove("promote 102");
      rig.quiet();
      assertTrue(rig.locate(1).dirty);
      assertFalse(rig.locate(2).dirty);
    }
  }
}
