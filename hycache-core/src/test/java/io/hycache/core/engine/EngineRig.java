// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.fail;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.WriteFallback;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A real engine over a {@link FakeDataNode}, with a clock that tests advance. */
final class EngineRig implements AutoCloseable {
  static final String POOL = "BP-1";
  static final String USER = "alice";
  static final long BLOCK = 10_000;

  /** How long tests wait for what takes milliseconds on a machine that has nothing else to do. */
  static final long MAX_WAIT_SECONDS = 60;

  final FakeDataNode node;
  final Counters counters = new Counters();
  final HyCacheEngine engine;
  final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final AtomicLong nanos = new AtomicLong(TimeUnit.HOURS.toNanos(1));

  /** Rounds by planner: in mode observe, there is a second one. */
  private final Map<Thread, AtomicLong> rounds = new ConcurrentHashMap<>();

  private final int planners;
  private final int pool;

  EngineRig(HyCacheConfig config, CachePolicy policy, FakeDataNode node) {
    this.node = node;
    this.planners = config.mode() == Mode.OBSERVE ? 2 : 1;
    this.engine =
        new HyCacheEngine(
            config, policy, node, node, node, counters, failures::add, this::nanoTime);
    engine.lookAgainWith(node);
    this.pool = engine.poolNumber(POOL);
  }

  /** No reserve, one mover, no demotion, no read-ahead, all of the SSD for writes. */
  static HyCacheConfig.Builder config() {
    return HyCacheConfig.builder()
        .minBlockBytes(0)
        .writeShare(1)
        .demoteWatermarks(1, 1)
        .reserveShare(0)
        .checksumShare(0.05)
        .prefetchShare(0)
        .moverThreads(1)
        .tick(Duration.ofMillis(1));
  }

  static BlockKey key(long id) {
    return new BlockKey(POOL, id);
  }

  EngineRig start() {
    engine.start();
    return this;
  }

  void disk(long id) {
    disk(id, BLOCK);
  }

  void disk(long id, long bytes) {
    put(new Replica(key(id), 1, bytes), Home.DISK);
  }

  void put(Replica replica, Home home) {
    engine.onReplica(replica, home, node.put(replica, home != Home.DISK));
  }

  /** A guest on this SSD. */
  void guest(long id, String ssd) {
    Replica replica = new Replica(key(id), 1, BLOCK);
    engine.onReplica(replica, Home.SSD_GUEST, node.put(replica, ssd));
  }

  /** Writes a block to the tier that the engine chooses. Returns whether that was SSD. */
  boolean write(long id) throws Exception {
    probe();
    boolean fast = engine.placeOnFast(BLOCK);
    if (fast) {
      engine.onPlaced(key(id), BLOCK, 0);
    }
    put(new Replica(key(id), 1, BLOCK), fast ? Home.SSD_GUEST : Home.DISK);
    engine.settle();
    return fast;
  }

  /** Returns whether a write finds room on SSD; if not, it writes the block to DISK. */
  boolean findsRoom(long id, long bytes) throws Exception {
    probe();
    WriteFallback why = engine.admit(bytes);
    if (why == null) {
      engine.onNotPlaced(bytes);
      return true;
    }
    assertEquals(WriteFallback.NO_ROOM, why);
    engine.onWrittenToDisk(key(id), bytes, why);
    put(new Replica(key(id), 1, bytes), Home.DISK);
    return false;
  }

  /** A write of a block finds no room on SSD, and goes to DISK. */
  void missRoom(long id) throws Exception {
    missRoom(id, BLOCK);
  }

  void missRoom(long id, long bytes) throws Exception {
    assertFalse(findsRoom(id, bytes));
  }

  void gone(long id) {
    node.remove(key(id));
    engine.onGone(key(id));
  }

  void read(long id, long bytes, boolean fast) throws Exception {
    engine.settle();
    engine.onRead(pool, id, bytes, fast);
    engine.settle();
  }

  /** Reads a whole block from DISK, at rest: a block that is moving is not considered. */
  void read(long id) throws Exception {
    quiet();
    read(id, BLOCK, false);
  }

  /** Hints of {@link #USER}. */
  void hints(String workflow, long ttlMillis, long... ids) throws Exception {
    hints(new WorkflowId(USER, workflow), ttlMillis, ids);
  }

  /** Hints the blocks, in this order. */
  HintReceipt hints(WorkflowId workflow, long ttlMillis, long... ids) throws Exception {
    return engine.submitHints(reads(workflow.name(), ttlMillis, ids), workflow.user(), false);
  }

  /** A read of each of the blocks, in this order. */
  static Hints reads(String workflow, long ttlMillis, long... ids) {
    List<Hints.Reference> references = new ArrayList<>();
    for (long id : ids) {
      references.add(new Hints.Reference(key(id), BLOCK, false));
    }
    return new Hints(workflow, ttlMillis, references);
  }

