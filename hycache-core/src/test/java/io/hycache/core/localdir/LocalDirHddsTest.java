// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One HDD is missing or fails, and the other is well. */
class LocalDirHddsTest {
  private static final Path X = Path.of("x");

  private LocalDirRig rig;
  private byte[] content;

  @BeforeEach
  void setUp() throws Exception {
    rig = new LocalDirRig();
    content = LocalDirRig.bytes(10_000, 1);
    Files.write(rig.ssd.resolve(X), content);
    awaitTick();
  }

  @AfterEach
  void tearDown() throws IOException {
    rig.close();
  }

  private void awaitTick() throws Exception {
    if (ClockTick.micros(rig.plain) > 0) {
      TimeUnit.MICROSECONDS.sleep(2 * ClockTick.MAX_TICK_MICROS);
    }
  }

  /** The HDD with the file behind a link. */
  private Path hddOf(Path link) throws IOException {
    return Files.readSymbolicLink(link).startsWith(rig.hdd0) ? rig.hdd0 : rig.hdd1;
  }

  private Path away() {
    return rig.base.resolve("away");
  }

  /** Puts something that is no directory in the place of an HDD. */
  private void unmount(Path hdd) throws IOException {
    Files.move(hdd, away());
    Files.createFile(hdd);
  }

  private void mount(Path hdd) throws IOException {
    Files.delete(hdd);
    Files.move(away(), hdd);
  }

  @Test
  void open_oneHddMissing_servesWithTheOtherAndLeavesItsLinks() throws Exception {
    Path hdd;
    try (LocalDirTier tier = rig.open()) {
      assertTrue(tier.tree().bringDown(X));
      hdd = hddOf(rig.ssd.resolve(X));
      assertEquals(List.of(), tier.status().unusableHdds());
    }
    unmount(hdd);
    Path y = rig.ssd.resolve("y");
    Files.write(y, content);
    awaitTick();
    try (LocalDirTier tier = rig.open()) {
      assertEquals(List.of(hdd), tier.status().unusableHdds());
      assertEquals(List.of(hdd), tier.unusableHdds());
      assertTrue(tier.tree().bringDown(y));
      rig.sweepAll(tier);
      tier.planner().round();
      assertEquals(List.of(y), tier.tree().downFiles());
      assertTrue(Files.isSymbolicLink(rig.ssd.resolve(X)));
      assertArrayEquals(content, tier.tree().read(y));
    }
    mount(hdd);
    try (LocalDirTier tier = rig.open()) {
      rig.sweepAll(tier);
      assertArrayEquals(content, tier.tree().read(X));
      assertArrayEquals(content, tier.tree().read(y));
      assertEquals(List.of(), tier.status().unusableHdds());
    }
  }

  @Test
  void open_allHddsMissing_namesOneAndTheFix() throws Exception {
    for (Path hdd : List.of(rig.hdd0, rig.hdd1)) {
      Files.delete(hdd);
    }
    IOException e = assertThrows(IOException.class, () -> rig.open());
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains("hdd=" + rig.hdd0) && message.contains("Fix: "), message);
    assertEquals(1, e.getSuppressed().length);
  }

  /** The file on the missing HDD may never be seen again. */
  @Test
  void open_hddOfAnUnsettledMoveMissing_originalIsKept() throws Exception {
    rig.ports.moves =
        (state, path) -> {
          if (state == FileMoveState.EXCHANGED) {
            throw new AssertionError("crash");
          }
        };
    try (LocalDirTier tier = rig.open()) {
      assertThrows(AssertionError.class, () -> tier.tree().bringDown(X));
    }
    rig.ports.moves = FileMoveState.Hook.NONE;
    unmount(hddOf(rig.ssd.resolve(X)));
    try (LocalDirTier tier = rig.open()) {
      assertEquals(List.of("x"), rig.staged());
      assertArrayEquals(content, Files.readAllBytes(rig.ssd.resolve(".hycache/kept/x")));
      assertEquals(1, tier.status().figure(LocalDirStatus.Figure.KEPT_FILES));
    }
  }
}
