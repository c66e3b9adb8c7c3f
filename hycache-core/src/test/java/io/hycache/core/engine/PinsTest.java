// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.POOL;
import static io.hycache.core.engine.EngineRig.config;
import static io.hycache.core.engine.EngineRig.key;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.config.PartitionRule;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Part;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.ReplicaNotCacheableException;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.LastDecision;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import io.hycache.core.table.HeatLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Blocks of 10,000 bytes, which take three pages of 4,096 bytes among the pins. */
class PinsTest {
  private static final long PAGES = 3 * 4096;

  /** Room for 10 blocks and some checksum files. Half of it is 12 pages: 4 pins. */
  private static final long SSD_BYTES = 10 * BLOCK + 4_000;

  private static HyCacheConfig.Builder pins() {
    return config().checksumShare(0.01).directives(true).pinsShare(0.5);
  }

  /** Blocks 1 to 40 on DISK. */
  private static EngineRig rig(HyCacheConfig.Builder config, long... ssds) throws Exception {
    EngineRig rig =
        new EngineRig(config.build(), Policies.create("lru"), new FakeDataNode(ssds)).start();
    LongStream.rangeClosed(1, 40).forEach(rig::disk);
    rig.quiet();
    return rig;
  }

  private static List<BlockKey> keys(long... ids) {
    return LongStream.of(ids).mapToObj(EngineRig::key).collect(Collectors.toList());
  }

  private static void pin(EngineRig rig, long... ids) throws Exception {
    rig.engine.pin(keys(ids));
    rig.quiet();
  }

  private static void unpin(EngineRig rig, long... ids) throws Exception {
    rig.engine.unpin(keys(ids));
    rig.quiet();
  }

  /** Ids of the blocks that are pinned and on SSD. */
  private static Set<Long> here(EngineRig rig) {
    return rig.engine.pinned().blocks(POOL).stream()
        .map(BlockKey::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Reason why(EngineRig rig, long id) throws Exception {
    return rig.locate(id).reason;
  }

  /** Reads blocks, each of which the LRU policy would keep on SSD. */
  private static void readAll(EngineRig rig, long from, long to) throws Exception {
    for (long id = from; id <= to; id++) {
      rig.read(id);
    }
    rig.quiet();
  }

  /** Writes a block to SSD, where room is made for it. */
  private static void write(EngineRig rig, long id) throws Exception {
    if (!rig.findsRoom(id, BLOCK)) {
      rig.quiet();
    }
    assertTrue(rig.write(id + 100));
  }

  // ---- bytes ------------------------------------------------------------------------------------

  @Test
  void capacity_isTheShareInWholePages_andNoneWithoutDirectives() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      assertEquals(12 * 4096, rig.engine.pinned().capacityBytes());
      assertEquals(12 * 4096, rig.status().figure(NodeFigure.PIN_CAPACITY_BYTES));
      rig.engine.reconfigure(pins().pinsShare(0.25).build());
      rig.probe();
      assertEquals(6 * 4096, rig.engine.pinned().capacityBytes());
    }
    for (HyCacheConfig.Builder none :
        List.of(pins().directives(false), pins().mode(Mode.OBSERVE))) {
      try (EngineRig rig = rig(none, SSD_BYTES)) {
        assertEquals(0, rig.engine.pinned().capacityBytes());
        pin(rig, 1);
        assertEquals(0, rig.engine.pinned().usedBytes());
        assertEquals(1, rig.count(Counter.PINS_FAILED));
        assertEquals(List.of(), rig.moves("promote"));
      }
    }
  }

  @Test
  void pin_reservesBeforeItsCopyBegins_andSaysWhereItIs() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      CountDownLatch gate = rig.node.hold("promote 1");
      rig.engine.pin(keys(1));
      rig.awaitMove("promote 1");
      assertEquals(PAGES, rig.engine.pinned().usedBytes());
      assertEquals(0, rig.engine.pinned().count());
      assertEquals(Reason.PIN_WAITING, why(rig, 1));
      gate.countDown();
      rig.quiet();

      assertEquals(PAGES, rig.engine.pinned().usedBytes());
      assertEquals(Set.of(1L), here(rig));
      assertEquals(List.of(), rig.engine.pinned().blocks("BP-other"));
      assertEquals(Reason.PINNED, why(rig, 1));
      LastDecision decision = requireNonNull(rig.locate(1).decision);
      assertEquals("DIRECTIVE", decision.trigger);
      assertEquals("PINNED", decision.outcome);
      assertEquals(1, rig.status().figure(NodeFigure.PINNED_BLOCKS));
      assertEquals(PAGES, rig.status().figure(NodeFigure.PINNED_BYTES));
      assertEquals(BLOCK, rig.engine.pinned().copyBytes(FakeDataNode.SSD), "unit of a byte");

