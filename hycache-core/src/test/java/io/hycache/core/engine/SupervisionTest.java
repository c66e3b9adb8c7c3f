// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.config;
import static io.hycache.core.engine.EngineRig.key;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.model.Home;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.move.Supervisor;
import io.hycache.core.policy.Policies;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** An Error, a stall or a flood of events has no lasting effect on the engine. */
class SupervisionTest {
  private static EngineRig lru(HyCacheConfig.Builder config, long... ssds) {
    return new EngineRig(config.build(), Policies.create("lru"), new FakeDataNode(ssds)).start();
  }

  private static Error noMemory() {
    return new OutOfMemoryError("made to fail");
  }

  @Test
  void demotion_outOfMemory_theOthersAreMadeAndItIsTriedAgain() throws Exception {
    try (EngineRig rig = lru(config().demoteWatermarks(0, 0), 300_000)) {
      rig.node.fail("demote 7", noMemory());
      for (int id = 1; id <= 20; id++) {
        rig.guest(id, FakeDataNode.SSD);
      }
      EngineRig.await("19 demotions", () -> rig.count(Counter.BLOCKS_DEMOTED) == 19);
      EngineRig.await("it is counted", () -> rig.count(Counter.MOVES_FAILED) >= 1);
      assertEquals(1, rig.count(Counter.FAILURES));
      assertTrue(rig.locate(7).dirty);
      rig.node.heal();
      rig.advance(Duration.ofSeconds(31));
      EngineRig.await("the last one", () -> rig.count(Counter.BLOCKS_DEMOTED) == 20);
      rig.guest(21, FakeDataNode.SSD);
      rig.awaitMove("demote 21");
      rig.quiet();
      assertEquals(0, rig.status().dirtyBytes());
    }
  }

  @Test
  void everyKindOfMove_throwsAnError_nothingStaysReserved() throws Exception {
    try (EngineRig rig = lru(config(), 100_500)) {
      for (int id = 1; id <= 10; id++) {
        rig.guest(id, FakeDataNode.SSD);
      }
      rig.probe();
      rig.node.fail("replace 1", new StackOverflowError("made to fail"));
      rig.node.fail("checksums 21", new AssertionError("made to fail"));
      rig.disk(21);
      rig.read(21);
      EngineRig.await("failures", () -> rig.count(Counter.MOVES_FAILED) >= 2);
      rig.node.heal();
      rig.node.fail("promote 22", new ExceptionInInitializerError("made to fail"));
      rig.disk(22);
      rig.read(22);
      rig.awaitMove("promote 22");
      rig.quiet();
      rig.node.heal();
      rig.pass(Duration.ofSeconds(31));
      rig.read(22);
      rig.awaitMove("promote 22");
      rig.quiet();
      rig.read(21);
      rig.quiet();
      assertTrue(rig.locate(21).cleanData, () -> rig.node.moves().toString());
      assertTrue(rig.locate(22).cleanData, () -> rig.node.moves().toString());
    }
  }

  @Test
  void eviction_throwsAnError_theCopyStaysAndGoesLater() throws Exception {
    try (EngineRig rig = lru(config(), 100_500)) {
      for (int id = 1; id <= 9; id++) {
        rig.disk(id);
        rig.read(id);
        rig.quiet();
      }
      rig.node.fail("evict 1", noMemory());
      rig.missRoom(90);
      rig.awaitMove("evict 1");
      EngineRig.await("counted", () -> rig.count(Counter.FAILURES) >= 1);
      rig.quiet();
      assertTrue(rig.locate(1).cleanData);
      assertEquals(9 * BLOCK, rig.node.cleanDataBytes());
      rig.node.heal();
      rig.missRoom(91);
      rig.quiet();
      assertEquals(8 * BLOCK, rig.status().cleanBytes());
      assertEquals(8 * BLOCK, rig.node.cleanDataBytes());
      assertTrue(rig.write(20));
    }
  }

