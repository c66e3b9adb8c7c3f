// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.config;
import static io.hycache.core.engine.EngineRig.key;
import static io.hycache.core.engine.FakeDataNode.HDD;
import static io.hycache.core.engine.FakeDataNode.SSD;
import static io.hycache.core.engine.FakeDataNode.SSD2;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.model.Home;
import io.hycache.core.model.Part;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.MoveAbandonedException;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.DeviceStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Two fast tiers, {@code ssd} before {@code ssd2}, and DISK. */
class ThreeTiersTest {
  private static final String SSD3 = "ssd3";

  private static EngineRig rig(HyCacheConfig.Builder config, long... capacities) {
    FakeDataNode node = new FakeDataNode(capacities).inTiers();
    return new EngineRig(config.checksumShare(0).build(), Policies.create("lru"), node).start();
  }

  private static List<String> places(int blocks, LongFunction<String> placeOf) {
    List<String> places = new ArrayList<>();
    for (long id = 1; id <= blocks; id++) {
      places.add(String.valueOf(placeOf.apply(id)));
    }
    return places;
  }

  // ---- where new replicas go --------------------------------------------------------------------

  @Test
  void write_triesTheTiersWithRoom_fastestFirst() throws Exception {
    try (EngineRig rig = rig(config(), 2 * BLOCK, 3 * BLOCK)) {
      rig.probe();
      assertEquals(List.of(0, 1), rig.engine.tiersFor(BLOCK));
      assertEquals(List.of(1), rig.engine.tiersFor(3 * BLOCK));
      rig.guest(1, SSD);
      rig.probe();
      assertEquals(List.of(0, 1), rig.engine.tiersFor(BLOCK));
      assertEquals(List.of(1), rig.engine.tiersFor(2 * BLOCK));
      rig.guest(2, SSD);
      rig.probe();
      assertEquals(List.of(1), rig.engine.tiersFor(BLOCK));
    }
  }

  @Test
  void write_betweenTwoLooks_whatWasPlacedCounts() throws Exception {
    try (EngineRig rig = rig(config(), 2 * BLOCK, 3 * BLOCK)) {
      rig.probe();
      assertTrue(rig.engine.placeOnFast(BLOCK));
      rig.engine.onPlaced(key(1), BLOCK, 0);
      assertEquals(List.of(0, 1), rig.engine.tiersFor(BLOCK));
      assertTrue(rig.engine.placeOnFast(BLOCK));
      rig.engine.onPlaced(key(2), BLOCK, 0);
      assertEquals(List.of(1), rig.engine.tiersFor(BLOCK));
      rig.gone(1);
      rig.gone(2);
    }
  }

  @Test
  void write_reserveOfATier_isNoRoom() throws Exception {
    try (EngineRig rig = rig(config().reserveShare(0.5), 3 * BLOCK, 8 * BLOCK)) {
      rig.probe();
      assertEquals(List.of(0, 1), rig.engine.tiersFor(BLOCK));
      assertEquals(List.of(1), rig.engine.tiersFor(2 * BLOCK));
    }
  }

  @Test
  void write_noTierHasRoom_noneIsTried() throws Exception {
    try (EngineRig rig = rig(config(), BLOCK, BLOCK)) {
      rig.probe();
      assertEquals(List.of(), rig.engine.tiersFor(BLOCK + 1), "all together have it");
      rig.guest(1, SSD);
      rig.guest(2, SSD2);
      rig.probe();
      assertEquals(List.of(), rig.engine.tiersFor(BLOCK));
      assertFalse(rig.engine.placeOnFast(BLOCK));
    }
  }

  // ---- what cools -------------------------------------------------------------------------------

  @Test
  void guestsAboveTheLowWatermark_stepDownOneTier_coolestFirst_andStayDirty() throws Exception {
    try (EngineRig rig = rig(config().demoteWatermarks(0.5, 0.9), 4 * BLOCK, 20 * BLOCK)) {
      for (int id = 1; id <= 4; id++) {
        rig.guest(id, SSD);
      }
      rig.quiet();
      assertEquals(List.of("step 1", "step 2"), rig.node.moves());
      assertEquals(List.of(SSD2, SSD2, SSD, SSD), places(4, rig.node::replicaOn));
      for (int id = 1; id <= 4; id++) {
        assertTrue(rig.locate(id).dirty, "id=" + id);
        assertFalse(rig.locate(id).cleanData, "id=" + id);
      }
      assertEquals(4 * BLOCK, rig.status().dirtyBytes());
      assertEquals("ssd2", rig.locate(1).storage);
      assertEquals("ssd", rig.locate(3).storage);
      assertEquals(2, rig.count(Counter.BLOCKS_STEPPED_DOWN));
      assertEquals(2 * BLOCK, rig.count(Counter.BYTES_STEPPED_DOWN));
      assertEquals(0, rig.count(Counter.BLOCKS_DEMOTED));
    }
  }

