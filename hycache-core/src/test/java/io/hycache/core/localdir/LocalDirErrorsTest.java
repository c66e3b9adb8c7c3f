// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An {@code Error} in a thread of a tree is counted and survived, or stops the thread visibly. */
class LocalDirErrorsTest {
  private static final int SIZE = 1000;
  private LocalDirRig rig;

  @BeforeEach
  void setUp() throws IOException {
    rig = new LocalDirRig();
    for (int i = 0; i < 10; i++) {
      Files.write(rig.ssd.resolve("f" + i), LocalDirRig.bytes(SIZE, i));
    }
  }

  @AfterEach
  void tearDown() throws IOException {
    rig.close();
  }

  private LocalDirTier open() throws IOException {
    return LocalDirTier.open(
        rig.config().capacityBytes(10L * SIZE).high(0.7).low(0.5).build(), rig.ports);
  }

  private static boolean on(String thread) {
    return Thread.currentThread().getName().startsWith(thread);
  }

  private static void await(String what, LocalDirTier tier, BooleanSupplier condition)
      throws InterruptedException {
    long end = System.currentTimeMillis() + 20_000;
    while (!condition.getAsBoolean()) {
      assertTrue(System.currentTimeMillis() < end, what + " never happened: " + tier.status());
      Thread.sleep(20);
    }
  }

  private static Object figure(LocalDirTier tier, String key) {
    return tier.status().toMap().getOrDefault(key, -1L);
  }

  @Test
  void planner_anErrorInARound_goesOn() throws Exception {
    AtomicInteger errors = new AtomicInteger(2);
    rig.ports.nanos =
        () -> {
          if (on("HyCacheLocalDirPlanner") && errors.getAndDecrement() > 0) {
            throw new OutOfMemoryError("injected");
          }
          return rig.nanos.get();
        };
    try (LocalDirTier tier = open()) {
      tier.start();
      await("files go down", tier, () -> tier.status().downFiles() >= 5);
      assertEquals(2L, figure(tier, "errors"));
      assertEquals("running", tier.status().state());
    }
  }

  @Test
  void mover_anErrorInAMove_theFileStaysAndTheOthersGo() throws Exception {
    AtomicInteger errors = new AtomicInteger(1);
    rig.ports.moves =
        (state, path) -> {
          if (state == FileMoveState.COPIED && errors.getAndDecrement() > 0) {
            throw new OutOfMemoryError("injected");
          }
        };
    try (LocalDirTier tier = open()) {
      tier.start();
      await("files go down", tier, () -> tier.status().downFiles() >= 5);
      await("no move is under way", tier, () -> figure(tier, "waitingFiles").equals(0L));
      assertEquals(1L, figure(tier, "movesFailed"));
      assertEquals(List.of(), rig.staged());
      for (Path hdd : List.of(rig.hdd0, rig.hdd1)) {
        String[] half = LocalDirRig.home(tier, hdd).resolve(".staging").toFile().list();
        assertEquals(0, half == null ? -1 : half.length, "half copies on " + hdd);
      }
    }
  }

  /** As when there is no memory left for the text either. */
  @Test
  void mover_anErrorThatCanNotBeLogged_theFilesMoveLater() throws Exception {
    AtomicBoolean sick = new AtomicBoolean(true);
    rig.ports.moves =
        (state, path) -> {
          if (state == FileMoveState.COPIED && sick.get()) {
            throw new Error("injected") {
              private static final long serialVersionUID = 1L;

              @Override
              public String getMessage() {
                throw new OutOfMemoryError("injected");
              }
            };
          }
        };
    rig.awaitTick();
    try (LocalDirTier tier = open()) {
      List<Runnable> moves = new ArrayList<>();
      LocalDirPlanner planner = tier.plannerWith((hdd, move) -> moves.add(move));
      planner.round();
      assertEquals(5, moves.size());
      assertThrows(OutOfMemoryError.class, () -> moves.remove(0).run());
      moves.forEach(Runnable::run); // the next failures are counted, and not logged
      moves.clear();
      sick.set(false);
      planner.round();
      assertEquals(5, moves.size(), "the other files: none of the first still counts as moving");
      moves.forEach(Runnable::run);
      planner.round();
      assertEquals(0, planner.gauges().get(LocalDirStatus.Figure.WAITING_FILES));
      assertEquals(5, planner.gauges().get(LocalDirStatus.Figure.DOWN_FILES));
    }
  }

