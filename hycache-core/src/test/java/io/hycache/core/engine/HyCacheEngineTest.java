// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.config;
import static io.hycache.core.engine.EngineRig.key;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.Iterables;
import com.google.common.primitives.Bytes;
import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.config.PartitionRule;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Part;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.model.Weighing;
import io.hycache.core.policy.ForwardingPolicy;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.MoveAbandonedException;
import io.hycache.core.spi.ReplicaNotCacheableException;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.LastDecision;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.WriteFallback;
import io.hycache.core.table.HeatLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each test ends with the rig at rest and the ledger checked (see {@link EngineRig#close}). */
class HyCacheEngineTest {
  private static final Duration PERIOD = Duration.ofMinutes(1);

  static final long CAPACITY = 100_500;

  /** A DataNode whose SSDs have this capacity together. */
  FakeDataNode node(long capacityBytes) {
    return new FakeDataNode(capacityBytes);
  }

  EngineRig lru(HyCacheConfig.Builder config) {
    return rig(config, "lru");
  }

  EngineRig rig(HyCacheConfig.Builder config, String policy) {
    return new EngineRig(config.build(), Policies.create(policy), node(CAPACITY)).start();
  }

  /** The order of residents is that of one SSD, also in subclasses; no checksum files. */
  private static EngineRig lruOnOneSsd(long capacityBytes) {
    return new EngineRig(
            config().checksumShare(0).build(),
            Policies.create("lru"),
            new FakeDataNode(capacityBytes))
        .start();
  }

  private static IOException broken() {
    return new IOException("made to fail");
  }

  private static IOException notCacheable() {
    return new ReplicaNotCacheableException("made to be refused");
  }

  // ---- placement --------------------------------------------------------------------------------

  @Test
  void place_goesUpToTheWriteShareAndNoFurther() throws Exception {
    try (EngineRig rig = lru(config().writeShare(0.5))) {
      int fast = 0;
      for (int id = 1; id <= 8; id++) {
        fast += rig.write(id) ? 1 : 0;
      }
      assertEquals(5, fast);
      assertEquals(5 * BLOCK, rig.status().dirtyBytes());
      assertEquals(5, rig.count(Counter.BLOCKS_WRITE_FAST));
      assertEquals(3, rig.count(Counter.BLOCKS_WRITE_FALLBACK));
    }
  }

  @Test
  void place_writesInFlightCountToo() throws Exception {
    try (EngineRig rig = lru(config().writeShare(0.3))) {
      rig.probe();
      for (int id = 1; id <= 3; id++) {
        assertTrue(rig.engine.placeOnFast(BLOCK));
        rig.engine.onPlaced(key(id), BLOCK, 0);
      }
      assertFalse(rig.engine.placeOnFast(BLOCK));
      assertEquals(3 * BLOCK, rig.engine.writeBytesInFlight());
      rig.gone(1);
      rig.engine.settle();
      assertEquals(2 * BLOCK, rig.engine.writeBytesInFlight());
      rig.probe();
      assertTrue(rig.engine.placeOnFast(BLOCK));
    }
  }

  @Test
  void place_fallbackAsksForRoom_andCleanCopiesGoForIt() throws Exception {
    try (EngineRig rig = lru(config())) {
      for (int id = 1; id <= 9; id++) {
        rig.disk(id);
        rig.read(id);
        rig.quiet();
      }
      assertEquals(9 * BLOCK, rig.status().cleanBytes());
      rig.missRoom(90);
      rig.awaitMove("evict 1");
      rig.quiet();
      assertTrue(rig.write(20));
      assertEquals(List.of("evict 1"), rig.moves("evict"));
      assertEquals(Reason.EVICTED, rig.locate(1).reason);
    }
  }

  @Test
  void place_reserveHeldFreeByReads_stillMakesRoomForAWrite() throws Exception {
    try (EngineRig rig = lru(config().reserveShare(0.2))) {
      for (int id = 1; id <= 7; id++) {
        rig.disk(id);
        rig.read(id);
        rig.quiet();
      }
      assertEquals(7 * BLOCK, rig.status().cleanBytes());
      rig.missRoom(90);
      rig.awaitMove("evict 1");
      rig.quiet();
      assertTrue(rig.write(20));
    }
  }

  @Test
  void makeRoom_copyThatIsBeingWritten_isTakenOffOnce() throws Exception {
    try (EngineRig rig = lru(config().checksumShare(0))) {
      for (int id = 1; id <= 8; id++) {
        rig.disk(id);
        rig.read(id);
        rig.quiet();
      }
      CountDownLatch gate = rig.node.hold("promote 9");
      rig.disk(9);
      rig.read(9, BLOCK, false);
      rig.awaitMove("promote 9");
      rig.node.arrivedBytes = BLOCK - 1_000;
      rig.probe();
      assertEquals(WriteFallback.NO_ROOM, rig.engine.admit(2 * BLOCK));
      rig.engine.onWrittenToDisk(key(20), 2 * BLOCK, WriteFallback.NO_ROOM);
      rig.put(new Replica(key(20), 1, 3_000), Home.DISK);
      rig.probe();
      rig.probe();
      gate.countDown();
      rig.node.arrivedBytes = 0;
      rig.quiet();
      assertEquals(List.of(), rig.moves("evict"), "3,000 bytes are wanted, 10,500 are left");
    }
  }

  @Test
  void makeRoom_moreVictimsThanTheQueueHolds_unlinksEachOne() throws Exception {
    try (EngineRig rig = lru(config().queueLength(1))) {
      for (int id = 1; id <= 9; id++) {
        rig.disk(id);
        rig.read(id);
        rig.quiet();
      }
      rig.missRoom(90, 2 * BLOCK + BLOCK / 2);
      rig.quiet();
      assertEquals(rig.status().cleanBytes(), rig.node.cleanDataBytes());
      rig.put(new Replica(key(30), 1, 8 * BLOCK), Home.SSD_OWNER);
      rig.quiet();
      assertEquals(rig.status().cleanBytes(), rig.node.cleanDataBytes());
    }
  }

  /** A refused eviction is no access: the coldest copy stays the next one to leave. */
  @Test
  void makeRoom_whileTheQueueOfEvictionsIsFull_leavesTheOrderAsItIs() throws Exception {
    List<CacheKey> admitted = new CopyOnWriteArrayList<>();
    CachePolicy policy =
        new Lru() {
          @Override
          public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
            admitted.add(key);
            super.onAdmitted(key, sizeBytes, nowNanos);
          }
        };
    FakeDataNode node = new FakeDataNode(20 * BLOCK + 2_000);
    try (EngineRig rig = new EngineRig(config().queueLength(1).build(), policy, node).start()) {
      for (int id = 11; id <= 29; id++) {
        rig.disk(id);
        rig.read(id);
        rig.quiet();
      }
      CountDownLatch gate = rig.node.hold("evict 11");
      admitted.clear();
      rig.missRoom(90, 5 * BLOCK);
      rig.awaitMove("evict 11");
      rig.probe();
      rig.probe();
      assertEquals(List.of(), admitted, "put back behind the others");
      gate.countDown();
      rig.quiet();
      for (int id = 91; id <= 93; id++) {
        rig.missRoom(id, 9 * BLOCK);
        rig.quiet();
      }
      List<String> evicted = rig.moves("evict");
      assertTrue(evicted.size() >= 4, evicted.toString());
      assertEquals(evicted.stream().sorted().collect(Collectors.toList()), evicted);
    }
  }

  @Test
  void read_whileItsChecksumFileIsCopied_isFetchedAfterThat() throws Exception {
    try (EngineRig rig = lru(config())) {
      CountDownLatch gate = rig.node.hold("checksums 1");
      rig.disk(1);
      rig.awaitMove("checksums 1");
      rig.read(1, BLOCK, false);
      assertEquals(List.of(), rig.moves("promote"));
      gate.countDown();
      rig.awaitMove("promote 1");
      rig.quiet();
      assertEquals(Reason.ON_SSD_CLEAN, rig.locate(1).reason);
    }
  }

  // ---- demotion ---------------------------------------------------------------------------------

  @Test
  void demote_aboveLow_goesDownToItInThePolicysOrder() throws Exception {
    try (EngineRig rig = lru(config().demoteWatermarks(0.35, 0.5))) {
      for (int id = 1; id <= 3; id++) {
        assertTrue(rig.write(id));
      }
      rig.read(1, BLOCK, true);
      rig.quiet();
      assertEquals(List.of(), rig.moves("demote"));
      assertTrue(rig.write(4));
      rig.quiet();
      assertTrue(rig.write(5));
      rig.quiet();
      assertEquals(List.of("demote 2", "demote 3"), rig.moves("demote"));
      assertEquals(3 * BLOCK, rig.status().dirtyBytes());
      assertEquals(2 * BLOCK, rig.status().cleanBytes());
      assertTrue(rig.locate(2).cleanData);
      assertFalse(rig.locate(2).dirty);
      assertTrue(rig.locate(1).dirty);
    }
  }

  @Test
  void demote_severalDisks_theOneWithMostRoomIsFirst() throws Exception {
    try (EngineRig rig = lru(config().demoteWatermarks(0, 0))) {
      rig.node.setHdds(FakeDataNode.HDD, FakeDataNode.HDD2);
      rig.node.diskAvailable.put(FakeDataNode.HDD, 100L * BLOCK);
      rig.node.diskAvailable.put(FakeDataNode.HDD2, 101L * BLOCK);
      rig.probe();
      assertTrue(rig.write(1));
      rig.quiet();
      assertEquals(List.of(FakeDataNode.HDD2), rig.node.demotedTo());
    }
  }

  @Test
  void demote_diskInUse_waitsUpToTheHighWatermark() throws Exception {
    try (EngineRig rig = lru(config().demoteWatermarks(0.35, 0.5))) {
      rig.writeSlow(100, FakeDataNode.HDD);
      for (int id = 1; id <= 5; id++) {
        assertTrue(rig.write(id));
        rig.probe();
      }
      assertEquals(List.of(), rig.moves("demote"));
      assertTrue(rig.write(6));
      rig.awaitMove("demote 1");
      rig.gone(100);
      rig.quiet();
      assertEquals(3 * BLOCK, rig.status().dirtyBytes());
    }
  }

  @Test
  void demote_paceGrowsWithTheFill() throws Exception {
    try (EngineRig rig = lru(config().demoteWatermarks(0.2, 0.6).demoteBytesPerSec(1000, 10))) {
      CountDownLatch gate = rig.node.hold("demote 1");
      assertEquals(250, rig.demoteRate());
      for (int id = 1; id <= 5; id++) {
        assertTrue(rig.write(id));
      }
      // 50,000 dirty bytes of which one block is on its way, between 20,100 and 60,300.
      rig.awaitMove("demote 1");
      assertEquals(495, rig.demoteRate());
      for (int id = 6; id <= 8; id++) {
        assertTrue(rig.write(id));
      }
      assertEquals(1000, rig.demoteRate());
      gate.countDown();
    }
  }

  @Test
  void reconfigure_ratesWatermarksAndSmallestBlockHoldAtOnce() throws Exception {
    try (EngineRig rig = lru(config().demoteBytesPerSec(1000, 10))) {
      for (int id = 1; id <= 5; id++) {
        assertTrue(rig.write(id));
      }
      rig.quiet();
      assertEquals(List.of(), rig.moves("demote"));
      assertEquals(250, rig.demoteRate());

      rig.engine.reconfigure(
          config()
              .demoteWatermarks(0.1, 0.2)
              .demoteBytesPerSec(400, 10)
              .minBlockBytes(BLOCK + 1)
              .build());
      rig.quiet();
      assertEquals(BLOCK, rig.status().dirtyBytes());
      assertEquals(100, rig.demoteRate());
      assertFalse(rig.write(6), "smaller than the smallest block");
    }
  }

  @Test
  void reconfigure_policy_takesOverResidentsAndReferences() throws Exception {
    try (EngineRig rig = lru(config().policy("lru"))) {
      for (int id = 1; id <= 3; id++) {
        rig.disk(id);
        rig.read(id);
      }
      rig.quiet();
      assertEquals(3, rig.moves("promote").size());
      rig.hints("w", 60_000, 2, 9);
      rig.engine.reconfigure(config().policy("heuristic").build());
      rig.engine.settle();
      assertEquals("heuristic", rig.status().policy());
      assertEquals(1, rig.locate(2).referencesLeft);

      assertThrows(
          IllegalArgumentException.class,
          () -> rig.engine.reconfigure(config().policy("best").build()));
      assertEquals("heuristic", rig.status().policy());
      // The heuristic ignores a read without a later reference.
      rig.disk(4);
      rig.read(4);
      rig.quiet();
      assertEquals(3, rig.moves("promote").size());
      assertEquals(Reason.NO_LATER_REFERENCE, rig.locate(4).reason);
      rig.engine.reconfigure(config().policy("lookahead").build());
      rig.engine.settle();
    }
  }

  /** LRU, some methods of which a test replaces. */
  abstract static class Lru extends ForwardingPolicy {
    private final CachePolicy lru = Policies.create("lru");

    @Override
    protected CachePolicy current() {
      return lru;
    }
  }

  /** LRU that fails when it is notified of a next use. */
  public static final class FailsOnHints extends Lru {
    @Override
    public void onNextUse(CacheKey key, long atNanos) {
      throw new IllegalStateException("made to fail");
    }
  }

  /** LRU that fails when it is notified of a resident. */
  public static final class FailsOnResidents extends Lru {
    @Override
    public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
      throw new IllegalStateException("made to fail");
    }
  }

  /** The planner takes longer than its caller waits. */
  @Test
  void reconfigure_callerGivesUp_isNotifiedWhenItHolds() throws Exception {
    AtomicInteger applied = new AtomicInteger();
    HyCacheConfig next = config().policy(HeldPolicy.class.getName()).build();
    try (EngineRig rig = lru(config().policy("lru"))) {
      rig.hints("w", 60_000, 9);
      Throwable thrown =
          HeldPolicy.giveUp(() -> rig.engine.reconfigure(next, applied::incrementAndGet));
      assertInstanceOf(TimeoutException.class, thrown);
      assertEquals(0, applied.get());
      HeldPolicy.release();
      EngineRig.await("the settings hold", () -> applied.get() == 1);
      rig.engine.awaitChanges();
      assertEquals(next.policy(), rig.status().policy());
    } finally {
      HeldPolicy.release();
    }
  }

  @Test
  void reconfigure_policyThatFails_changesNothing() throws Exception {
    for (Class<?> failing : List.of(FailsOnHints.class, FailsOnResidents.class)) {
      try (EngineRig rig = lru(config().policy("lru"))) {
        rig.disk(1);
        rig.read(1);
        rig.quiet();
        rig.hints("w", 60_000, 2, 9);
        HyCacheConfig next = config().policy(failing.getName()).minBlockBytes(2 * BLOCK).build();
        IllegalStateException refused =
            assertThrows(IllegalStateException.class, () -> rig.engine.reconfigure(next));
        assertTrue(
            String.valueOf(refused.getMessage()).contains("Nothing has changed"),
            refused.getMessage());
        assertEquals(1, rig.count(Counter.FAILURES));
        assertEquals("lru", rig.status().policy());
        for (int round = 0; round < 20; round++) {
          rig.probe();
        }
        assertTrue(rig.write(3), "not in pass-through, and of the smallest size as before");
        // The class does not decide under the old name either.
        rig.engine.reconfigure(config().policy("lru").build());
        rig.disk(4);
        rig.read(4);
        rig.quiet();
        assertTrue(rig.locate(4).cleanData);
        rig.engine.reconfigure(config().policy("heuristic").build());
        rig.disk(5);
        rig.read(5);
        rig.quiet();
        assertEquals(Reason.NO_LATER_REFERENCE, rig.locate(5).reason);
        assertEquals(1, rig.count(Counter.FAILURES));
      }
    }
  }

  @Test
  void locate_tellsTheLastDecisionWithItsFigures() throws Exception {
    try (EngineRig rig =
        new EngineRig(
                config().policy("heuristic").checksumShare(0).build(),
                Policies.create("heuristic"),
                node(BLOCK + BLOCK / 2))
            .start()) {
      rig.disk(1);
      rig.disk(2);
      assertNull(rig.locate(1).decision, "nothing was decided yet");
      rig.hints("w", 60_000, 1, 1, 1);
      rig.quiet();
      LastDecision first = requireNonNull(rig.locate(1).decision);
      assertEquals("MOVE_QUEUED", first.outcome);
      assertEquals("HINT", first.trigger);
      assertNull(first.weighing, "there was room");
      rig.pass(Duration.ofSeconds(3));
      rig.hints("v", 60_000, 2, 2, 2);
      rig.quiet();
      LastDecision refused = requireNonNull(rig.locate(2).decision);
      Weighing weighed = requireNonNull(refused.weighing);
      assertEquals("COST_NOT_BELOW_GAIN", refused.outcome);
      assertEquals(2.0 * BLOCK, weighed.gain());
      assertEquals(3.0 * BLOCK, weighed.cost());
      rig.withdraw("w");
      rig.hints("u", 60_000, 2);
      rig.awaitMove("promote 2");
      rig.quiet();
      LastDecision gone = requireNonNull(rig.locate(1).decision);
      Weighing lost = requireNonNull(gone.weighing);
      assertEquals("MADE_WAY", gone.trigger);
      assertEquals("EVICTED", gone.outcome);
      assertEquals(BLOCK, gone.wantedBytes);
      assertEquals(1, gone.victims);
      assertTrue(lost.gain() > lost.cost());
    }
  }

  private static HyCacheConfig.Builder partitioned(String rule) {
    return config().partition(PartitionRule.parse("hycache.partition", rule), PERIOD);
  }

  @Test
  void partition_shares_boundReadsAndWritesEach() throws Exception {
    // The SSD has room for 10 blocks.
    try (EngineRig rig = lru(partitioned("0.35:0.25").checksumShare(0))) {
      assertTrue(rig.write(1));
      assertTrue(rig.write(2));
      assertFalse(rig.write(3), "a quarter of the SSD is for writes");
      for (int id = 11; id <= 16; id++) {
        rig.disk(id);
        rig.read(id);
      }
      rig.quiet();
      NodeStatus status = rig.status();
      assertEquals("0.35:0.25 reads=0.350 writes=0.250 free=0.400", status.partition());
      assertEquals(2 * BLOCK, status.dirtyBytes());
      assertEquals(3 * BLOCK, status.cleanBytes(), "a third of the SSD is for clean copies");
      assertEquals(6, rig.moves("promote").size());

      rig.engine.reconfigure(config().build());
      rig.quiet();
      assertTrue(rig.write(4), "everybody may take all again");
      assertEquals("shared", rig.status().partition());
    }
  }

  @Test
  void partition_auto_followsTheLoadBySteps() throws Exception {
    try (EngineRig rig = lru(partitioned("auto").checksumShare(0))) {
      rig.disk(1);
      rig.read(1);
      rig.quiet();
      assertEquals("auto reads=0.500 writes=0.469 free=0.031", rig.status().partition());
      List<String> seen = new ArrayList<>();
      for (int period = 0; period < 4; period++) {
        for (int i = 0; i < 20; i++) {
          for (int id = 1; id <= 8; id++) {
            rig.disk(id);
            rig.read(id, BLOCK, false);
          }
        }
        rig.advance(PERIOD);
        rig.quiet();
        seen.add(rig.status().partition());
      }
      assertEquals(
          List.of(
              "auto reads=0.531 writes=0.438 free=0.031",
              "auto reads=0.563 writes=0.406 free=0.031",
              "auto reads=0.594 writes=0.375 free=0.031",
              "auto reads=0.625 writes=0.344 free=0.031"),
          seen);
    }
  }

  @Test
  void demote_diskWithoutRoom_getsNothing() throws Exception {
    try (EngineRig rig = lru(config().demoteWatermarks(0, 0))) {
      rig.node.setDiskAvailable(BLOCK);
      assertTrue(rig.write(1));
      rig.quiet();
      assertEquals(List.of(), rig.moves("demote"));
      assertTrue(rig.locate(1).dirty);
      rig.node.setDiskAvailable(BLOCK + 1);
      rig.awaitMove("demote 1");
    }
  }

  @Test
  void demote_oneAtATimeToADevice() throws Exception {
    try (EngineRig rig = lru(config().moverThreads(4).demoteWatermarks(0, 0))) {
      CountDownLatch gate = rig.node.hold("demote 1");
      for (int id = 1; id <= 3; id++) {
        assertTrue(rig.write(id));
      }
      rig.awaitMove("demote 1");
      rig.probe();
      assertEquals(List.of("demote 1"), rig.moves("demote"));
      gate.countDown();
      rig.quiet();
      assertEquals(List.of("demote 1", "demote 2", "demote 3"), rig.moves("demote"));
    }
  }

  @Test
  void demote_stepsBackWhileUsersUseTheDisk() throws Exception {
    try (EngineRig rig = lru(config().demoteBytesPerSec(1000, 10))) {
      assertEquals(250, rig.demoteRate());

      rig.writeSlow(1, FakeDataNode.HDD);
      assertEquals(10, rig.demoteRate());
      rig.advance(Duration.ofSeconds(30));
      assertEquals(10, rig.demoteRate());
      rig.disk(1);
      rig.engine.settle();
      assertEquals(10, rig.demoteRate(), "between two blocks");
      rig.advance(Duration.ofSeconds(2));
      assertEquals(250, rig.demoteRate(), "written");

      rig.writeSlow(2, FakeDataNode.HDD);
      assertEquals(10, rig.demoteRate());
      rig.gone(2);
      rig.engine.settle();
      rig.advance(Duration.ofSeconds(2));
      assertEquals(250, rig.demoteRate(), "given up");

      rig.writeSlow(3, FakeDataNode.HDD);
      assertEquals(10, rig.demoteRate());
      rig.advance(Duration.ofMinutes(2));
      assertEquals(250, rig.demoteRate(), "held open, as a log is");

      rig.writeSlow(4, "another disk");
      assertEquals(250, rig.demoteRate(), "another disk is written to");
      rig.useDisk();
      assertEquals(10, rig.demoteRate(), "read");
      rig.advance(Duration.ofSeconds(2));
      assertEquals(250, rig.demoteRate(), "read a while ago");
    }
  }

  @Test
  void sickSsd_itsBlocksAreLeftAlone_andNothingElseGoesForThem() throws Exception {
    try (EngineRig rig = lru(config().demoteWatermarks(0.1, 0.2))) {
      rig.node.setSsdUsable(false);
      rig.probe();
      assertFalse(rig.engine.placeOnFast(BLOCK));
      for (int id = 1; id <= 4; id++) {
        rig.put(new Replica(key(id), 1, BLOCK), Home.SSD_GUEST);
      }
      rig.disk(20);
      rig.read(20);
      rig.quiet();
      assertEquals(List.of(), rig.moves("demote", "replace", "evict", "promote", "checksums"));
      assertEquals(4 * BLOCK, rig.status().dirtyBytes());
      rig.node.setSsdUsable(true);
      rig.quiet();
      assertEquals(BLOCK, rig.status().dirtyBytes());
      assertTrue(rig.engine.placeOnFast(BLOCK));
    }
  }

  @Test
  void moves_tellEachState() throws Exception {
    try (EngineRig rig = lru(config().demoteWatermarks(0, 0.05))) {
      Map<String, List<MoveState>> seen = new ConcurrentHashMap<>();
      rig.engine.observeMoves(
          (kind, replica, state) ->
              seen.computeIfAbsent(
                      kind + " " + replica.block().id(), move -> new CopyOnWriteArrayList<>())
                  .add(state));
      rig.node.fail("demote 2", broken());
      assertTrue(rig.write(1));
      assertTrue(rig.write(2));
      rig.disk(3);
      rig.read(3);
      rig.quiet();
      List<MoveState> way = new ArrayList<>(List.of(MoveState.values()));
      way.remove(MoveState.ROLLED_BACK);
      assertEquals(way, seen.get("DEMOTE 1"));
      assertEquals(
          List.of(MoveState.PLANNED, MoveState.RESERVED, MoveState.ROLLED_BACK),
          seen.getOrDefault("DEMOTE 2", List.of()).subList(0, 3));
      way.remove(MoveState.SOURCE_REMOVED);
      assertEquals(way, seen.get("PROMOTE 3"));
      assertEquals(way, seen.get("PROMOTE_CHECKSUMS 3"));
    }
  }

  @Test
  void demote_neverTouchesOwnersReplicas() throws Exception {
    try (EngineRig rig = lru(config().demoteWatermarks(0.1, 0.2).writeShare(0.9))) {
      for (int id = 1; id <= 8; id++) {
        rig.put(new Replica(key(id), 1, BLOCK), Home.SSD_OWNER);
      }
      rig.disk(20);
      rig.read(20);
      rig.disk(21);
      rig.disk(22);
      rig.read(21);
      rig.read(22);
      rig.quiet();
      assertEquals(List.of(), rig.moves("demote", "replace"));
      assertEquals(8 * BLOCK, rig.status().ownerBytes());
    }
  }

  @Test
  void demote_failed_leavesItDirtyAndTakesTheNext() throws Exception {
    try (EngineRig rig = lru(config().demoteWatermarks(0.35, 0.5))) {
      rig.node.fail("demote 1", broken());
      for (int id = 1; id <= 6; id++) {
        rig.write(id);
      }
      rig.awaitMove("demote 4");
      EngineRig.await("dirty", () -> rig.status().dirtyBytes() == 3 * BLOCK);
      assertTrue(rig.locate(1).dirty);
      assertEquals(1, rig.count(Counter.MOVES_FAILED));
      assertEquals(3, rig.count(Counter.BLOCKS_DEMOTED));
    }
  }

  @Test
  void demote_blockDeletedMeanwhile_isForgotten() throws Exception {
    try (EngineRig rig = lru(config().demoteWatermarks(0.35, 0.5))) {
      CountDownLatch gate = rig.node.hold("demote 1");
      for (int id = 1; id <= 6; id++) {
        rig.write(id);
      }
      rig.awaitMove("demote 1");
      rig.gone(1);
      rig.engine.settle();
      gate.countDown();
      rig.quiet();
      assertEquals(Reason.NOT_TRACKED, rig.locate(1).reason);
      assertEquals(3 * BLOCK, rig.status().dirtyBytes());
      assertEquals(2 * BLOCK, rig.status().cleanBytes());
    }
  }

  // ---- promotion --------------------------------------------------------------------------------

  @Test
  void promote_byHints_inOrderAndOnlyWithALaterReference() throws Exception {
    try (EngineRig rig = rig(config(), "heuristic")) {
      for (int id = 1; id <= 4; id++) {
        rig.disk(id);
      }
      rig.quiet(); // a block whose checksum file is being copied would be passed over for now
      rig.hints("nightly", 60_000_000, 3, 1, 2, 1, 3, 4);
      rig.quiet();
      assertEquals(List.of("promote 3", "promote 1"), rig.moves("promote"));
      assertEquals(Reason.NO_LATER_REFERENCE, rig.locate(2).reason);
      assertEquals(Reason.ON_SSD_CLEAN, rig.locate(1).reason);
      assertEquals(2, rig.locate(1).referencesLeft);
    }
  }

  @Test
  void promote_dirtyVictim_isDemotedFirst() throws Exception {
    try (EngineRig rig = lru(config())) {
      for (int id = 1; id <= 10; id++) {
        assertTrue(rig.write(id), "id=" + id);
      }
      rig.disk(20);
      rig.read(20);
      rig.quiet();
      assertEquals(
          List.of("replace 1", "promote 20"), rig.moves("replace", "demote", "promote", "evict"));
      assertEquals("DISK", rig.locate(1).storage);
      assertFalse(rig.locate(1).cleanData);
      assertTrue(rig.locate(20).cleanData);
      assertEquals(9 * BLOCK, rig.status().dirtyBytes());
    }
  }

  @Test
  void promote_dirtyVictim_whileUsersReadTheHdd_aCleanCopyMakesWayAtOnce() throws Exception {
    try (EngineRig rig = lru(config().checksumShare(0))) {
      for (int id = 1; id <= 2; id++) {
        assertTrue(rig.write(id), "id=" + id);
      }
      for (int id = 11; id <= 17; id++) {
        rig.disk(id);
        rig.read(id);
        rig.quiet();
      }
      rig.disk(20);
      rig.useDisk();
      rig.read(20, BLOCK, false);
      rig.quiet();
      assertEquals(List.of("evict 11"), rig.moves("replace", "demote", "evict"));
      assertTrue(rig.locate(20).cleanData);
      assertEquals(2 * BLOCK, rig.status().dirtyBytes());
    }
  }

  /**
   * A writer takes a copy that waits, as a victim, for the demotion of another one, which fails.
   */
  @Test
  void madeWay_victimOfAnExchangeThatFails_isNotTakenForACopy() throws Exception {
    try (EngineRig rig = lruOnOneSsd(CAPACITY)) {
      assertTrue(rig.write(1));
      for (int id = 11; id <= 18; id++) {
        rig.disk(id);
        rig.read(id);
        rig.quiet();
      }
      CountDownLatch gate = rig.node.hold("replace 1");
      rig.node.fail("replace 1", broken());
      rig.disk(20, 2 * BLOCK);
      rig.read(20, 2 * BLOCK, false);
      rig.awaitMove("replace 1");
      rig.node.evict(key(11), Part.DATA);
      rig.engine.onMadeWay(key(11));
      rig.engine.settle();
      gate.countDown();
      rig.quiet();
      assertEquals(List.of("replace 1"), rig.moves("replace", "demote"));
      assertFalse(rig.locate(11).cleanData);
      assertEquals(rig.node.cleanDataBytes(), rig.status().cleanBytes());
      rig.node.heal();
      rig.read(11, BLOCK, false);
      rig.quiet();
      assertTrue(rig.locate(11).cleanData, "considered again");
    }
  }

  /** A replica that is corrupt at its end is copied almost whole before that is found. */
  @Test
  void promote_failsAgainAndAgain_countsAsWritten_andIsTriedLessAndLessOften() throws Exception {
    try (EngineRig rig = lru(config().checksumShare(0))) {
      rig.node.writtenUntilFailure = BLOCK - 1;
      rig.node.fail("promote 1", broken());
      rig.disk(1);
      List<Integer> tries = new ArrayList<>();
      for (int minute = 0; minute < 20; minute++) {
        int before = rig.moves("promote").size();
        rig.read(1);
        rig.quiet();
        for (int more = rig.moves("promote").size(); more > before; more--) {
          tries.add(minute);
        }
        rig.pass(Duration.ofMinutes(1));
      }
      assertEquals(List.of(0, 1, 2, 4, 8, 16), tries, "after 30 s, 1, 2, 4, 8 minutes");
      assertEquals(tries.size(), rig.count(Counter.MOVES_FAILED));
      assertEquals(
          tries.size() * (BLOCK - 1),
          rig.status().devices().stream()
              .mapToLong(device -> device.figure(DeviceStatus.Figure.PROMOTION_BYTES_PER_DAY))
              .sum());
    }
  }

  @Test
  void promote_failed_leavesEverythingAsItWasAndRests() throws Exception {
    try (EngineRig rig = lru(config())) {
      rig.node.fail("promote 1", broken());
      rig.disk(1);
      rig.read(1);
      EngineRig.await("failure", () -> rig.count(Counter.MOVES_FAILED) == 1);
      rig.read(1);
      rig.engine.settle();
      assertEquals(List.of("promote 1"), rig.moves("promote"));
      assertEquals(Reason.MOVE_FAILED, rig.locate(1).reason);
      assertEquals(0, rig.status().cleanBytes());
      rig.node.heal();
      rig.pass(Duration.ofSeconds(31));
      rig.read(1);
      rig.quiet();
      assertTrue(rig.locate(1).cleanData);
    }
  }

  @Test
  void promote_checksumsTooLong_saysWhyAndIsNotTriedAgain() throws Exception {
    try (EngineRig rig = lru(config().checksumShare(0))) {
      rig.node.fail("promote 1", notCacheable());
      rig.disk(1);
      for (int minutes = 0; minutes < 50; minutes++) {
        rig.read(1);
        rig.quiet();
        rig.pass(Duration.ofMinutes(1));
      }
      assertEquals(List.of("promote 1"), rig.moves("promote"));
      assertEquals(Reason.CHECKSUMS_TOO_LONG, rig.locate(1).reason);
      assertEquals(0, rig.count(Counter.MOVES_FAILED));
    }
  }

  @Test
  void promote_victimCannotBeDemoted_keepsItAndFetchesNothing() throws Exception {
    try (EngineRig rig = lru(config())) {
      for (int id = 1; id <= 10; id++) {
        rig.write(id);
      }
      rig.node.fail("replace 1", broken());
      rig.disk(20);
      rig.read(20);
      EngineRig.await("failure", () -> rig.count(Counter.MOVES_FAILED) == 1);
      rig.quiet();
      assertEquals(List.of(), rig.moves("promote"));
      assertTrue(rig.locate(1).dirty);
      assertEquals(10 * BLOCK, rig.status().dirtyBytes());
      assertEquals(Reason.MOVE_FAILED, rig.locate(20).reason);
      rig.pass(Duration.ofSeconds(3));
      rig.read(20);
      rig.quiet();
      assertTrue(rig.locate(20).cleanData, "another victim makes way");
      assertEquals(1, rig.count(Counter.MOVES_FAILED), "that of the victim");
    }
  }

  /** A guest that is corrupt at its end is read and written almost whole before that is found. */
  @Test
  void promote_victimFailsAgainAndAgain_isTriedLessAndLessOften() throws Exception {
    try (EngineRig rig = lruOnOneSsd(BLOCK + 500)) {
      assertTrue(rig.write(1));
      rig.node.fail("replace 1", broken());
      List<Integer> tries = new ArrayList<>();
      for (int minute = 0; minute < 10; minute++) {
        int before = rig.moves("replace").size();
        rig.disk(20 + minute);
        rig.read(20 + minute);
        rig.quiet();
        for (int more = rig.moves("replace").size(); more > before; more--) {
          tries.add(minute);
        }
        rig.pass(Duration.ofMinutes(1));
      }
      assertEquals(List.of(0, 1, 2, 4, 8), tries, "after 30 s, 1, 2, 4 minutes");
      rig.node.heal();
      rig.pass(Duration.ofMinutes(8));
      rig.read(20);
      rig.quiet();
      assertTrue(rig.locate(20).cleanData);
    }
  }

  /** Mostly the device failed to which it was to go, not the replica. */
  @Test
  void promote_victimFailedAndLeftInTheEnd_itsNextFailureIsTheFirst() throws Exception {
    try (EngineRig rig = lruOnOneSsd(BLOCK + 500)) {
      assertTrue(rig.write(1));
      failThreeTimes(rig, "replace 1", 20);
      rig.read(20);
      rig.quiet();
      assertTrue(rig.locate(20).cleanData);
      assertFalse(rig.locate(1).dirty);
      promoteAfterOneFailure(rig);
      failThreeTimes(rig, "evict 1", 30);
      rig.read(30);
      rig.quiet();
      assertTrue(rig.locate(30).cleanData);
      assertFalse(rig.locate(1).cleanData);
      promoteAfterOneFailure(rig);
    }
  }

  @Test
  void promote_abandoned_isNoLongerQueued() throws Exception {
    try (EngineRig rig = lru(config())) {
      rig.node.fail("promote 1", new MoveAbandonedException("device was removed"));
      rig.disk(1);
      rig.read(1);
      EngineRig.await("end", () -> rig.count(Counter.MOVES_ABANDONED) == 1);
      rig.quiet();
      assertEquals(Reason.MOVE_ABANDONED, rig.locate(1).reason);
      rig.node.heal();
      rig.pass(Duration.ofSeconds(3));
      rig.read(1);
      rig.quiet();
      assertTrue(rig.locate(1).cleanData);
    }
  }

  @Test
  void promote_victimIsBeingWritten_isNoLongerQueued() throws Exception {
    try (EngineRig rig = lru(config())) {
      for (int id = 1; id <= 10; id++) {
        rig.write(id);
      }
      rig.node.fail("replace 1", new MoveAbandonedException("a writer has claimed the block"));
      rig.disk(20);
      rig.read(20);
      EngineRig.await("end", () -> rig.count(Counter.MOVES_ABANDONED) == 1);
      rig.quiet();
      assertEquals(Reason.MOVE_ABANDONED, rig.locate(20).reason);
    }
  }

  /** Reads three blocks for which a victim does not make way. */
  private static void failThreeTimes(EngineRig rig, String move, int firstId) throws Exception {
    String kind = move.substring(0, move.indexOf(' '));
    int before = Collections.frequency(rig.moves(kind), move);
    rig.node.fail(move, new IllegalStateException("made to fail"));
    for (int i = 0; i < 3; i++) {
      rig.disk(firstId + i);
      rig.read(firstId + i);
      rig.quiet();
      rig.pass(Duration.ofMinutes(4));
    }
    assertEquals(before + 3, Collections.frequency(rig.moves(kind), move));
    rig.node.heal();
  }

  private static void promoteAfterOneFailure(EngineRig rig) throws Exception {
    rig.node.fail("promote 1", broken());
    rig.read(1);
    rig.quiet();
    assertEquals(Reason.MOVE_FAILED, rig.locate(1).reason);
    rig.node.heal();
    rig.pass(Duration.ofSeconds(31));
    rig.read(1);
    rig.quiet();
    assertTrue(rig.locate(1).cleanData, "it rested longer than after a first failure");
  }

  /** The victims after one that failed were not tried: they can leave for the next block. */
  @Test
  void promote_oneOfTwoVictimsFails_theOtherDoesNotRest() throws Exception {
    try (EngineRig rig = lruOnOneSsd(2 * BLOCK + 500)) {
      assertTrue(rig.write(1));
      assertTrue(rig.write(2));
      rig.node.fail("replace 1", broken());
      rig.disk(20, 2 * BLOCK);
      rig.disk(21);
      rig.read(20, 2 * BLOCK, false);
      EngineRig.await("failure", () -> rig.count(Counter.MOVES_FAILED) == 1);
      rig.read(21);
      rig.quiet();
      assertEquals(List.of("replace 1", "replace 2"), rig.moves("replace"));
      assertTrue(rig.locate(21).cleanData);
    }
  }

  @Test
  void promote_moverLacksAClass_isAFailedMoveLikeAnyOther() throws Exception {
    try (EngineRig rig = lru(config())) {
      rig.node.fail("promote 1", new NoClassDefFoundError("made to fail"));
      rig.disk(1);
      rig.disk(2);
      rig.read(1);
      EngineRig.await("failure", () -> rig.count(Counter.MOVES_FAILED) == 1);
      rig.read(2);
      rig.quiet();
      assertTrue(rig.locate(2).cleanData);
    }
  }

  @Test
  void promote_blockDeletedMeanwhile_isForgotten() throws Exception {
    try (EngineRig rig = lru(config())) {
      CountDownLatch gate = rig.node.hold("promote 1");
      rig.disk(1);
      rig.read(1);
      rig.awaitMove("promote 1");
      rig.gone(1);
      rig.engine.settle();
      gate.countDown();
      rig.quiet();
      assertEquals(0, rig.status().cleanBytes());
      assertEquals(0, rig.status().checksumBytes());
      assertEquals(Reason.NOT_TRACKED, rig.locate(1).reason);
    }
  }

  @Test
  void promote_replicaChangedMeanwhile_isNotTakenForACopyOfTheNewState() throws Exception {
    try (EngineRig rig = lru(config().checksumShare(0))) {
      CountDownLatch gate = rig.node.hold("promote 1");
      rig.disk(1);
      rig.read(1);
      rig.awaitMove("promote 1");
      rig.put(new Replica(key(1), 2, BLOCK + 5), Home.DISK);
      rig.engine.settle();
      gate.countDown();
      rig.quiet();
      assertFalse(rig.locate(1).cleanData);
      assertEquals(0, rig.status().cleanBytes());
    }
  }

  @Test
  void evict_replicaGrewMeanwhile_givesBackWhatWasTaken() throws Exception {
    try (EngineRig rig = lru(config())) {
      for (int id = 1; id <= 9; id++) {
        rig.disk(id);
        rig.read(id);
        rig.quiet();
      }
      CountDownLatch gate = rig.node.hold("evict 1");
      rig.missRoom(90);
      rig.awaitMove("evict 1");
      rig.put(new Replica(key(1), 2, 20 * BLOCK), Home.DISK);
      rig.engine.settle();
      gate.countDown();
      rig.quiet();
      for (int id = 1; id <= 9; id++) {
        rig.gone(id);
      }
      rig.disk(30);
      rig.probe();
      rig.read(30);
      rig.quiet();
      assertTrue(rig.locate(30).cleanData, () -> "reason of 30 after all others went");
    }
  }

  // ---- restart ----------------------------------------------------------------------------------

  @Test
  void heat_survivesARestart_recencyAndFrequency() throws Exception {
    for (String policy : List.of("lru", "lfu")) {
      FakeDataNode node = node(CAPACITY);
      HeatLog.Loaded kept;
      try (EngineRig rig = new EngineRig(config().build(), Policies.create(policy), node).start()) {
        rig.engine.onHeat(FakeDataNode.SSD, EngineRig.POOL, HeatLog.NOTHING, 0);
        for (int id = 1; id <= 5; id++) {
          assertTrue(rig.write(id));
        }
        rig.advance(Duration.ofSeconds(31));
        EngineRig.await("a snapshot", () -> node.snapshots() == 1);
        rig.quiet(); // the thread that wrote it ends its work, too: else what follows is left out
        for (int id : new int[] {2, 2, 2, 5, 1, 4, 4}) {
          rig.read(id, BLOCK, true);
        }
        rig.advance(Duration.ofSeconds(31));
        EngineRig.await("what happened since", () -> node.heat().rows().get(4).reads() == 2);
        assertEquals(1, node.snapshots());
        kept = node.heat();
      }
      assertEquals(5, kept.rows().size());
      CachePolicy after = Policies.create(policy);
      try (EngineRig rig = new EngineRig(config().build(), after, node).start()) {
        for (int id = 5; id >= 1; id--) {
          rig.put(new Replica(key(id), id == 5 ? 7 : 1, BLOCK), Home.SSD_GUEST);
        }
        rig.engine.onHeat(FakeDataNode.SSD, EngineRig.POOL, kept, 0);
        rig.engine.settle();
        assertEquals(3, rig.locate(2).reads);
        assertEquals(0, rig.locate(5).reads, "another generation");
        List<Long> order = new ArrayList<>();
        after.evictionOrder().forEach(block -> order.add(block.id()));
        assertEquals(
            policy.equals("lru") ? List.of(5L, 3L, 2L, 1L, 4L) : List.of(5L, 3L, 1L, 4L, 2L),
            order,
            policy);
      }
    }
  }

  /** A DataNode of two nameservices starts while one NameNode is down. */
  @Test
  void heat_poolThatIsRestoredLate_isStillInTheLog() throws Exception {
    String late = "BP-2";
    FakeDataNode node = node(CAPACITY);
    node.write(
        FakeDataNode.SSD,
        true,
        Bytes.concat(
            HeatLog.header(),
            HeatLog.rows(
                List.of(
                    new HeatLog.Row(new BlockKey(late, 1), 1, BLOCK, 7),
                    new HeatLog.Row(key(1), 1, BLOCK, 5),
                    new HeatLog.Row(key(2), 1, BLOCK, 3)))));
    try (EngineRig rig = new EngineRig(config().build(), Policies.create("lru"), node).start()) {
      rig.put(new Replica(key(1), 1, BLOCK), Home.SSD_GUEST);
      rig.engine.onHeat(FakeDataNode.SSD, EngineRig.POOL, node.heat(), 0);
      rig.engine.settle();
      rig.pass(Duration.ofSeconds(31));
      EngineRig.await("a snapshot", () -> node.snapshots() == 2);
      assertEquals(
          List.of(new BlockKey(late, 1), key(1)),
          node.heat().rows().stream().map(HeatLog.Row::block).collect(Collectors.toList()));
      Replica replica = new Replica(new BlockKey(late, 1), 1, BLOCK);
      rig.put(replica, Home.SSD_GUEST);
      rig.engine.onHeat(FakeDataNode.SSD, late, node.heat(), 0);
      rig.engine.settle();
      assertEquals(7, rig.engine.locate(List.of(replica.block())).get(0).reads);
      assertEquals(5, rig.locate(1).reads);
    }
  }

  // ---- wear -------------------------------------------------------------------------------------

  @Test
  void writeBudget_survivesARestart() throws Exception {
    FakeDataNode node = node(CAPACITY);
    HyCacheConfig config = config().driveWritesPerDay(0.5).build();
    try (EngineRig rig = new EngineRig(config, Policies.create("lru"), node).start()) {
      rig.probe();
      rig.engine.onHeat(FakeDataNode.SSD, EngineRig.POOL, HeatLog.NOTHING, 0);
      rig.engine.onWritten(FakeDataNode.SSD, 60_000);
      rig.engine.settle();
      rig.advance(Duration.ofSeconds(31));
      EngineRig.await("the wear is saved", () -> node.heat().wear().length > 0);
    }
    try (EngineRig rig = new EngineRig(config, Policies.create("lru"), node).start()) {
      rig.probe();
      assertTrue(rig.engine.placeOnFast(BLOCK));
      rig.engine.onNotPlaced(BLOCK);
      rig.engine.onHeat(
          FakeDataNode.SSD, EngineRig.POOL, node.heat(), Duration.ofHours(2).toNanos());
      rig.probe();
      assertFalse(rig.engine.placeOnFast(BLOCK), "50,250 bytes a day, and 60,000 were written");
      assertEquals(
          60_000,
          rig.status().devices().get(0).figure(DeviceStatus.Figure.USER_WRITE_BYTES_PER_DAY));
      rig.advance(Duration.ofHours(23));
      rig.probe();
      assertEquals(
          0, rig.status().devices().get(0).figure(DeviceStatus.Figure.USER_WRITE_BYTES_PER_DAY));
      assertTrue(rig.engine.placeOnFast(BLOCK));
      rig.engine.onNotPlaced(BLOCK);
    }
  }

  @Test
  void status_refusedDevice_isShownAsOutOfUse() throws Exception {
    try (EngineRig rig = lru(config())) {
      rig.probe();
      int used = rig.status().devices().size();
      rig.node.refused = List.of("a-cache-directory");
      List<DeviceStatus> devices = rig.status().devices();
      assertEquals(used + 1, devices.size());
      assertEquals("a-cache-directory", devices.get(0).device());
      assertFalse(devices.get(0).isUsable());
      assertTrue(devices.get(1).isUsable());
      assertEquals(CAPACITY, rig.status().capacityBytes());
      rig.node.refused = List.of();
      assertEquals(used, rig.status().devices().size());
    }
  }

  /** Heat is restored for each block pool, and again when a volume is added. */
  @Test
  void writeBudget_stockTakenAgain_isNotSpentTwice() throws Exception {
    FakeDataNode node = node(CAPACITY);
    HyCacheConfig config = config().driveWritesPerDay(0.5).build();
    try (EngineRig rig = new EngineRig(config, Policies.create("lru"), node).start()) {
      rig.probe();
      rig.engine.onHeat(FakeDataNode.SSD, EngineRig.POOL, HeatLog.NOTHING, 0);
      rig.engine.onWritten(FakeDataNode.SSD, 20_000);
      rig.engine.settle();
      rig.advance(Duration.ofSeconds(31));
      EngineRig.await("the wear is saved", () -> node.heat().wear().length > 0);
      for (String pool : List.of(EngineRig.POOL, "BP-2", "BP-3")) {
        rig.engine.onHeat(FakeDataNode.SSD, pool, node.heat(), 0);
      }
      rig.probe();
      assertEquals(
          20_000,
          rig.status().devices().get(0).figure(DeviceStatus.Figure.USER_WRITE_BYTES_PER_DAY));
      assertTrue(rig.engine.placeOnFast(BLOCK), "50,250 bytes a day, and 20,000 were written");
      rig.engine.onNotPlaced(BLOCK);
    }
  }

  @Test
  void writeBudget_promotionsStopFirst_thenWrites() throws Exception {
    // 50,250 bytes a day; promotions stop below 10,050 left.
    try (EngineRig rig = lru(config().driveWritesPerDay(0.5).checksumShare(0))) {
      for (int id = 1; id <= 5; id++) {
        rig.disk(id);
        rig.read(id);
        rig.quiet();
      }
      assertEquals(4 * BLOCK, rig.status().cleanBytes());
      assertEquals(Reason.WRITE_BUDGET, rig.locate(5).reason);
      rig.probe();
      assertTrue(rig.engine.placeOnFast(BLOCK));
      DeviceStatus device = rig.status().devices().get(0);
      assertEquals(4 * BLOCK, device.figure(DeviceStatus.Figure.CLEAN_BYTES));
      assertEquals(
          rig.count(Counter.BYTES_PROMOTED),
          device.figure(DeviceStatus.Figure.PROMOTION_BYTES_PER_DAY));

      rig.engine.onWritten(FakeDataNode.SSD, BLOCK);
      rig.engine.settle();
      rig.probe();
      assertFalse(rig.engine.placeOnFast(BLOCK));
      assertTrue(rig.engine.isSpent(FakeDataNode.SSD));
      assertEquals(
          BLOCK,
          rig.status().devices().get(0).figure(DeviceStatus.Figure.USER_WRITE_BYTES_PER_DAY));

      rig.advance(Duration.ofHours(24));
      rig.probe();
      assertTrue(rig.engine.placeOnFast(BLOCK));
      rig.read(5);
      rig.quiet();
      assertTrue(rig.locate(5).cleanData);
    }
  }

  @Test
  void writesWithoutRoom_evictFromVolumes_notFromCacheDirectories() throws Exception {
    FakeDataNode node = new FakeDataNode(4 * BLOCK + 500, 5 * BLOCK + 500);
    node.cacheDirectories.add(FakeDataNode.SSD2);
    HyCacheConfig config = config().checksumShare(0).policy("lru").build();
    try (EngineRig rig = new EngineRig(config, Policies.create("lru"), node).start()) {
      rig.probe();
      List<String> onVolume = new ArrayList<>();
      for (int id = 11; id <= 19; id++) {
        rig.disk(id);
        rig.read(id);
        rig.quiet();
        if (FakeDataNode.SSD.equals(node.cleanOn(id))) {
          onVolume.add("evict " + id);
        }
      }
      assertEquals(FakeDataNode.SSD2, node.cleanOn(11), "the coldest is in the cache directory");
      assertEquals(4, onVolume.size());
      rig.missRoom(90);
      EngineRig.await("room", () -> rig.findsRoom(91, BLOCK));
      assertEquals(onVolume.subList(0, 1), rig.moves("evict"));
    }
  }

  // ---- reads and hints --------------------------------------------------------------------------

  @Test
  void read_peek_isNotAnAccess_fourSmallReadsAre() throws Exception {
    long bytes = 12_800;
    try (EngineRig rig = lru(config())) {
      rig.disk(1, bytes);
      for (int i = 0; i < 3; i++) {
        rig.read(1, 10, false);
      }
      rig.quiet();
      assertEquals(0, rig.locate(1).reads);
      assertEquals(List.of(), rig.moves("promote"));
      rig.read(1, 10, false);
      rig.quiet();
      assertEquals(1, rig.locate(1).reads);
      assertEquals(List.of("promote 1"), rig.moves("promote"));
    }
  }

  @Test
  void read_ringFull_dropsAndCounts() throws Exception {
    EngineRig rig =
        new EngineRig(config().ringLength(64).build(), Policies.create("lru"), node(CAPACITY));
    int pool = rig.engine.poolNumber(EngineRig.POOL);
    for (int i = 0; i < 100; i++) {
      rig.engine.onRead(pool, i, 1, false);
    }
    assertEquals(36, rig.count(Counter.EVENTS_DROPPED));
    assertEquals(100, rig.count(Counter.BLOCKS_READ_SLOW));
    rig.start().close();
  }

  @Test
  void hints_expireByTtl() throws Exception {
    try (EngineRig rig = rig(config(), "heuristic")) {
      rig.hints("short", 1_000, 1, 2, 1);
      rig.hints("long", 600_000_000, 3, 3);
      assertEquals(5, rig.status().hintsLeft());
      rig.advance(Duration.ofSeconds(31));
      EngineRig.await("expiry", () -> rig.count(Counter.HINTS_EXPIRED) == 3);
      assertEquals(2, rig.status().hintsLeft());
      assertEquals(OptionalInt.of(2), rig.withdraw("long"));
      assertEquals(OptionalInt.empty(), rig.withdraw("long"), "nothing is there any more");
    }
  }

  // ---- modes and policies -----------------------------------------------------------------------

  @Test
  void observe_countsAndMovesNothing() throws Exception {
    try (EngineRig rig = lru(config().mode(Mode.OBSERVE).demoteWatermarks(0, 0))) {
      rig.disk(1);
      rig.read(1);
      rig.probe();
      assertEquals(WriteFallback.NOT_MEANT, rig.engine.admit(key(3), BLOCK));
      rig.disk(3);
      rig.put(new Replica(key(2), 1, BLOCK), Home.SSD_GUEST);
      rig.quiet();
      assertEquals(List.of(), rig.node.moves());
      assertEquals(4, rig.count(Counter.OBSERVED_DECISIONS), "promoted, placed, demoted twice");
      assertEquals(Reason.OBSERVE_ONLY, rig.locate(1).reason);
    }
  }

  @Test
  void off_movesNothing() throws Exception {
    try (EngineRig rig = lru(config().mode(Mode.OFF))) {
      rig.disk(1);
      rig.hints("nightly", 60_000, 1, 1);
      rig.read(1);
      rig.quiet();
      assertFalse(rig.engine.placeOnFast(BLOCK));
      assertEquals(List.of(), rig.node.moves());
      assertEquals(Reason.MODE_OFF, rig.locate(1).reason);
    }
  }

  @Test
  void policy_throws_isCountedAndThePlannerGoesOn() throws Exception {
    RoguePolicy rogue = new RoguePolicy();
    try (EngineRig rig = new EngineRig(config().build(), rogue, node(CAPACITY)).start()) {
      rig.disk(1);
      rogue.throwing = true;
      rig.read(1);
      EngineRig.await("failure", () -> rig.count(Counter.FAILURES) == 1);
      rogue.throwing = false;
      assertEquals("made to fail", rig.failures.get(0).getMessage());
      rig.read(1);
      rig.quiet();
      assertTrue(rig.locate(1).cleanData);
    }
  }

  @Test
  void policy_throwsWhenABlockArrives_theBlockLeavesInItsTurnAllTheSame() throws Exception {
    RoguePolicy rogue = new RoguePolicy();
    try (EngineRig rig =
        new EngineRig(config().checksumShare(0).build(), rogue, node(CAPACITY)).start()) {
      rig.disk(1);
      rig.probe();
      rogue.nextAdmission = new IllegalStateException("made to fail");
      rig.engine.onRead(rig.engine.poolNumber(EngineRig.POOL), 1, BLOCK, false);
      EngineRig.await("failure", () -> rig.count(Counter.FAILURES) == 1);
      rig.pass(Duration.ofNanos(Planner.RECONCILE_AFTER_NANOS));
      rig.quiet();
      assertTrue(rig.locate(1).cleanData);
      assertEquals(1, rogue.residents());
      for (int id = 2; id <= 11; id++) {
        rig.disk(id);
        rig.read(id);
        rig.quiet();
      }
      assertEquals("evict 1", rig.moves("evict").get(0));
      assertEquals(1, rig.count(Counter.FAILURES));
    }
  }

  /** LRU with another order of eviction. */
  private static CachePolicy lruOrdered(UnaryOperator<Iterable<CacheKey>> order) {
    return new Lru() {
      @Override
      public Iterable<CacheKey> evictionOrder() {
        return order.apply(super.evictionOrder());
      }
    };
  }

  @Test
  void reconfigure_awayFromAPolicyWithAWrongOrder_takesOverAllResidents() throws Exception {
    UnaryOperator<Iterable<CacheKey>> forgets = order -> List.of();
    UnaryOperator<Iterable<CacheKey>> hasNoEnd = Iterables::cycle;
    UnaryOperator<Iterable<CacheKey>> fails =
        order ->
            () -> {
              throw new IllegalStateException("made to fail");
            };
    for (UnaryOperator<Iterable<CacheKey>> order : List.of(forgets, hasNoEnd, fails)) {
      CachePolicy wrong = lruOrdered(order);
      HyCacheConfig before = config().checksumShare(0).policy("wrong").build();
      try (EngineRig rig = new EngineRig(before, wrong, node(CAPACITY + 5_000)).start()) {
        for (int id = 1; id <= 9; id++) {
          rig.put(new Replica(key(id), 1, BLOCK), Home.SSD_GUEST);
        }
        rig.engine.reconfigure(config().checksumShare(0).policy("lru").build());
        rig.engine.settle();
        for (int id = 11; id <= 20; id++) {
          rig.disk(id);
          rig.read(id);
          rig.quiet();
        }
        for (int id = 1; id <= 9; id++) {
          assertTrue(
              rig.moves("replace").contains("replace " + id), wrong + " " + rig.node.moves());
        }
      }
    }
  }

  @Test
  void policy_namesAnOwnersReplica_isNotObeyed() throws Exception {
    RoguePolicy rogue = new RoguePolicy();
    try (EngineRig rig = new EngineRig(config().build(), rogue, node(CAPACITY)).start()) {
      rig.put(new Replica(key(7), 1, BLOCK), Home.SSD_OWNER);
      rig.disk(1);
      rogue.victims = List.of(key(7));
      rig.read(1);
      rig.quiet();
      assertEquals(List.of(), rig.moves("demote", "replace", "evict", "promote"));
      assertEquals(BLOCK, rig.status().ownerBytes());
      assertEquals(Reason.NO_ROOM, rig.locate(1).reason);
    }
  }

  /** The candidate is larger than the guest: only the guest twice would make room for it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void policy_namesAVictimTwice_itLeavesOnce(boolean inItsOrder) throws Exception {
    RoguePolicy rogue = new RoguePolicy();
    rogue.doubling = inItsOrder;
    try (EngineRig rig =
        new EngineRig(config().checksumShare(0).build(), rogue, node(CAPACITY)).start()) {
      for (int id = 1; id <= 10; id++) {
        assertTrue(rig.write(id), "id=" + id);
      }
      rig.disk(20, 2 * BLOCK - 1000);
      rogue.victims = List.of(key(5), key(5));
      rig.quiet();
      rig.read(20, 2 * BLOCK - 1000, false);
      rig.quiet();
      assertEquals(List.of("replace 1", "replace 2"), rig.moves("replace"), "the policy's order");
      assertTrue(rig.locate(20).cleanData);
      rogue.victims = null;
      rig.disk(21);
      rig.read(21);
      rig.quiet();
      assertTrue(rig.locate(21).cleanData, "the HDD takes demotions");
      assertEquals(3, rig.count(Counter.BLOCKS_DEMOTED));
      assertEquals(0, rig.count(Counter.MOVES_FAILED));
    }
  }

  @Test
  void promote_stepsBackWhileUsersWaitForTheHead() throws Exception {
    try (EngineRig rig = lru(config().promoteBytesPerSec(1000, 10))) {
      assertEquals(1000, rig.promoteRate());
      rig.useDisk();
      assertEquals(1000, rig.promoteRate(), "a user who streams");

      rig.advance(Duration.ofSeconds(1));
      rig.probe();
      rig.node.setSmallReads(SlowDeviceUse.MAX_IDLE_SMALL_READS);
      assertEquals(1000, rig.promoteRate(), "a task looks into the next block");
      rig.node.setSmallReads(SlowDeviceUse.MAX_IDLE_SMALL_READS + 1);
      assertEquals(10, rig.promoteRate());

      rig.advance(Duration.ofSeconds(1));
      assertEquals(10, rig.promoteRate(), "they did in the second that just ended");
      for (int seconds = 2; seconds <= 4; seconds++) {
        rig.advance(Duration.ofSeconds(1));
        assertEquals(10, rig.promoteRate(), "they may be back after seconds=" + seconds);
      }
      rig.advance(Duration.ofSeconds(2));
      assertEquals(1000, rig.promoteRate());

      rig.node.setSlowReads(1);
      assertEquals(10, rig.promoteRate(), "one read that was held up");
      rig.advance(Duration.ofSeconds(4));
      assertEquals(10, rig.promoteRate());
      rig.advance(Duration.ofSeconds(6));
      assertEquals(1000, rig.promoteRate());
    }
  }

  // ---- checksum files ---------------------------------------------------------------------------

  @Test
  void checksums_wantedGoBeforeBackground() throws Exception {
    try (EngineRig rig = lru(config())) {
      CountDownLatch gate = rig.node.hold("checksums 1");
      rig.disk(1);
      rig.awaitMove("checksums 1");
      for (int id = 2; id <= 10; id++) {
        rig.disk(id);
      }
      rig.engine.settle();
      rig.read(9, 1, false);
      rig.engine.settle();
      gate.countDown();
      rig.quiet();
      List<String> order = rig.moves("checksums");
      assertEquals(10, order.size(), order.toString());
      assertTrue(order.indexOf("checksums 9") < order.indexOf("checksums 6"), order.toString());
      assertEquals(Reason.CHECKSUMS_ONLY, rig.locate(5).reason);
    }
  }

  /** Four copies are under way, so that the files of blocks 1 to 10 wait, 2 last. */
  private static CountDownLatch holdChecksums(EngineRig rig) throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    for (int id = 11; id <= 14; id++) {
      rig.node.hold("checksums " + id, gate);
      rig.disk(id);
    }
    rig.awaitMove("checksums 11");
    for (int id = 3; id <= 10; id++) {
      rig.disk(id);
    }
    rig.disk(1);
    rig.disk(2);
    rig.engine.settle();
    return gate;
  }

  @Test
  void checksums_ofABlockReadAgainAndAgain_takeOnePlaceInTheQueue() throws Exception {
    try (EngineRig rig = rig(config().queueLength(4), "heuristic")) {
      CountDownLatch gate = holdChecksums(rig);
      for (int read = 0; read < 5; read++) {
        rig.read(1, 1, false);
      }
      rig.read(2, 1, false);
      gate.countDown();
      rig.quiet();
      List<String> order = rig.moves("checksums");
      assertEquals(List.of("checksums 1", "checksums 2"), order.subList(4, 6), order.toString());
    }
  }

  @Test
  void checksums_ofHintedBlocks_leaveHalfOfTheQueueToReads() throws Exception {
    try (EngineRig rig = lru(config().queueLength(4))) {
      CountDownLatch gate = holdChecksums(rig);
      rig.hints("w", 60_000, 6, 7, 8, 9, 10);
      rig.read(2, 1, false);
      gate.countDown();
      rig.quiet();
      List<String> order = rig.moves("checksums");
      assertEquals(
          List.of("checksums 6", "checksums 7", "checksums 2"),
          order.subList(4, 7),
          order.toString());
    }
  }

  @Test
  void checksums_usersWaitForTheHead_backgroundOnesStepBack() throws Exception {
    try (EngineRig rig = lru(config())) {
      rig.probe();
      rig.node.setSmallReads(100);
      rig.probe();
      for (int id = 1; id <= 3; id++) {
        rig.disk(id);
      }
      rig.awaitMove("checksums 1");
      rig.engine.settle();
      assertEquals(List.of("checksums 1"), rig.moves("checksums"));
      rig.read(3, 1, false);
      rig.awaitMove("checksums 3");
      assertEquals(List.of("checksums 1", "checksums 3"), rig.moves("checksums"), "wanted now");
      rig.advance(Duration.ofMillis(125));
      rig.awaitMove("checksums 2");
    }
  }

  @Test
  void checksums_shareUsedUp_wantedReplacesTheColdest() throws Exception {
    try (EngineRig rig = lru(config().checksumShare(0.005))) {
      for (int id = 1; id <= 10; id++) {
        rig.disk(id);
        rig.quiet();
      }
      assertEquals(5, rig.moves("checksums").size());
      long full = 5 * Replica.estimatedChecksumBytes(BLOCK);
      assertEquals(full, rig.status().checksumBytes());
      rig.read(1, 1, false);
      rig.read(8, 1, false);
      rig.awaitMove("checksums 8");
      rig.quiet();
      assertEquals(List.of("unlink 2"), rig.moves("unlink"));
      assertEquals(full, rig.status().checksumBytes());
      assertTrue(rig.locate(1).cleanChecksums);
      assertTrue(rig.locate(8).cleanChecksums);
      assertFalse(rig.locate(2).cleanChecksums);
    }
  }

  /** One file at a time is copied from each HDD: even blocks are on the first. */
  @Test
  void checksums_wantedWhileTheirHddIsInUse_stayWanted() throws Exception {
    try (EngineRig rig = lru(config().checksumShare(0.005))) {
      rig.node.setHdds(FakeDataNode.HDD, FakeDataNode.HDD2);
      rig.probe();
      for (int id = 1; id <= 10; id++) {
        rig.disk(id);
        rig.quiet();
      }
      assertEquals(5, rig.moves("checksums").size());
      CountDownLatch gate = rig.node.hold("checksums 8");
      rig.read(8, 1, false);
      rig.awaitMove("checksums 8");
      rig.read(10, 1, false);
      rig.probe();
      rig.probe();
      assertEquals(List.of("unlink 1"), rig.moves("unlink"), "10 waits, and takes no room");
      gate.countDown();
      rig.awaitMove("checksums 10");
      rig.quiet();
      assertEquals(List.of("unlink 1", "unlink 2"), rig.moves("unlink"));
      assertTrue(rig.locate(8).cleanChecksums);
      assertTrue(rig.locate(10).cleanChecksums);
      assertFalse(rig.locate(6).cleanChecksums);
    }
  }

  @Test
  void checksums_roomComesBack_backgroundOnesFollow() throws Exception {
    try (EngineRig rig = lru(config().checksumShare(0.005))) {
      for (int id = 1; id <= 10; id++) {
        rig.disk(id);
      }
      rig.quiet();
      assertEquals(5, rig.moves("checksums").size());
      rig.gone(1);
      rig.gone(2);
      rig.quiet();
      assertEquals(7, rig.moves("checksums").size());
      assertTrue(rig.locate(6).cleanChecksums);
      assertTrue(rig.locate(7).cleanChecksums);
    }
  }

  /** It cost no write to SSD: it does not show that promotions do not pay. */
  @Test
  void copyOfADemotion_evictedUnread_isNoPromotionWithoutARead() throws Exception {
    try (EngineRig rig = lru(config().demoteWatermarks(0, 0))) {
      for (int id = 1; id <= 9; id++) {
        assertTrue(rig.write(id));
        rig.quiet();
      }
      EngineRig.await("all clean", () -> rig.status().cleanBytes() == 9 * BLOCK);
      rig.missRoom(90);
      EngineRig.await("one leaves", () -> rig.count(Counter.BLOCKS_EVICTED) >= 1);
      assertEquals(0, rig.count(Counter.BLOCKS_EVICTED_WITHOUT_READ));
    }
  }

  @Test
  void copyOfAPromotion_evictedUnread_isCounted() throws Exception {
    try (EngineRig rig = lru(config())) {
      for (int id = 1; id <= 9; id++) {
        rig.disk(id);
        rig.read(id);
        rig.quiet();
      }
      rig.missRoom(90);
      rig.awaitMove("evict 1");
      rig.quiet();
      long evicted = rig.count(Counter.BLOCKS_EVICTED);
      assertTrue(evicted >= 1);
      assertEquals(evicted, rig.count(Counter.BLOCKS_EVICTED_WITHOUT_READ));
    }
  }

  /** A larger SSD would not help, see {@link Reason#EVICTED}. */
  @Test
  void copy_dropped_isNotSaidToBeEvicted() throws Exception {
    try (EngineRig rig = lru(config())) {
      rig.disk(1);
      rig.read(1);
      rig.quiet();
      assertTrue(rig.locate(1).cleanData);
      rig.node.evict(key(1), Part.DATA);
      rig.node.evict(key(1), Part.CHECKSUM);
      rig.engine.onCleanDropped(key(1));
      rig.engine.settle();
      assertEquals(Reason.COPY_DROPPED, rig.locate(1).reason);
    }
  }

  @Test
  void checksums_dropped_areCopiedAgainWithoutARead() throws Exception {
    try (EngineRig rig = lru(config())) {
      rig.disk(1);
      rig.quiet();
      rig.node.evict(key(1), Part.CHECKSUM);
      rig.engine.onCleanDropped(key(1));
      rig.quiet();
      assertEquals(List.of("checksums 1", "checksums 1"), rig.moves("checksums"));
      assertTrue(rig.locate(1).cleanChecksums);
    }
  }

  @Test
  void checksums_longerThanEstimated_areCopiedInTheBackgroundOnce() throws Exception {
    try (EngineRig rig = lru(config().checksumShare(0.005))) {
      rig.node.checksumFactor = 4;
      for (int id = 1; id <= 7; id++) {
        rig.disk(id);
      }
      rig.quiet();
      assertEquals(7, rig.moves("checksums").size());
      assertEquals(6, rig.moves("unlink").size(), "the share has room for one");
      assertEquals(4 * Replica.estimatedChecksumBytes(BLOCK), rig.status().checksumBytes());
    }
  }

  @Test
  void checksums_failed_areCountedAndOthersGoOn() throws Exception {
    try (EngineRig rig = lru(config())) {
      rig.node.fail("checksums 1", broken());
      rig.disk(1);
      rig.disk(2);
      rig.quiet();
      assertEquals(1, rig.count(Counter.MOVES_FAILED));
      assertFalse(rig.locate(1).cleanChecksums);
      assertTrue(rig.locate(2).cleanChecksums);
    }
  }

  @Test
  void checksums_failed_pauseTheBackgroundOnly() throws Exception {
    try (EngineRig rig = rig(config(), "heuristic")) {
      rig.node.fail("checksums 1", broken());
      rig.disk(1);
      EngineRig.await("the failure", () -> rig.count(Counter.MOVES_FAILED) == 1);
      rig.disk(2);
      rig.disk(3);
      rig.read(3, 1, false);
      rig.awaitMove("checksums 3");
      assertEquals(List.of("checksums 1", "checksums 3"), rig.moves("checksums"));
    }
  }

  @Test
  void checksums_failed_areTriedAgainAfterPausesThatDouble_withoutARead() throws Exception {
    Duration pause = Duration.ofNanos(FailedReplicas.FIRST_PAUSE_NANOS);
    try (EngineRig rig = lru(config())) {
      rig.node.fail("checksums 1", broken());
      rig.disk(1);
      rig.quiet();
      rig.pass(pause);
      rig.quiet();
      assertEquals(2, rig.moves("checksums").size());
      rig.node.heal();
      rig.pass(pause);
      rig.quiet();
      assertEquals(2, rig.moves("checksums").size());
      rig.pass(pause);
      rig.quiet();
      assertEquals(3, rig.moves("checksums").size());
      assertTrue(rig.locate(1).cleanChecksums);
    }
  }

  @Test
  void checksums_failed_areNotTriedAgainForReads_andHoldUpNoOthers() throws Exception {
    try (EngineRig rig = lru(config())) {
      rig.node.fail("checksums 1", broken());
      rig.disk(1);
      rig.quiet();
      for (int read = 0; read < 10; read++) {
        rig.read(1, 1, false);
        rig.pass(Duration.ofMillis(1_500));
      }
      assertEquals(List.of("checksums 1"), rig.moves("checksums"));
      rig.disk(2);
      rig.quiet();
      assertTrue(rig.locate(2).cleanChecksums);
      assertEquals(1, rig.count(Counter.MOVES_FAILED));
    }
  }

  @Test
  void checksums_tooLong_areNotTriedAgainUntilTheReplicaChanges() throws Exception {
    try (EngineRig rig = lru(config())) {
      rig.node.fail("checksums 1", notCacheable());
      rig.disk(1);
      rig.quiet();
      for (int read = 0; read < 3; read++) {
        rig.read(1, 1, false);
        rig.quiet();
      }
      assertEquals(List.of("checksums 1"), rig.moves("checksums"));
      assertEquals(0, rig.count(Counter.MOVES_FAILED));
      assertEquals(1, rig.count(Counter.MOVES_REJECTED));
      rig.node.heal();
      rig.put(new Replica(key(1), 2, BLOCK), Home.DISK);
      rig.quiet();
      assertTrue(rig.locate(1).cleanChecksums);
    }
  }

  // ---- events of the DataNode -------------------------------------------------------------------

  @Test
  void changedReplica_losesItsCleanCopy() throws Exception {
    try (EngineRig rig = lru(config())) {
      rig.disk(1);
      rig.read(1);
      rig.quiet();
      assertTrue(rig.locate(1).cleanData);
      rig.engine.onCleanDropped(key(1));
      rig.put(new Replica(key(1), 2, BLOCK + 1), Home.DISK);
      rig.engine.settle();
      assertFalse(rig.locate(1).cleanData);
      assertEquals(0, rig.status().cleanBytes());
    }
  }

  @Test
  void volumesChanged_forgetsWhatTheHostNoLongerHas() throws Exception {
    try (EngineRig rig = lru(config())) {
      rig.write(1);
      rig.disk(2);
      rig.node.remove(key(1));
      rig.engine.onVolumesChanged();
      rig.engine.settle();
      assertEquals(1, rig.status().trackedBlocks());
      assertEquals(0, rig.status().dirtyBytes());
    }
  }
}
