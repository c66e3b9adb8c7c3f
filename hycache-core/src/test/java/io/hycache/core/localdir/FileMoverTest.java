// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.MoreCollectors;
import io.hycache.core.localdir.LocalDirStatus.Figure;
import io.hycache.core.spi.BlockMover.Throttle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One move at a time, with interference by other processes in the middle of it. */
class FileMoverTest {
  private static final Path X = Path.of("d", "x");

  private LocalDirRig rig;
  private LocalDirTier tier;
  private byte[] content;

  @BeforeEach
  void setUp() throws Exception {
    rig = new LocalDirRig();
    content = LocalDirRig.bytes(10_000, 1);
    Files.createDirectory(rig.ssd.resolve("d"));
    Files.write(rig.ssd.resolve(X), content);
    rig.awaitTick();
    tier = rig.open();
  }

  @AfterEach
  void tearDown() throws Exception {
    tier.close();
    rig.close();
  }

  /** Reopens the tree with the ports that the test has replaced. */
  private void reopen() throws IOException {
    tier.close();
    tier = rig.open();
  }

  private Path x() {
    return rig.ssd.resolve(X);
  }

  private long figure(Figure figure) {
    return tier.status().figure(figure);
  }

  private interface Act {
    void run() throws Exception;
  }

  /** Performs an action once when a move reaches a state. */
  private void when(FileMoveState at, Act act) {
    boolean[] done = new boolean[1];
    rig.ports.moves =
        (state, path) -> {
          if (state == at && !done[0]) {
            done[0] = true;
            try {
              act.run();
            } catch (IOException | RuntimeException e) {
              throw e;
            } catch (Exception e) {
              throw new IOException(e);
            }
          }
        };
  }

  private void checkNothingLeft() throws IOException {
    checkNothingLeft(rig.linked());
  }

  private void checkNothingLeft(List<Path> onHdds) throws IOException {
    assertEquals(List.of(), rig.staged());
    rig.sweepAll(tier);
    assertEquals(onHdds, rig.onHdds());
  }

