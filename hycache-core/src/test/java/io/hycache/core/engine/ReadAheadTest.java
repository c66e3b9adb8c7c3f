// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.config;
import static io.hycache.core.engine.EngineRig.key;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.model.Part;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.policy.Policies;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.LastDecision;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Blocks with a single hinted read: odd ones are on the second HDD, even ones on the first. */
class ReadAheadTest {
  private static final long TTL = 60_000_000;
  private static final long[] TEN = LongStream.rangeClosed(1, 10).toArray();

  /** Two HDDs, and SSDs with room for 10 blocks and their checksum files each. */
  private static EngineRig rig(HyCacheConfig.Builder config, int ssds) throws Exception {
    return rig(
        config, "heuristic", LongStream.range(0, ssds).map(i -> 10 * BLOCK + 2_000).toArray());
  }

  private static EngineRig rig(HyCacheConfig.Builder config, String policy, long... ssds)
      throws Exception {
    FakeDataNode node = new FakeDataNode(ssds);
    node.setHdds(FakeDataNode.HDD, FakeDataNode.HDD2);
    EngineRig rig =
        new EngineRig(config.checksumShare(0).build(), Policies.create(policy), node).start();
    LongStream.rangeClosed(1, 40).forEach(rig::disk);
    rig.quiet();
    return rig;
  }

  private static List<Long> onSsd(EngineRig rig) {
    List<Long> found = new ArrayList<>();
    LongStream.rangeClosed(1, 100).filter(id -> rig.node.cleanOn(id) != null).forEach(found::add);
    return found;
  }

  private static long heldBlocks(EngineRig rig) throws Exception {
    return rig.status().cleanBytes() / BLOCK;
  }

  private static List<String> sorted(List<String> moves) {
    List<String> all = new ArrayList<>(moves);
    Collections.sort(all);
    return all;
  }

  // ---- what is fetched --------------------------------------------------------------------------

