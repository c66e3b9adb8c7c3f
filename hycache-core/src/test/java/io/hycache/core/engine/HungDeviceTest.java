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
import io.hycache.core.model.Home;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.policy.Policies;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Moves that hang, wait long or fail on one device must not affect other devices or writers. */
@Timeout(120)
class HungDeviceTest {
  private static EngineRig rig(HyCacheConfig.Builder config, FakeDataNode node) {
    return new EngineRig(config.policy("lru").build(), Policies.create("lru"), node).start();
  }

  @Test
  void ssdHangsInPromotions_promotionsToTheOtherGoOn() throws Exception {
    FakeDataNode node = new FakeDataNode(10 * BLOCK, 6 * BLOCK);
    try (EngineRig rig = rig(config().checksumShare(0), node)) {
      rig.probe();
      CountDownLatch first = node.hold("promote 1");
      for (int id = 1; id <= 2; id++) {
        rig.disk(id);
        rig.read(id, BLOCK, false);
      }
      rig.awaitMove("promote 1");
      node.setUsable(FakeDataNode.SSD, false);
      rig.probe();
      for (int id = 11; id <= 13; id++) {
        rig.disk(id);
        rig.read(id, BLOCK, false);
        rig.awaitMove("promote " + id);
      }
      EngineRig.await("on the SSD that is well", () -> node.cleanDataBytes() == 3 * BLOCK);
      assertEquals(FakeDataNode.SSD2, node.cleanOn(13));
      first.countDown();
      node.setUsable(FakeDataNode.SSD, true);
      rig.quiet();
      assertEquals(5 * BLOCK, rig.status().cleanBytes());
    }
  }

  @Test
  void ssdHangsInAnEviction_roomIsMadeOnTheOther() throws Exception {
    FakeDataNode node = new FakeDataNode(4 * BLOCK + 500, 4 * BLOCK + 500);
    try (EngineRig rig = rig(config().checksumShare(0), node)) {
      rig.probe();
      for (int id = 1; id <= 8; id++) {
        rig.disk(id);
        rig.read(id);
      }
      rig.quiet();
      assertEquals(8 * BLOCK, rig.status().cleanBytes());
      long onFirst = 1;
      while (!FakeDataNode.SSD.equals(node.cleanOn(onFirst))) {
        onFirst++;
      }
      CountDownLatch gate = node.hold("evict " + onFirst);
      node.setUsable(FakeDataNode.SSD2, false);
      rig.missRoom(90);
      rig.awaitMove("evict " + onFirst);
      node.setUsable(FakeDataNode.SSD2, true);
      node.setUsable(FakeDataNode.SSD, false);
      EngineRig.await("room on the SSD that is well", () -> rig.findsRoom(91, BLOCK));
      gate.countDown();
      node.setUsable(FakeDataNode.SSD, true);
      rig.quiet();
    }
  }

  @Test
  void ssdHangsInADemotion_theOtherIsDrainedToTheSameHdd() throws Exception {
    FakeDataNode node = new FakeDataNode(10 * BLOCK, 10 * BLOCK);
    try (EngineRig rig = rig(config().checksumShare(0).demoteWatermarks(0, 0), node)) {
      rig.probe();
      CountDownLatch gate = node.hold("demote 1");
      rig.guest(1, FakeDataNode.SSD);
      rig.awaitMove("demote 1");
      node.setUsable(FakeDataNode.SSD, false);
      rig.probe();
      for (int id = 11; id <= 13; id++) {
        rig.guest(id, FakeDataNode.SSD2);
      }
      EngineRig.await("those of the other SSD are on DISK", () -> node.demotedTo().size() == 3);
      gate.countDown();
      node.setUsable(FakeDataNode.SSD, true);
      rig.quiet();
      assertEquals(0, rig.status().dirtyBytes());
    }
  }