  @Test
  void dirtyReplica_movesOnInItsTurn_whenItsOwnTierIsAboveTheLowWatermark() throws Exception {
    try (EngineRig rig = rig(config().demoteWatermarks(0.5, 0.9), 4 * BLOCK, 4 * BLOCK)) {
      CountDownLatch gate = rig.node.hold("step 1");
      rig.guest(14, SSD2);
      for (int id = 1; id <= 4; id++) {
        rig.guest(id, SSD);
      }
      rig.awaitMove("step 1");
      rig.probe();
      assertEquals(Reason.ON_SSD_DIRTY, rig.locate(4).reason);
      assertEquals(Reason.ON_SSD_DIRTY_STAYS, rig.locate(14).reason);
      gate.countDown();
    }
    try (EngineRig rig = rig(config().demoteWatermarks(0.5, 0.9), 4 * BLOCK, 4 * BLOCK)) {
      CountDownLatch gate = rig.node.hold("demote 11");
      rig.guest(4, SSD);
      for (int id = 11; id <= 14; id++) {
        rig.guest(id, SSD2);
      }
      rig.awaitMove("demote 11");
      rig.probe();
      assertEquals(Reason.ON_SSD_DIRTY_STAYS, rig.locate(4).reason);
      assertEquals(Reason.ON_SSD_DIRTY, rig.locate(14).reason);
      gate.countDown();
    }
  }

  @Test
  void threeFastTiers_oneStepAtATime() throws Exception {
    try (EngineRig rig =
        rig(config().demoteWatermarks(0.5, 0.9), 2 * BLOCK, 4 * BLOCK, 20 * BLOCK)) {
      for (int id = 1; id <= 5; id++) {
        rig.guest(id, SSD);
        rig.quiet();
      }
      assertEquals(List.of(SSD3, SSD3, SSD2, SSD2, SSD), places(5, rig.node::replicaOn));
      assertEquals(
          List.of("step 1", "step 2", "step 3", "step 1", "step 4", "step 2"), rig.node.moves());
      assertEquals(5 * BLOCK, rig.status().dirtyBytes());
    }
  }

  @Test
  void bottomAboveTheLowWatermark_goesToDiskAndStaysAsACleanCopy() throws Exception {
    try (EngineRig rig = rig(config().demoteWatermarks(0.5, 0.9), 2 * BLOCK, 4 * BLOCK)) {
      for (int id = 1; id <= 5; id++) {
        rig.guest(id, id == 1 ? SSD : SSD2);
      }
      rig.quiet();
      assertEquals(List.of("demote 2", "demote 3"), rig.node.moves());
      assertEquals(SSD2, rig.node.cleanOn(2));
    }
  }

  @Test
  void nextTierFullOfGuests_goesToDisk() throws Exception {
    try (EngineRig rig = rig(config().demoteWatermarks(0.5, 0.5), 4 * BLOCK, 2 * BLOCK)) {
      rig.guest(11, SSD2);
      rig.quiet();
      for (int id = 1; id <= 3; id++) {
        rig.guest(id, SSD);
      }
      rig.quiet();
      assertEquals(List.of("demote 1"), rig.node.moves());
      assertEquals(List.of(HDD), rig.node.demotedTo());
      assertEquals(SSD, rig.node.cleanOn(1));
    }
  }

