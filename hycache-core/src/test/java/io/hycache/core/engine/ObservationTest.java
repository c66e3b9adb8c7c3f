// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.key;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.model.Home;
import io.hycache.core.model.Part;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.move.Supervisor;
import io.hycache.core.policy.Policies;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.ObservedDay;
import io.hycache.core.stats.ObservedPlace;
import io.hycache.core.stats.WriteFallback;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mode observe: what it says that mode active would do, and that it does nothing. */
class ObservationTest {
  /** Room for 10 blocks with their checksum files. */
  private static final long SSD_BYTES = 105_000;

  private static HyCacheConfig.Builder config() {
    return EngineRig.config().mode(Mode.OBSERVE);
  }

  private static EngineRig rig(HyCacheConfig.Builder config, String policy) {
    FakeDataNode node = new FakeDataNode(SSD_BYTES);
    return new EngineRig(config.build(), Policies.create(policy), node).start();
  }

  private static EngineRig rig(HyCacheConfig.Builder config) {
    return rig(config, "lru");
  }

  /** A user writes a block, which goes to DISK; returns when the model has settled. */
  private static void write(EngineRig rig, long id) throws Exception {
    rig.probe();
    assertEquals(WriteFallback.NOT_MEANT, rig.engine.admit(key(id), BLOCK));
    rig.disk(id);
    rig.quiet();
  }

  private static ObservedPlace place(EngineRig rig, long id) throws Exception {
    return requireNonNull(rig.locate(id).observed);
  }

  private static void assertNothingDone(EngineRig rig) throws Exception {
    assertEquals(List.of(), rig.node.moves());
    NodeStatus status = rig.status();
    assertEquals(0, status.dirtyBytes());
    assertEquals(0, status.cleanBytes() + status.checksumBytes());
    assertEquals(0, rig.count(Counter.BLOCKS_WRITE_FAST));
    assertEquals(0, rig.count(Counter.BLOCKS_PROMOTED));
    assertEquals(0, rig.count(Counter.BLOCKS_DEMOTED));
    assertEquals(0, rig.count(Counter.BLOCKS_EVICTED));
  }

  // ---- held against the real thing --------------------------------------------------------------

  /** A user writes a block in mode active, as WritePlacement does it. */
  private static void place(EngineRig rig, long id, @Nullable WriteFallback why) {
    if (why == null) {
      rig.engine.onPlaced(key(id), BLOCK, 0);
    } else {
      rig.engine.onWrittenToDisk(key(id), BLOCK, why);
    }
    rig.put(new Replica(key(id), 1, BLOCK), why == null ? Home.SSD_GUEST : Home.DISK);
  }

  /** One user operation of a trace. */
  private static void step(EngineRig rig, int operation, long id, boolean real) throws Exception {
    if (operation == 0) {
      if (real) {
        rig.probe();
        place(rig, id, rig.engine.admit(BLOCK));
        rig.quiet();
      } else {
        write(rig, id);
      }
    } else if (operation == 1) {
      rig.gone(id);
      rig.quiet();
    } else {
      boolean fast = rig.node.cleanOn(id) != null || rig.node.replicaOn(id) != null;
      rig.quiet();
      rig.read(id, BLOCK, fast);
      rig.quiet();
    }
  }