  @Test
  void ssdHangsInCopiesOfChecksumFiles_theOtherGetsThem() throws Exception {
    FakeDataNode node = new FakeDataNode(20 * BLOCK, 10 * BLOCK);
    try (EngineRig rig = rig(config(), node)) {
      rig.probe();
      CountDownLatch gate = node.hold("checksums 1");
      for (int id = 1; id <= 6; id++) {
        rig.disk(id);
      }
      rig.awaitMove("checksums 1");
      node.setUsable(FakeDataNode.SSD, false);
      rig.probe();
      rig.disk(11);
      rig.awaitMove("checksums 11");
      gate.countDown();
      node.setUsable(FakeDataNode.SSD, true);
      rig.quiet();
      assertTrue(rig.locate(1).cleanChecksums && rig.locate(11).cleanChecksums);
    }
  }

  /** A node with blocks 1, 3, 5 on one HDD, and 2, 4, 6 on another. */
  private static EngineRig hinted(FakeDataNode node) throws Exception {
    node.setHdds(FakeDataNode.HDD, FakeDataNode.HDD2);
    HyCacheConfig config = config().checksumShare(0).moverThreads(2).policy("heuristic").build();
    EngineRig rig = new EngineRig(config, Policies.create("heuristic"), node).start();
    rig.probe();
    for (int id = 1; id <= 6; id++) {
      rig.disk(id);
    }
    return rig;
  }

  @Test
  void hddHangsInCopiesForHints_blocksOfTheOtherAreCopied() throws Exception {
    FakeDataNode node = new FakeDataNode(40 * BLOCK);
    try (EngineRig rig = hinted(node)) {
      CountDownLatch gate = node.hold("promote 2");
      node.hold("promote 4", gate);
      node.hold("promote 6", gate);
      rig.hints("all", 600_000, 2, 4, 6, 1, 3, 5, 2, 4, 6, 1, 3, 5);
      for (int id = 1; id <= 5; id += 2) {
        rig.awaitMove("promote " + id);
        rig.advance(Duration.ofSeconds(1));
      }
      assertFalse(rig.moves("promote").contains("promote 4"), () -> node.moves().toString());
      gate.countDown();
      EngineRig.await(
          "all have a copy",
          () -> {
            rig.pass(Duration.ofSeconds(1));
            return rig.status().cleanBytes() == 6 * BLOCK;
          });
    }
  }

  /** Copies to {@link FakeDataNode#SSD}, the roomier one, hang: one from each HDD. */
  private static CountDownLatch hang(EngineRig rig, String what, Submission submission)
      throws Exception {
    CountDownLatch gate = rig.node.hold(what + " 1");
    rig.node.hold(what + " 2", gate);
    submission.submit();
    rig.awaitMove(what + " 1");
    rig.awaitMove(what + " 2");
    rig.node.setUsable(FakeDataNode.SSD, false);
    rig.probe();
    return gate;
  }

  private interface Submission {
    void submit() throws Exception;
  }

  private static void awaitCopies(EngineRig rig, String what, int blocks) throws Exception {
    EngineRig.await(
        what,
        () -> {
          rig.probe();
          return rig.node.cleanDataBytes() == blocks * BLOCK;
        });
  }

  @Test
  void ssdHangsInCopiesForHints_fromEachHdd_theOtherGetsTheNext() throws Exception {
    FakeDataNode node = new FakeDataNode(40 * BLOCK, 30 * BLOCK);
    try (EngineRig rig = hinted(node)) {
      long[] all = {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6};
      CountDownLatch gate = hang(rig, "promote", () -> rig.hints("all", 600_000, all));
      awaitCopies(rig, "on the SSD that is well", 4);
      assertEquals(FakeDataNode.SSD2, node.cleanOn(5));
      assertEquals(FakeDataNode.SSD2, node.cleanOn(6));
      gate.countDown();
      node.setUsable(FakeDataNode.SSD, true);
      awaitCopies(rig, "all have a copy", 6);
    }
  }