  @Test
  void hint_readOnce_isFetchedReadAndGivenBack() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.5), 1)) {
      rig.hints("job", TTL, 1);
      rig.quiet();
      assertEquals(List.of(1L), onSsd(rig));
      assertEquals(Reason.FETCHED_AHEAD, rig.locate(1).reason);
      LastDecision decision = requireNonNull(rig.locate(1).decision);
      assertEquals("READ_AHEAD", decision.trigger);
      assertEquals("FETCHED_AHEAD", decision.outcome);

      rig.read(1, BLOCK, true);
      rig.quiet();
      assertEquals(List.of(), onSsd(rig));
      assertEquals(Reason.AHEAD_READ, rig.locate(1).reason);
      assertEquals(1, rig.count(Counter.BLOCKS_READ_AHEAD));
      assertEquals(
          BLOCK + Replica.estimatedChecksumBytes(BLOCK), rig.count(Counter.BYTES_READ_AHEAD));
      assertEquals(0, rig.count(Counter.BLOCKS_EVICTED_WITHOUT_READ));
      assertEquals(1, rig.count(Counter.BLOCKS_EVICTED));
    }
  }

  /** A job of ten blocks in a share of four: all are fetched before they are read, in order. */
  @Test
  void hints_ofALongJob_passThroughTheShare_inOrder() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.4), 1)) {
      rig.hints("job", TTL, TEN);
      rig.quiet();
      assertEquals(List.of(1L, 2L, 3L, 4L), onSsd(rig));
      assertEquals(Reason.AHEAD_SHARE_FULL, rig.locate(5).reason);
      for (long id : TEN) {
        assertTrue(onSsd(rig).contains(id), "before its read: block=" + id + " " + onSsd(rig));
        rig.read(id, BLOCK, true);
        rig.quiet();
        assertTrue(heldBlocks(rig) <= 4, "held=" + heldBlocks(rig));
      }
      assertEquals(List.of(), onSsd(rig));
      assertEquals(10, rig.count(Counter.BLOCKS_READ_AHEAD));
      assertEquals(0, rig.count(Counter.BLOCKS_EVICTED_WITHOUT_READ));
    }
  }

  @Test
  void hints_ofTwoHdds_areOneStreamEach_bothAtTheSameTime() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(1), 1)) {
      CountDownLatch two = rig.node.hold("promote 2");
      CountDownLatch one = rig.node.hold("promote 1");
      rig.hints("job", TTL, 2, 4, 6, 1, 3);
      rig.awaitMove("promote 2");
      rig.awaitMove("promote 1");
      rig.probe();
      rig.probe();
      assertEquals(List.of("promote 1", "promote 2"), sorted(rig.moves("promote")));
      assertEquals(Reason.AHEAD_DISK_BUSY, rig.locate(6).reason, "2 runs, 4 waits");
      one.countDown();
      EngineRig.await("the other HDD is not held up", () -> onSsd(rig).equals(List.of(1L, 3L)));
      two.countDown();
      rig.quiet();
      assertEquals(List.of(1L, 2L, 3L, 4L, 6L), onSsd(rig));
    }
  }

  /** One mover thread: promotions for reads are behind one another on one HDD. */
  @Test
  void hints_whileReadsArePromoted_areFetchedFromTheOtherHdd() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.3), "lru", 10 * BLOCK + 2_000)) {
      CountDownLatch gate = rig.node.hold("promote 2");
      rig.read(2);
      rig.awaitMove("promote 2");
      rig.read(4, BLOCK, false);
      rig.hints("job", TTL, 1);
      rig.awaitMove("promote 1");
      assertEquals(List.of("promote 2", "promote 1"), rig.moves("promote"));
      gate.countDown();
      rig.quiet();
      assertEquals(List.of(1L, 2L, 4L), onSsd(rig));
    }
  }

  @Test
  void hints_whileUsersReadFromAnHdd_areFetchedFromTheOther() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(1), 1)) {
      rig.useDisk(FakeDataNode.HDD);
      rig.hints("job", TTL, 2, 1);
      rig.awaitMove("promote 1");
      assertEquals(Reason.AHEAD_DISK_BUSY, rig.locate(2).reason);
      assertEquals(List.of("promote 1"), rig.moves("promote"));
      rig.quiet();
      assertEquals(List.of(1L, 2L), onSsd(rig), "once nobody reads any more");
    }
  }

  /** At one block a second, a block that is next is read before a slow fetch of it would end. */
  @Test
  void hints_ofARunningJob_skipWhatIsReadTooSoon() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.2), 1)) {
      CountDownLatch gate = rig.node.hold("promote 2");
      rig.hints("first", TTL, 2);
      rig.awaitMove("promote 2");
      rig.pass(Duration.ofSeconds(5)); // a block in 5 s, from the first HDD
      gate.countDown();
      rig.quiet();
      rig.withdraw("first");
      rig.quiet();

      rig.useDisk(FakeDataNode.HDD);
      rig.useDisk(FakeDataNode.HDD2);
      rig.hints("job", TTL, 11, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
      rig.read(11, BLOCK, false);
      CountDownLatch later = new CountDownLatch(1);
      for (int id = 4; id <= 30; id += 2) {
        rig.node.hold("promote " + id, later);
      }
      int before = rig.node.moves().size();
      rig.pass(Duration.ofSeconds(1));
      EngineRig.await("a fetch", () -> rig.node.moves().size() > before);
      assertEquals(Reason.AHEAD_TOO_SOON, rig.locate(4).reason);
      String first = rig.node.moves().get(before);
      assertTrue(List.of("promote 14", "promote 16", "promote 18").contains(first), first);
      later.countDown();
    }
  }

  @Test
  void hints_ofPoliciesThatIgnoreThem_areFetchedAhead() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.3), "lru", 10 * BLOCK + 2_000)) {
      rig.hints("job", TTL, TEN);
      rig.quiet();
      assertEquals(List.of(1L, 2L, 3L), onSsd(rig));
    }
  }

  /** A copy with references left after its read is the policy's. */
  @Test
  void read_ofABlockThatIsHintedAgain_leavesItToThePolicy() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.1), "lru", 10 * BLOCK + 2_000)) {
      rig.hints("job", TTL, 1, 2, 4, 1);
      rig.quiet();
      assertEquals(List.of(1L), onSsd(rig));
      rig.read(1, BLOCK, true);
      rig.quiet();
      assertEquals(List.of(1L, 4L), onSsd(rig), "2 is being read by now");
      assertEquals(Reason.FETCHED_AHEAD, rig.locate(4).reason);
    }
  }

  // ---- what it must leave alone -----------------------------------------------------------------

  @Test
  void share_zero_isThePolicyAlone_andCanChange() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0), 1)) {
      rig.hints("job", TTL, TEN);
      rig.quiet();
      assertEquals(List.of(), onSsd(rig));
      assertEquals(Reason.NO_LATER_REFERENCE, rig.locate(1).reason);
      rig.engine.reconfigure(config().checksumShare(0).prefetchShare(0.2).build());
      rig.hints("more", TTL, 11);
      rig.quiet();
      assertEquals(List.of(1L, 11L), onSsd(rig), "the first of each");
    }
  }

  @Test
  void mode_observe_countsAndFetchesNothing() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.5).mode(Mode.OBSERVE), 1)) {
      rig.hints("job", TTL, 1);
      rig.quiet();
      assertEquals(List.of(), rig.moves("promote"));
      assertTrue(rig.count(Counter.OBSERVED_DECISIONS) > 0);
      assertEquals(Reason.FETCHED_AHEAD, requireNonNull(rig.locate(1).observed).reason);
    }
  }

  @Test
  void copiesWithLaterReferences_neverMakeWay() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(1), 1)) {
      long[] twice = LongStream.concat(LongStream.of(TEN), LongStream.of(TEN)).toArray();
      rig.hints("twice", TTL, twice);
      rig.quiet();
      assertEquals(10, onSsd(rig).size());
      rig.hints("once", TTL, LongStream.rangeClosed(11, 20).toArray());
      rig.quiet();
      assertEquals(LongStream.of(TEN).boxed().collect(Collectors.toList()), onSsd(rig));
      assertEquals(Reason.NO_ROOM, rig.locate(11).reason);
      assertEquals(List.of(), rig.moves("evict"));
    }
  }

  /** What was read without hints a moment ago stays; what has not been for long makes way. */
  @Test
  void copiesInUseWithoutHints_makeWayOnlyOnceTheyAreNot() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.3), "lru", 10 * BLOCK + 2_000)) {
      for (long id : TEN) {
        rig.read(id);
        rig.quiet();
        rig.read(id, BLOCK, true);
      }
      assertEquals(10, onSsd(rig).size());
      rig.hints("job", TTL, 11, 12, 13, 14);
      rig.quiet();
      assertEquals(10, onSsd(rig).size());
      assertEquals(List.of(), rig.moves("evict"));
      assertEquals(Reason.NO_ROOM, rig.locate(11).reason);

      rig.pass(Duration.ofNanos(UserShares.IN_USE_NANOS));
      rig.hints("again", TTL, 15);
      rig.quiet();
      assertEquals(3, onSsd(rig).stream().filter(id -> id > 10).count(), onSsd(rig).toString());
      assertEquals(3, rig.moves("evict").size(), "no more than the share");
    }
  }

  /** A block that hints brought is in use like others, once its references are used up. */
  @Test
  void copyOfUsedUpHints_thatOthersRead_doesNotMakeWay() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.3), "lru", 10 * BLOCK + 2_000)) {
      rig.hints("twice", TTL, 1, 1);
      rig.quiet();
      rig.read(1, BLOCK, true);
      rig.read(1, BLOCK, true);
      for (long id = 2; id <= 10; id++) {
        rig.read(id);
        rig.quiet();
        rig.read(id, BLOCK, true);
      }
      assertEquals(10, onSsd(rig).size());
      rig.pass(Duration.ofMinutes(9));
      rig.read(1, BLOCK, true);
      rig.read(1, BLOCK, true);
      rig.hints(new WorkflowId("bob", "once"), TTL, 11, 12, 13, 14);
      rig.quiet();
      assertEquals(List.of(), rig.moves("evict"));
      assertEquals(Reason.NO_ROOM, rig.locate(11).reason);
    }
  }

  /** Hints that no job keeps do not hide that others read parts of the block. */
  @Test
  void copyThatOthersReadInPart_besideHints_doesNotMakeWay() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.3), "lru", 10 * BLOCK + 2_000)) {
      for (long id : TEN) {
        rig.read(id);
        rig.quiet();
      }
      long[] often = LongStream.generate(() -> 1).limit(1_000).toArray();
      rig.hints(new WorkflowId("mallory", "table"), TTL, often);
      for (int n = 0; n < 4 * 15; n++) {
        rig.pass(Duration.ofSeconds(15));
        for (long id : TEN) {
          for (int record = 0; record < 5; record++) { // one access
            rig.read(id, 1, true);
          }
        }
      }
      rig.engine.withdrawHints(new WorkflowId("mallory", "table"));
      rig.hints(new WorkflowId("bob", "once"), TTL, 11);
      rig.quiet();
      assertEquals(List.of(), rig.moves("evict"));
      assertEquals(Reason.NO_ROOM, rig.locate(11).reason);
    }
  }

  @Test
  void ssdWithRoomForTwoBlocks_holdsOneAheadAndOneOfThePolicy() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.5), "heuristic", 2 * BLOCK + 2_000)) {
      rig.hints("twice", TTL, 1, 1);
      rig.hints("once", TTL, 2, 3, 4, 5);
      rig.quiet();
      assertEquals(List.of(1L, 2L), onSsd(rig));
      rig.read(2, BLOCK, true);
      rig.quiet();
      assertEquals(List.of(1L, 4L), onSsd(rig), "3 is being read by now");
      rig.read(3, BLOCK, false);
      rig.read(4, BLOCK, true);
      rig.quiet();
      assertEquals(List.of(1L), onSsd(rig), "5 is being read by now");
      assertEquals(0, rig.count(Counter.BLOCKS_EVICTED_WITHOUT_READ));
    }
  }

  @Test
  void share_smallerThanABlock_fetchesNothing() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.4), "heuristic", 2 * BLOCK + 2_000)) {
      rig.hints("once", TTL, 2, 3);
      rig.quiet();
      assertEquals(List.of(), onSsd(rig));
      assertEquals(Reason.AHEAD_SHARE_FULL, rig.locate(2).reason);
    }
  }

  @Test
  void twoSsds_theShareIsOfBoth() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.2), 2)) {
      rig.hints("job", TTL, TEN);
      rig.quiet();
      assertEquals(List.of(1L, 2L, 3L, 4L), onSsd(rig));
      assertEquals(
          2, List.of(1, 2, 3, 4).stream().map(id -> rig.node.cleanOn(id)).distinct().count());
      rig.node.setUsable(FakeDataNode.SSD, false);
      rig.probe();
      for (long id = 1; id <= 4; id++) {
        rig.read(id, BLOCK, rig.node.cleanOn(id) != null);
      }
      rig.quiet();
      rig.node.setUsable(FakeDataNode.SSD, true);
      rig.quiet();
      assertTrue(Collections.disjoint(onSsd(rig), List.of(1L, 2L, 3L, 4L)), onSsd(rig).toString());
    }
  }

  @Test
  void twoSsds_copiesOnASickOneTakeNoneOfTheShareThatIsLeft() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.2), 2)) {
      rig.hints("job", TTL, 1, 2);
      rig.quiet();
      assertEquals(List.of(1L, 2L), onSsd(rig));
      String sick = requireNonNull(rig.node.cleanOn(1));
      assertNotEquals(sick, rig.node.cleanOn(2));
      rig.node.setUsable(sick, false);
      rig.probe();
      rig.hints("more", TTL, 11, 12);
      rig.quiet();
      assertEquals(List.of(1L, 2L, 11L), onSsd(rig), "two blocks of the SSD that is left");
      assertNotEquals(sick, rig.node.cleanOn(11));
      assertEquals(Reason.AHEAD_SHARE_FULL, rig.locate(12).reason);

      rig.node.setUsable(sick, true);
      rig.quiet();
      assertEquals(List.of(1L, 2L, 11L, 12L), onSsd(rig));
    }
  }

  @Test
  void twoSsds_copiesThatAreLostWithOne_areFetchedToTheOther() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.4), 2)) {
      rig.hints("job", TTL, 1, 2);
      rig.quiet();
      String gone = requireNonNull(rig.node.cleanOn(1));
      assertNotEquals(gone, rig.node.cleanOn(2));
      rig.node.setUsable(gone, false);
      rig.probe();
      rig.node.evict(key(1), Part.DATA);
      rig.node.evict(key(1), Part.CHECKSUM);
      rig.engine.onCleanDropped(key(1));
      rig.quiet();
      assertEquals(List.of(1L, 2L), onSsd(rig));
      assertEquals(rig.node.cleanOn(2), rig.node.cleanOn(1));
    }
  }

  // ---- hints that do not come true --------------------------------------------------------------

  @Test
  void withdrawn_copiesGoAtOnce_andCountAsUnread() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.4), 1)) {
      rig.hints("job", TTL, TEN);
      rig.quiet();
      assertEquals(4, onSsd(rig).size());
      rig.withdraw("job");
      rig.quiet();
      assertEquals(List.of(), onSsd(rig));
      assertEquals(4, rig.count(Counter.READ_AHEAD_EVICTED_WITHOUT_READ));
      assertEquals(4, rig.count(Counter.BLOCKS_EVICTED_WITHOUT_READ));
      assertEquals(Reason.AHEAD_UNREAD, rig.locate(1).reason);
    }
  }

  /** A guess has no claim to the share. */
  @Test
  void withdrawn_whileTheBlocksAreExpectedAgain_copiesAreThePolicys() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.4), "lru", 10 * BLOCK + 2_000)) {
      rig.engine.submitHints(EngineRig.reads("query", TTL, TEN).ofOneJob(), EngineRig.USER, false);
      rig.quiet();
      assertEquals(4, onSsd(rig).size());
      rig.withdraw("query");
      rig.hints("next", TTL, 21, 22, 23, 24);
      rig.quiet();
      assertTrue(onSsd(rig).containsAll(List.of(21L, 22L, 23L, 24L)), onSsd(rig).toString());
    }
  }

  /** A sequence that says that its blocks are read in a day keeps nobody out. */
  @Test
  void copiesAboveTheirUsersPart_makeWayAfterAWhile_wheneverTheyAreDue() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.4), 1)) {
      long[] slow =
          LongStream.concat(
                  LongStream.generate(() -> 40).limit(100_000), LongStream.rangeClosed(1, 9))
              .toArray();
      rig.hints(new WorkflowId("mallory", "w"), TTL, slow);
      rig.quiet();
      rig.hints(new WorkflowId("alice", "w"), TTL, 11, 12, 13, 14);
      rig.quiet();
      assertEquals(0, onSsd(rig).stream().filter(id -> id > 10 && id < 20).count());
      rig.pass(Duration.ofNanos(AheadCopies.OUTSTAY_NANOS + 1));
      rig.read(14); // alice's job runs
      rig.quiet();
      rig.pass(Duration.ofSeconds(2));
      rig.quiet();
      assertEquals(List.of(1L, 2L, 13L, 40L), onSsd(rig), "mallory's part, and alice's next");
    }
  }

  @Test
  void expired_copiesGo() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.4), 1)) {
      rig.hints("job", 20_000, TEN);
      rig.quiet();
      assertEquals(4, onSsd(rig).size());
      rig.pass(Duration.ofSeconds(61));
      rig.quiet();
      assertEquals(List.of(), onSsd(rig));
    }
  }

  @Test
  void overdue_copiesMakeWayForOthers_andAreNotFetchedAgain() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.2), 1)) {
      rig.hints("stale", TTL, 21, 1, 2);
      rig.quiet();
      rig.read(21, BLOCK, true);
      rig.quiet();
      assertEquals(List.of(1L, 2L), onSsd(rig), "of a job that runs");
      rig.pass(Duration.ofNanos(2 * AheadCopies.OVERDUE_NANOS));
      rig.quiet();
      assertEquals(List.of(1L, 2L), onSsd(rig), "nobody needs the room");
      rig.hints("job", TTL, 11, 12);
      rig.quiet();
      assertEquals(List.of(11L, 12L), onSsd(rig));
      assertEquals(Reason.AHEAD_UNREAD, rig.locate(1).reason);
      rig.read(11, BLOCK, true);
      rig.read(12, BLOCK, true);
      rig.quiet();
      assertEquals(List.of(), onSsd(rig), "1 and 2 had their turn");
      assertEquals(1, Collections.frequency(rig.moves("promote"), "promote 1"));
      rig.withdraw("stale");
      rig.hints("fresh", TTL, 1);
      rig.quiet();
      assertEquals(List.of(1L), onSsd(rig), "hinted anew");
    }
  }

  @Test
  void job_startsLate_findsItsBlocks_unlessAnotherUserNeedsTheRoom() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.2), 1)) {
      rig.hints("late", TTL, 1, 2, 3, 4);
      rig.quiet();
      assertEquals(List.of(1L, 2L), onSsd(rig));
      rig.pass(Duration.ofNanos(2 * AheadCopies.OVERDUE_NANOS));
      rig.hints("more", TTL, 21);
      rig.quiet();
      assertEquals(List.of(1L, 2L), onSsd(rig), "the same user has no more room");
      assertEquals(List.of(), rig.moves("evict"));
      rig.hints(new WorkflowId("bob", "w"), TTL, 11);
      rig.quiet();
      assertTrue(onSsd(rig).contains(11L), onSsd(rig).toString());
    }
  }

  @Test
  void withdrawn_whileTheQueueOfEvictionsIsFull_copiesGoLater() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.4).queueLength(1), 1)) {
      rig.hints("job", TTL, 1, 2, 3, 4);
      rig.quiet();
      assertEquals(List.of(1L, 2L, 3L, 4L), onSsd(rig));
      CountDownLatch gate = new CountDownLatch(1);
      for (int id = 1; id <= 4; id++) {
        rig.node.hold("evict " + id, gate);
      }
      rig.withdraw("job");
      EngineRig.await("an eviction", () -> rig.moves("evict").size() == 1);
      rig.probe();
      rig.probe();
      assertEquals(1, rig.moves("evict").size(), "the others wait, and the planner goes on");
      gate.countDown();
      rig.quiet();
      assertEquals(List.of(), onSsd(rig));
      assertEquals(4, rig.moves("evict").size());
    }
  }

  @Test
  void fetch_endsWhileItsSsdIsSick_isGivenBackAfterItsRead() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.4), 1)) {
      CountDownLatch gate = rig.node.hold("promote 1");
      rig.hints("job", TTL, 1);
      rig.awaitMove("promote 1");
      rig.node.setUsable(FakeDataNode.SSD, false);
      rig.probe();
      gate.countDown();
      EngineRig.await("the copy", () -> rig.status().movesQueued() == 0);
      rig.probe();
      rig.node.setUsable(FakeDataNode.SSD, true);
      rig.quiet();
      assertEquals(List.of(1L), onSsd(rig));
      rig.read(1, BLOCK, true);
      rig.quiet();
      assertEquals(List.of(), onSsd(rig));
    }
  }

  @Test
  void hintOfAnotherWorkflow_withdrawn_leavesTheCopyToItsRead() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.1), "lru", 10 * BLOCK + 2_000)) {
      rig.hints("one", TTL, 1);
      rig.quiet();
      rig.hints("two", TTL, 1);
      rig.quiet();
      rig.withdraw("two");
      rig.quiet();
      assertEquals(List.of(1L), onSsd(rig));
      rig.read(1, BLOCK, true);
      rig.quiet();
      assertEquals(List.of(), onSsd(rig));
    }
  }

  @Test
  void read_whileTheCopyIsMade_ofABlockThatIsHintedAgain_leavesItToThePolicy() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.1), "lru", 10 * BLOCK + 2_000)) {
      CountDownLatch gate = rig.node.hold("promote 1");
      rig.hints("job", TTL, 1, 1);
      rig.awaitMove("promote 1");
      rig.read(1, BLOCK, false);
      gate.countDown();
      rig.quiet();
      rig.read(1, BLOCK, true);
      rig.quiet();
      assertEquals(List.of(1L), onSsd(rig));
    }
  }

  @Test
  void hint_whileTheCopyLeaves_fetchesItAgain() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.4), 1)) {
      rig.hints("job", TTL, 1);
      rig.quiet();
      CountDownLatch gate = rig.node.hold("evict 1");
      rig.read(1, BLOCK, true);
      rig.awaitMove("evict 1");
      rig.hints("more", TTL, 1);
      gate.countDown();
      rig.quiet();
      assertEquals(List.of(1L), onSsd(rig));
      assertEquals(2, Collections.frequency(rig.moves("promote"), "promote 1"));
    }
  }

  @Test
  void submittedAnew_afterItWasPassedOver_isFetchedAgain() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.1), 1)) {
      rig.hints("job", TTL, 1);
      rig.quiet();
      rig.pass(Duration.ofNanos(2 * AheadCopies.OVERDUE_NANOS));
      rig.hints(new WorkflowId("bob", "w"), TTL, 2);
      rig.quiet();
      assertEquals(List.of(2L), onSsd(rig));
      rig.read(2, BLOCK, true);
      rig.quiet();
      assertEquals(List.of(), onSsd(rig));
      rig.hints("job", TTL, 1);
      rig.quiet();
      assertEquals(List.of(1L), onSsd(rig));
    }
  }

  @Test
  void read_fromDiskWhileTheCopyIsMade_leavesNoCopy() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.4), 1)) {
      CountDownLatch gate = rig.node.hold("promote 1");
      rig.hints("job", TTL, 1);
      rig.awaitMove("promote 1");
      rig.read(1, BLOCK, false);
      gate.countDown();
      rig.quiet();
      assertEquals(List.of(), onSsd(rig));
      assertEquals(1, rig.count(Counter.READ_AHEAD_EVICTED_WITHOUT_READ));
    }
  }

  @Test
  void fetch_fails_takesNoShare_andIsRetriedLater() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.1), 1)) {
      rig.node.fail("promote 1", new IOException("made to fail"));
      rig.hints("job", TTL, 1);
      rig.hints("other", TTL, 2);
      rig.quiet();
      assertEquals(List.of(2L), onSsd(rig));
      assertEquals(Reason.MOVE_FAILED, rig.locate(1).reason);
      rig.node.heal();
      rig.read(2, BLOCK, true);
      rig.pass(Duration.ofNanos(MoveOutcomes.PAUSE_AFTER_FAILURE_NANOS));
      rig.quiet();
      assertEquals(List.of(1L), onSsd(rig));
    }
  }

  @Test
  void replica_deleted_freesItsPartOfTheShare() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.1), 1)) {
      rig.hints("job", TTL, 1, 2);
      rig.quiet();
      assertEquals(List.of(1L), onSsd(rig));
      rig.gone(1);
      rig.quiet();
      assertEquals(List.of(2L), onSsd(rig));
    }
  }

  @Test
  void budget_spent_fetchesNothing() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.5).driveWritesPerDay(0.000_1), 1)) {
      rig.hints("job", TTL, 1);
      rig.quiet();
      assertEquals(List.of(1L), onSsd(rig), "the budget is checked before a copy, not during it");
      rig.hints("more", TTL, 2);
      rig.quiet();
      assertEquals(List.of(1L), onSsd(rig));
      assertEquals(Reason.WRITE_BUDGET, rig.locate(2).reason);
    }
  }

  // ---- several users ----------------------------------------------------------------------------

  /** A user who hints everything takes what room is free, and leaves the others their part. */
  @Test
  void users_eachHaveTheirPartByWeight_andTakeNoneOfAnothers() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.4).userWeights(Map.of("alice", 3.0)), 1)) {
      rig.hints(new WorkflowId("alice", "w"), TTL, 2);
      rig.hints(new WorkflowId("mallory", "w"), TTL, LongStream.rangeClosed(11, 30).toArray());
      rig.quiet();
      assertEquals(List.of(2L, 11L), onSsd(rig), "one of four for mallory");
      assertEquals(Reason.AHEAD_SHARE_FULL, rig.locate(12).reason);
      rig.hints(new WorkflowId("alice", "more"), TTL, 4, 6, 8);
      rig.quiet();
      assertEquals(List.of(2L, 4L, 6L, 11L), onSsd(rig));

      rig.read(2, BLOCK, true);
      rig.quiet();
      assertEquals(List.of(4L, 6L, 8L, 11L), onSsd(rig));
      rig.hints(new WorkflowId("mallory", "loop"), TTL, LongStream.rangeClosed(31, 40).toArray());
      rig.quiet();
      assertEquals(List.of(4L, 6L, 8L, 11L), onSsd(rig));
    }
  }

  /** Parts that are smaller than a block have room for one. */
  @Test
  void users_moreThanTheShareHasBlocks_takeTurns() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.2), 1)) {
      for (int user = 1; user <= 5; user++) {
        rig.hints(new WorkflowId("user" + user, "w"), TTL, user * 5L, user * 5L + 1);
      }
      rig.quiet();
      assertEquals(2, onSsd(rig).size());
      for (int n = 0; n < 10 && !onSsd(rig).isEmpty(); n++) {
        for (long id : onSsd(rig)) {
          rig.read(id, BLOCK, true);
        }
        rig.quiet();
        assertTrue(onSsd(rig).size() <= 2);
      }
      assertTrue(rig.count(Counter.BLOCKS_READ_AHEAD) >= 5, "each user had a turn");
    }
  }

  @Test
  void status_saysWhatTheSsdIsWrittenForWhatIsReadFromIt() throws Exception {
    try (EngineRig rig = rig(config().prefetchShare(0.5), 1)) {
      assertEquals(0, rig.status().ssdBytesWrittenPer100Read());
      rig.hints("job", TTL, 1, 2);
      rig.quiet();
      assertEquals(2, rig.count(Counter.BLOCKS_PROMOTED));
      assertEquals(0, rig.status().ssdBytesWrittenPer100Read(), "nothing was read yet");
      rig.counters.add(Counter.BYTES_READ_FAST, 4 * BLOCK);
      assertEquals(50, rig.status().ssdBytesWrittenPer100Read());
    }
  }
}
