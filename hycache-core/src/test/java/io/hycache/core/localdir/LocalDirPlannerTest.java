// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.stats.QuietLog;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Which files move, and when. */
class LocalDirPlannerTest {
  private static final int SIZE = 1000;
  private LocalDirRig rig;

  @BeforeEach
  void setUp() throws IOException {
    rig = new LocalDirRig();
  }

  @AfterEach
  void tearDown() throws IOException {
    rig.close();
  }

  private LocalDirConfig.Builder config() {
    return rig.config().capacityBytes(10L * SIZE).high(0.7).low(0.5);
  }

  /** A file whose last write was this many hours ago. */
  private Path file(String name, int hoursAgo) throws IOException {
    Path file = rig.ssd.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, LocalDirRig.bytes(SIZE, hoursAgo));
    long micros =
        TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis())
            - TimeUnit.HOURS.toMicros(hoursAgo);
    Files.setLastModifiedTime(file, FileTime.from(micros, TimeUnit.MICROSECONDS));
    return file;
  }

  private List<String> wouldMove(LocalDirTier tier) throws IOException {
    List<String> names = new ArrayList<>();
    for (Path path : tier.wouldMoveDown()) {
      names.add(rig.ssd.relativize(path).toString());
    }
    return names;
  }

  @Test
  void wouldMoveDown_belowHigh_nothing() throws Exception {
    for (int i = 0; i < 7; i++) {
      file("f" + i, i);
    }
    rig.awaitTick();
    try (LocalDirTier tier = LocalDirTier.open(config().build(), rig.ports)) {
      assertEquals(List.of(), wouldMove(tier));
    }
  }

  @Test
  void wouldMoveDown_aboveHigh_oldestFirstUntilLow() throws Exception {
    for (int i = 0; i < 8; i++) {
      file("f" + i, i);
    }
    rig.awaitTick();
    try (LocalDirTier tier = LocalDirTier.open(config().build(), rig.ports)) {
      assertEquals(List.of("f7", "f6", "f5"), wouldMove(tier));
      assertEquals(8L * SIZE, tier.status().upBytes());
      assertEquals(2L * SIZE, tier.status().ssdFree());
    }
  }

  @Test
  void wouldMoveDown_readThroughTheTree_goesLater() throws Exception {
    for (int i = 0; i < 8; i++) {
      file("f" + i, i);
    }
    rig.awaitTick();
    try (LocalDirTier tier = LocalDirTier.open(config().build(), rig.ports)) {
      assertEquals(List.of("f7", "f6", "f5"), wouldMove(tier));
      assertEquals(SIZE, tier.tree().read(Path.of("f7")).length);
      List<String> names = wouldMove(tier);
      assertFalse(names.contains("f7"), names.toString());
      assertEquals("f6", names.get(0));
    }
  }

  @Test
  void wouldMoveDown_shuffleFiles_readOnesFirstThenByReferences() throws Exception {
    String attempt = "output/attempt_1_0001_m_00000";
    file("other", 1);
    for (int i = 0; i < 6; i++) {
      file(attempt + i + "_0/file.out", 10 + i);
      Files.write(rig.ssd.resolve(attempt + i + "_0/file.out.index"), new byte[24 * (i + 1) + 8]);
    }
    file("last", 0);
    rig.awaitTick();
    LocalDirConfig config = config().policy("heuristic").leastBytes(SIZE).build();
    try (LocalDirTier tier = LocalDirTier.open(config, rig.ports)) {
      assertEquals("other", wouldMove(tier).get(0));
      assertEquals(SIZE, tier.tree().read(Path.of(attempt + "0_0", "file.out")).length);
      List<String> names = wouldMove(tier);
      assertEquals(List.of(attempt + "0_0/file.out", "other", "last"), names.subList(0, 3));
      assertEquals(attempt + "1_0/file.out", names.get(3));
    }
  }

  @Test
  void wouldMoveDown_whatTasksRemoveSoon_goesLastAndIsCountedAsGoneWhileThereIsRoom()
      throws Exception {
    file("output/attempt_1_0001_r_000000_0/map_3.out.merged", 9);
    file("output/attempt_1_0001_m_000000_0/spill0.out", 8);
    file("blockmgr-1/0c/temp_shuffle_1-2", 7);
    for (int i = 0; i < 5; i++) {
      file("output/attempt_1_0001_m_00000" + i + "_0/file.out", i);
    }
    rig.awaitTick();
    try (LocalDirTier tier = LocalDirTier.open(config().build(), rig.ports)) {
      assertEquals(List.of(), wouldMove(tier), "5 files are no more than low");
    }
    LocalDirConfig full = config().capacityBytes(8L * SIZE).high(0.7).low(0.7).build();
    try (LocalDirTier tier = LocalDirTier.open(full, rig.ports)) {
      assertEquals(
          List.of(
              "output/attempt_1_0001_m_000004_0/file.out",
              "output/attempt_1_0001_m_000003_0/file.out"),
          wouldMove(tier),
          "8 files are more than 0.85");
    }
    LocalDirConfig lower = config().high(0.7).low(0.2).build();
    try (LocalDirTier tier = LocalDirTier.open(lower, rig.ports)) {
      List<String> names = wouldMove(tier);
      assertEquals(3, names.size(), names.toString());
      for (String name : names) {
        assertTrue(name.endsWith("/file.out"), names.toString());
      }
    }
    LocalDirConfig tight = config().capacityBytes(3L * SIZE).high(0.4).low(0.1).build();
    try (LocalDirTier tier = LocalDirTier.open(tight, rig.ports)) {
      List<String> names = wouldMove(tier);
      assertEquals(6, names.size(), names.toString());
      assertEquals("output/attempt_1_0001_r_000000_0/map_3.out.merged", names.get(5));
    }
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void round(LocalDirTier tier, Condition until) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    do {
      tier.planner().round();
      assertTrue(System.nanoTime() < end, "the movers did not finish in time");
    } while (!until.holds());
  }

  @Test
  void round_aboveHigh_movesDownUntilLowAndUpAgainWhatIsReadTwice() throws Exception {
    for (int i = 0; i < 8; i++) {
      file("f" + i, i);
    }
    rig.awaitTick();
    try (LocalDirTier tier = LocalDirTier.open(config().build(), rig.ports)) {
      tier.startStreams();
      // Reads count from the round in which the planner saw the end of the move.
      round(
          tier,
          () ->
              tier.status().upBytes() == 5L * SIZE
                  && !tier.planner().isDraining()
                  && tier.status().figure(LocalDirStatus.Figure.WAITING_FILES) == 0);
      assertEquals(3, tier.tree().downFiles().size());
      assertTrue(tier.tree().isDown(Path.of("f7")));
      assertEquals(3, tier.status().downFiles());
      tier.tree().read(Path.of("f7"));
      tier.planner().round();
      tier.planner().round();
      assertTrue(tier.tree().isDown(Path.of("f7")));
      tier.tree().read(Path.of("f7"));
      round(tier, () -> tier.status().figure(LocalDirStatus.Figure.PROMOTED_FILES) == 1);
      assertFalse(tier.tree().isDown(Path.of("f7")));
      assertEquals(2, tier.status().figure(LocalDirStatus.Figure.OPENS_DOWN));
    }
  }

  @Test
  void round_victimOpenForWriting_othersGo() throws Exception {
    for (int i = 0; i < 8; i++) {
      file("f" + i, i);
    }
    rig.awaitTick();
    try (LocalDirTier tier = LocalDirTier.open(config().build(), rig.ports);
        FileChannel writer = FileChannel.open(rig.ssd.resolve("f7"), StandardOpenOption.WRITE)) {
      assertTrue(writer.isOpen());
      tier.startStreams();
      round(tier, () -> tier.status().upBytes() == 5L * SIZE && !tier.planner().isDraining());
      assertFalse(tier.tree().isDown(Path.of("f7")));
    }
  }

  @Test
  void round_movingFileIsTruncated_laterFilesGoAllTheSame() throws Exception {
    long large = 20L << 20;
    Path first = file("first", 2);
    resize(first, large);
    rig.awaitTick();
    LocalDirConfig config = config().capacityBytes(large).build();
    try (LocalDirTier tier = LocalDirTier.open(config, rig.ports)) {
      List<Runnable> moves = new ArrayList<>();
      LocalDirPlanner planner = tier.plannerWith((hdd, move) -> moves.add(move));
      planner.round();
      assertEquals(1, moves.size());
      resize(first, SIZE);
      rig.awaitTick();
      planner.round();
      moves.remove(0).run();
      planner.round();
      for (int i = 0; i < 4; i++) {
        resize(file("later" + i, 1), large / 4);
      }
      rig.awaitTick();
      planner.round();
      assertEquals(2, moves.size(), "20 MB are in use, and 10 MB may be");
    }
  }

  @Test
  void round_moveCannotBeStarted_theNextRoundStartsIt() throws Exception {
    for (int i = 0; i < 8; i++) {
      file("f" + i, i);
    }
    rig.awaitTick();
    try (LocalDirTier tier = LocalDirTier.open(config().build(), rig.ports)) {
      int[] failures = {1};
      List<Runnable> moves = new ArrayList<>();
      LocalDirPlanner planner =
          tier.plannerWith(
              (hdd, move) -> {
                if (failures[0]-- > 0) {
                  throw new OutOfMemoryError("unable to create native thread");
                }
                moves.add(move);
              });
      assertThrows(OutOfMemoryError.class, planner::round);
      planner.round();
      assertEquals(3, moves.size());
      assertEquals(3L, planner.gauges().get(LocalDirStatus.Figure.WAITING_FILES));
      moves.forEach(Runnable::run);
      planner.round();
      assertEquals(0L, planner.gauges().get(LocalDirStatus.Figure.WAITING_FILES));
      assertEquals(3, tier.tree().downFiles().size());
      // The same for files on their way up, and for renames on an HDD.
      Path first = rig.ssd.relativize(tier.tree().downFiles().get(0));
      for (int i = 0; i < 2; i++) {
        planner.opened(rig.ssd.resolve(first));
      }
      moves.clear();
      failures[0] = 1;
      assertThrows(OutOfMemoryError.class, planner::round);
      planner.round();
      assertEquals(1, moves.size());
      moves.forEach(Runnable::run);
      assertFalse(tier.tree().isDown(first));
      Path second = tier.tree().downFiles().get(0);
      tier.tree().rename(second, Path.of("renamed"));
      planner.renamed(rig.ssd.resolve("renamed"));
      moves.clear();
      failures[0] = 1;
      assertThrows(OutOfMemoryError.class, planner::round);
      planner.round();
      assertEquals(1, moves.size());
      moves.forEach(Runnable::run);
      assertTrue(Files.readSymbolicLink(rig.ssd.resolve("renamed")).endsWith("renamed"));
    }
  }

  private static void resize(Path file, long bytes) throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(bytes);
    }
  }

  private static Catalog catalog(TreeLayout layout, CachePolicy policy) {
    return new Catalog(
        layout,
        policy,
        new LocalDirCounters(),
        new QuietLog(LoggerFactory.getLogger(LocalDirPlannerTest.class)));
  }

  /** A rename stands for an inode number that is used again by another file. */
  @Test
  void scan_inodeOfAMovingFileUnderAnotherName_isNotTakenForIt() throws Exception {
    Path file = file("f", 1);
    LocalDirConfig config = config().build();
    try (Corner corner = Corner.open(rig.ssd, Caller.of(rig.ports.calls))) {
      TreeLayout layout = TreeLayout.open(config, corner);
      Catalog catalog = catalog(layout, Policies.create("lru"));
      catalog.scan(1);
      Catalog.Entry moving = Objects.requireNonNull(catalog.find(file));
      moving.moving = true;
      Path other = Files.move(file, rig.ssd.resolve("other"));
      Path target = layout.hdds().get(0).home().resolve("f");
      Files.write(target, LocalDirRig.bytes(SIZE, 1));
      Files.createSymbolicLink(file, target);
      catalog.scan(2);
      assertEquals(1, catalog.upFiles());
      assertEquals(SIZE, catalog.upBytes());
      assertEquals(file, moving.path);
      moving.moving = false;
      catalog.moved(moving, 3);
      catalog.scan(4);
      assertSame(moving, catalog.find(file));
      assertFalse(moving.up);
      Catalog.Entry fresh = Objects.requireNonNull(catalog.find(other));
      assertTrue(fresh.up);
      assertEquals(List.of(fresh), catalog.victims());
    }
  }

  /** Keeps what each policy has to keep. */
  private static final class KeysOnly implements CachePolicy {
    final Set<CacheKey> residents = new HashSet<>();
    final Set<CacheKey> referenced = new HashSet<>();
    final Set<CacheKey> deleted = new HashSet<>();

    @Override
    public void onAccess(Access access) {}

    @Override
    public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
      residents.add(key);
    }

    @Override
    public void onRemoved(CacheKey key) {
      residents.remove(key);
    }

    @Override
    public void onDeleted(CacheKey key) {
      onRemoved(key);
      deleted.add(key);
    }

    @Override
    public void onReferences(CacheKey key, long remaining) {
      if (remaining == 0) {
        referenced.remove(key);
      } else {
        referenced.add(key);
      }
    }

    @Override
    public Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
      return Decision.bypass(Reason.NO_ROOM);
    }

    @Override
    public Iterable<CacheKey> evictionOrder() {
      return residents;
    }

    @Override
    public int residents() {
      return residents.size();
    }
  }

  @Test
  void scan_filesRemoved_arePassedOnAsDeleted_onTheHddToo() throws Exception {
    Path up = file("up", 1);
    Path down = rig.ssd.resolve("down");
    try (Corner corner = Corner.open(rig.ssd, Caller.of(rig.ports.calls))) {
      TreeLayout layout = TreeLayout.open(config().build(), corner);
      Path target = layout.hdds().get(0).home().resolve("down");
      Files.write(target, LocalDirRig.bytes(SIZE, 1));
      Files.createSymbolicLink(down, target);
      KeysOnly policy = new KeysOnly();
      Catalog catalog = catalog(layout, policy);
      catalog.scan(1);
      Set<CacheKey> keys =
          Set.of(
              Objects.requireNonNull(catalog.find(up)).key,
              Objects.requireNonNull(catalog.find(down)).key);
      Files.delete(up);
      Files.delete(down);
      catalog.scan(2);
      assertEquals(keys, policy.deleted);
      assertEquals(Set.of(), policy.residents);
    }
  }

  @Test
  void scan_betweenExchangeAndEndOfAMove_noReferencesAreLeftOnceTheFilesAreRemoved()
      throws Exception {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      files.add(file("output/attempt_1_0001_m_00000" + i + "_0/file.out", i));
      Files.write(files.get(i).resolveSibling("file.out.index"), new byte[24 + 8]);
    }
    try (Corner corner = Corner.open(rig.ssd, Caller.of(rig.ports.calls))) {
      TreeLayout layout = TreeLayout.open(config().build(), corner);
      KeysOnly policy = new KeysOnly();
      Catalog catalog = catalog(layout, policy);
      catalog.scan(1);
      assertEquals(files.size(), policy.referenced.size());
      List<Catalog.Entry> moving = new ArrayList<>();
      for (Path file : files) {
        Catalog.Entry entry = Objects.requireNonNull(catalog.find(file));
        entry.moving = true;
        moving.add(entry);
        Path target = layout.hdds().get(0).home().resolve("f" + moving.size());
        Files.move(file, target);
        Files.createSymbolicLink(file, target);
      }
      catalog.scan(2);
      for (Catalog.Entry entry : moving) {
        entry.moving = false;
        catalog.moved(entry, 3);
      }
      assertEquals(files.size(), policy.referenced.size());
      for (Path file : files) {
        Files.delete(file);
        Files.delete(file.resolveSibling("file.out.index"));
      }
      catalog.scan(4);
      assertEquals(Set.of(), policy.referenced);
      assertEquals(Set.of(), policy.residents);
    }
  }

  @Test
  void start_fullTree_threadsDoItAll() throws Exception {
    rig.ports.nanos = System::nanoTime;
    for (int i = 0; i < 10; i++) {
      file("d/f" + i, i);
    }
    rig.awaitTick();
    LocalDirConfig config =
        config()
            .sweepGrace(java.time.Duration.ofMillis(50))
            .period(java.time.Duration.ofMillis(10))
            .build();
    try (LocalDirTier tier = LocalDirTier.open(config, rig.ports)) {
      tier.start();
      await(() -> tier.tree().downFiles().size() == 5);
      for (Path path : tier.tree().downFiles()) {
        tier.tree().remove(path);
      }
      tier.sweepSoon();
      await(() -> tier.status().figure(LocalDirStatus.Figure.SWEPT_FILES) == 5);
    }
    assertEquals(List.of(), rig.onHdds());
    assertEquals("closed", LocalDirStatus.read(rig.ssd).state());
  }

  private static void await(Condition condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.holds()) {
      assertTrue(System.nanoTime() < end, "timed out");
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }
}
