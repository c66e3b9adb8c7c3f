// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Simulates a crash in each state of a move, combined with changes of the file by other processes
 * before the restart. Afterwards the tree matches a plain directory, and a sweep leaves nothing
 * behind.
 */
class LocalDirCrashTest {
  private static final Path FILE = Path.of("d", "x");
  private static final Path MOVED = Path.of("e", "x");
  private static final int HALTED = 77;

  /** The end of a process, as far as the disks are concerned. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1;

    Crash(String where) {
      super(where);
    }
  }

  /** A job's change of the file between crash and restart. */
  private enum Aftermath {
    NOTHING,
    APPEND,
    REPLACE,
    REMOVE,
    RENAME,
    LINK;

    void apply(Path root, Path file) throws IOException {
      Path at = root.resolve(file);
      switch (this) {
        case NOTHING:
          return;
        case APPEND:
          Files.write(at, LocalDirRig.bytes(99, 2), StandardOpenOption.APPEND);
          return;
        case REPLACE:
          Path other = at.resolveSibling("other");
          Files.write(other, LocalDirRig.bytes(1234, 3));
          Files.move(other, at, StandardCopyOption.ATOMIC_MOVE);
          return;
        case REMOVE:
          Files.delete(at);
          return;
        case RENAME:
          Files.move(at, at.resolveSibling("y"), StandardCopyOption.ATOMIC_MOVE);
          return;
        case LINK:
          Files.createLink(at.resolveSibling("z"), at);
          return;
      }
    }
  }

  /**
   * Creates the file in both trees. For a move up it is moved down first, for a rehome it is
   * renamed as well.
   */
  private static Path prepare(LocalDirRig rig, LocalDirTier tier, MoveRecord.Kind kind)
      throws Exception {
    for (Path root : List.of(rig.ssd, rig.plain)) {
      Files.createDirectory(root.resolve("d"));
      Files.write(root.resolve(FILE), LocalDirRig.bytes(3000, 1));
      Files.write(root.resolve("d/neighbour"), LocalDirRig.bytes(300, 4));
    }
    rig.awaitTick();
    assertTrue(tier.tree().bringDown(Path.of("d", "neighbour")));
    if (kind == MoveRecord.Kind.DOWN) {
      return FILE;
    }
    assertTrue(tier.tree().bringDown(FILE));
    if (kind == MoveRecord.Kind.UP) {
      return FILE;
    }
    for (Path root : List.of(rig.ssd, rig.plain)) {
      Files.move(root.resolve("d"), root.resolve("e"), StandardCopyOption.ATOMIC_MOVE);
    }
    return MOVED;
  }

  private static void move(LocalDirTier tier, MoveRecord.Kind kind, Path file) throws Exception {
    switch (kind) {
      case DOWN:
        tier.tree().bringDown(file);
        return;
      case UP:
        tier.tree().bringUp(file);
        return;
      case REHOME:
        tier.rehome(file);
        return;
    }
  }

  /**
   * Asserts that the tree is correct now, after a sweep, and after moving everything up and down.
   */
  private static void check(LocalDirRig rig) throws Exception {
    rig.ports.moves = FileMoveState.Hook.NONE;
    rig.ports.exchange = null;
    Map<String, String> expected = LocalDirRig.picture(rig.plain);
    assertEquals(expected, LocalDirRig.picture(rig.ssd), "before the restart");
    try (LocalDirTier tier = rig.open()) {
      assertEquals(expected, LocalDirRig.picture(rig.ssd), "after the restart");
      assertEquals(List.of(), rig.staged());
      rig.sweepAll(tier);
      assertEquals(expected, LocalDirRig.picture(rig.ssd), "after the sweep");
      assertEquals(rig.linked(), rig.onHdds());
      for (Path down : tier.tree().downFiles()) {
        var unused = tier.tree().bringUp(down);
      }
      rig.sweepAll(tier);
      assertEquals(expected, LocalDirRig.picture(rig.ssd), "after all went up");
      assertEquals(rig.linked(), rig.onHdds());
    }
  }