  /** A node with blocks 1, 3, 5 on one HDD, and 2, 4, 6 on another, that takes directives. */
  private static EngineRig pinning(FakeDataNode node) throws Exception {
    node.setHdds(FakeDataNode.HDD, FakeDataNode.HDD2);
    EngineRig rig =
        rig(config().checksumShare(0).directives(true).pinsShare(0.9).moverThreads(2), node);
    rig.probe();
    LongStream.rangeClosed(1, 6).forEach(rig::disk);
    rig.quiet();
    return rig;
  }

  @Test
  void ssdHangsInCopiesForPins_fromEachHdd_theOtherGetsTheNext() throws Exception {
    FakeDataNode node = new FakeDataNode(40 * BLOCK, 30 * BLOCK);
    try (EngineRig rig = pinning(node)) {
      CountDownLatch gate =
          hang(rig, "promote", () -> rig.engine.pin(List.of(key(1), key(2), key(3), key(4))));
      awaitCopies(rig, "on the SSD that is well", 2);
      assertEquals(FakeDataNode.SSD2, node.cleanOn(3));
      assertEquals(FakeDataNode.SSD2, node.cleanOn(4));
      gate.countDown();
      node.setUsable(FakeDataNode.SSD, true);
      awaitCopies(rig, "all have a copy", 4);
    }
  }

  @Test
  void ssdHangsInCopiesOfChecksumFiles_fromEachHdd_theOtherGetsTheNext() throws Exception {
    FakeDataNode node = new FakeDataNode(20 * BLOCK, 10 * BLOCK);
    node.setHdds(FakeDataNode.HDD, FakeDataNode.HDD2);
    try (EngineRig rig = rig(config(), node)) {
      rig.probe();
      CountDownLatch gate =
          hang(rig, "checksums", () -> LongStream.rangeClosed(1, 6).forEach(rig::disk));
      rig.disk(11);
      rig.disk(12);
      EngineRig.await(
          "on the SSD that is well",
          () -> {
            rig.pass(Duration.ofSeconds(5));
            return rig.moves("checksums").containsAll(List.of("checksums 11", "checksums 12"));
          });
      gate.countDown();
      node.setUsable(FakeDataNode.SSD, true);
      rig.quiet();
      assertTrue(rig.locate(1).cleanChecksums && rig.locate(12).cleanChecksums);
    }
  }

  @Test
  void copiesForReadsAreUnderWay_pinsReadFromTheSameHdds_oneBlockAtATime() throws Exception {
    FakeDataNode node = new FakeDataNode(40 * BLOCK);
    try (EngineRig rig = pinning(node)) {
      CountDownLatch read = node.hold("promote 2");
      rig.read(2, BLOCK, false);
      rig.awaitMove("promote 2");
      CountDownLatch pin = node.hold("promote 4");
      rig.engine.pin(List.of(key(4), key(6)));
      rig.awaitMove("promote 4");
      rig.probe();
      assertFalse(rig.moves("promote").contains("promote 6"), () -> node.moves().toString());
      pin.countDown();
      awaitCopies(rig, "both pinned blocks have a copy", 2);
      read.countDown();
      awaitCopies(rig, "all have a copy", 3);
    }
  }

  @Test
  void hddDoesNotRespond_noHintOrPinReadsFromIt() throws Exception {
    FakeDataNode node = new FakeDataNode(40 * BLOCK);
    node.silentHdds.add(FakeDataNode.HDD);
    try (EngineRig rig = hinted(node)) {
      rig.hints("all", 600_000, 2, 4, 6, 1, 3, 5, 2, 4, 6, 1, 3, 5);
      EngineRig.await(
          "those of the other HDD have a copy",
          () -> {
            rig.pass(Duration.ofSeconds(1));
            return rig.status().cleanBytes() == 3 * BLOCK;
          });
      assertEquals(3, rig.moves("promote").size());
      node.silentHdds.clear();
      EngineRig.await(
          "all have a copy",
          () -> {
            rig.probe();
            rig.pass(Duration.ofSeconds(1));
            return rig.status().cleanBytes() == 6 * BLOCK;
          });
    }
  }