  @Test
  void downAndUp_quietFile_keepsBytesRightsTimesAndAttributes() throws Exception {
    Files.setPosixFilePermissions(x(), PosixFilePermissions.fromString("rw-r-----"));
    Files.setLastModifiedTime(x(), FileTime.from(Instant.parse("2020-02-03T04:05:06.123456Z")));
    Files.setPosixFilePermissions(
        rig.ssd.resolve("d"), PosixFilePermissions.fromString("rwx--x---"));
    FileMark before = FileMark.of(x());
    reopen();
    assertTrue(tier.tree().bringDown(X));
    assertTrue(tier.tree().isDown(X));
    Path target = Files.readSymbolicLink(x());
    FileMark down = FileMark.of(target);
    assertEquals(before.mode, down.mode);
    assertEquals(before.mtimeMicros, down.mtimeMicros);
    assertEquals(before.uid, down.uid);
    assertEquals(before.gid, down.gid);
    assertEquals(
        FileMark.of(rig.ssd.resolve("d")).mode, FileMark.of(target.resolveSibling(".")).mode);
    assertArrayEquals(content, Files.readAllBytes(x()));
    assertEquals(List.of(x()), tier.tree().downFiles());
    assertFalse(tier.tree().bringDown(X));
    assertTrue(tier.tree().bringUp(X));
    FileMark up = FileMark.of(x());
    assertTrue(up.isFile());
    assertEquals(before.mode, up.mode);
    assertEquals(before.mtimeMicros, up.mtimeMicros);
    assertArrayEquals(content, Files.readAllBytes(x()));
    checkNothingLeft();
    assertEquals(1, figure(Figure.MOVED_DOWN_FILES));
    assertEquals(1, figure(Figure.PROMOTED_FILES));
    assertEquals(1, figure(Figure.SWEPT_FILES));
    assertEquals(content.length, figure(Figure.SWEPT_BYTES));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void down_fileRemovedAfterTheLastCheck_notResurrected(boolean up) throws Exception {
    if (up) {
      assertTrue(tier.tree().bringDown(X));
    }
    when(FileMoveState.CHECKED, () -> Files.delete(x()));
    reopen();
    assertFalse(up ? tier.tree().bringUp(X) : tier.tree().bringDown(X));
    assertFalse(Files.exists(x(), java.nio.file.LinkOption.NOFOLLOW_LINKS));
    assertEquals(1, figure(Figure.MOVES_CANCELLED));
    checkNothingLeft();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void move_fileReplacedAfterTheLastCheck_newOneStays(boolean up) throws Exception {
    reopen();
    if (up) {
      assertTrue(tier.tree().bringDown(X));
    }
    tier.close();
    byte[] other = LocalDirRig.bytes(777, 9);
    when(
        FileMoveState.CHECKED,
        () -> {
          Path fresh = Files.write(rig.ssd.resolve("fresh"), other);
          Files.move(fresh, x(), StandardCopyOption.ATOMIC_MOVE);
        });
    reopen();
    assertFalse(up ? tier.tree().bringUp(X) : tier.tree().bringDown(X));
    assertArrayEquals(other, Files.readAllBytes(x()));
    assertFalse(tier.tree().isDown(X));
    checkNothingLeft();
  }

  @Test
  void down_fileReplacedByDirectoryAfterTheLastCheck_directoryStays() throws Exception {
    when(
        FileMoveState.CHECKED,
        () -> {
          Files.delete(x());
          Files.createDirectory(x());
          Files.createFile(x().resolve("inside"));
        });
    reopen();
    assertFalse(tier.tree().bringDown(X));
    assertTrue(Files.isRegularFile(x().resolve("inside")));
    checkNothingLeft();
  }

  @ParameterizedTest
  @EnumSource(
      value = FileMoveState.class,
      names = {"COPIED", "SYNCED", "NAMED", "STAGED"})
  void down_fileWrittenDuringTheCopy_staysUpWithTheWrite(FileMoveState at) throws Exception {
    when(at, () -> Files.write(x(), new byte[] {1}, StandardOpenOption.APPEND));
    reopen();
    assertFalse(tier.tree().bringDown(X));
    assertEquals(content.length + 1, Files.size(x()));
    assertFalse(tier.tree().isDown(X));
    assertEquals(1, figure(Figure.MOVES_CANCELLED));
    checkNothingLeft();
  }

  @Test
  void down_fileWrittenAfterTheLastCheckWithoutLease_exchangedBack() throws Exception {
    rig.ports.calls = null;
    rig.ports.exchange = LinuxCalls.load() == null ? null : atomic();
    when(FileMoveState.CHECKED, () -> Files.write(x(), new byte[] {1}, StandardOpenOption.APPEND));
    reopen();
    assertFalse(tier.tree().bringDown(X));
    assertEquals(content.length + 1, Files.size(x()));
    assertFalse(tier.tree().isDown(X));
    checkNothingLeft();
  }

  @Test
  void up_relativeLinkAndFileWrittenAfterTheLastCheck_exchangedBack() throws Exception {
    assertTrue(tier.tree().bringDown(X));
    Path file = Files.readSymbolicLink(x());
    Path text = rig.ssd.resolve("d").relativize(file);
    Files.delete(x());
    Files.createSymbolicLink(x(), text);
    rig.ports.calls = null;
    rig.ports.exchange = LinuxCalls.load() == null ? null : atomic();
    when(FileMoveState.CHECKED, () -> Files.write(x(), new byte[] {1}, StandardOpenOption.APPEND));
    reopen();
    assertFalse(tier.tree().bringUp(X));
    assertEquals(content.length + 1, Files.size(x()));
    assertEquals(text, Files.readSymbolicLink(x()));
    checkNothingLeft(List.of(file));
  }

  private FileExchange atomic() throws IOException {
    return FileExchange.in(rig.plain, LinuxCalls.load());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void down_writerOpensAfterTheLastCheck_itsWriteIsInTheTree(boolean up) throws Exception {
    LinuxCalls calls = java.util.Objects.requireNonNull(LinuxCalls.load(), "JNA is missing");
    reopen();
    if (up) {
      assertTrue(tier.tree().bringDown(X));
    }
    Path file = up ? Files.readSymbolicLink(x()) : x();
    try (Writers.Watch probe =
        new Writers(Path.of("/nonexistent"), Caller.of(calls), System::nanoTime)
            .watch(file, FileMark.of(file))) {
      assertTrue(probe != null && probe.undisturbed());
    }
    tier.close();
    List<Future<FileChannel>> opening = new ArrayList<>();
    when(FileMoveState.CHECKED, () -> opening.add(comeToWrite(calls, x(), file)));
    reopen();
    assertFalse(up ? tier.tree().bringUp(X) : tier.tree().bringDown(X));
    writeOne(opening.get(0));
    assertEquals(content.length + 1, Files.size(x()));
    assertEquals(up, tier.tree().isDown(X));
    checkNothingLeft();
  }

  /** A tree that is closed interrupts its moves. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void move_interruptedAfterTheExchange_isWatchedAsLongAsAnyOther(boolean up) throws Exception {
    downIf(up);
    long[] nanos = new long[2];
    rig.ports.moves =
        (state, path) -> {
          if (state == FileMoveState.EXCHANGED) {
            nanos[0] = System.nanoTime();
            Thread.currentThread().interrupt();
          } else if (state == FileMoveState.SETTLED) {
            nanos[1] = System.nanoTime();
          }
        };
    reopen();
    assertTrue(up ? tier.tree().bringUp(X) : tier.tree().bringDown(X));
    assertTrue(Thread.interrupted(), "the interrupt is lost");
    long watched = nanos[1] - nanos[0];
    assertTrue(watched >= TimeUnit.MILLISECONDS.toNanos(20), "watchedNanos=" + watched);
    checkNothingLeft();
  }

  private static final Set<PosixFilePermission> OTHER_RIGHTS =
      PosixFilePermissions.fromString("rwxr-x--x");

  /**
   * The file in staging, without its record: displaced by an exchange or, after it was reverted,
   * the replacement.
   */
  private Path inStaging() throws IOException {
    try (Stream<Path> all = Files.list(rig.ssd.resolve(".hycache/staging"))) {
      return all.filter(path -> !path.getFileName().toString().endsWith(".of"))
          .collect(MoreCollectors.onlyElement());
    }
  }

  private Path inKept() throws IOException {
    try (Stream<Path> all = Files.list(rig.ssd.resolve(".hycache/kept"))) {
      return all.collect(MoreCollectors.onlyElement());
    }
  }

  /** Performs an action once while an exchange is watched. */
  private void whenWatched(Act act) {
    boolean[] done = new boolean[1];
    rig.ports.park =
        nanos -> {
          if (!done[0]) {
            done[0] = true;
            try {
              act.run();
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          }
        };
  }

  private void downIf(boolean down) throws Exception {
    if (down) {
      assertTrue(tier.tree().bringDown(X));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void move_rightsChangedAfterTheLastCheck_exchangedBackBeforeItWaits(boolean up) throws Exception {
    downIf(up);
    when(FileMoveState.CHECKED, () -> Files.setPosixFilePermissions(x(), OTHER_RIGHTS));
    List<Set<PosixFilePermission>> seen = new ArrayList<>();
    rig.ports.park =
        nanos -> {
          try {
            seen.add(Files.getPosixFilePermissions(x()));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    reopen();
    assertFalse(up ? tier.tree().bringUp(X) : tier.tree().bringDown(X));
    assertEquals(List.of(OTHER_RIGHTS), seen);
    assertEquals(OTHER_RIGHTS, Files.getPosixFilePermissions(x()));
    assertArrayEquals(content, Files.readAllBytes(x()));
    assertEquals(up, tier.tree().isDown(X));
    checkNothingLeft();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void move_originalChangedAndWriterAtTheCopy_copyStaysAndOriginalIsKept(boolean up)
      throws Exception {
    downIf(up);
    Path onHdd = up ? Files.readSymbolicLink(x()) : x();
    List<FileChannel> writer = new ArrayList<>();
    whenWatched(
        () -> {
          writer.add(FileChannel.open(x(), StandardOpenOption.APPEND));
          Files.setPosixFilePermissions(up ? onHdd : inStaging(), OTHER_RIGHTS);
        });
    reopen();
    assertFalse(up ? tier.tree().bringUp(X) : tier.tree().bringDown(X));
    try (FileChannel channel = writer.get(0)) {
      assertEquals(1, channel.write(ByteBuffer.wrap(new byte[] {1})));
    }
    assertEquals(content.length + 1, Files.size(x()));
    assertEquals(!up, tier.tree().isDown(X));
    assertArrayEquals(content, Files.readAllBytes(inKept()));
    assertEquals(OTHER_RIGHTS, Files.getPosixFilePermissions(inKept()));
    Files.delete(inKept());
    checkNothingLeft();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void move_writerOnItsWayToWhatIsTakenBack_itsWriteIsKept(boolean up) throws Exception {
    LinuxCalls calls = java.util.Objects.requireNonNull(LinuxCalls.load(), "JNA is missing");
    downIf(up);
    when(FileMoveState.CHECKED, () -> Files.setPosixFilePermissions(x(), OTHER_RIGHTS));
    List<Future<FileChannel>> opening = new ArrayList<>();
    whenWatched(
        () -> {
          Path copy = up ? inStaging() : Files.readSymbolicLink(inStaging());
          opening.add(comeToWrite(calls, copy, copy));
        });
    reopen();
    assertFalse(up ? tier.tree().bringUp(X) : tier.tree().bringDown(X));
    writeOne(opening.get(0));
    assertEquals(OTHER_RIGHTS, Files.getPosixFilePermissions(x()));
    assertArrayEquals(content, Files.readAllBytes(x()));
    assertEquals(up, tier.tree().isDown(X));
    assertEquals(content.length + 1, Files.size(inKept()));
    rig.sweepAll(tier);
    assertEquals(content.length + 1, Files.size(inKept()), "the sweeper spares kept files");
    Files.delete(inKept());
    checkNothingLeft();
  }

  /**
   * Opens a watched path for writing on another thread; returns once that open blocks.
   *
   * @param file the target of the path; while no open blocks, a second lease is granted on it
   */
  private static Future<FileChannel> comeToWrite(LinuxCalls calls, Path path, Path file)
      throws IOException {
    FutureTask<FileChannel> opening =
        new FutureTask<>(() -> FileChannel.open(path, StandardOpenOption.APPEND));
    new Thread(opening).start();
    ReadLeases.Asked asked = calls.leases.ask(file);
    while (asked.lease != null) {
      asked.lease.close();
      asked = calls.leases.ask(file);
    }
    return opening;
  }

  private static void writeOne(Future<FileChannel> opening) throws Exception {
    try (FileChannel channel = opening.get()) {
      assertEquals(1, channel.write(ByteBuffer.wrap(new byte[] {1})));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void down_fileOpenForWriting_skipped(boolean lease) throws Exception {
    if (!lease) {
      rig.ports.calls = null;
    }
    reopen();
    try (FileChannel channel = FileChannel.open(x(), StandardOpenOption.WRITE)) {
      assertTrue(channel.isOpen());
      assertFalse(tier.tree().bringDown(X));
      assertEquals(1, figure(Figure.SKIPPED_OPEN));
    }
    rig.nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertTrue(tier.tree().bringDown(X));
    try (FileChannel channel = FileChannel.open(x(), StandardOpenOption.WRITE)) {
      assertTrue(channel.isOpen());
      rig.nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      assertFalse(tier.tree().bringUp(X));
      assertEquals(2, figure(Figure.SKIPPED_OPEN));
    }
    checkNothingLeft();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void down_fileMappedForWritingAndClosed_skipped(boolean lease) throws Exception {
    if (!lease) {
      rig.ports.calls = null;
    }
    reopen();
    java.nio.MappedByteBuffer map;
    try (FileChannel channel =
        FileChannel.open(x(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      map = channel.map(FileChannel.MapMode.READ_WRITE, 0, content.length);
    }
    assertFalse(tier.tree().bringDown(X));
    assertEquals(1, figure(Figure.SKIPPED_OPEN));
    assertEquals(content[0], map.get(0));
  }

  @Test
  void down_fileOpenForReading_readerGoesOn() throws Exception {
    reopen();
    try (FileChannel channel = FileChannel.open(x(), StandardOpenOption.READ)) {
      assertTrue(tier.tree().bringDown(X));
      ByteBuffer all = ByteBuffer.allocate(content.length);
      assertEquals(content.length, channel.read(all, 0));
      assertArrayEquals(content, all.array());
    }
  }

  @Test
  void down_hardLinkedFile_stays() throws Exception {
    Files.createLink(rig.ssd.resolve("second"), x());
    reopen();
    assertFalse(tier.tree().bringDown(X));
    Files.delete(rig.ssd.resolve("second"));
    assertTrue(tier.tree().bringDown(X));
  }

  @Test
  void down_linkedAfterTheLastCheck_exchangedBack() throws Exception {
    when(FileMoveState.CHECKED, () -> Files.createLink(rig.ssd.resolve("second"), x()));
    reopen();
    assertFalse(tier.tree().bringDown(X));
    assertEquals(FileMark.of(x()).ino, FileMark.of(rig.ssd.resolve("second")).ino);
    checkNothingLeft();
  }

  @Test
  void link_ofFileThatIsDown_secondNameOfTheLinkAndStaysDown() throws Exception {
    reopen();
    assertTrue(tier.tree().bringDown(X));
    tier.tree().link(Path.of("second"), X);
    assertFalse(tier.tree().bringUp(X));
    tier.tree().append(Path.of("second"), new byte[] {1, 2});
    assertEquals(content.length + 2, tier.tree().read(X).length);
    tier.tree().remove(X);
    rig.sweepAll(tier);
    assertEquals(content.length + 2, tier.tree().read(Path.of("second")).length);
    assertTrue(tier.tree().bringUp(Path.of("second")));
    checkNothingLeft();
  }

  @Test
  void down_tooSmallOrTooNew_stays() throws Exception {
    tier.close();
    tier = LocalDirTier.open(rig.config().leastBytes(content.length + 1).build(), rig.ports);
    assertFalse(tier.tree().bringDown(X));
    tier.close();
    long[] now = {TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis())};
    rig.ports.wallMicros = () -> now[0];
    tier = LocalDirTier.open(rig.config().grace(Duration.ofMinutes(5)).build(), rig.ports);
    assertFalse(tier.tree().bringDown(X));
    now[0] += TimeUnit.MINUTES.toMicros(6);
    assertTrue(tier.tree().bringDown(X));
  }

  /** Its real path is where programs look for what belongs to it. */
  @ParameterizedTest
  @ValueSource(strings = {"r-xr-xr-x", "rw-r-x---", "rw-r----x", "rwxrwxrwx"})
  void down_executable_stays(String rights) throws Exception {
    Files.setPosixFilePermissions(x(), PosixFilePermissions.fromString(rights));
    rig.awaitTick();
    reopen();
    assertFalse(tier.tree().bringDown(X));
    Files.setPosixFilePermissions(x(), PosixFilePermissions.fromString("rw-rw-rw-"));
    rig.awaitTick();
    assertTrue(tier.tree().bringDown(X));
  }

  @Test
  void up_executable_movesAsAnyOther() throws Exception {
    assertTrue(tier.tree().bringDown(X));
    Files.setPosixFilePermissions(x(), PosixFilePermissions.fromString("rwxr-xr-x"));
    rig.awaitTick();
    assertTrue(tier.tree().bringUp(X));
    assertEquals("755", FileMark.of(x()).rightsText());
  }

  @Test
  void down_underADirectoryLinkOutOfTheTree_stays() throws Exception {
    Files.createSymbolicLink(rig.ssd.resolve("out"), rig.plain);
    Files.write(rig.plain.resolve("foreign"), content);
    reopen();
    assertFalse(tier.tree().bringDown(Path.of("out", "foreign")));
    assertTrue(Files.isRegularFile(rig.plain.resolve("foreign")));
  }

  @Test
  void down_nameTakenOnTheHdd_evadesAndNeverOverwrites() throws Exception {
    reopen();
    assertTrue(tier.tree().bringDown(X));
    Path first = Files.readSymbolicLink(x());
    Files.delete(x());
    byte[] other = LocalDirRig.bytes(500, 5);
    Files.write(x(), other);
    boolean onFirst = first.startsWith(rig.hdd0);
    Path twin =
        (onFirst ? rig.hdd1 : rig.hdd0).resolve((onFirst ? rig.hdd0 : rig.hdd1).relativize(first));
    Files.createDirectories(twin.getParent());
    Files.write(twin, content);
    rig.awaitTick();
    assertTrue(tier.tree().bringDown(X));
    assertTrue(Files.readSymbolicLink(x()).toString().endsWith("x.~1~"));
    assertArrayEquals(content, Files.readAllBytes(first));
    assertArrayEquals(other, tier.tree().read(X));
    checkNothingLeft();
    assertFalse(tier.rehome(X));
  }

  @Test
  void down_directoryTakenByAFileOnTheHdd_evades() throws Exception {
    reopen();
    for (Path hdd : List.of(rig.hdd0, rig.hdd1)) {
      Files.write(LocalDirRig.home(tier, hdd).resolve("d"), content);
    }
    assertTrue(tier.tree().bringDown(X));
    assertTrue(Files.readSymbolicLink(x()).toString().endsWith("d.~1~/x"));
    checkNothingLeft();
  }

  /** Simulates full HDDs: the copy fails in the middle. */
  private FileCopier fullOn(List<Path> full) {
    return new FileCopier() {
      @Override
      long copy(FileChannel source, Path to, Throttle throttle)
          throws IOException, InterruptedException {
        Path device = to.resolveSibling(".").toRealPath();
        if (full.stream().anyMatch(device::startsWith)) {
          Files.write(to, new byte[100]);
          throw new FileSystemException(to.toString(), null, "No space left on device");
        }
        return super.copy(source, to, throttle);
      }
    };
  }

  @Test
  void down_oneHddFull_goesToTheOther() throws Exception {
    rig.ports.copier = fullOn(List.of(rig.hdd0));
    reopen();
    assertTrue(tier.tree().bringDown(X));
    assertTrue(Files.readSymbolicLink(x()).startsWith(rig.hdd1));
    checkNothingLeft();
  }

  @Test
  void down_allHddsFull_staysUpAndCounts() throws Exception {
    rig.ports.copier = fullOn(List.of(rig.hdd0, rig.hdd1));
    reopen();
    IOException e = assertThrows(IOException.class, () -> tier.tree().bringDown(X));
    assertTrue(String.valueOf(e.getMessage()).contains("no room"), e.getMessage());
    assertArrayEquals(content, Files.readAllBytes(x()));
    assertFalse(tier.tree().isDown(X));
    assertEquals(1, figure(Figure.HDD_FULL));
    checkNothingLeft();
  }

  @Test
  void up_ssdFull_staysDown() throws Exception {
    reopen();
    assertTrue(tier.tree().bringDown(X));
    tier.close();
    rig.ports.copier = fullOn(List.of(rig.ssd));
    reopen();
    assertThrows(IOException.class, () -> tier.tree().bringUp(X));
    assertArrayEquals(content, tier.tree().read(X));
    checkNothingLeft();
  }

  @Test
  void rename_ofFileThatIsDown_rehomedAndOldNameSwept() throws Exception {
    reopen();
    assertTrue(tier.tree().bringDown(X));
    Path old = Files.readSymbolicLink(x());
    tier.tree().mkdir(Path.of("e"));
    tier.tree().rename(X, Path.of("e", "y"));
    assertEquals(old, Files.readSymbolicLink(rig.ssd.resolve("e/y")));
    assertTrue(tier.rehome(Path.of("e", "y")));
    assertTrue(Files.readSymbolicLink(rig.ssd.resolve("e/y")).endsWith(Path.of("e", "y")));
    assertArrayEquals(content, tier.tree().read(Path.of("e", "y")));
    checkNothingLeft();
    assertFalse(Files.exists(old));
  }

  @Test
  void open_secondDaemon_refusedWithTheWayOut() throws Exception {
    reopen();
    IOException e = assertThrows(IOException.class, () -> rig.open());
    assertTrue(String.valueOf(e.getMessage()).contains("another daemon"), e.getMessage());
    assertTrue(String.valueOf(e.getMessage()).contains("stop that daemon"), e.getMessage());
  }

  @Test
  void open_missingRoots_saysWhichAndTheFix() throws Exception {
    tier.close();
    LocalDirConfig config =
        LocalDirConfig.builder(rig.ssd).hdd(rig.base.resolve("nowhere")).build();
    IOException e = assertThrows(IOException.class, () -> LocalDirTier.open(config));
    assertTrue(String.valueOf(e.getMessage()).contains("hdd=" + rig.base), e.getMessage());
    assertTrue(String.valueOf(e.getMessage()).contains("mount its device"), e.getMessage());
  }
}