  private static void crash(MoveRecord.Kind kind, Aftermath aftermath, FileMoveState at)
      throws Exception {
    try (LocalDirRig rig = new LocalDirRig()) {
      boolean[] armed = new boolean[1];
      rig.ports.moves =
          (state, path) -> {
            if (armed[0] && state == at) {
              throw new Crash(state.toString());
            }
          };
      Path file;
      try (LocalDirTier tier = rig.open()) {
        file = prepare(rig, tier, kind);
        armed[0] = true;
        assertThrows(Crash.class, () -> move(tier, kind, file));
      }
      aftermath.apply(rig.ssd, file);
      aftermath.apply(rig.plain, file);
      check(rig);
    }
  }

  private static boolean passes(MoveRecord.Kind kind, FileMoveState state) {
    boolean copies = state != FileMoveState.COPIED && state != FileMoveState.SYNCED;
    return state != FileMoveState.ROLLED_BACK && (copies || kind != MoveRecord.Kind.REHOME);
  }

  @TestFactory
  List<DynamicTest> crash_inEachState_treeAsBeforeAndNoOrphan() {
    List<DynamicTest> tests = new ArrayList<>();
    for (MoveRecord.Kind kind : MoveRecord.Kind.values()) {
      for (FileMoveState state : FileMoveState.values()) {
        for (Aftermath aftermath : Aftermath.values()) {
          if (passes(kind, state)) {
            tests.add(
                DynamicTest.dynamicTest(
                    kind + " " + state + " " + aftermath, () -> crash(kind, aftermath, state)));
          }
        }
      }
    }
    return tests;
  }

  @TestFactory
  List<DynamicTest> crash_betweenTheStepsOfAnExchange_treeAsBeforeAndNoOrphan() {
    List<DynamicTest> tests = new ArrayList<>();
    for (MoveRecord.Kind kind : MoveRecord.Kind.values()) {
      for (int step = 1; step <= 2; step++) {
        for (Aftermath aftermath : Aftermath.values()) {
          int at = step;
          tests.add(
              DynamicTest.dynamicTest(
                  kind + " step " + step + " " + aftermath,
                  () -> crashInTwoSteps(kind, aftermath, at)));
        }
      }
    }
    return tests;
  }

  private static void crashInTwoSteps(MoveRecord.Kind kind, Aftermath aftermath, int at)
      throws Exception {
    try (LocalDirRig rig = new LocalDirRig()) {
      boolean[] armed = new boolean[1];
      rig.ports.exchange =
          new FileExchange.TwoSteps() {
            @Override
            void between(int step) {
              if (armed[0] && step == at) {
                throw new Crash("step " + step);
              }
            }
          };
      Path file;
      try (LocalDirTier tier = rig.open()) {
        file = prepare(rig, tier, kind);
        armed[0] = true;
        assertThrows(Crash.class, () -> move(tier, kind, file));
      }
      aftermath.apply(rig.ssd, file);
      aftermath.apply(rig.plain, file);
      check(rig);
    }
  }

  /** A failing device, or lack of memory, in an exchange and also while it is undone. */
  @TestFactory
  List<DynamicTest> failure_betweenTheStepsOfAnExchange_losesNothing() {
    List<DynamicTest> tests = new ArrayList<>();
    for (MoveRecord.Kind kind : MoveRecord.Kind.values()) {
      for (List<Integer> steps : List.of(List.of(1), List.of(2), List.of(2, 3))) {
        for (boolean noMemory : List.of(false, true)) {
          tests.add(
              DynamicTest.dynamicTest(
                  kind + " steps " + steps + (noMemory ? " out of memory" : ""),
                  () -> failInTwoSteps(kind, steps, noMemory)));
        }
      }
    }
    return tests;
  }

  /** An exchange that fails at some of its steps once it is armed. */
  private static FileExchange failing(boolean[] armed, List<Integer> steps, boolean noMemory) {
    return new FileExchange.TwoSteps() {
      @Override
      void between(int step) throws IOException {
        if (!armed[0] || !steps.contains(step)) {
          return;
        }
        if (noMemory) {
          throw new OutOfMemoryError("injected at step " + step);
        }
        throw new IOException("sick at step " + step);
      }
    };
  }