  @Test
  void planner_errorInTheMiddleOfAnEvent_survivesAndTheBooksAreRight() throws Exception {
    RoguePolicy rogue = new RoguePolicy();
    try (EngineRig rig =
        new EngineRig(config().build(), rogue, new FakeDataNode(100_500)).start()) {
      rig.probe();
      rogue.nextAdmission = noMemory();
      rig.guest(1, FakeDataNode.SSD);
      EngineRig.await("failure", () -> rig.count(Counter.FAILURES) == 1);
      rig.guest(2, FakeDataNode.SSD);
      rig.quiet();
      assertEquals(2 * BLOCK, rig.status().dirtyBytes());
      assertEquals(2, rogue.residents());
      rig.engine.settle();
      rogue.nextAdmission = new StackOverflowError("made to fail");
      rig.disk(3);
      rig.read(3);
      rig.awaitMove("promote 3");
      rig.quiet();
      assertTrue(rig.locate(3).cleanData);
      assertEquals(3, rogue.residents());
    }
  }

  /** The policy lacks a class: neither the victims nor the block must stay reserved. */
  @Test
  void promotion_errorWhenItBegins_andAnotherOneWhenThatIsUndone_nothingStaysReserved()
      throws Exception {
    RoguePolicy rogue = new RoguePolicy();
    try (EngineRig rig =
        new EngineRig(config().checksumShare(0).build(), rogue, new FakeDataNode(20_500)).start()) {
      assertTrue(rig.write(1));
      assertTrue(rig.write(2));
      rig.disk(20, 2 * BLOCK);
      rig.quiet();
      long free = rig.status().figure(NodeFigure.FREE_BYTES);
      rogue.nextAdmission = new NoClassDefFoundError("made to fail");
      rogue.nextRemoval = new NoClassDefFoundError("made to fail");
      rig.read(20, 2 * BLOCK, false);
      EngineRig.await("both", () -> rogue.nextAdmission == null && rogue.nextRemoval == null);
      rig.quiet();
      assertEquals(List.of(), rig.moves("replace", "promote"));
      assertEquals(free, rig.status().figure(NodeFigure.FREE_BYTES));
      rig.read(20, 2 * BLOCK, false);
      rig.quiet();
      assertEquals(
          List.of("replace 1", "replace 2", "promote 20"), rig.moves("replace", "promote"));
      assertTrue(rig.locate(20).cleanData);
    }
  }

  // ---- no memory while a move is entered in the books -------------------------------------------

  /** A map whose first change fails. */
  private static final class NoMemoryOnce extends HashMap<Object, Object> {
    private static final long serialVersionUID = 1L;
    private boolean failed;

    NoMemoryOnce(Map<?, ?> of) {
      super(of);
    }

    @Override
    public Object computeIfAbsent(Object key, Function<? super Object, ?> value) {
      if (!failed) {
        failed = true;
        throw noMemory();
      }
      return super.computeIfAbsent(key, value);
    }
  }

  /**
   * Makes the next change of a map in the planner's parts fail: the only thing there that fails is
   * an allocation, which no fake can be made to do. To be called while nothing moves.
   *
   * @param path names of the fields from the parts to the map
   */
  private static void failNextChange(EngineRig rig, String... path) throws Exception {
    Object owner = value(value(rig.engine, "planner"), "parts");
    for (String name : List.of(path).subList(0, path.length - 1)) {
      owner = value(owner, name);
    }
    String map = path[path.length - 1];
    field(owner, map).set(owner, new NoMemoryOnce((Map<?, ?>) value(owner, map)));
  }

  private static Object value(Object owner, String name) throws ReflectiveOperationException {
    return requireNonNull(field(owner, name).get(owner), name);
  }