  @Test
  void nextTierFullOfCleanCopies_theyMakeWay() throws Exception {
    try (EngineRig rig =
        rig(config().demoteWatermarks(0.5, 0.9), 4 * BLOCK + 500, 3 * BLOCK + 500)) {
      for (int id = 11; id <= 17; id++) {
        rig.disk(id);
        rig.read(id);
      }
      rig.quiet();
      assertEquals(3 * BLOCK, device(rig, SSD2).figure(DeviceStatus.Figure.CLEAN_BYTES));
      for (int id = 11; id <= 14; id++) {
        rig.node.evict(key(id), Part.CHECKSUM);
        rig.engine.onCleanDropped(key(id));
      }
      for (int id = 1; id <= 3; id++) {
        rig.guest(id, SSD);
      }
      rig.quiet();
      assertEquals(List.of("step 1"), rig.moves("step", "demote", "replace"));
      assertEquals(List.of(SSD2, SSD, SSD), places(3, rig.node::replicaOn));
      assertNull(rig.node.cleanOn(15), "the coolest copy made way");
      assertEquals(SSD2, rig.node.cleanOn(16));
    }
  }

  @Test
  void nextTier_keepsItsReserveFree_whatFindsNoOtherRoomGoesToDisk() throws Exception {
    try (EngineRig rig =
        rig(config().demoteWatermarks(0.5, 0.9).reserveShare(0.2), 4 * BLOCK, 5 * BLOCK)) {
      for (int id = 11; id <= 13; id++) {
        Replica owned = new Replica(key(id), 1, BLOCK);
        rig.engine.onReplica(owned, Home.SSD_OWNER, rig.node.put(owned, SSD2));
      }
      rig.quiet();
      for (int id = 1; id <= 4; id++) {
        rig.guest(id, SSD);
      }
      rig.quiet();
      // By two threads.
      assertEquals(
          Set.of("step 1", "demote 2"), Set.copyOf(rig.moves("step", "demote", "replace")));
      assertEquals(Set.of(SSD2, HDD), Set.copyOf(rig.node.demotedTo()));
      assertEquals(2, rig.node.demotedTo().size());
    }
  }

  @Test
  void nextTierFullOfCleanCopies_theyMakeWayForItsReserveToo() throws Exception {
    try (EngineRig rig =
        rig(config().demoteWatermarks(0.5, 0.9).reserveShare(0.2), 4 * BLOCK, 5 * BLOCK)) {
      for (int id = 11; id <= 15; id++) {
        rig.disk(id);
        rig.node.leaveClean(new Replica(key(id), 1, BLOCK), SSD2);
        rig.engine.onClean(key(id), Part.DATA, SSD2, BLOCK);
      }
      rig.quiet();
      for (int id = 1; id <= 3; id++) {
        rig.guest(id, SSD);
      }
      rig.quiet();
      assertEquals(List.of("step 1"), rig.moves("step", "demote", "replace"));
      assertEquals(List.of(SSD2), rig.node.demotedTo());
      assertEquals(3 * BLOCK, rig.node.cleanDataBytes(), "one block is free");
    }
  }

  @Test
  void middleDeviceOut_guestsGoToDisk_andToItAgainWhenItIsBack() throws Exception {
    try (EngineRig rig = rig(config().demoteWatermarks(0.5, 0.9), 4 * BLOCK, 20 * BLOCK)) {
      rig.node.setUsable(SSD2, false);
      rig.probe();
      for (int id = 1; id <= 3; id++) {
        rig.guest(id, SSD);
      }
      rig.quiet();
      assertEquals(List.of("demote 1"), rig.node.moves());
      assertEquals(List.of(HDD), rig.node.demotedTo());
      rig.node.setUsable(SSD2, true);
      rig.probe();
      rig.guest(4, SSD);
      rig.quiet();
      assertEquals(List.of("demote 1", "step 2"), rig.moves("demote", "step"));
    }
  }

  @Test
  void fastDeviceThatIsAddedAgainAsDisk_takesDemotions_notSteps() throws Exception {
    try (EngineRig rig = rig(config().demoteWatermarks(0.5, 0.9), 4 * BLOCK, 20 * BLOCK)) {
      rig.probe();
      rig.node.setUsable(SSD2, false);
      rig.node.setHdds(SSD2);
      rig.probe();
      for (int id = 1; id <= 3; id++) {
        rig.guest(id, SSD);
      }
      rig.quiet();
      assertEquals(List.of(SSD2), rig.node.demotedTo());
      assertEquals(List.of("demote 1"), rig.moves("step", "demote", "replace"));
      assertEquals(1, rig.count(Counter.BLOCKS_DEMOTED));
      assertEquals(0, rig.count(Counter.BLOCKS_STEPPED_DOWN));
      assertFalse(rig.locate(1).dirty);
      assertTrue(rig.locate(1).cleanData);
    }
  }