  private static void failInTwoSteps(MoveRecord.Kind kind, List<Integer> steps, boolean noMemory)
      throws Exception {
    try (LocalDirRig rig = new LocalDirRig()) {
      boolean[] armed = new boolean[1];
      rig.ports.exchange = failing(armed, steps, noMemory);
      try (LocalDirTier tier = rig.open()) {
        Path file = prepare(rig, tier, kind);
        Map<String, String> expected = LocalDirRig.picture(rig.plain);
        armed[0] = true;
        Class<? extends Throwable> failure = noMemory ? OutOfMemoryError.class : IOException.class;
        assertThrows(failure, () -> move(tier, kind, file));
        assertEquals(expected, LocalDirRig.picture(rig.ssd));
        if (!steps.contains(3)) {
          assertEquals(List.of(), rig.staged());
          assertEquals(rig.linked(), rig.onHdds());
        }
      }
      check(rig);
    }
  }

  /** A process that has the original open writes to it, and its directory is renamed. */
  @Test
  void originalWritten_afterAnExchangeThatWasHalfUndone_isKept() throws Exception {
    try (LocalDirRig rig = new LocalDirRig()) {
      boolean[] armed = new boolean[1];
      rig.ports.exchange = failing(armed, List.of(2, 3), false);
      try (LocalDirTier tier = rig.open()) {
        Path file = prepare(rig, tier, MoveRecord.Kind.DOWN);
        armed[0] = true;
        assertThrows(IOException.class, () -> move(tier, MoveRecord.Kind.DOWN, file));
      }
      rig.ports.exchange = null;
      String saved =
          rig.staged().stream()
              .filter(name -> name.endsWith(FileExchange.SAVED))
              .findFirst()
              .orElseThrow();
      byte[] written = LocalDirRig.bytes(99, 2);
      Files.write(
          rig.ssd.resolve(".hycache/staging").resolve(saved), written, StandardOpenOption.APPEND);
      for (Path root : List.of(rig.ssd, rig.plain)) {
        Files.move(root.resolve("d"), root.resolve("e"), StandardCopyOption.ATOMIC_MOVE);
      }
      try (LocalDirTier tier = rig.open()) {
        assertEquals(List.of("x"), rig.staged());
        byte[] kept = Files.readAllBytes(tier.tree().root().resolve(".hycache/kept/x"));
        assertEquals(3000 + 99, kept.length);
        assertArrayEquals(written, Arrays.copyOfRange(kept, 3000, kept.length));
        assertEquals(LocalDirRig.picture(rig.plain), LocalDirRig.picture(rig.ssd));
      }
    }
  }

  /** A process that opened the file before the exchange writes after the restart. */
  @TestFactory
  List<DynamicTest> crash_whileTheFileIsOpenForWriting_itsWritesAreInTheTree() {
    List<DynamicTest> tests = new ArrayList<>();
    for (MoveRecord.Kind kind : List.of(MoveRecord.Kind.DOWN, MoveRecord.Kind.UP)) {
      for (boolean leases : List.of(true, false)) {
        tests.add(
            DynamicTest.dynamicTest(
                kind + (leases ? " with leases" : " without leases"),
                () -> crashWithAWriter(kind, leases)));
      }
    }
    return tests;
  }

  private static void crashWithAWriter(MoveRecord.Kind kind, boolean leases) throws Exception {
    try (LocalDirRig rig = new LocalDirRig()) {
      LinuxCalls calls = rig.ports.calls;
      rig.ports.calls = null;
      List<FileChannel> writer = new ArrayList<>();
      boolean[] armed = new boolean[1];
      rig.ports.moves =
          (state, path) -> {
            if (armed[0] && state == FileMoveState.CHECKED) {
              writer.add(FileChannel.open(path, StandardOpenOption.WRITE));
            } else if (armed[0] && state == FileMoveState.EXCHANGED) {
              throw new Crash(state.toString());
            }
          };
      try (LocalDirTier tier = rig.open()) {
        Path file = prepare(rig, tier, kind);
        armed[0] = true;
        assertThrows(Crash.class, () -> move(tier, kind, file));
      }
      rig.ports.moves = FileMoveState.Hook.NONE;
      rig.ports.calls = leases ? calls : null;
      byte[] written = LocalDirRig.bytes(9, 2);
      try (LocalDirTier tier = rig.open();
          FileChannel channel = writer.get(0)) {
        assertEquals(9, channel.write(ByteBuffer.wrap(written), 3000));
        assertEquals(3009, Files.size(rig.ssd.resolve(FILE)));
        assertEquals(kind == MoveRecord.Kind.UP, tier.tree().isDown(FILE));
        assertEquals(List.of(), rig.staged());
      }
      Files.write(rig.plain.resolve(FILE), written, StandardOpenOption.APPEND);
      check(rig);
    }
  }