  /**
   * The same writes, deletions and reads on equal DataNodes, one in mode active, one in mode
   * observe, each at rest before the next: what was done and what would have been done agree
   * exactly. (While moves are under way, the model is ahead of the DataNode by the time that its
   * disks work; that is what the tolerance of the tests on clusters is for.)
   */
  @ParameterizedTest
  @ValueSource(strings = {"lru", "lfu", "heuristic", "adaptive"})
  void trace_agreesWithModeActive(String policy) throws Exception {
    long seed = 11;
    Random random = new Random(seed);
    HyCacheConfig.Builder active = EngineRig.config().writeShare(0.6).demoteWatermarks(0.2, 0.4);
    HyCacheConfig.Builder observe = HyCacheConfig.builder(active.build()).mode(Mode.OBSERVE);
    try (EngineRig done = rig(active, policy);
        EngineRig would = rig(observe, policy)) {
      List<Long> blocks = new ArrayList<>();
      for (long id = 1; id <= 12; id++) {
        blocks.add(id);
        done.disk(id);
        would.disk(id);
      }
      long next = 100;
      for (int i = 0; i < 120; i++) {
        int operation = random.nextInt(10);
        double skewed = Math.pow(random.nextDouble(), 2);
        long id = blocks.get((int) (skewed * blocks.size()));
        if (operation == 0) {
          id = next++;
          blocks.add(random.nextInt(blocks.size()), id);
        } else if (operation == 1) {
          blocks.remove(id);
        }
        step(done, operation, id, true);
        step(would, operation, id, false);
      }
      String trace = "policy=" + policy + " seed=" + seed;
      assertEquals(List.of(), would.node.moves(), trace);
      assertPair(done, Counter.BLOCKS_WRITE_FAST, would, Counter.OBSERVED_BLOCKS_PLACED);
      assertPair(done, Counter.BYTES_WRITE_FAST, would, Counter.OBSERVED_BYTES_PLACED);
      assertPair(done, Counter.BLOCKS_PROMOTED, would, Counter.OBSERVED_BLOCKS_PROMOTED);
      assertPair(done, Counter.BLOCKS_DEMOTED, would, Counter.OBSERVED_BLOCKS_DEMOTED);
      assertPair(done, Counter.BYTES_DEMOTED, would, Counter.OBSERVED_BYTES_DEMOTED);
      assertPair(done, Counter.BLOCKS_EVICTED, would, Counter.OBSERVED_BLOCKS_EVICTED);
      assertPair(done, Counter.BLOCKS_READ_FAST, would, Counter.OBSERVED_READS_FAST);
      assertPair(done, Counter.BYTES_READ_FAST, would, Counter.OBSERVED_BYTES_READ_FAST);
      assertPair(done, Counter.BLOCKS_READ_SLOW, would, Counter.OBSERVED_READS_SLOW);
      assertTrue(would.count(Counter.OBSERVED_BLOCKS_PLACED) > 1, trace);
      assertTrue(would.count(Counter.OBSERVED_READS_FAST) > 20, trace);
      assertEquals(
          done.status().cleanBytes(),
          would.status().figure(NodeFigure.OBSERVED_CLEAN_BYTES),
          trace);
      assertEquals(
          done.status().dirtyBytes(),
          would.status().figure(NodeFigure.OBSERVED_DIRTY_BYTES),
          trace);
    }
  }

  private static void assertPair(EngineRig done, Counter did, EngineRig would, Counter said) {
    assertEquals(done.count(did), would.count(said), did + " and " + said);
  }

  /** Hinted blocks that a policy wants, and those that only pass through. */
  @Test
  void hints_agreeWithModeActive() throws Exception {
    HyCacheConfig.Builder active = EngineRig.config().prefetchShare(0.5);
    HyCacheConfig.Builder observe = HyCacheConfig.builder(active.build()).mode(Mode.OBSERVE);
    try (EngineRig done = rig(active, "heuristic");
        EngineRig would = rig(observe, "heuristic")) {
      for (EngineRig rig : List.of(done, would)) {
        for (int id = 1; id <= 8; id++) {
          rig.disk(id);
        }
        rig.engine.settle();
        rig.hints("job", 600_000, 1, 2, 3, 1, 2, 4, 5);
        rig.quiet();
        for (long id : new long[] {1, 2, 3, 1}) {
          boolean fast = rig.node.cleanOn(id) != null;
          rig.read(id, BLOCK, fast);
          rig.quiet();
        }
      }
      assertTrue(would.count(Counter.OBSERVED_BLOCKS_PROMOTED) >= 2);
      assertPair(done, Counter.BLOCKS_PROMOTED, would, Counter.OBSERVED_BLOCKS_PROMOTED);
      assertPair(done, Counter.BLOCKS_READ_FAST, would, Counter.OBSERVED_READS_FAST);
      assertPair(done, Counter.BLOCKS_EVICTED, would, Counter.OBSERVED_BLOCKS_EVICTED);
      assertEquals(done.status().hintsLeft(), would.status().hintsLeft());
      assertEquals(List.of(), would.node.moves());
      assertTrue(would.withdraw("job").isPresent());
    }
  }

  // ---- nothing is done --------------------------------------------------------------------------