  @Test
  void hddDoesNotRespond_readsOfItAreNotPromoted_thoseOfTheOtherAre() throws Exception {
    FakeDataNode node = new FakeDataNode(40 * BLOCK);
    node.setHdds(FakeDataNode.HDD, FakeDataNode.HDD2);
    node.silentHdds.add(FakeDataNode.HDD);
    CountDownLatch gate = node.hold("promote 2");
    node.hold("promote 4", gate);
    try (EngineRig rig = rig(config().checksumShare(0).moverThreads(2), node)) {
      rig.probe();
      for (int id : new int[] {2, 4, 1}) {
        rig.disk(id);
        rig.read(id, BLOCK, false);
      }
      EngineRig.await("that of the other HDD", () -> rig.locate(1).cleanData);
      assertEquals(List.of("promote 1"), rig.moves("promote"));
      assertEquals(Reason.DISK_NOT_RESPONDING, rig.locate(2).reason);
      node.silentHdds.clear();
      gate.countDown();
      rig.probe();
      rig.read(2);
      rig.quiet();
      assertTrue(rig.locate(2).cleanData, "once it responds");
    } finally {
      gate.countDown();
    }
  }

  @Test
  void hddHangsInACopyOfAChecksumFile_thoseOfTheOtherAreCopied() throws Exception {
    FakeDataNode node = new FakeDataNode(40 * BLOCK);
    node.setHdds(FakeDataNode.HDD, FakeDataNode.HDD2);
    try (EngineRig rig = rig(config(), node)) {
      rig.probe();
      CountDownLatch gate = node.hold("checksums 2");
      node.hold("checksums 4", gate);
      rig.disk(2);
      rig.awaitMove("checksums 2");
      for (int id = 4; id <= 12; id++) {
        rig.disk(id);
      }
      for (int id = 5; id <= 11; id += 2) {
        rig.awaitMove("checksums " + id);
      }
      assertFalse(rig.moves("checksums").contains("checksums 4"), () -> node.moves().toString());
      gate.countDown();
      EngineRig.await(
          "all are copied",
          () -> {
            rig.pass(Duration.ofSeconds(5));
            return rig.locate(4).cleanChecksums && rig.locate(12).cleanChecksums;
          });
    }
  }

  /** Each promotion reserves bytes: a backlog of them would leave none to writes. */
  @Test
  void readsMissFasterThanMoversMove_writesStillFindRoom() throws Exception {
    FakeDataNode node = new FakeDataNode(12 * BLOCK);
    try (EngineRig rig = rig(config().checksumShare(0), node)) {
      rig.probe();
      for (int id = 1; id <= 11; id++) {
        rig.disk(id);
        rig.read(id);
      }
      rig.quiet();
      CountDownLatch gate = node.hold("promote 101");
      for (int id = 101; id <= 140; id++) {
        rig.disk(id);
        rig.read(id, BLOCK, false);
      }
      rig.awaitMove("promote 101");
      assertTrue(rig.status().movesQueued() <= 8, () -> "queued: " + node.moves());
      EngineRig.await("a write finds room", () -> rig.findsRoom(990, BLOCK));
      gate.countDown();
      rig.quiet();
      assertTrue(rig.moves("promote").size() > 30, () -> node.moves().toString());
    }
  }

  @Test
  void hddFailsEveryDemotion_theOtherTakesAll() throws Exception {
    FakeDataNode node = new FakeDataNode(20 * BLOCK);
    node.setHdds(FakeDataNode.HDD, FakeDataNode.HDD2);
    node.failingHdds.add(FakeDataNode.HDD);
    try (EngineRig rig = rig(config().checksumShare(0).demoteWatermarks(0, 0), node)) {
      rig.probe();
      for (int id = 1; id <= 12; id++) {
        rig.guest(id, FakeDataNode.SSD);
      }
      EngineRig.await(
          "most are on DISK",
          () -> {
            rig.probe();
            return node.demotedTo().size() >= 9;
          });
      assertEquals(Set.of(FakeDataNode.HDD2), Set.copyOf(node.demotedTo()));
      node.failingHdds.clear();
      rig.advance(Duration.ofSeconds(31));
      rig.quiet();
      assertEquals(0, rig.status().dirtyBytes());
    }
  }

