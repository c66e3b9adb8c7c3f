// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.spi.BlockMover.Throttle;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
    rig.awaitTick();
  }

  @AfterEach
  void tearDown() throws IOException {
    rig.close();
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
    rig.awaitTick();
    try (LocalDirTier tier = rig.open()) {
      assertEquals(List.of(hdd), tier.status().unusableHdds());
      assertEquals(1, tier.status().figure(LocalDirStatus.Figure.HDDS_UNUSABLE));
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

  /** Fails on the HDDs in the list as one that became read-only does, and counts that. */
  private final class SickHdds extends FileCopier {
    final List<Path> sick = new ArrayList<>();
    final AtomicInteger failures = new AtomicInteger();

    @Override
    long copy(FileChannel source, Path to, Throttle throttle)
        throws IOException, InterruptedException {
      Path device = to.resolveSibling(".").toRealPath();
      if (sick.isEmpty()) {
        sick.add(device.startsWith(rig.hdd0) ? rig.hdd0 : rig.hdd1);
      }
      if (sick.stream().anyMatch(device::startsWith)) {
        failures.incrementAndGet();
        throw new FileSystemException(to.toString(), null, "Read-only file system");
      }
      return super.copy(source, to, throttle);
    }
  }

  private Path file(String name) throws IOException {
    return Files.write(rig.ssd.resolve(name), content);
  }

  @Test
  void down_hddThatIsAskedFirstFails_filesGoToTheOtherAndItRests() throws Exception {
    SickHdds hdds = new SickHdds();
    rig.ports.copier = hdds;
    List<Path> files = List.of(rig.ssd.resolve(X), file("y"), file("z"));
    rig.awaitTick();
    try (LocalDirTier tier = rig.open()) {
      for (Path file : files) {
        assertTrue(tier.tree().bringDown(file));
        assertNotEquals(hdds.sick, List.of(hddOf(file)));
      }
      assertEquals(1, hdds.failures.get());
      assertEquals(1, tier.status().figure(LocalDirStatus.Figure.MOVES_FAILED));
      assertEquals(0, tier.status().figure(LocalDirStatus.Figure.HDD_FULL));
      assertEquals(List.of(), rig.staged());
      rig.sweepAll(tier);
    }
  }

  @Test
  void round_hddThatJustFailed_getsNothingForAMinute() throws Exception {
    SickHdds hdds = new SickHdds();
    rig.ports.copier = hdds;
    for (int i = 0; i < 8; i++) {
      file("f" + i);
    }
    rig.awaitTick();
    LocalDirConfig config =
        rig.config().capacityBytes(10L * content.length).high(0.7).low(0.3).build();
    try (LocalDirTier tier = LocalDirTier.open(config, rig.ports)) {
      assertTrue(tier.tree().bringDown(X));
      Path well = hddOf(rig.ssd.resolve(X));
      assertEquals(Set.of(well), streamsOfARound(tier));
      rig.nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
      assertEquals(Set.of(rig.hdd0, rig.hdd1), streamsOfARound(tier));
    }
  }

  private static Set<Path> streamsOfARound(LocalDirTier tier) throws IOException {
    Set<Path> streams = new HashSet<>();
    tier.plannerWith((hdd, move) -> streams.add(hdd.root())).round();
    return streams;
  }

  /** Writes files; opens a tree with room for six on its SSD. */
  private LocalDirTier openForSix(int files) throws Exception {
    for (int i = 0; i < files; i++) {
      file("f" + i);
    }
    rig.awaitTick();
    LocalDirConfig config =
        rig.config().capacityBytes(6L * content.length).high(0.7).low(0.3).build();
    return LocalDirTier.open(config, rig.ports);
  }

  /** The links to its files are in the tree's root, beside the files that are to move. */
  @Test
  void round_hddFailsUnderARunningTree_filesGoToTheOtherAndItsLinksStay() throws Exception {
    try (LocalDirTier tier = openForSix(3)) {
      assertTrue(tier.tree().bringDown(X));
      LocalDirPlanner planner = tier.plannerWith((hdd, move) -> move.run());
      planner.round();
      assertEquals(1, planner.gauges().get(LocalDirStatus.Figure.DOWN_FILES));
      Path sick = hddOf(rig.ssd.resolve(X));
      unmount(sick);
      for (int i = 3; i < 6; i++) {
        file("f" + i);
      }
      rig.awaitTick();
      rig.nanos.addAndGet(TimeUnit.SECONDS.toNanos(31));
      planner.round();
      assertEquals(6, planner.gauges().get(LocalDirStatus.Figure.UP_FILES));
      assertEquals(1, planner.gauges().get(LocalDirStatus.Figure.DOWN_FILES));
      assertEquals(content.length, planner.gauges().get(LocalDirStatus.Figure.DOWN_BYTES));
      List<Path> down = new ArrayList<>(tier.tree().downFiles());
      assertTrue(down.remove(rig.ssd.resolve(X)));
      assertEquals(5, down.size());
      for (Path file : down) {
        assertNotEquals(sick, hddOf(file));
        assertArrayEquals(content, tier.tree().read(file));
      }
      assertEquals(1, tier.status().figure(LocalDirStatus.Figure.HDD_LOOKS_FAILED));
      planner.round();
      assertEquals(1, tier.status().figure(LocalDirStatus.Figure.HDD_LOOKS_FAILED), "too soon");
      assertEquals(6, planner.gauges().get(LocalDirStatus.Figure.DOWN_FILES));
      mount(sick);
      rig.nanos.addAndGet(TimeUnit.SECONDS.toNanos(31));
      planner.round();
      assertEquals(6, planner.gauges().get(LocalDirStatus.Figure.DOWN_FILES));
      assertEquals(1, tier.status().figure(LocalDirStatus.Figure.HDD_LOOKS_FAILED));
    }
  }

  /** The catalog does not know the links yet. */
  @Test
  void wouldMoveDown_hddFailsBeforeTheFirstScan_namesTheFilesBesideItsLinks() throws Exception {
    try (LocalDirTier tier = openForSix(6)) {
      assertTrue(tier.tree().bringDown(X));
      unmount(hddOf(rig.ssd.resolve(X)));
      assertEquals(5, tier.planner().wouldMoveDown().size());
      assertEquals(1, tier.status().figure(LocalDirStatus.Figure.HDD_LOOKS_FAILED));
      assertEquals(0, tier.status().downFiles());
    }
  }

  /** A look that fails may take seconds, in which no file moves. */
  @Test
  void round_hddWithManyFilesFails_isLookedAtOnceInHalfAMinute() throws Exception {
    List<Path> files = new ArrayList<>(List.of(rig.ssd.resolve(X)));
    for (int i = 0; i < 4; i++) {
      files.add(file("f" + i));
    }
    rig.awaitTick();
    try (LocalDirTier tier = rig.open()) {
      List<Path> onHdd0 = new ArrayList<>();
      for (Path file : files) {
        assertTrue(tier.tree().bringDown(file));
        if (hddOf(file).equals(rig.hdd0)) {
          onHdd0.add(file);
        }
      }
      boolean first = onHdd0.size() >= 3;
      Path sick = first ? rig.hdd0 : rig.hdd1;
      long well = first ? files.size() - onHdd0.size() : onHdd0.size();
      LocalDirPlanner knowing = tier.plannerWith((hdd, move) -> {});
      knowing.round();
      unmount(sick);
      LocalDirPlanner fresh = tier.plannerWith((hdd, move) -> {});
      for (int failed = 1; failed <= 2; failed++) {
        fresh.round();
        fresh.round();
        assertEquals(failed, tier.status().figure(LocalDirStatus.Figure.HDD_LOOKS_FAILED));
        assertEquals(well, fresh.gauges().get(LocalDirStatus.Figure.DOWN_FILES));
        rig.nanos.addAndGet(TimeUnit.SECONDS.toNanos(31));
      }
      knowing.round();
      knowing.round();
      assertEquals(3, tier.status().figure(LocalDirStatus.Figure.HDD_LOOKS_FAILED));
      assertEquals(files.size(), knowing.gauges().get(LocalDirStatus.Figure.DOWN_FILES));
      mount(sick);
      fresh.round();
      assertEquals(
          files.size() - 2,
          fresh.gauges().get(LocalDirStatus.Figure.DOWN_FILES),
          "without those that failed: they may fail again");
      rig.nanos.addAndGet(TimeUnit.MINUTES.toNanos(10));
      fresh.round();
      assertEquals(files.size(), fresh.gauges().get(LocalDirStatus.Figure.DOWN_FILES));
      assertEquals(3, tier.status().figure(LocalDirStatus.Figure.HDD_LOOKS_FAILED));
    }
  }

  /** What fails on all HDDs may be the file's fault. */
  @Test
  void down_allHddsFail_noneRests() throws Exception {
    SickHdds hdds = new SickHdds();
    hdds.sick.addAll(List.of(rig.hdd0, rig.hdd1));
    rig.ports.copier = hdds;
    try (LocalDirTier tier = rig.open()) {
      for (int i = 1; i <= 2; i++) {
        IOException e = assertThrows(IOException.class, () -> tier.tree().bringDown(X));
        assertTrue(String.valueOf(e.getMessage()).contains("Read-only"), e.getMessage());
        assertEquals(2 * i, hdds.failures.get());
      }
      assertEquals(0, tier.status().figure(LocalDirStatus.Figure.HDD_FULL));
      assertArrayEquals(content, tier.tree().read(X));
    }
  }

  @Test
  void down_interrupted_triesNoOtherHdd() throws Exception {
    AtomicInteger copies = new AtomicInteger();
    rig.ports.copier =
        new FileCopier() {
          @Override
          long copy(FileChannel source, Path to, Throttle throttle) throws IOException {
            copies.incrementAndGet();
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
          }
        };
    try (LocalDirTier tier = rig.open()) {
      assertThrows(ClosedByInterruptException.class, () -> tier.tree().bringDown(X));
      assertTrue(Thread.interrupted());
      assertEquals(1, copies.get());
    }
  }

  /** What happens to a tree between a crash after an exchange and the next start. */
  private interface Mishap {
    void to(Path hdd) throws IOException;
  }

  private void keepsOriginal(Mishap mishap) throws Exception {
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
    mishap.to(hddOf(rig.ssd.resolve(X)));
    try (LocalDirTier tier = rig.open()) {
      assertEquals(List.of("x"), rig.staged());
      assertArrayEquals(content, Files.readAllBytes(rig.ssd.resolve(".hycache/kept/x")));
      assertEquals(1, tier.status().figure(LocalDirStatus.Figure.KEPT_FILES));
    }
  }

  /** The file on the missing HDD may never be seen again. */
  @Test
  void open_hddOfAnUnsettledMoveMissing_originalIsKept() throws Exception {
    keepsOriginal(this::unmount);
  }

  @Test
  void open_hddOfAnUnsettledMoveReplaced_originalIsKept() throws Exception {
    keepsOriginal(
        hdd -> {
          Files.move(hdd, away());
          Files.createDirectory(hdd);
        });
  }

  @Test
  void open_hddOfAnUnsettledMoveMissingAndLinkRenamed_originalIsKept() throws Exception {
    keepsOriginal(
        hdd -> {
          unmount(hdd);
          Files.move(rig.ssd.resolve(X), rig.ssd.resolve("renamed"));
        });
  }
}