  @Test
  void readAndWritten_wouldBeOnSsd_andNothingIsDone() throws Exception {
    try (EngineRig rig = rig(config().policy("lru").demoteWatermarks(0.5, 0.5))) {
      rig.disk(1);
      write(rig, 2);
      rig.read(1);
      rig.quiet();
      rig.read(1);
      rig.quiet();
      assertNothingDone(rig);
      assertEquals(1, rig.count(Counter.OBSERVED_BLOCKS_PLACED));
      assertEquals(BLOCK, rig.count(Counter.OBSERVED_BYTES_PLACED));
      assertEquals(1, rig.count(Counter.OBSERVED_BLOCKS_PROMOTED));
      assertEquals(BLOCK, rig.count(Counter.OBSERVED_BYTES_PROMOTED));
      assertEquals(1, rig.count(Counter.OBSERVED_READS_FAST));
      assertEquals(1, rig.count(Counter.OBSERVED_READS_SLOW));
      assertEquals(2, rig.count(Counter.BLOCKS_READ_SLOW), "what really served them");
      NodeStatus status = rig.status();
      assertEquals(BLOCK, status.figure(NodeFigure.OBSERVED_DIRTY_BYTES));
      assertEquals(BLOCK, status.figure(NodeFigure.OBSERVED_CLEAN_BYTES));
      assertEquals("lru", status.policy(), "that of the model");
    }
  }

  @Test
  void locate_saysSinceWhenAndWhy() throws Exception {
    try (EngineRig rig = rig(config().demoteWatermarks(1, 1))) {
      rig.disk(1);
      write(rig, 2);
      assertFalse(place(rig, 1).isFast());
      assertEquals(Reason.CHECKSUMS_ONLY, place(rig, 1).reason);
      rig.read(1);
      rig.quiet();
      rig.pass(Duration.ofMinutes(3));
      ObservedPlace read = place(rig, 1);
      assertEquals("SSD", read.storage);
      assertEquals(Reason.ON_SSD_CLEAN, read.reason);
      assertEquals(3, Duration.ofMillis(read.agoMillis).toMinutes());
      assertNotNull(rig.locate(1).decision, "that of the model");
      assertEquals("DISK", rig.locate(1).storage, "where it really is");
      assertFalse(rig.locate(1).cleanData);
      assertEquals(Reason.ON_SSD_DIRTY_STAYS, place(rig, 2).reason);
      assertNull(rig.locate(9).observed, "no such replica");
    }
  }

  // ---- what an earlier process left -------------------------------------------------------------

  @Test
  void leftOver_isInTheModelAndGivesItsSpaceBack() throws Exception {
    try (EngineRig rig = rig(config().checksumShare(0))) {
      for (int id = 1; id <= 5; id++) {
        rig.disk(id);
      }
      rig.guest(6, FakeDataNode.SSD);
      for (int id = 1; id <= 4; id++) {
        rig.node.leaveClean(new Replica(key(id), 1, BLOCK), FakeDataNode.SSD);
        rig.engine.onClean(key(id), Part.DATA, FakeDataNode.SSD, BLOCK);
      }
      rig.quiet();
      assertEquals(4 * BLOCK, rig.status().figure(NodeFigure.OBSERVED_CLEAN_BYTES));
      assertEquals(BLOCK, rig.status().figure(NodeFigure.OBSERVED_DIRTY_BYTES));
      assertEquals(0, rig.count(Counter.OBSERVED_DECISIONS));
      rig.engine.onCleanDropped(key(1));
      rig.gone(6);
      rig.quiet();
      assertEquals(3 * BLOCK, rig.status().figure(NodeFigure.OBSERVED_CLEAN_BYTES));
      assertEquals(0, rig.status().figure(NodeFigure.OBSERVED_DIRTY_BYTES));
      for (int id = 20; id < 40; id++) { // twice what the SSD holds
        rig.disk(id);
        rig.read(id);
        rig.quiet();
      }
      long clean = rig.status().figure(NodeFigure.OBSERVED_CLEAN_BYTES);
      long held = clean / BLOCK; // of the 10 that fit, without 1, which really is still there
      assertTrue(held == 8 || held == 9, "held=" + held);
      assertEquals(23 - held, rig.count(Counter.OBSERVED_BLOCKS_EVICTED));
      assertEquals(List.of(), rig.node.moves());
      assertFalse(place(rig, 2).isFast(), "would be evicted, and is still there");
      assertTrue(rig.locate(2).cleanData);
    }
  }