  @Test
  void stepFails_theGuestStays_andOthersGoToDisk() throws Exception {
    try (EngineRig rig = rig(config().demoteWatermarks(0.5, 0.9), 4 * BLOCK, 20 * BLOCK)) {
      rig.node.fail("step 1", new IOException("made to fail"));
      for (int id = 1; id <= 3; id++) {
        rig.guest(id, SSD);
      }
      EngineRig.await("failure", () -> rig.count(Counter.MOVES_FAILED) == 1);
      rig.quiet();
      assertEquals(List.of("step 1", "demote 2"), rig.node.moves());
      assertEquals(SSD, rig.node.replicaOn(1));
      assertTrue(rig.locate(1).dirty);
    }
  }

  @Test
  void writtenAgainDuringAStep_theWriterWins() throws Exception {
    try (EngineRig rig = rig(config().demoteWatermarks(0.5, 0.9), 2 * BLOCK, 20 * BLOCK)) {
      var gate = rig.node.hold("step 1");
      rig.guest(1, SSD);
      rig.guest(2, SSD);
      rig.awaitMove("step 1");
      Replica longer = new Replica(key(1), 2, BLOCK + 1);
      rig.node.put(longer, SSD);
      rig.engine.onReplica(longer, Home.SSD_GUEST, SSD);
      rig.node.fail("step 1", new MoveAbandonedException("a writer has claimed the block"));
      gate.countDown();
      EngineRig.await("end", () -> rig.count(Counter.MOVES_ABANDONED) >= 1);
      rig.engine.settle();
      assertEquals("ssd", rig.locate(1).storage);
      assertEquals(2 * BLOCK + 1, rig.status().dirtyBytes());
      rig.node.heal();
    }
  }

  @Test
  void deletedDuringAStep_nothingIsLeft() throws Exception {
    try (EngineRig rig = rig(config().demoteWatermarks(0.5, 0.9), 2 * BLOCK, 20 * BLOCK)) {
      var gate = rig.node.hold("step 1");
      rig.guest(1, SSD);
      rig.guest(2, SSD);
      rig.awaitMove("step 1");
      rig.engine.onGone(key(1));
      rig.engine.settle();
      gate.countDown();
      EngineRig.await("step", () -> rig.count(Counter.BLOCKS_STEPPED_DOWN) == 1);
      rig.node.remove(key(1));
      rig.engine.onGone(key(1));
      rig.quiet();
      assertEquals(BLOCK, rig.status().dirtyBytes());
    }
  }

  // ---- clean copies -----------------------------------------------------------------------------

  @Test
  void promotions_fillTheFastestTierUpToItsReserve_thenTheNext() throws Exception {
    try (EngineRig rig = rig(config().reserveShare(0.1), 3 * BLOCK, 4 * BLOCK)) {
      for (int id = 1; id <= 4; id++) {
        rig.disk(id);
        rig.read(id);
      }
      rig.quiet();
      assertEquals(List.of(SSD, SSD, SSD2, SSD2), places(4, rig.node::cleanOn));
      assertEquals("ssd2", device(rig, SSD2).storageType());
    }
  }

  @Test
  void promotionIntoFullTiers_takesThePlaceOfThePolicysVictims() throws Exception {
    try (EngineRig rig = rig(config(), 2 * BLOCK + 500, 2 * BLOCK + 500)) {
      for (int id = 1; id <= 4; id++) {
        rig.disk(id);
        rig.read(id);
      }
      rig.quiet();
      rig.read(1, BLOCK, true);
      rig.disk(5);
      rig.read(5);
      rig.quiet();
      rig.disk(6);
      rig.read(6);
      rig.quiet();
      assertEquals(List.of("evict 2", "evict 3"), rig.moves("evict"));
      assertEquals(SSD, rig.node.cleanOn(5));
      assertEquals(SSD2, rig.node.cleanOn(6));
    }
  }

