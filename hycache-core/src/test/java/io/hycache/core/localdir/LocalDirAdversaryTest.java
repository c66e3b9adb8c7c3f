// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static io.hycache.core.localdir.AttackRig.MALLORY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.localdir.LocalDirStatus.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A user of a tree swaps directories and files for links as fast as the kernel allows, with
 * renameat2(2), while root moves files, sweeps and lists. Nothing outside the tree, and nothing of
 * another user, may be touched. The user's threads have that user's rights only.
 *
 * <p>{@code -Dhycache.localdir.adversary.operations} sets the number of operations, {@code
 * -Dhycache.localdir.adversary.minutes} the duration in each of the settings instead, and {@code
 * -Dhycache.localdir.adversary.seed} the seed.
 */
class LocalDirAdversaryTest {
  private static final int OPERATIONS =
      Integer.getInteger("hycache.localdir.adversary.operations", 1_500);
  private static final long MINUTES = Long.getLong("hycache.localdir.adversary.minutes", 0);
  private static final long SEED = Long.getLong("hycache.localdir.adversary.seed", 23);

  /** Paths that root works on; d, f and y each alternate between two things. */
  private static final List<String> PATHS =
      List.of("m/d/x", "m/d/e/x", "m/f", "m/y", "m/x", "m/z", "m/d/x", "m/d/e/x");

  private static final int MOVES_A_SWEEP = 25;

  /** Exchanges two names continuously. */
  private static final class Flipper extends Thread {
    private final LinuxCalls calls;
    private final List<Path[]> pairs;
    private final AtomicBoolean stop;
    private final LongAdder flips = new LongAdder();
    private final LongAdder refusals = new LongAdder();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    Flipper(LinuxCalls calls, List<Path[]> pairs, AtomicBoolean stop) {
      super("flipper");
      this.calls = calls;
      this.pairs = pairs;
      this.stop = stop;
    }

    @Override
    public void run() {
      try {
        ActingAs.become(MALLORY);
        while (!stop.get()) {
          for (Path[] pair : pairs) {
            flip(pair);
          }
        }
      } catch (Throwable e) {
        failure.set(e);
      }
    }

    private void flip(Path[] pair) {
      try {
        calls.exchange(pair[0], pair[1]);
        flips.increment();
      } catch (IOException e) {
        // No right to change it, or one of the names is missing.
        refusals.increment();
      }
    }
  }

  /** Recreates files that were moved down, so that there is always something to move. */
  private static final class Writer extends Thread {
    private final Path ssd;
    private final List<Path> homes;
    private final AtomicBoolean stop;
    private final LongAdder planted = new LongAdder();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Random random = new Random(SEED);

    Writer(Path ssd, List<Path> homes, AtomicBoolean stop) {
      super("writer");
      this.ssd = ssd;
      this.homes = homes;
      this.stop = stop;
    }

    @Override
    public void run() {
      try {
        ActingAs.become(MALLORY);
        for (int i = 0; !stop.get(); i++) {
          for (String path : PATHS) {
            write(ssd.resolve(path));
          }
          plant(homes.get(i % homes.size()));
        }
      } catch (Throwable e) {
        failure.set(e);
      }
    }

    /** Replaces links to an HDD by plain files sooner or later. */
    private void write(Path file) {
      try {
        if (Files.isSymbolicLink(file) && random.nextInt(3) == 0) {
          Files.delete(file);
        }
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
          Files.write(file, new byte[AttackRig.BYTES]);
        }
      } catch (IOException e) {
        // Missing, or not the user's, at this instant.
      }
    }