  @Test
  void append_guestOfTheModelStays_andIsPlacedOnce() throws Exception {
    try (EngineRig rig = rig(config())) {
      write(rig, 1);
      rig.engine.onGone(key(1)); // written again: the DataNode still has it
      rig.put(new Replica(key(1), 2, 2 * BLOCK), Home.DISK);
      rig.quiet();
      assertEquals(2 * BLOCK, rig.status().figure(NodeFigure.OBSERVED_DIRTY_BYTES));
      assertEquals(1, rig.count(Counter.OBSERVED_BLOCKS_PLACED));
      rig.gone(1);
      rig.quiet();
      assertEquals(0, rig.status().figure(NodeFigure.OBSERVED_DIRTY_BYTES));
    }
  }

  @Test
  void write_neverFinalized_givesItsBytesBack() throws Exception {
    try (EngineRig rig = rig(config())) {
      rig.quiet(); // the model has looked at its space
      for (int id = 1; id <= 10; id++) {
        rig.probe();
        assertEquals(WriteFallback.NOT_MEANT, rig.engine.admit(key(id), BLOCK));
      }
      rig.quiet();
      write(rig, 11);
      assertEquals(0, rig.count(Counter.OBSERVED_BLOCKS_PLACED), "all of it is promised");
      rig.pass(Duration.ofMinutes(2));
      rig.pass(Duration.ofMinutes(2));
      rig.quiet();
      write(rig, 12);
      assertEquals(1, rig.count(Counter.OBSERVED_BLOCKS_PLACED));
    }
  }

  // ---- by day -----------------------------------------------------------------------------------

  @Test
  void days_areSummedAndBounded() {
    Counters counters = new Counters();
    LocalDate first = LocalDate.of(2026, 11, 26);
    AtomicInteger passed = new AtomicInteger();
    ObservedDays days = new ObservedDays(counters, () -> first.plusDays(passed.get()));
    for (int day = 0; day < 20; day++) {
      days.maintain();
      counters.add(Counter.OBSERVED_READS_FAST, day);
      passed.incrementAndGet();
    }
    counters.add(Counter.OBSERVED_READS_FAST, 1000); // after midnight
    List<ObservedDay> all = days.all();
    assertEquals(ObservedDay.MAX_DAYS, all.size());
    ObservedDay last = all.get(all.size() - 1);
    assertEquals("2026-12-16", last.day());
    assertEquals(
        0, last.count(Counter.OBSERVED_READS_FAST), "counted before the day was looked at");
    assertEquals(1019, all.get(all.size() - 2).count(Counter.OBSERVED_READS_FAST));
    assertEquals(18, all.get(all.size() - 3).count(Counter.OBSERVED_READS_FAST));
    assertEquals(1019, last.plus(all.get(all.size() - 2)).count(Counter.OBSERVED_READS_FAST));
  }

  @Test
  void days_clockIsSetBack_eachDayIsThereOnce() {
    Counters counters = new Counters();
    AtomicReference<LocalDate> today = new AtomicReference<>(LocalDate.of(2026, 11, 27));
    ObservedDays days = new ObservedDays(counters, today::get);
    for (int date : new int[] {28, 27, 28, 27}) {
      today.set(LocalDate.of(2026, 11, date));
      days.maintain();
    }
    counters.add(Counter.OBSERVED_READS_FAST, 5);
    List<ObservedDay> all = days.all();
    assertEquals(2, all.size());
    assertEquals("2026-11-27", all.get(0).day());
    assertEquals("2026-11-28", all.get(1).day());
    assertEquals(5, all.get(1).count(Counter.OBSERVED_READS_FAST));
  }

  @Test
  void status_hasTheDays() throws Exception {
    try (EngineRig rig = rig(config())) {
      write(rig, 1);
      List<ObservedDay> days = rig.status().observedDays();
      assertFalse(days.isEmpty());
      long placed = days.stream().mapToLong(d -> d.count(Counter.OBSERVED_BLOCKS_PLACED)).sum();
      assertEquals(1, placed);
      assertNotNull(LocalDate.parse(days.get(0).day()));
    }
    try (EngineRig rig = rig(EngineRig.config())) {
      assertEquals(List.of(), rig.status().observedDays());
      assertNull(rig.engine.observation());
    }
  }

  // ---- isolation --------------------------------------------------------------------------------