  private static Field field(Object owner, String name) throws ReflectiveOperationException {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  @Test
  void demotion_noMemoryAsItBegins_theHddTakesItLater() throws Exception {
    try (EngineRig rig = lru(config().checksumShare(0).demoteWatermarks(0, 0), 300_000)) {
      rig.quiet();
      failNextChange(rig, "scrubber", "leaving", "sums");
      rig.guest(1, FakeDataNode.SSD);
      rig.awaitMove("demote 1");
      rig.quiet();
      assertEquals(0, rig.status().dirtyBytes());
      assertEquals(1, rig.count(Counter.FAILURES));
    }
  }

  @Test
  void exchange_noMemoryAsItBegins_theHddTakesTheNextOne() throws Exception {
    try (EngineRig rig = lru(config().checksumShare(0), 100_500)) {
      for (int id = 1; id <= 10; id++) {
        assertTrue(rig.write(id), "id=" + id);
      }
      rig.disk(20);
      rig.quiet();
      failNextChange(rig, "ledger", "leavingBytes", "sums");
      rig.read(20, BLOCK, false);
      EngineRig.await("failure", () -> rig.count(Counter.FAILURES) == 1);
      assertEquals(List.of(), rig.moves("replace", "promote"));
      rig.probe();
      rig.quiet();
      assertEquals(List.of(), rig.node.demotedTo(), "no write-back is due");
      rig.read(20);
      rig.quiet();
      assertEquals(List.of("promote 20"), rig.moves("promote"));
      assertEquals(1, rig.node.demotedTo().size());
    }
  }

  /** Where there are several HDDs, one copy at a time is read from each for a pin. */
  @Test
  void pin_noMemoryAsItsCopyBegins_theHddIsReadForItLater() throws Exception {
    HyCacheConfig.Builder config = config().checksumShare(0).directives(true).pinsShare(0.5);
    try (EngineRig rig = lru(config, 300_000)) {
      rig.node.setHdds(FakeDataNode.HDD, FakeDataNode.HDD2);
      rig.probe();
      rig.disk(1);
      rig.quiet();
      failNextChange(rig, "ledger", "arrivingBytes", "sums");
      rig.engine.pin(List.of(key(1)));
      EngineRig.await("failure", () -> rig.count(Counter.FAILURES) == 1);
      rig.quiet();
      assertEquals(List.of("promote 1"), rig.moves("promote"));
      assertTrue(rig.engine.pinned().contains(key(1)));
    }
  }

  /** Four is the most under way at a time. */
  @Test
  void checksumCopies_noMemoryAsFourBegin_theNextIsMade() throws Exception {
    try (EngineRig rig = lru(config(), 300_000)) {
      rig.quiet();
      for (int id = 1; id <= 4; id++) {
        failNextChange(rig, "checksums", "sources", "underWay");
        int failures = id;
        rig.disk(id);
        EngineRig.await("failure", () -> rig.count(Counter.FAILURES) == failures);
        rig.quiet();
      }
      rig.disk(5);
      rig.awaitMove("checksums 5");
    }
  }

  @Test
  void planner_stormOfErrors_givesUpOnceAndStepsAside() throws Exception {
    EngineRig rig = lru(config(), 100_500);
    List<String> givenUp = new CopyOnWriteArrayList<>();
    rig.engine.onGivenUp(givenUp::add);
    rig.guest(1, FakeDataNode.SSD);
    rig.pass(Duration.ofSeconds(11));
    rig.probe();
    assertTrue(rig.engine.placeOnFast(BLOCK));
    rig.engine.onNotPlaced(BLOCK);
    rig.node.devicesFail = noMemory();
    rig.advance(Duration.ofSeconds(1));
    EngineRig.await("it gives up", () -> !givenUp.isEmpty());
    assertEquals(Supervisor.MAX_CONSECUTIVE_FAILURES, rig.count(Counter.FAILURES));
    assertTrue(givenUp.get(0).contains("part=planner"), givenUp.get(0));
    assertFalse(rig.engine.placeOnFast(BLOCK));
    long begun = System.nanoTime();
    NodeStatus status = rig.engine.status(true);
    assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(4), "answered at once");
    assertTrue(status.passThrough());
    assertEquals(BLOCK, status.dirtyBytes(), "as it was");
    assertEquals(BLOCK, rig.engine.lastStatus(true).dirtyBytes());
    assertEquals("the planner has ended", rig.engine.lastStatus(false).notCounted());
    assertEquals(Supervisor.MAX_CONSECUTIVE_FAILURES, status.counters().get("Failures"));
    for (int id = 0; id < 200_000; id++) {
      rig.engine.onGone(key(id));
    }
    assertEquals(0, rig.engine.eventsWaiting());
    rig.engine.close();
    assertEquals(1, givenUp.size());
  }