    /** Plants a link in each directory on the HDD where the user may. */
    private void plant(Path home) {
      for (String directory : List.of("m", "m/d", "m/d/e")) {
        Path link = home.resolve(directory).resolve("evil");
        try {
          Files.createSymbolicLink(link, ssd.resolveSibling("outside"));
          planted.increment();
        } catch (IOException e) {
          // Denied, as expected.
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  @Timeout(3600)
  void anyOperation_whileAUserChangesNames_touchesNothingElse(
      boolean openat2, boolean madeByEarlierVersion) throws Exception {
    ActingAs.assumeRoot();
    try (AttackRig users = new AttackRig()) {
      LinuxCalls calls = Objects.requireNonNull(LinuxCalls.load(!openat2), "JNA is missing");
      users.rig.ports.calls = calls;
      users.rig.ports.nanos = System::nanoTime;
      users.rig.ports.park = nanos -> {};
      LocalDirConfig config =
          users.rig.config().high(1).low(1).sweepGrace(java.time.Duration.ofMillis(20)).build();
      try (LocalDirTier tier = LocalDirTier.open(config, users.rig.ports)) {
        tier.startStreams();
        attack(users, tier, calls, madeByEarlierVersion);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(3600)
  void down_whileHisDirectoryOnTheHddChangesPlacesWithALink_givesHimNothing(
      boolean madeByEarlierVersion) throws Exception {
    ActingAs.assumeRoot();
    try (AttackRig users = new AttackRig()) {
      LinuxCalls calls = Objects.requireNonNull(LinuxCalls.load(), "JNA is missing");
      users.rig.ports.park = nanos -> {};
      try (LocalDirTier tier = LocalDirTier.open(users.rig.config().build(), users.rig.ports)) {
        assertTrue(tier.tree().bringDown(Path.of("m", "d", "e", "x")));
        List<Path[]> pairs = new ArrayList<>();
        for (Path home : tier.hddHomes()) {
          pairs.add(hisOnHdd(home, users.outside, madeByEarlierVersion));
        }
        AtomicBoolean stop = new AtomicBoolean();
        Flipper flipper = new Flipper(calls, pairs, stop);
        Canaries canaries = new Canaries(users.outside);
        flipper.start();
        try {
          for (int i = 0; i < OPERATIONS / 3; i++) {
            // A file whose owner just changed does not move for one tick, where the clock is
            // coarse.
            Path file = AttackRig.file(users.mallorys.resolve("d/e/" + i), MALLORY);
            tier.tree().bringDown(file);
            Files.delete(file);
          }
        } finally {
          stop.set(true);
          flipper.join();
        }
        canaries.check("names on the HDD changed places");
        assertNull(flipper.failure.get());
        assertEquals(madeByEarlierVersion, flipper.flips.sum() > 0, "flips=" + flipper.flips);
      }
    }
  }

  /** A directory on an HDD and a link that leads outside; created by root where the user can't. */
  private static Path[] hisOnHdd(Path home, Path outside, boolean madeByEarlierVersion)
      throws IOException {
    Path his = home.resolve("m");
    if (madeByEarlierVersion) {
      AttackRig.directory(his.resolve("d/e"), MALLORY);
      for (String name : new String[] {"", "d", "d/e"}) {
        AttackRig.give(his.resolve(name), MALLORY);
      }
      AttackRig.link(his.resolve("l"), outside.resolve("d"), MALLORY);
      AttackRig.link(his.resolve("secret"), outside.resolve("secret"), MALLORY);
    }
    return pair(his.resolve("d"), his.resolve("l"));
  }

  private static void attack(
      AttackRig users, LocalDirTier tier, LinuxCalls calls, boolean madeByEarlierVersion)
      throws Exception {
    Path m = users.mallorys;
    Path outside = users.outside;
    AttackRig.file(outside.resolve("d/e/x"), 0);
    AttackRig.file(m.resolve("f"), MALLORY);
    users.rig.awaitTick();
    assertTrue(tier.tree().bringDown(Path.of("a", "x")));
    Path alices = Files.readSymbolicLink(users.alices.resolve("x"));
    assertTrue(tier.tree().bringDown(Path.of("m", "d", "e", "x")));
    assertTrue(tier.tree().bringUp(Path.of("m", "d", "e", "x")));

    List<Path[]> pairs = new ArrayList<>();
    pairs.add(pair(m.resolve("d"), AttackRig.link(m.resolve("l"), outside.resolve("d"), MALLORY)));
    pairs.add(
        pair(m.resolve("d/e"), AttackRig.link(m.resolve("k"), outside.resolve("d/e"), MALLORY)));
    pairs.add(
        pair(m.resolve("f"), AttackRig.link(m.resolve("g"), outside.resolve("secret"), MALLORY)));
    List<Path> homes = tier.hddHomes();
    for (Path home : homes) {
      pairs.add(hisOnHdd(home, outside, madeByEarlierVersion));
    }
    AttackRig.link(m.resolve("y"), homes.get(0).resolve("m/evil/secret"), MALLORY);
    AttackRig.link(m.resolve("z"), homes.get(0).resolve("m/l/x"), MALLORY);
    AttackRig.link(m.resolve("w"), alices, MALLORY);
    pairs.add(pair(m.resolve("y"), m.resolve("w")));

    Canaries canaries = new Canaries(outside, users.alices, alices);
    run(users, tier, calls, pairs, homes, canaries, madeByEarlierVersion);
  }

  private static Path[] pair(Path a, Path b) {
    return new Path[] {a, b};
  }

  private static void run(
      AttackRig users,
      LocalDirTier tier,
      LinuxCalls calls,
      List<Path[]> pairs,
      List<Path> homes,
      Canaries canaries,
      boolean madeByEarlierVersion)
      throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    Flipper flipper = new Flipper(calls, pairs, stop);
    Writer writer = new Writer(users.ssd, homes, stop);
    flipper.start();
    writer.start();
    Random random = new Random(SEED);
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
    long operations = 0;
    long failures = 0;
    try {
      while (operations < OPERATIONS || (MINUTES > 0 && System.nanoTime() - end < 0)) {
        try {
          operation(tier, random, operations);
        } catch (IOException e) {
          // The path does not exist at this instant; only what was touched counts.
          failures++;
        }
        operations++;
        if (operations % 500 == 0) {
          canaries.check("operations=" + operations + " seed=" + SEED);
        }
      }
    } finally {
      stop.set(true);
      flipper.join();
      writer.join();
    }
    canaries.check("at the end, seed=" + SEED);
    assertNull(flipper.failure.get());
    assertNull(writer.failure.get());
    LocalDirStatus status = tier.status();
    System.out.println(
        "LocalDirAdversaryTest: operations="
            + operations
            + " failures="
            + failures
            + " flips="
            + flipper.flips
            + " refused="
            + flipper.refusals
            + " planted="
            + writer.planted
            + " movedDown="
            + status.figure(Figure.MOVED_DOWN_FILES)
            + " promoted="
            + status.figure(Figure.PROMOTED_FILES)
            + " rehomed="
            + status.figure(Figure.REHOMED_FILES)
            + " cancelled="
            + status.figure(Figure.MOVES_CANCELLED)
            + " swept="
            + status.figure(Figure.SWEPT_FILES)
            + " kept="
            + status.figure(Figure.KEPT_FILES)
            + " madeByEarlierVersion="
            + madeByEarlierVersion);
    assertTrue(flipper.flips.sum() > operations / 10, "too few exchanges by the attacker");
    assertTrue(status.figure(Figure.MOVED_DOWN_FILES) > 0, "nothing moved");
    assertTrue(
        madeByEarlierVersion || writer.planted.sum() == 0, "the attacker created names on an HDD");
    // Alice's files are unchanged and still move.
    assertTrue(tier.tree().bringUp(Path.of("a", "x")));
  }

  private static void operation(LocalDirTier tier, Random random, long number)
      throws IOException, InterruptedException {
    if (number % MOVES_A_SWEEP == 0) {
      tier.sweepNow();
      tier.planner().round();
      tier.tree().downFiles();
      return;
    }
    Path path = Path.of(PATHS.get(random.nextInt(PATHS.size())));
    switch (random.nextInt(4)) {
      case 0:
        tier.tree().bringUp(path);
        return;
      case 1:
        tier.rehome(path);
        return;
      default:
        tier.tree().bringDown(path);
    }
  }
}