  /** A policy that throws ends the observation; the DataNode's own engine goes on. */
  @Test
  void brokenPolicy_isCountedAndHarmsNothing() throws Exception {
    RoguePolicy rogue = new RoguePolicy();
    rogue.throwing = true;
    FakeDataNode node = new FakeDataNode(SSD_BYTES);
    try (EngineRig rig = new EngineRig(config().build(), rogue, node).start()) {
      rig.disk(1);
      rig.read(1);
      EngineRig.await("a failure", () -> rig.count(Counter.FAILURES) > 0);
      assertEquals(Reason.OBSERVE_ONLY, rig.locate(1).reason);
      assertEquals(1, rig.status().trackedBlocks());
      assertEquals(List.of(), rig.node.moves());
    }
  }

  /** Nothing handles the events that wait for a model that has given up. */
  @Test
  void modelGivesUpWhileManyEventsWait_theDataNodesEngineGoesOn() throws Exception {
    RoguePolicy rogue = new RoguePolicy();
    CountDownLatch gate = new CountDownLatch(1);
    FakeDataNode node = new FakeDataNode(SSD_BYTES);
    EngineRig rig = new EngineRig(config().build(), rogue, node).start();
    try {
      rig.disk(1);
      rig.quiet();
      rogue.gate = gate;
      HyCacheEngine engine = rig.engine;
      HyCacheEngine model = requireNonNull(engine.observation()).model();
      model.onRead(engine.poolNumber(EngineRig.POOL), 1, BLOCK, false);
      EngineRig.await("the model is held", () -> rogue.waiting);
      for (int id = 1_000; id < 1_000 + EventQueue.MAX_EVENTS; id++) {
        model.onGone(key(id));
      }
      assertTrue(engine.isBehind());
      Supervisor.Part part = model.supervisor().part("test");
      for (int i = 0; i < Supervisor.MAX_CONSECUTIVE_FAILURES; i++) {
        part.failed(new AssertionError("made to fail"));
      }
      assertFalse(engine.isBehind());
      engine.reconfigure(config().minBlockBytes(BLOCK + 1).build());
      assertEquals(WriteFallback.TOO_SMALL, engine.admit(BLOCK));
      rig.hints("job", 600_000, 1);
      assertEquals(1, rig.status().hintsLeft());
      assertEquals("DISK", rig.locate(1).storage);
    } finally {
      gate.countDown();
      rig.engine.close();
    }
  }

  /** A change that only the model has taken is not reported as applied, so that it is repeated. */
  @Test
  void reconfigure_modelDoesNotAnswer_throws_andIsAppliedWhenItIsRepeated() throws Exception {
    AtomicInteger applied = new AtomicInteger();
    HyCacheConfig next =
        config().policy(HeldPolicy.class.getName()).minBlockBytes(BLOCK + 1).build();
    try (EngineRig rig = rig(config().policy("lru"))) {
      rig.hints("w", 600_000, 9);
      Throwable thrown =
          HeldPolicy.giveUp(() -> rig.engine.reconfigure(next, applied::incrementAndGet));
      assertInstanceOf(TimeoutException.class, thrown);
      assertEquals(0, applied.get());
      HeldPolicy.release();
      rig.engine.awaitChanges();
      assertEquals(next.policy(), rig.status().policy(), "that of the model");
      assertEquals(WriteFallback.NOT_MEANT, rig.engine.admit(BLOCK), "the DataNode has not");
      assertEquals(0, applied.get());
      rig.engine.reconfigure(next, applied::incrementAndGet);
      assertEquals(1, applied.get());
      assertEquals(WriteFallback.TOO_SMALL, rig.engine.admit(BLOCK));
    } finally {
      HeldPolicy.release();
    }
  }

  @Test
  void modelFailsToTakeHints_theDataNodeTakesThem() throws Exception {
    RoguePolicy rogue = new RoguePolicy();
    FakeDataNode node = new FakeDataNode(SSD_BYTES);
    try (EngineRig rig = new EngineRig(config().build(), rogue, node).start()) {
      rig.disk(1);
      rig.quiet();
      rogue.nextReferences = new StackOverflowError("made to fail");
      HintReceipt receipt = rig.hints(new WorkflowId(EngineRig.USER, "job"), 600_000, 1);
      assertEquals(1, receipt.accepted());
      assertNull(rogue.nextReferences, "the model has failed");
      assertEquals(1, rig.status().hintsLeft());
    }
  }
}