  @Test
  void blockGoesAndComesAgain_whileItsChecksumFileIsCopied_noOtherCopyBegins() throws Exception {
    FakeDataNode node = new FakeDataNode(20 * BLOCK);
    try (EngineRig rig = rig(config(), node)) {
      rig.probe();
      CountDownLatch gate = node.hold("checksums 1");
      rig.disk(1);
      rig.awaitMove("checksums 1");
      rig.gone(1);
      rig.disk(1);
      rig.read(1, BLOCK, false);
      rig.probe();
      rig.probe();
      assertEquals(1, rig.status().movesQueued());
      gate.countDown();
      rig.quiet();
      assertTrue(rig.locate(1).cleanChecksums && rig.locate(1).cleanData);
      assertTrue(rig.status().checksumBytes() > 0);
    }
  }

  /** Replicas are reported again when a volume is added, or when HDFS scans the volume. */
  @Test
  void replicaIsSeenOnDisk_beforeItsDemotionIsReported_itsCopyIsInTheLedger() throws Exception {
    FakeDataNode node = new FakeDataNode(20 * BLOCK);
    try (EngineRig rig = rig(config().checksumShare(0).demoteWatermarks(0, 0), node)) {
      CountDownLatch gate = node.hold("demote 1");
      rig.guest(1, FakeDataNode.SSD);
      rig.awaitMove("demote 1");
      rig.engine.onReplica(new Replica(key(1), 1, BLOCK), Home.DISK, null);
      rig.engine.settle();
      gate.countDown();
      rig.quiet();
      assertEquals(BLOCK, rig.status().cleanBytes());
      assertTrue(rig.locate(1).cleanData);
    }
  }

  @Test
  void doubt_aBlockIsMoving_othersArePutRightMeanwhile() throws Exception {
    FakeDataNode node = new FakeDataNode(20 * BLOCK);
    try (EngineRig rig = rig(config().checksumShare(0), node)) {
      rig.probe();
      CountDownLatch gate = node.hold("promote 1");
      rig.disk(1);
      rig.read(1, BLOCK, false);
      rig.awaitMove("promote 1");
      rig.engine.onDoubt(key(1));
      rig.probe();
      node.put(new Replica(key(2), 1, BLOCK), false);
      rig.engine.onDoubt(key(2));
      EngineRig.await("known", () -> rig.status().trackedBlocks() == 2);
      assertTrue(rig.engine.isLookingAgain());
      gate.countDown();
      assertTrue(gate.await(1, TimeUnit.SECONDS));
      rig.quiet();
      assertFalse(rig.engine.isLookingAgain());
      assertTrue(rig.locate(1).cleanData);
    }
  }

  /** More than are looked at in one round. */
  @Test
  void doubt_blocksAreOnASickSsd_othersArePutRightMeanwhile() throws Exception {
    FakeDataNode node = new FakeDataNode(20_000 * BLOCK);
    try (EngineRig rig = rig(config().checksumShare(0), node)) {
      rig.probe();
      node.setUsable(FakeDataNode.SSD, false);
      for (int id = 1; id <= 3_000; id++) {
        node.put(new Replica(key(id), 1, BLOCK), FakeDataNode.SSD);
        rig.engine.onDoubt(key(id));
      }
      rig.probe();
      node.put(new Replica(key(3_001), 1, BLOCK), false);
      rig.engine.onDoubt(key(3_001));
      EngineRig.await("known", () -> rig.status().trackedBlocks() == 1);
      assertTrue(rig.engine.isLookingAgain());
      node.setUsable(FakeDataNode.SSD, true);
      EngineRig.await("known", () -> rig.status().trackedBlocks() == 3_001);
      assertFalse(rig.engine.isLookingAgain());
    }
  }
}