  @Test
  void dirtyVictimOfAPromotion_noTierBelowHasRoom_goesToDisk() throws Exception {
    try (EngineRig rig = rig(config(), BLOCK + 500, 3 * BLOCK + 500)) {
      rig.guest(1, SSD);
      rig.probe();
      rig.disk(101);
      rig.disk(102);
      rig.disk(103);
      rig.disk(104);
      rig.read(101);
      rig.read(102);
      rig.quiet();
      rig.read(103, BLOCK, false);
      rig.quiet();
      rig.read(104);
      rig.quiet();
      rig.engine.settle();
      assertEquals(List.of("replace 1", "promote 104"), tail(rig.moves("replace", "promote"), 2));
      assertEquals(List.of(HDD), rig.node.demotedTo());
    }
  }

  @Test
  void dirtyVictimOfAPromotion_theTierBelowIsBusy_doesNotGoToDisk_aCleanCopyMakesWay()
      throws Exception {
    HyCacheConfig.Builder config = config().demoteWatermarks(0.5, 0.9);
    try (EngineRig rig = rig(config, 2 * BLOCK + 500, 6 * BLOCK + 200)) {
      CountDownLatch gate = rig.node.hold("step 1");
      rig.guest(1, SSD);
      rig.guest(2, SSD);
      rig.awaitMove("step 1");
      rig.probe();
      for (int id = 11; id <= 15; id++) {
        rig.disk(id);
        Replica replica = new Replica(key(id), 1, BLOCK);
        rig.node.leaveClean(replica, SSD2);
        rig.engine.onClean(key(id), Part.DATA, SSD2, BLOCK);
      }
      rig.disk(101, BLOCK + 400); // fits the place of 2 only, or that of a clean copy
      rig.probe();
      rig.read(101, BLOCK + 400, false);
      rig.awaitMove("promote 101");
      gate.countDown();
      rig.quiet();
      assertEquals(List.of(SSD2), rig.node.demotedTo());
      assertEquals(List.of("evict 11"), rig.moves("evict"));
      assertEquals(SSD, rig.node.replicaOn(2));
    }
  }

  @Test
  void dirtyVictimOfAPromotion_theTierBelowIsBusy_andDiskIsFull_saysSo() throws Exception {
    HyCacheConfig.Builder config = config().demoteWatermarks(0.5, 1);
    try (EngineRig rig = rig(config, 2 * BLOCK + 500, 2 * BLOCK + 200)) {
      CountDownLatch gate = rig.node.hold("step 1");
      Replica owned = new Replica(key(3), 1, BLOCK);
      rig.engine.onReplica(owned, Home.SSD_OWNER, rig.node.put(owned, SSD2));
      rig.guest(1, SSD);
      rig.guest(2, SSD);
      rig.awaitMove("step 1");
      rig.node.setDiskAvailable(0);
      rig.disk(101, BLOCK + 400); // fits the place of 2 only
      rig.probe();
      rig.read(101, BLOCK + 400, false);
      assertEquals(Reason.DISKS_BUSY, rig.locate(101).reason);
      gate.countDown();
      rig.quiet();
    }
  }

  private static List<String> tail(List<String> of, int length) {
    return of.subList(of.size() - length, of.size());
  }

  private static DeviceStatus device(EngineRig rig, String id) throws Exception {
    return rig.status().devices().stream()
        .filter(device -> device.device().equals(id))
        .findFirst()
        .orElseThrow();
  }

  // ---- restarts and other settings --------------------------------------------------------------

  @Test
  void restart_everyFormOnEveryTier_isTakenOver() throws Exception {
    try (EngineRig rig = rig(config(), 4 * BLOCK, 4 * BLOCK)) {
      rig.guest(1, SSD);
      rig.guest(2, SSD2);
      rig.put(new Replica(key(3), 1, BLOCK), Home.SSD_OWNER);
      for (int id = 4; id <= 5; id++) {
        String on = id == 4 ? SSD : SSD2;
        rig.disk(id);
        rig.node.leaveClean(new Replica(key(id), 1, BLOCK), on);
        rig.engine.onClean(key(id), Part.DATA, on, BLOCK);
      }
      rig.pass(Duration.ofSeconds(1));
      rig.quiet();
      assertEquals(2 * BLOCK, rig.status().dirtyBytes());
      assertEquals(2 * BLOCK, rig.status().cleanBytes());
      assertEquals(BLOCK, rig.status().ownerBytes());
      assertEquals(BLOCK, device(rig, SSD2).figure(DeviceStatus.Figure.DIRTY_BYTES));
      assertEquals(List.of(), rig.node.moves());
    }
  }
}