  /** The queue needs memory for each event. */
  @Test
  void mover_noMemoryToReportTheEndOfAMove_isReportedLater() throws Exception {
    AtomicInteger errors = new AtomicInteger();
    Queue<Runnable> events =
        new ConcurrentLinkedQueue<>() {
          private static final long serialVersionUID = 1L;

          @Override
          public boolean add(Runnable event) {
            if (errors.getAndDecrement() > 0) {
              throw new OutOfMemoryError("injected");
            }
            return super.add(event);
          }
        };
    rig.awaitTick();
    try (LocalDirTier tier = open()) {
      List<Runnable> moves = new ArrayList<>();
      LocalDirPlanner planner = tier.plannerWith((hdd, move) -> moves.add(move), events);
      planner.round();
      assertEquals(5, moves.size());
      errors.set(2);
      moves.forEach(Runnable::run);
      planner.round();
      assertEquals(0, planner.gauges().get(LocalDirStatus.Figure.WAITING_FILES));
      assertEquals(5, planner.gauges().get(LocalDirStatus.Figure.DOWN_FILES));
    }
  }

  @Test
  void sweeper_anErrorInAnInventory_goesOn() throws Exception {
    AtomicInteger errors = new AtomicInteger(1);
    rig.ports.inventories =
        directory -> {
          if (on("HyCacheLocalDirSweeper") && errors.getAndDecrement() > 0) {
            throw new OutOfMemoryError("injected");
          }
        };
    try (LocalDirTier tier = open()) {
      tier.start();
      await("the error", tier, () -> errors.get() <= 0);
      tier.sweepSoon();
      await("an inventory", tier, () -> !figure(tier, "inventories").equals(0L));
      assertEquals(1L, figure(tier, "errors"));
    }
  }

  @Test
  void planner_errorsWithoutEnd_givesUpAndReportsIt() throws Exception {
    AtomicInteger rests = new AtomicInteger();
    rig.ports.rest = nanos -> rests.incrementAndGet();
    rig.ports.nanos =
        () -> {
          if (on("HyCacheLocalDirPlanner")) {
            throw new OutOfMemoryError("injected");
          }
          return rig.nanos.get();
        };
    LocalDirConfig config = rig.config().period(Duration.ofMillis(1)).build();
    try (LocalDirTier tier = LocalDirTier.open(config, rig.ports)) {
      tier.start();
      await("giving up", tier, () -> tier.status().state().startsWith("stopped: the planner met"));
      assertEquals((long) Setbacks.MAX_CONSECUTIVE_ERRORS, figure(tier, "errors"));
      assertEquals(Setbacks.MAX_CONSECUTIVE_ERRORS - 1, rests.get());
      String[] files = rig.ssd.toFile().list((dir, name) -> name.startsWith("f"));
      assertEquals(10, files == null ? -1 : files.length);
    }
  }

  @Test
  void sweeper_failsEachTime_isReportedWhileThePlannerIsWell() throws Exception {
    AtomicInteger rounds = new AtomicInteger();
    AtomicBoolean sick = new AtomicBoolean(true);
    rig.ports.nanos =
        () -> {
          if (on("HyCacheLocalDirPlanner")) {
            rounds.incrementAndGet();
          }
          return rig.nanos.get();
        };
    rig.ports.inventories =
        directory -> {
          if (on("HyCacheLocalDirSweeper") && sick.get()) {
            throw new IllegalStateException("injected");
          }
        };
    LocalDirConfig config = rig.config().period(Duration.ofMillis(1)).build();
    try (LocalDirTier tier = LocalDirTier.open(config, rig.ports)) {
      tier.start();
      await("the failure", tier, () -> !figure(tier, "inventoriesIncomplete").equals(0L));
      String failed = "failed: the sweeper met java.lang.IllegalStateException: injected";
      await("its report", tier, () -> tier.status().state().equals(failed));
      int before = rounds.get();
      await("a round of the planner", tier, () -> rounds.get() > before + 20);
      assertEquals(failed, tier.status().state());
      sick.set(false);
      tier.sweepSoon();
      await("a good sweep", tier, () -> tier.status().state().equals("running"));
    }
    assertEquals("closed", LocalDirStatus.read(rig.ssd).state());
  }