  /** Another process replaces the file right before an exchange fails. */
  @TestFactory
  List<DynamicTest> failureOfAnExchange_afterTheFileWasReplaced_keepsTheNewFile() {
    List<DynamicTest> tests = new ArrayList<>();
    for (MoveRecord.Kind kind : MoveRecord.Kind.values()) {
      tests.add(DynamicTest.dynamicTest(kind.toString(), () -> failReplaced(kind)));
    }
    return tests;
  }

  private static void failReplaced(MoveRecord.Kind kind) throws Exception {
    try (LocalDirRig rig = new LocalDirRig()) {
      Path replaced = kind == MoveRecord.Kind.REHOME ? MOVED : FILE;
      boolean[] armed = new boolean[1];
      rig.ports.exchange =
          new FileExchange.TwoSteps() {
            @Override
            void between(int step) throws IOException {
              if (armed[0] && step == 2) {
                armed[0] = false;
                Aftermath.REPLACE.apply(rig.ssd, replaced);
                throw new IOException("sick at step " + step);
              }
            }
          };
      try (LocalDirTier tier = rig.open()) {
        Path file = prepare(rig, tier, kind);
        armed[0] = true;
        assertThrows(IOException.class, () -> move(tier, kind, file));
      }
      Aftermath.REPLACE.apply(rig.plain, replaced);
      check(rig);
    }
  }

  /** A failing device instead of a crash: the move is rolled back at once. */
  @TestFactory
  List<DynamicTest> failure_inEachState_rolledBackAtOnce() {
    List<DynamicTest> tests = new ArrayList<>();
    for (MoveRecord.Kind kind : MoveRecord.Kind.values()) {
      for (FileMoveState state : FileMoveState.values()) {
        if (passes(kind, state) && state.compareTo(FileMoveState.EXCHANGED) < 0) {
          tests.add(DynamicTest.dynamicTest(kind + " " + state, () -> fail(kind, state)));
        }
      }
    }
    return tests;
  }

  private static void fail(MoveRecord.Kind kind, FileMoveState at) throws Exception {
    try (LocalDirRig rig = new LocalDirRig()) {
      boolean[] armed = new boolean[1];
      rig.ports.moves =
          (state, path) -> {
            if (armed[0] && state == at) {
              throw new IOException("sick at " + state);
            }
          };
      try (LocalDirTier tier = rig.open()) {
        Path file = prepare(rig, tier, kind);
        Map<String, String> expected = LocalDirRig.picture(rig.plain);
        armed[0] = true;
        assertThrows(IOException.class, () -> move(tier, kind, file));
        assertEquals(expected, LocalDirRig.picture(rig.ssd));
        assertEquals(List.of(), rig.staged());
        assertEquals(rig.linked(), rig.onHdds());
      }
      check(rig);
    }
  }

  @Test
  void processThatHalts_inEachState_treeAsBeforeAndNoOrphan() throws Exception {
    for (MoveRecord.Kind kind : MoveRecord.Kind.values()) {
      for (FileMoveState state : FileMoveState.values()) {
        if (passes(kind, state)) {
          halt(kind, state);
        }
      }
    }
  }

  private static void halt(MoveRecord.Kind kind, FileMoveState state) throws Exception {
    try (LocalDirRig rig = new LocalDirRig()) {
      File output = rig.base.resolve("output").toFile();
      int code =
          ChildJvm.run(
              List.of(),
              output,
              LocalDirCrashTest.class,
              rig.base.toString(),
              kind.name(),
              state.name());
      assertEquals(HALTED, code, () -> kind + " " + state + ": " + ChildJvm.read(output));
      check(rig);
    }
  }

  /** The process that halts. Arguments: base directory, kind of move, state. */
  public static void main(String[] args) throws Exception {
    LocalDirRig rig = new LocalDirRig(Path.of(args[0]));
    MoveRecord.Kind kind = MoveRecord.Kind.valueOf(args[1]);
    boolean[] armed = new boolean[1];
    rig.ports.moves =
        (state, path) -> {
          if (armed[0] && state == FileMoveState.valueOf(args[2])) {
            Runtime.getRuntime().halt(HALTED);
          }
        };
    LocalDirTier tier = rig.open();
    Path file = prepare(rig, tier, kind);
    armed[0] = true;
    move(tier, kind, file);
  }
}