  @Test
  void planner_held_aMillionEvents_areBoundedAndTheTableIsRightAfter() throws Exception {
    RoguePolicy rogue = new RoguePolicy();
    try (EngineRig rig =
        new EngineRig(config().checksumShare(0).build(), rogue, new FakeDataNode(10_000_000_000L))
            .start()) {
      rig.disk(1);
      rig.probe();
      CountDownLatch gate = new CountDownLatch(1);
      rogue.gate = gate;
      rig.read(1, 1, false);
      int blocks = 200_000;
      rig.engine.onRead(rig.engine.poolNumber(EngineRig.POOL), 1, BLOCK, false);
      for (int round = 0; round < 5; round++) {
        for (int id = 1_000; id < 1_000 + blocks; id++) {
          Replica replica = new Replica(key(id), 1 + round, BLOCK);
          String on = rig.node.put(replica, (id + round) % 2 == 0 ? FakeDataNode.SSD : null);
          rig.engine.onReplica(replica, on == null ? Home.DISK : Home.SSD_GUEST, on);
        }
      }
      for (int id = 1_000; id < 1_000 + blocks; id += 4) {
        rig.gone(id);
      }
      assertTrue(rig.count(Counter.EVENTS_DROPPED) > 900_000);
      assertTrue(rig.engine.eventsWaiting() <= 2 * EventQueue.MAX_EVENTS + 10);
      rogue.gate = null;
      gate.countDown();
      EngineRig.await("the queue is empty", () -> rig.engine.eventsWaiting() == 0);
      EngineRig.await("all are known", () -> !rig.engine.isLookingAgain());
      rig.engine.settle();
      assertEquals(1 + blocks * 3 / 4, rig.status().trackedBlocks());
      // Of four blocks the first is gone and the third is on SSD, after the last round.
      assertEquals(blocks / 4 * BLOCK, rig.status().dirtyBytes());
      assertEquals(Reason.NOT_TRACKED, rig.locate(1_000).reason);
      assertTrue(rig.locate(1_002).dirty);
      assertEquals("DISK", rig.locate(1_001).storage);
    }
  }