  @Test
  void planner_hangsInARound_isReportedUntilTheRoundEnds() throws Exception {
    CountDownLatch mended = new CountDownLatch(1);
    AtomicBoolean hangs = new AtomicBoolean();
    AtomicInteger hanging = new AtomicInteger();
    rig.ports.nanos =
        () -> {
          if (on("HyCacheLocalDirPlanner") && hangs.get()) {
            hanging.incrementAndGet();
            Uninterruptibles.awaitUninterruptibly(mended);
          }
          return rig.nanos.get();
        };
    LocalDirConfig config = rig.config().period(Duration.ofMillis(1)).build();
    try (LocalDirTier tier = LocalDirTier.open(config, rig.ports)) {
      tier.start();
      hangs.set(true);
      await("a device that hangs", tier, () -> hanging.get() > 0);
      rig.nanos.addAndGet(TimeUnit.SECONDS.toNanos(30));
      assertEquals("running", tier.status().state());
      rig.nanos.addAndGet(TimeUnit.SECONDS.toNanos(7));
      assertEquals(
          "late: the last round of the planner ended 37 s ago; a device may hang",
          tier.status().state());
      hangs.set(false);
      mended.countDown();
      await("a round", tier, () -> tier.status().state().equals("running"));
    } finally {
      mended.countDown();
    }
  }

  @Test
  void rehome_anHddThatHangs_gathersNoMoreThanItsBound() throws Exception {
    try (LocalDirTier tier = rig.open()) {
      TieredTree tree = tier.tree();
      for (int i = 0; i < 2 * LocalDirPlanner.MAX_CONCURRENT_REHOMES; i++) {
        Path file = rig.ssd.resolve("g" + i);
        Files.write(file, LocalDirRig.bytes(1, i));
        assertTrue(tree.bringDown(file));
        Files.move(file, rig.ssd.resolve("h" + i));
      }
      List<Runnable> stuck = new ArrayList<>();
      LocalDirPlanner planner = tier.plannerWith((hdd, move) -> stuck.add(move));
      for (int round = 0; round < 5; round++) {
        List<Path> strays = new ArrayList<>();
        for (int i = 0; i < 2 * LocalDirPlanner.MAX_CONCURRENT_REHOMES; i++) {
          strays.add(rig.ssd.resolve("h" + i));
        }
        planner.found(strays);
        planner.round();
      }
      assertEquals(LocalDirPlanner.MAX_CONCURRENT_REHOMES, stuck.size());
      stuck.forEach(Runnable::run);
      planner.round();
      assertEquals(2 * LocalDirPlanner.MAX_CONCURRENT_REHOMES, stuck.size());
    }
  }

  @Test
  void orphans_ofANeighbour_areNotTakenForLeftovers() throws Exception {
    Path other = Files.createDirectory(rig.base.resolve("other"));
    LocalDirConfig otherConfig = LocalDirConfig.builder(other).hdd(rig.hdd0).build();
    try (LocalDirTier neighbour = LocalDirTier.open(otherConfig);
        LocalDirTier tier =
            LocalDirTier.open(
                rig.config().neighbours(List.of(rig.ssd, other)).build(), rig.ports)) {
      Path home = neighbour.hddHomes().get(0);
      assertEquals(List.of(), tier.otherTrees());
      Path gone = Files.createDirectory(rig.hdd0.resolve("hycache-" + "0".repeat(32)));
      assertEquals(List.of(gone), tier.otherTrees());
      // Its SSD is not mounted: any of them may be its.
      Files.move(other.resolve(".hycache"), rig.base.resolve("away"));
      assertEquals(List.of(), tier.otherTrees());
      assertTrue(Files.isDirectory(home));
      Files.move(rig.base.resolve("away"), other.resolve(".hycache"));
    }
  }

  @Test
  void orphans_ofOtherTreesAndKeptFiles_areSeen() throws Exception {
    Path other = rig.hdd0.resolve("hycache-" + "0".repeat(32));
    Files.createDirectory(other);
    Files.createDirectory(rig.hdd0.resolve("hycache-notes"));
    try (LocalDirTier tier = open()) {
      assertEquals(List.of(other), tier.otherTrees());
      Files.write(rig.ssd.resolve(".hycache/kept/file"), new byte[1]);
      assertEquals(1L, figure(tier, "keptFiles"));
    }
    assertTrue(Files.isDirectory(other), "its SSD may be attached to another machine");
  }
}