  /** Withdraws hints of {@link #USER}. */
  OptionalInt withdraw(String workflow) throws Exception {
    return engine.withdrawHints(new WorkflowId(USER, workflow));
  }

  void advance(Duration by) {
    nanos.addAndGet(by.toNanos());
  }

  /** Advances the clock, and returns when the planner uses the new time. */
  void pass(Duration time) throws Exception {
    advance(time);
    round();
  }

  /** A user begins to write a block to a slow device. */
  void writeSlow(long id, String slowDevice) {
    node.put(new Replica(key(id), 1, 0), false);
    engine.onSlowWrite(key(id), slowDevice);
  }

  /** A user reads from the HDD now. */
  void useDisk() {
    useDisk(FakeDataNode.HDD);
  }

  /** A user reads from an HDD now. */
  void useDisk(String hdd) {
    node.readFromDisk(hdd, nanos.get());
  }

  long count(Counter counter) {
    return counters.get(counter);
  }

  BlockStatus locate(long id) throws Exception {
    return engine.locate(List.of(key(id))).get(0);
  }

  NodeStatus status() throws Exception {
    return engine.status(false);
  }

  /** Moves of the given kinds, in order. */
  List<String> moves(String... kinds) {
    List<String> wanted = List.of(kinds);
    return node.moves().stream()
        .filter(move -> wanted.contains(move.substring(0, move.indexOf(' '))))
        .collect(Collectors.toList());
  }

  /** Makes the planner look at the devices, and then that of a model, which sees what it saw. */
  void probe() throws Exception {
    for (int i = 0; i < planners; i++) {
      advance(Duration.ofNanos(SpaceLedger.MAX_LOOK_AGE_NANOS + 1));
      round();
    }
  }

  /** Rate of demotions after another round, in bytes per second. */
  long demoteRate() throws Exception {
    probe();
    return engine.demoteBytesPerSec(FakeDataNode.HDD);
  }

  /** Rate of promotions from the HDD after another round, in bytes per second. */
  long promoteRate() throws Exception {
    probe();
    return engine.promoteBytesPerSec(FakeDataNode.HDD);
  }

  /** Rounds that began so far. */
  long rounds() {
    return rounds.values().stream().mapToLong(AtomicLong::get).sum();
  }

  /** Returns when each planner has completed a round that began after this call. */
  private void round() throws Exception {
    Map<Thread, Long> begun = new HashMap<>();
    rounds.forEach((planner, count) -> begun.put(planner, count.get()));
    await("two more rounds", () -> alive(begun).filter(more -> more >= 2).count() >= planners);
  }

  /** Rounds since these, of the planners that are alive. */
  private Stream<Long> alive(Map<Thread, Long> since) {
    return rounds.entrySet().stream()
        .filter(planner -> planner.getKey().isAlive())
        .map(planner -> planner.getValue().get() - since.getOrDefault(planner.getKey(), 0L));
  }

  /** A planner reads its clock once, at the start of a round. */
  long nanoTime() {
    Thread reader = Thread.currentThread();
    if (reader.getName().equals("HyCachePlanner")) {
      rounds.computeIfAbsent(reader, none -> new AtomicLong()).incrementAndGet();
    }
    return nanos.get();
  }

  /**
   * Returns when nothing moves and some rounds have found nothing more to do. The clock stands
   * still while something moves: a mover thread that waits for a core is no slow device.
   */
  void quiet() throws Exception {
    int calm = 0;
    int passed = 0;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_WAIT_SECONDS);
    int moves = -1;
    boolean still = movesQueued() == 0;
    while (calm < 3 || passed < 4) {
      if (System.nanoTime() > deadline) {
        fail("never came to rest: moves=" + node.moves());
      }
      boolean passes = still;
      if (passes) {
        advance(Duration.ofMillis(600));
        passed++;
      }
      round();
      int begun = node.moves().size() + (int) count(Counter.OBSERVED_DECISIONS);
      still = movesQueued() == 0;
      calm = passes && still && begun == moves ? calm + 1 : 0;
      moves = begun;
    }
    engine.settle();
  }

  private long movesQueued() throws Exception {
    Observation observation = engine.observation();
    return status().movesQueued()
        + (observation == null ? 0 : observation.model().status(false).movesQueued());
  }

  static void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_WAIT_SECONDS);
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        fail("not within " + MAX_WAIT_SECONDS + " s: " + what);
      }
      LockSupport.parkNanos(200_000);
    }
  }

  void awaitMove(String move) throws Exception {
    await(move, () -> node.moves().contains(move));
  }

  @Override
  public void close() throws Exception {
    quiet();
    engine.close();
  }
}