  /** Each question takes so long that the next one waits when it has been answered. */
  @Test
  void questionsAllTheTime_roundsGoOn() throws Exception {
    FakeDataNode slow = new FakeDataNode(10 * BLOCK);
    slow.devicesTakeNanos = TimeUnit.MILLISECONDS.toNanos(40);
    try (EngineRig rig = new EngineRig(config().build(), Policies.create("lru"), slow).start()) {
      rig.probe();
      rig.disk(1);
      rig.engine.settle();
      AtomicBoolean over = new AtomicBoolean();
      AtomicLong answers = new AtomicLong();
      ExecutorService threads = Executors.newCachedThreadPool();
      List<Future<?>> askers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        askers.add(
            threads.submit(
                () -> {
                  while (!over.get()) {
                    NodeStatus unused = rig.engine.status(true);
                    answers.incrementAndGet();
                  }
                  return null;
                }));
      }
      try {
        EngineRig.await("answers", () -> answers.get() > 3);
        rig.engine.onRead(rig.engine.poolNumber(EngineRig.POOL), 1, BLOCK, false);
        EngineRig.await("promotion", () -> rig.count(Counter.BLOCKS_PROMOTED) == 1);
      } finally {
        over.set(true);
        threads.shutdown();
      }
      for (Future<?> asker : askers) {
        asker.get();
      }
    }
  }

  @Test
  void planner_held_showsAsStalledAndQueriesEndSoon() throws Exception {
    RoguePolicy rogue = new RoguePolicy();
    try (EngineRig rig =
        new EngineRig(config().build(), rogue, new FakeDataNode(100_500)).start()) {
      rig.disk(1);
      rig.guest(2, FakeDataNode.SSD);
      rig.pass(Duration.ofSeconds(11));
      rig.probe();
      assertEquals(0, rig.engine.plannerStalledSeconds());
      assertTrue(rig.engine.lastStatus(false).isCounted());
      CountDownLatch gate = new CountDownLatch(1);
      rogue.gate = gate;
      rig.engine.onRead(rig.engine.poolNumber(EngineRig.POOL), 1, BLOCK, false);
      EngineRig.await("a stall", () -> rig.engine.plannerStalledSeconds() >= 2);
      int waiting = rig.engine.eventsWaiting();
      assertTrue(rig.engine.lastStatus(false).plannerStalledSeconds() >= 2);
      assertEquals(waiting, rig.engine.eventsWaiting(), "asked nothing");
      long begun = System.nanoTime();
      NodeStatus status = rig.status();
      assertTrue(status.plannerStalledSeconds() >= 2);
      assertEquals(BLOCK, status.dirtyBytes(), "as it was");
      assertFalse(status.isCounted());
      assertEquals("the planner makes no progress", status.notCounted());
      assertEquals(status.notCounted(), rig.engine.lastStatus(false).notCounted());
      assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(4));
      rogue.gate = null;
      gate.countDown();
      EngineRig.await("it comes round", () -> rig.engine.plannerStalledSeconds() == 0);
      rig.quiet();
      assertEquals(0, rig.status().plannerStalledSeconds());
      assertTrue(rig.status().isCounted());
    }
  }

  @Test
  void watchdog_reportsEachStallOnce() {
    AtomicLong silent = new AtomicLong();
    AtomicInteger revived = new AtomicInteger();
    Counters counters = new Counters();
    Supervisor supervisor = new Supervisor(counters, e -> {}, why -> {});
    Watchdog dog =
        new Watchdog(
            silent::get,
            () -> {
              if (revived.incrementAndGet() == 1) {
                throw new OutOfMemoryError("injected");
              }
            },
            supervisor.part("watchdog"));
    assertFalse(dog.check());
    silent.set(TimeUnit.SECONDS.toNanos(3));
    assertFalse(dog.check(), "it fails");
    assertEquals(1, counters.get(Counter.FAILURES));
    assertTrue(dog.check());
    assertFalse(dog.check());
    silent.set(0);
    assertFalse(dog.check());
    silent.set(TimeUnit.SECONDS.toNanos(7));
    assertTrue(dog.check());
    assertEquals(7, dog.stalledSeconds());
    assertEquals(4, revived.get());
  }

  // ---- stepping aside ---------------------------------------------------------------------------

  @Test
  void stepAside_movesUnderWayAreRolledBack_andNoneBegins() throws Exception {
    try (EngineRig rig =
        lru(config().checksumShare(0).demoteWatermarks(0, 0).moverThreads(2), 100_500)) {
      rig.node.throttled = true;
      CountDownLatch demotion = rig.node.hold("demote 1");
      CountDownLatch promotion = rig.node.hold("promote 20");
      rig.disk(20);
      rig.disk(21);
      for (int id = 1; id <= 8; id++) {
        rig.guest(id, FakeDataNode.SSD);
      }
      rig.awaitMove("demote 1");
      rig.read(20, BLOCK, false);
      rig.awaitMove("promote 20");
      rig.engine.stepAside();
      rig.engine.stepAside();
      demotion.countDown();
      promotion.countDown();
      rig.read(21, BLOCK, false);
      rig.quiet();
      rig.advance(Duration.ofSeconds(31));
      rig.quiet();
      assertEquals(List.of("demote 1", "promote 20"), rig.moves("demote", "promote"));
      assertEquals(0, rig.count(Counter.BLOCKS_DEMOTED));
      assertEquals(8 * BLOCK, rig.status().dirtyBytes());
      assertEquals(Reason.PASS_THROUGH, rig.locate(21).reason);
      assertFalse(rig.engine.placeOnFast(BLOCK));
    }
  }

  /** In pass-through, the DataNode reports no deletion. */
  @Test
  void stepAside_deletedReplicas_leaveTheStatus() throws Exception {
    try (EngineRig rig = lru(config(), 100_500)) {
      rig.guest(1, FakeDataNode.SSD);
      rig.guest(2, FakeDataNode.SSD);
      rig.quiet();
      rig.engine.stepAside();
      rig.node.remove(key(1));
      rig.pass(Duration.ofSeconds(31));
      rig.pass(Duration.ofSeconds(31));
      rig.engine.settle();
      assertEquals(BLOCK, rig.status().dirtyBytes());
      assertEquals(Reason.NOT_TRACKED, rig.locate(1).reason);
      assertEquals(Reason.ON_SSD_DIRTY_KEPT, rig.locate(2).reason);
    }
  }

  // ---- one slow demotion ------------------------------------------------------------------------

  @Test
  void exchange_everyDiskIsBeingWritten_noMoverWaits() throws Exception {
    try (EngineRig rig = lru(config().checksumShare(0).moverThreads(2), 100_500)) {
      CountDownLatch gate = rig.node.hold("replace 1");
      for (int id = 1; id <= 10; id++) {
        rig.guest(id, FakeDataNode.SSD);
      }
      rig.probe();
      for (int id = 21; id <= 24; id++) {
        rig.disk(id);
      }
      rig.read(21, BLOCK, false);
      rig.awaitMove("replace 1");
      rig.read(22, BLOCK, false);
      rig.read(23, BLOCK, false);
      assertEquals(Reason.DISKS_BUSY, rig.locate(22).reason);
      assertEquals(Reason.DISKS_BUSY, rig.locate(23).reason);
      // The other mover is free for moves that write to no disk.
      rig.gone(10);
      rig.probe();
      rig.read(24, BLOCK, false);
      rig.awaitMove("promote 24");
      EngineRig.await("promoted", () -> rig.locate(24).cleanData);
      assertEquals(List.of("replace 1"), rig.moves("replace"), "the gate is still closed");
      assertEquals(0, rig.count(Counter.MOVES_FAILED));
      gate.countDown();
      rig.quiet();
      rig.read(22);
      rig.quiet();
      assertTrue(rig.locate(22).cleanData);
    }
  }

  @Test
  void exchange_oneOfTwoDisksIsBeingWritten_theOtherIsTaken() throws Exception {
    try (EngineRig rig = lru(config().checksumShare(0).moverThreads(2), 100_500)) {
      rig.node.setHdds(FakeDataNode.HDD, FakeDataNode.HDD2);
      CountDownLatch gate = rig.node.hold("replace 1");
      for (int id = 1; id <= 10; id++) {
        rig.guest(id, FakeDataNode.SSD);
      }
      rig.probe();
      rig.disk(21);
      rig.disk(22);
      rig.read(21, BLOCK, false);
      rig.awaitMove("replace 1");
      rig.read(22, BLOCK, false);
      rig.awaitMove("promote 22");
      EngineRig.await("promoted", () -> rig.locate(22).cleanData);
      gate.countDown();
      rig.quiet();
      assertEquals(2, Set.copyOf(rig.node.demotedTo()).size());
    }
  }
}