      pin(rig, 1); // the NameNode repeats what it has not seen in a report
      assertEquals(PAGES, rig.engine.pinned().usedBytes());
      assertEquals(List.of("promote 1"), rig.moves("promote"));
      assertEquals(0, rig.count(Counter.PINS_FAILED));
    }
  }

  @Test
  void cachedBytes_areOfPinsThatAreHereOrBeingCopied_notOfThoseThatWait() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      CountDownLatch gate = rig.node.hold("promote 1");
      CountDownLatch second = rig.node.hold("promote 2");
      assertEquals(0, rig.engine.pinned().cachedBytes());
      rig.engine.pin(keys(1, 2, 3, 4));
      rig.awaitMove("promote 1");
      assertEquals(4 * PAGES, rig.engine.pinned().usedBytes());
      assertEquals(PAGES, rig.engine.pinned().cachedBytes(), "one copy is under way");
      rig.engine.unpin(keys(3));
      rig.engine.settle();
      assertEquals(PAGES, rig.engine.pinned().cachedBytes());
      gate.countDown();
      rig.awaitMove("promote 2");
      EngineRig.await(
          "one here, one on its way", () -> rig.engine.pinned().cachedBytes() == 2 * PAGES);
      rig.engine.unpin(keys(2)); // during its copy
      rig.engine.settle();
      assertEquals(PAGES, rig.engine.pinned().cachedBytes());
      second.countDown();
      rig.quiet();
      assertEquals(Set.of(1L, 4L), here(rig));
      assertEquals(2 * PAGES, rig.engine.pinned().cachedBytes());
      assertEquals(2 * PAGES, rig.engine.pinned().usedBytes());
      unpin(rig, 1, 4);
      assertEquals(0, rig.engine.pinned().cachedBytes());
    }
  }

  @Test
  void cachedBytes_ofACopyThatFails_areGivenBack_whileThePinWaits() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      rig.node.fail("promote 1", new IOException("disk error"));
      pin(rig, 1);
      assertEquals(PAGES, rig.engine.pinned().usedBytes());
      assertEquals(0, rig.engine.pinned().cachedBytes());
      assertEquals(PAGES, rig.status().figure(NodeFigure.PINNED_BYTES));
      rig.guest(50, FakeDataNode.SSD);
      pin(rig, 50);
      assertEquals(PAGES, rig.engine.pinned().cachedBytes(), "here without a copy");
    }
  }

  @Test
  void workflows_countTheirPinnedBlocks() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      rig.hints("job", 600_000, 1, 2, 3, 1);
      assertEquals(0, rig.engine.workflows(any -> true).get(0).pinnedBlocks);
      pin(rig, 1, 2, 9);
      assertEquals(2, rig.engine.workflows(any -> true).get(0).pinnedBlocks, "9 is of no workflow");
      rig.read(2);
      assertEquals(1, rig.engine.workflows(any -> true).get(0).pinnedBlocks, "2 is read no more");
      unpin(rig, 1);
      assertEquals(0, rig.engine.workflows(any -> true).get(0).pinnedBlocks);
    }
  }

  @Test
  void pin_beyondTheCapacity_failsAndIsCounted_untilAnotherEnds() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      pin(rig, 1, 2, 3, 4, 5);
      assertEquals(4 * PAGES, rig.engine.pinned().usedBytes());
      assertEquals(4 * PAGES, rig.engine.pinned().capacityBytes());
      assertEquals(Set.of(1L, 2L, 3L, 4L), here(rig));
      assertEquals(1, rig.count(Counter.PINS_FAILED));
      assertEquals(Reason.PIN_REFUSED, why(rig, 5));
      assertEquals(4, rig.moves("promote").size());

      unpin(rig, 2);
      pin(rig, 5);
      assertEquals(Set.of(1L, 3L, 4L, 5L), here(rig));
      assertEquals(4 * PAGES, rig.engine.pinned().usedBytes());
      assertEquals(1, rig.count(Counter.PINS_FAILED));
    }
  }

  @Test
  void refusal_isAReasonWhileTheNameNodeAsks_andThenTheOneBeforeIs() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      readAll(rig, 11, 20);
      pin(rig, 1, 2, 3, 4);
      assertEquals(Reason.EVICTED, why(rig, 11));
      for (int i = 0; i < 10; i++) {
        pin(rig, 9, 11);
        pass(rig, Duration.ofSeconds(30).toNanos());
      }
      assertEquals(Reason.PIN_REFUSED, why(rig, 9));
      assertEquals(Reason.PIN_REFUSED, why(rig, 11));
      pass(rig, Pinner.UNASKED_NANOS);
      assertEquals(Reason.EVICTED, why(rig, 11));
      assertFalse(why(rig, 9) == Reason.PIN_REFUSED, "the directive has ended");
      unpin(rig, 1);
      pin(rig, 11);
      assertEquals(Reason.PINNED, why(rig, 11));
    }
  }

  @Test
  void pin_ofWhatIsNotFinalizedHere_fails_andReleaseOfWhatIsNotPinnedToo() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      rig.disk(41, 0);
      pin(rig, 41, 99);
      assertEquals(0, rig.engine.pinned().usedBytes());
      assertEquals(2, rig.count(Counter.PINS_FAILED));
      unpin(rig, 1, 99);
      assertEquals(2, rig.count(Counter.UNPINS_FAILED));
    }
  }

  // ---- pinned copies stay -----------------------------------------------------------------------

  @Test
  void pinned_staysUnderReadsAndWrites_andIsNoResidentOfThePolicy() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      readAll(rig, 1, 2); // one pin takes over a copy that reads brought
      pin(rig, 1, 2, 3, 4);
      readAll(rig, 5, 30);
      for (long id = 101; id <= 106; id++) {
        write(rig, id);
      }
      rig.missRoom(120);
      rig.quiet();
      assertEquals(Set.of(1L, 2L, 3L, 4L), here(rig));
      Set<String> evicted = new TreeSet<>(rig.moves("evict", "unlink"));
      assertTrue(evicted.size() > 10, evicted.toString());
      for (int id = 1; id <= 4; id++) {
        assertFalse(evicted.contains("evict " + id), evicted.toString());
        assertFalse(evicted.contains("unlink " + id), evicted.toString());
        assertTrue(rig.node.hasClean(key(id), Part.DATA));
      }
      assertEquals(4 * BLOCK, rig.status().cleanBytes(), "all others made way");
      for (BlockKey next = rig.engine.nextToMakeWay(FakeDataNode.SSD);
          next != null;
          next = rig.engine.nextToMakeWay(FakeDataNode.SSD)) {
        assertTrue(next.id() > 4, next.toString());
      }
    }
  }

  @Test
  void pin_onAFullSsd_takesThePlaceOfWhatThePolicyEvictsFirst() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      readAll(rig, 11, 20);
      pin(rig, 1);
      assertEquals(Set.of(1L), here(rig));
      assertEquals(List.of("evict 11"), rig.moves("evict"));
    }
  }

  @Test
  void pin_onAnSsdFullOfDirtyReplicas_writesOneToDisk() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      for (int id = 50; id < 60; id++) {
        rig.guest(id, FakeDataNode.SSD);
      }
      pin(rig, 1);
      assertEquals(Set.of(1L), here(rig));
      assertEquals(List.of("replace 50"), rig.moves("replace", "demote"));
    }
  }

  @Test
  void unpinned_isAnOrdinaryCopyThatMakesWay() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      pin(rig, 1, 2);
      unpin(rig, 1);
      assertEquals(PAGES, rig.engine.pinned().usedBytes());
      assertEquals(Set.of(2L), here(rig));
      assertEquals(Reason.ON_SSD_CLEAN, why(rig, 1));
      assertEquals(List.of(), rig.moves("evict"));
      readAll(rig, 11, 20);
      assertEquals(List.of("evict 1", "evict 11"), rig.moves("evict"), "9 blocks beside the pin");
    }
  }

  @Test
  void spareCopy_pinnedAfterItWasChosen_isNotGivenAway() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      readAll(rig, 11, 20);
      rig.pass(Duration.ofNanos(SpareCopies.STALE_NANOS + 1));
      rig.probe();
      assertEquals(10 * BLOCK, rig.engine.mayMakeWayBytes(FakeDataNode.SSD));
      rig.engine.pin(keys(11, 12));
      rig.engine.settle();
      assertEquals(key(13), rig.engine.nextToMakeWay(FakeDataNode.SSD));
    }
  }

  @Test
  void policyThatIsReplaced_doesNotGetWhatIsPinned() throws Exception {
    try (EngineRig rig = rig(pins().policy("lru"), SSD_BYTES)) {
      pin(rig, 1);
      rig.read(2);
      rig.engine.reconfigure(pins().policy("lfu").build());
      readAll(rig, 11, 30);
      assertEquals(Set.of(1L), here(rig));
      assertFalse(rig.moves("evict").contains("evict 1"));
    }
  }

  @Test
  void shareOfReads_isOfWhatPinsLeave() throws Exception {
    HyCacheConfig.Builder config =
        pins()
            .partition(PartitionRule.parse("hycache.partition", "0.3:0.5"), Duration.ofMinutes(1));
    try (EngineRig rig = rig(config, SSD_BYTES)) {
      readAll(rig, 11, 12);
      pin(rig, 1, 2, 3, 4);
      assertEquals(Set.of(1L, 2L, 3L, 4L), here(rig), "more than the share of reads");
      readAll(rig, 13, 20);
      assertEquals(5 * BLOCK, rig.status().cleanBytes(), "0.3 of six blocks are one");
      assertEquals(Set.of(1L, 2L, 3L, 4L), here(rig));
    }
  }

  @Test
  void shareOfReads_thatIsNearlyNothing_doesNotHoldPinsUp() throws Exception {
    HyCacheConfig.Builder config =
        pins()
            .partition(PartitionRule.parse("hycache.partition", "0.01:0.5"), Duration.ofMinutes(1));
    try (EngineRig rig = rig(config, SSD_BYTES)) {
      pin(rig, 1, 2, 3, 4);
      assertEquals(Set.of(1L, 2L, 3L, 4L), here(rig));
      readAll(rig, 13, 20);
      assertEquals(4 * BLOCK, rig.status().cleanBytes(), "no room for what is read");
    }
  }

  // ---- dirty replicas ---------------------------------------------------------------------------

  @Test
  void dirtyReplica_isPinnedWhereItIs_andKeepsItsBytesWhenItIsWrittenToDisk() throws Exception {
    try (EngineRig rig = rig(pins().demoteWatermarks(0, 0), SSD_BYTES)) {
      CountDownLatch gate = rig.node.hold("demote 51");
      rig.guest(51, FakeDataNode.SSD);
      rig.awaitMove("demote 51");
      rig.guest(50, FakeDataNode.SSD);
      rig.engine.pin(keys(50));
      rig.engine.settle();
      assertEquals(Set.of(50L), here(rig));
      assertEquals(Reason.PINNED, why(rig, 50));
      assertTrue(rig.locate(50).dirty);
      gate.countDown();
      rig.quiet();
      assertEquals(List.of("demote 51", "demote 50"), rig.moves("demote", "replace", "promote"));
      assertEquals(Set.of(50L), here(rig));
      assertFalse(rig.locate(50).dirty);
      assertTrue(rig.locate(50).cleanData);
      assertEquals(PAGES, rig.engine.pinned().usedBytes());
    }
  }

  @Test
  void pinnedWhileItIsDemotedForAnother_isCopiedBack() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      for (int id = 50; id < 60; id++) {
        rig.guest(id, FakeDataNode.SSD);
      }
      rig.quiet();
      CountDownLatch gate = rig.node.hold("replace 50");
      rig.read(1, BLOCK, false);
      rig.awaitMove("replace 50");
      rig.engine.pin(keys(50));
      rig.engine.settle();
      assertEquals(Set.of(), here(rig));
      gate.countDown();
      rig.quiet();
      assertEquals(Set.of(50L), here(rig));
      assertTrue(rig.moves("promote").contains("promote 50"), rig.moves("promote").toString());
    }
  }

  @Test
  void replicaOfTheOwner_isPinnedWhereItIs_untilItLeaves() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      rig.put(new Replica(key(60), 1, BLOCK), Home.SSD_OWNER);
      pin(rig, 60);
      assertEquals(Set.of(60L), here(rig));
      assertEquals(List.of(), rig.moves("promote"));
      rig.disk(60); // the Mover took it to DISK
      rig.quiet();
      assertEquals(List.of("promote 60"), rig.moves("promote"));
      assertEquals(Set.of(60L), here(rig));
      assertEquals(PAGES, rig.engine.pinned().usedBytes());
    }
  }

  // ---- ends and losses --------------------------------------------------------------------------

  @Test
  void pin_endsWithItsReplica() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      pin(rig, 1, 2, 3);
      rig.gone(1);
      rig.put(new Replica(key(2), 2, BLOCK + 1), Home.DISK);
      rig.quiet();
      assertEquals(Set.of(3L), here(rig));
      assertEquals(PAGES, rig.engine.pinned().usedBytes());
      assertEquals(0, rig.count(Counter.UNPINS_FAILED));
      rig.disk(1);
      rig.quiet();
      assertEquals(Set.of(3L), here(rig), "a block that returns is not pinned");
    }
  }

  @Test
  void replicaThatChangesWhileItIsCopied_isNotPinned() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      CountDownLatch gate = rig.node.hold("promote 1");
      rig.engine.pin(keys(1));
      rig.awaitMove("promote 1");
      rig.put(new Replica(key(1), 2, BLOCK), Home.DISK);
      gate.countDown();
      rig.quiet();
      assertEquals(Set.of(), here(rig));
      assertEquals(0, rig.engine.pinned().usedBytes());
    }
  }

  @Test
  void copyThatIsDropped_isMadeAgain_andOneThatFailsToo() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      rig.node.fail("promote 1", new IOException("disk error"));
      pin(rig, 1);
      assertEquals(PAGES, rig.engine.pinned().usedBytes());
      assertEquals(0, rig.engine.pinned().count());
      rig.node.heal();
      rig.advance(Duration.ofSeconds(31));
      rig.quiet();
      assertEquals(Set.of(1L), here(rig));

      rig.node.evict(key(1), Part.CHECKSUM); // the scrubber found damage
      rig.engine.onCleanDropped(key(1));
      rig.quiet();
      assertEquals(Set.of(1L), here(rig));
      assertEquals(List.of("promote 1", "promote 1", "promote 1"), rig.moves("promote"));
      assertEquals(PAGES, rig.engine.pinned().usedBytes());
    }
  }

  @Test
  void copiesOfAnEarlierProcess_arePinnedWithoutACopy() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      Replica first = new Replica(key(51), 1, BLOCK);
      Replica second = new Replica(key(52), 1, BLOCK);
      for (Replica replica : List.of(first, second)) {
        rig.node.put(replica, false);
        rig.node.leaveClean(replica, FakeDataNode.SSD);
      }
      rig.engine.pin(keys(51)); // before the scan has reported it
      rig.engine.settle();
      assertEquals(PAGES, rig.engine.pinned().usedBytes());
      for (Replica replica : List.of(first, second)) {
        rig.engine.onReplica(replica, Home.DISK, null);
        rig.engine.onClean(replica.block(), Part.DATA, FakeDataNode.SSD, BLOCK);
      }
      pin(rig, 52);
      assertEquals(Set.of(51L, 52L), here(rig));
      assertEquals(List.of(), rig.moves("promote"));
    }
  }

  @Test
  void checksumFilesOfAdoptedCopies_areMade_thoughMoreThanTheQueueTakesAreAskedForAtOnce()
      throws Exception {
    try (EngineRig rig = rig(pins().pinsShare(1).queueLength(4), SSD_BYTES)) {
      EngineRig.await("the share is taken", () -> !rig.moves("checksums").isEmpty());
      rig.quiet();
      long[] ids = LongStream.rangeClosed(51, 56).toArray();
      for (long id : ids) {
        Replica replica = new Replica(key(id), 1, BLOCK);
        rig.disk(id);
        rig.node.leaveClean(replica, FakeDataNode.SSD);
        rig.engine.onClean(replica.block(), Part.DATA, FakeDataNode.SSD, BLOCK);
      }
      rig.quiet();
      for (int asked = 0; asked < 3; asked++) {
        pin(rig, ids);
      }
      assertEquals(6, rig.engine.pinned().count());
      assertEquals(List.of(), rig.moves("promote"));
      for (long id : ids) {
        assertTrue(rig.locate(id).cleanChecksums, "id=" + id);
      }
    }
  }

  @Test
  void pinBeforeItsReplicaIsReported_whichIsDeleted_ends() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      rig.node.put(new Replica(key(51), 1, BLOCK), false);
      rig.engine.pin(keys(51));
      rig.engine.settle();
      assertEquals(PAGES, rig.engine.pinned().usedBytes());
      rig.node.remove(key(51));
      rig.quiet();
      assertEquals(0, rig.engine.pinned().usedBytes());
    }
  }

  @Test
  void ssdThatIsLost_takesItsShareOfTheCapacity_andWhatIsPinnedOnIt() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES, SSD_BYTES)) {
      assertEquals(25 * 4096, rig.engine.pinned().capacityBytes());
      pin(rig, 1, 2, 3, 4, 5, 6);
      assertEquals(6, rig.engine.pinned().count());
      rig.node.setUsable(FakeDataNode.SSD, false);
      rig.probe();
      assertEquals(12 * 4096, rig.engine.pinned().capacityBytes());
      assertEquals(6 * PAGES, rig.engine.pinned().usedBytes());
      pin(rig, 7);
      assertEquals(0, rig.count(Counter.PINS_FAILED));
      rig.node.setUsable(FakeDataNode.SSD, true);
      rig.probe();
      assertEquals(7 * PAGES, rig.engine.pinned().cachedBytes());
      assertEquals(Set.of(1L, 2L, 3L, 4L, 5L, 6L, 7L), here(rig));
      assertEquals(7, rig.moves("promote").size());
    }
  }

  /** Pins blocks 1 to 8, four of them on each of two SSDs. */
  private static void pinOnBoth(EngineRig rig) throws Exception {
    for (long id = 1; id <= 8; id++) {
      pin(rig, id); // one at a time, to the SSD that has more room after a look
    }
    assertEquals(4, onSsd2(rig).size());
  }

  private static List<Long> onSsd2(EngineRig rig) {
    return LongStream.rangeClosed(1, 8)
        .filter(id -> FakeDataNode.SSD2.equals(rig.node.cleanOn(id)))
        .boxed()
        .collect(Collectors.toList());
  }

  @Test
  void copiesThatAreLostWithTheirSsd_areMadeAgain_asFarAsTheCapacityThatIsLeftAllows()
      throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES, SSD_BYTES)) {
      pinOnBoth(rig);
      assertEquals(8, rig.engine.pinned().count());
      rig.node.setUsable(FakeDataNode.SSD2, false);
      rig.probe();
      for (long id : onSsd2(rig)) {
        rig.node.evict(key(id), Part.CHECKSUM);
        rig.engine.onCleanDropped(key(id));
      }
      rig.quiet();
      assertEquals(4, rig.engine.pinned().count());
      assertEquals(4 * PAGES, rig.engine.pinned().cachedBytes());
      assertEquals(4 * PAGES, rig.engine.pinned().capacityBytes());
      assertEquals(8, rig.moves("promote").size());
      pass(rig, Pinner.UNASKED_NANOS + Pinner.UNASKED_LOOK_NANOS);
      assertEquals(4 * PAGES, rig.engine.pinned().usedBytes());
    }
  }

  @Test
  void shareThatIsLowered_whatIsHereStaysPinned_andWhatWaitsIsNotCopied() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      CountDownLatch gate = rig.node.hold("promote 1");
      rig.engine.pin(keys(1, 2, 3, 4));
      rig.awaitMove("promote 1");
      rig.engine.reconfigure(pins().pinsShare(0.13).build());
      rig.probe();
      assertEquals(PAGES, rig.engine.pinned().capacityBytes());
      gate.countDown();
      rig.quiet();
      assertEquals(List.of("promote 1"), rig.moves("promote"));
      rig.engine.reconfigure(pins().pinsShare(0).build());
      rig.probe();
      assertEquals(Set.of(1L), here(rig));
    }
  }

  @Test
  void pinsOnAnSsdOutOfUse_endWithTheirDirective_andLeaveTheCapacityToOthers() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES, SSD_BYTES)) {
      pinOnBoth(rig);
      pass(rig, 2 * Pinner.UNASKED_NANOS);
      assertEquals(8, rig.engine.pinned().count(), "what is here waits for no request");
      List<Long> there = onSsd2(rig);
      rig.node.setUsable(FakeDataNode.SSD2, false);
      rig.probe();
      pass(rig, Pinner.UNASKED_NANOS / 2);
      assertEquals(8 * PAGES, rig.engine.pinned().usedBytes());
      long asked = there.get(0); // its directive has not ended
      pin(rig, asked);
      pass(rig, Pinner.UNASKED_NANOS / 2 + Pinner.UNASKED_LOOK_NANOS);
      assertEquals(5 * PAGES, rig.engine.pinned().usedBytes());
      assertTrue(rig.engine.pinned().contains(key(asked)));
      pass(rig, Pinner.UNASKED_NANOS);
      assertEquals(4 * PAGES, rig.engine.pinned().usedBytes());
      long other =
          LongStream.rangeClosed(1, 8).filter(id -> !there.contains(id)).findFirst().orElseThrow();
      unpin(rig, other);
      pin(rig, 9);
      assertTrue(here(rig).contains(9L));
      assertEquals(0, rig.count(Counter.PINS_FAILED));
      rig.node.setUsable(FakeDataNode.SSD2, true);
      rig.probe();
      pin(rig, asked);
      assertTrue(here(rig).contains(asked));
      assertEquals(9, rig.moves("promote").size(), "the copy was there");
    }
  }

  /** The NameNode goes on asking for what is on the SSD that is out of use. */
  @Test
  void pinsOnAnSsdOutOfUse_takeNothingFromTheShareOfTheOthers() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES, SSD_BYTES)) {
      pinOnBoth(rig);
      long[] there = onSsd2(rig).stream().mapToLong(id -> id).toArray();
      rig.node.setUsable(FakeDataNode.SSD2, false);
      rig.probe();
      pin(rig, there);
      assertEquals(4 * PAGES, rig.engine.pinned().capacityBytes());
      assertEquals(4 * PAGES, rig.engine.pinned().cachedBytes());
      long other =
          LongStream.rangeClosed(1, 8)
              .filter(id -> LongStream.of(there).noneMatch(is -> is == id))
              .findFirst()
              .orElseThrow();
      unpin(rig, other);
      pin(rig, 9);
      assertTrue(here(rig).contains(9L));
      pin(rig, 10);
      assertEquals(1, rig.count(Counter.PINS_FAILED), "the share of the other SSD is used up");
      rig.node.setUsable(FakeDataNode.SSD2, true);
      rig.probe();
      assertEquals(8 * PAGES, rig.engine.pinned().cachedBytes());
    }
  }

  // ---- pins that wait in vain -------------------------------------------------------------------

  /** Pins block 1, whose copy fails, as the only pin that waits. */
  private static EngineRig rigWithWaitingPin() throws Exception {
    EngineRig rig = rig(pins(), SSD_BYTES);
    rig.node.fail("promote 1", new IOException("disk error"));
    pin(rig, 1);
    assertEquals(PAGES, rig.engine.pinned().usedBytes());
    return rig;
  }

  private static void pass(EngineRig rig, long nanos) throws Exception {
    rig.pass(Duration.ofNanos(nanos));
    rig.quiet();
  }

  @Test
  void waitingPin_notAskedForAnyMore_endsWithItsDirective_andMayBeAskedForAgain() throws Exception {
    try (EngineRig rig = rigWithWaitingPin()) {
      pass(rig, Pinner.UNASKED_NANOS / 2);
      assertEquals(PAGES, rig.engine.pinned().usedBytes());
      pass(rig, Pinner.UNASKED_NANOS / 2 + Pinner.UNASKED_LOOK_NANOS);
      assertEquals(0, rig.engine.pinned().usedBytes());
      assertEquals(0, rig.count(Counter.PINS_FAILED));
      assertEquals(0, rig.count(Counter.UNPINS_FAILED));
      rig.node.heal();
      int moves = rig.moves("promote").size();
      pass(rig, Duration.ofHours(3).toNanos());
      assertEquals(moves, rig.moves("promote").size(), "no copy of what no directive names");
      pin(rig, 1);
      assertEquals(Set.of(1L), here(rig));
    }
  }

  @Test
  void waitingPin_thatTheNameNodeKeepsAskingFor_staysUntilItsCopyIsMade() throws Exception {
    try (EngineRig rig = rigWithWaitingPin()) {
      for (int i = 0; i < 20; i++) {
        pass(rig, Duration.ofSeconds(30).toNanos());
        pin(rig, 1);
      }
      assertEquals(PAGES, rig.engine.pinned().usedBytes());
      rig.node.heal();
      pass(rig, Duration.ofHours(2).toNanos() - Pinner.UNASKED_NANOS);
      pin(rig, 1);
      assertEquals(Set.of(1L), here(rig));
      assertEquals(0, rig.count(Counter.PINS_FAILED));
    }
  }

  @Test
  void pinsBehindACopyUnderWay_notAskedForAnyMore_areNotCopied_thatOneIs() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      CountDownLatch gate = rig.node.hold("promote 1");
      rig.engine.pin(keys(1, 2, 3));
      rig.awaitMove("promote 1");
      rig.pass(Duration.ofNanos(Pinner.UNASKED_NANOS + 1));
      assertEquals(PAGES, rig.engine.pinned().usedBytes());
      gate.countDown();
      rig.quiet();
      assertEquals(List.of("promote 1"), rig.moves("promote"));
      assertEquals(Set.of(1L), here(rig));
      pass(rig, 2 * Pinner.UNASKED_NANOS);
      assertEquals(Set.of(1L), here(rig), "what is here waits for no request");
    }
  }

  @Test
  void copyThatIsLostLater_isMadeAgain_asTheNameNodeAsksOnlyWhenItIsNotReported() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      pin(rig, 1);
      pass(rig, 2 * Pinner.UNASKED_NANOS);
      rig.node.fail("promote 1", new IOException("disk error"));
      rig.node.evict(key(1), Part.CHECKSUM);
      rig.engine.onCleanDropped(key(1));
      rig.quiet();
      pass(rig, Pinner.UNASKED_NANOS / 2);
      assertEquals(PAGES, rig.engine.pinned().usedBytes());
      rig.node.heal();
      pass(rig, Duration.ofSeconds(61).toNanos());
      assertEquals(Set.of(1L), here(rig));
    }
  }

  @Test
  void pinLargerThanAnySsd_fails_andHoldsNoBytes() throws Exception {
    try (EngineRig rig = rig(pins().pinsShare(1), SSD_BYTES, SSD_BYTES)) {
      rig.disk(60, SSD_BYTES + 4096);
      pin(rig, 60);
      assertEquals(0, rig.engine.pinned().usedBytes());
      assertEquals(1, rig.count(Counter.PINS_FAILED));
      assertEquals(Reason.TOO_LARGE, why(rig, 60));
    }
  }

  @Test
  void pinThatWaits_whenTheOnlySsdLargeEnoughIsLost_endsAndFails() throws Exception {
    try (EngineRig rig = rig(pins().pinsShare(1), SSD_BYTES, 2 * SSD_BYTES)) {
      long bytes = SSD_BYTES + 4096;
      rig.node.fail("promote 60", new IOException("disk error"));
      rig.disk(60, bytes);
      pin(rig, 60);
      assertEquals(Reason.MOVE_FAILED, why(rig, 60));
      assertEquals(27 * 4096, rig.engine.pinned().usedBytes());
      rig.node.setUsable(FakeDataNode.SSD2, false);
      rig.probe();
      rig.quiet();
      assertEquals(0, rig.engine.pinned().usedBytes());
      assertEquals(1, rig.count(Counter.PINS_FAILED));
      assertEquals(Reason.TOO_LARGE, why(rig, 60));
    }
  }

  @Test
  void pinOfAReplicaThatGetsNoCopy_endsAndFails_alsoWhenItIsAskedForAgain() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      rig.node.fail("promote 1", new ReplicaNotCacheableException("checksums too long"));
      pin(rig, 1);
      assertEquals(0, rig.engine.pinned().usedBytes());
      assertEquals(1, rig.count(Counter.PINS_FAILED));
      assertEquals(Reason.CHECKSUMS_TOO_LONG, why(rig, 1));
      pin(rig, 1);
      assertEquals(0, rig.engine.pinned().usedBytes());
      assertEquals(2, rig.count(Counter.PINS_FAILED));
      assertEquals(List.of("promote 1"), rig.moves("promote"));
      assertEquals(Reason.CHECKSUMS_TOO_LONG, why(rig, 1));
    }
  }

  @Test
  void stepAside_releasesAllPins() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      pin(rig, 1, 2);
      rig.engine.stepAside();
      rig.quiet();
      assertEquals(0, rig.engine.pinned().usedBytes());
      assertEquals(Set.of(), here(rig));
      pin(rig, 3);
      assertEquals(1, rig.count(Counter.PINS_FAILED));
    }
  }

  // ---- errors -----------------------------------------------------------------------------------

  @Test
  void error_whenThePinnedBlockComesOrLeaves_allIsRightAfterIt() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      rig.node.nextPinned = new OutOfMemoryError("made to fail");
      pin(rig, 1, 2);
      assertEquals(1, rig.count(Counter.FAILURES));
      assertEquals(Set.of(1L, 2L), here(rig));
      assertEquals(Set.of(key(1), key(2)), rig.node.pinned);
      assertEquals(2 * PAGES, rig.engine.pinned().usedBytes());
      assertEquals(2 * BLOCK, rig.engine.pinned().copyBytes(FakeDataNode.SSD));

      rig.node.nextPinned = new OutOfMemoryError("made to fail");
      unpin(rig, 1);
      assertEquals(2, rig.count(Counter.FAILURES));
      assertEquals(Set.of(2L), here(rig));
      assertEquals(Set.of(key(2)), rig.node.pinned);
      assertEquals(PAGES, rig.engine.pinned().usedBytes());
      assertEquals(BLOCK, rig.engine.pinned().copyBytes(FakeDataNode.SSD));
      readAll(rig, 11, 20);
      assertEquals(List.of("evict 1", "evict 11"), rig.moves("evict"), "9 blocks beside the pin");
    }
  }

  @Test
  void repair_afterAChangeThatWasInterrupted_countsWhatIsHere() {
    FastSpace space = new FastSpace();
    PinnedBlocks published = new PinnedBlocks();
    Pins pins =
        new Pins(
            new LiveConfig(pins().build()),
            space,
            new FakeDataNode(SSD_BYTES),
            published,
            new RoundClock(() -> 0));
    // A unit of 0 makes the sums fail half-way, as an Error may.
    space.update(List.of(new FastDevice(FakeDataNode.SSD, SSD_BYTES, SSD_BYTES, true, 0)));
    pins.devicesChanged();
    BlockTable table = new BlockTable();
    for (long id = 1; id <= 3; id++) {
      Replica replica = new Replica(key(id), 1, BLOCK);
      BlockEntry entry = table.put(replica, Home.DISK, null);
      assertTrue(pins.begin(replica));
      if (id < 3) {
        table.setCleanData(entry, true, FakeDataNode.SSD);
        assertThrows(ArithmeticException.class, () -> pins.refresh(entry));
      }
    }
    space.update(List.of(new FastDevice(FakeDataNode.SSD, SSD_BYTES, SSD_BYTES, true, 4096)));
    pins.repair(table);
    pins.checkInvariants(table);
    assertEquals(2, pins.count());
    assertEquals(1, pins.waiting());
    assertEquals(key(3), pins.nextWaiting());
    assertEquals(2 * BLOCK, pins.residentBytes());
    assertEquals(2 * BLOCK, pins.cleanBytes());
    assertEquals(2 * PAGES, published.copyBytes(FakeDataNode.SSD));
    assertEquals(3 * PAGES, published.usedBytes());
    assertEquals(2 * PAGES, published.cachedBytes());
    assertEquals(2, published.count());
  }

  // ---- beside other users of the tier -----------------------------------------------------------

  @Test
  void manyPins_leaveReadsTheirMovers() throws Exception {
    try (EngineRig rig = rig(pins().pinsShare(1), 20 * BLOCK)) {
      CountDownLatch gate = new CountDownLatch(1);
      List<Long> held = new ArrayList<>();
      for (long id = 1; id <= 8; id++) {
        rig.node.hold("promote " + id, gate);
        held.add(id);
      }
      rig.engine.pin(keys(1, 2, 3, 4, 5, 6, 7, 8));
      rig.awaitMove("promote 1");
      rig.probe();
      assertEquals(1, rig.status().movesQueued(), "one for each mover thread");
      assertEquals(8 * PAGES, rig.engine.pinned().usedBytes());
      assertTrue(rig.engine.pinned().cachedBytes() <= 2 * PAGES, "most wait");
      gate.countDown();
      rig.quiet();
      assertEquals(new TreeSet<>(held), here(rig));
    }
  }

  @Test
  void hintedBlock_thatIsPinned_countsForNoUser() throws Exception {
    try (EngineRig rig = rig(pins().prefetchShare(0.5), SSD_BYTES)) {
      rig.hints("job", 60_000_000, 1, 1, 2);
      pin(rig, 1, 2);
      assertEquals(Set.of(1L, 2L), here(rig));
      rig.read(1, BLOCK, true);
      rig.read(1, BLOCK, true);
      rig.read(2, BLOCK, true);
      rig.quiet();
      assertEquals(Set.of(1L, 2L), here(rig), "not given back after the read");
      assertEquals(List.of(), rig.moves("evict"));
    }
  }

  @Test
  void blockReadAhead_thatIsPinned_takesNoneOfTheShare() throws Exception {
    try (EngineRig rig = rig(pins().prefetchShare(0.5), SSD_BYTES)) {
      rig.hints("job", 60_000_000, 1);
      rig.quiet();
      assertEquals(List.of("promote 1"), rig.moves("promote"));
      pin(rig, 1);
      rig.engine.settle();
      assertEquals(Set.of(1L), here(rig));
      rig.read(1, BLOCK, true);
      rig.quiet();
      assertEquals(Set.of(1L), here(rig), "not given back after the read");
    }
  }

  @Test
  void heat_ofPinnedBlocks_isKeptForTheNextStart() throws Exception {
    try (EngineRig rig = rig(pins(), SSD_BYTES)) {
      readAll(rig, 1, 2);
      rig.read(1, BLOCK, true);
      pin(rig, 1);
      rig.engine.onHeat(FakeDataNode.SSD, POOL, HeatLog.NOTHING, 0);
      rig.engine.settle();
      rig.pass(Duration.ofSeconds(31));
      EngineRig.await("a snapshot", () -> rig.node.snapshots() == 1);
      List<HeatLog.Row> rows = rig.node.heat().rows();
      assertEquals(keys(2, 1), rows.stream().map(HeatLog.Row::block).collect(Collectors.toList()));
      assertEquals(2, rows.get(1).reads());
    }
  }
}
