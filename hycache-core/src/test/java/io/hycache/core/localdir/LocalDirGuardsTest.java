// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static io.hycache.core.localdir.AttackRig.ALICE;
import static io.hycache.core.localdir.AttackRig.MALLORY;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import io.hycache.core.localdir.LocalDirStatus.Figure;
import io.hycache.core.spi.BlockMover.Throttle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that root must not move, and attempts of a user to block it or exhaust its resources. */
class LocalDirGuardsTest {
  private static final String DEFAULT = "system.posix_acl_default";
  private static final int BOB = MALLORY + 9;

  /** Nesting depth of a directory whose path exceeds the kernel's maximum length. */
  private static final int TOO_DEEP = 5_000;

  /** Nesting depth of a directory whose path is just within the maximum length. */
  private static final int DEEP = 1_950;

  private final List<Path> mounts = new ArrayList<>();
  private AttackRig users;
  private LocalDirRig rig;
  private LocalDirTier tier;
  private Path ssd;

  @BeforeEach
  void setUp() throws Exception {
    ActingAs.assumeRoot();
    users = new AttackRig();
    rig = users.rig;
    ssd = users.ssd;
    tier = rig.open();
  }

  @AfterEach
  void tearDown() throws Exception {
    if (users != null) {
      tier.close();
      for (Path mount : mounts) {
        assertEquals(0, run("umount", mount.toString()));
      }
      // Too deep for java.nio to walk.
      assertEquals(0, run("rm", "-rf", ssd.resolve("m").toString()));
      users.close();
    }
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private void reopen() throws IOException {
    tier.close();
    tier = rig.open();
  }

  private boolean down(String path) throws Exception {
    return tier.tree().bringDown(Path.of(path));
  }

  // ------------------------------------------------------------------ mounts below the tree

  /** A user's FUSE server controls owners, modes and response times of its files. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void down_belowAMount_stays(boolean openat2) throws Exception {
    rig.ports.calls = LinuxCalls.load(!openat2);
    reopen();
    Path mount = AttackRig.directory(ssd.resolve("m/mount"), MALLORY);
    assumeTrue(run("mount", "-t", "tmpfs", "none", mount.toString()) == 0, "no right to mount");
    mounts.add(mount);
    AttackRig.give(mount, MALLORY);
    AttackRig.directory(mount.resolve("d"), MALLORY);
    AttackRig.file(mount.resolve("x"), MALLORY);
    AttackRig.file(mount.resolve("d/x"), MALLORY);
    rig.awaitTick();
    Set<FileMoveState> reached = follow();
    assertFalse(down("m/mount/x"));
    assertFalse(down("m/mount/d/x"));
    assertEquals(EnumSet.of(FileMoveState.PLANNED), reached);
    tier.planner().round();
    assertEquals(4, tier.status().upFiles(), "looked into");
    assertEquals(0, tier.sweepNow());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void down_fileThatIsAMount_stays(boolean openat2) throws Exception {
    rig.ports.calls = LinuxCalls.load(!openat2);
    reopen();
    Path other = AttackRig.file(users.outside.resolve("other"), MALLORY);
    Path mount = ssd.resolve("m/x");
    assumeTrue(
        run("mount", "--bind", other.toString(), mount.toString()) == 0, "no right to mount");
    mounts.add(mount);
    rig.awaitTick();
    Set<FileMoveState> reached = follow();
    assertFalse(down("m/x"));
    assertEquals(EnumSet.of(FileMoveState.PLANNED), reached);
  }

  /** A user's mount without allow_other is closed to root as well. */
  @Test
  void scanAndSweep_mountThatIsClosedToRoot_blocksNoOtherUser() throws Exception {
    assertTrue(down("m/d/x"));
    Path mount = AttackRig.directory(ssd.resolve("m/mount"), MALLORY);
    NativeLibrary libc = NativeLibrary.getInstance("c");
    byte[] device = "/dev/fuse\0".getBytes(StandardCharsets.UTF_8);
    int descriptor = libc.getFunction("open").invokeInt(new Object[] {device, 2, 0});
    assumeTrue(descriptor >= 0, "no /dev/fuse");
    try {
      String options =
          "fd=" + descriptor + ",rootmode=40000,user_id=" + MALLORY + ",group_id=" + MALLORY;
      int mounted =
          libc.getFunction("mount")
              .invokeInt(new Object[] {"his", mount.toString(), "fuse", 0L, options});
      assumeTrue(mounted == 0, "no right to mount");
      mounts.add(mount);
      assertEquals(1, tier.tree().downFiles().size());
      tier.planner().round();
      assertEquals(1, tier.status().downFiles());
      Files.delete(ssd.resolve("m/d/x"));
      rig.sweepAll(tier);
      assertEquals(List.of(), rig.onHdds());
    } finally {
      libc.getFunction("close").invokeInt(new Object[] {descriptor});
    }
  }

  /** Records the states that moves reach from now on. */
  private Set<FileMoveState> follow() throws IOException {
    Set<FileMoveState> reached = EnumSet.noneOf(FileMoveState.class);
    rig.ports.moves = (state, path) -> reached.add(state);
    reopen();
    return reached;
  }

  // ----------------------------------------------------------- what a copy may not give away

  @Test
  void down_changedWhileItWasCopied_theCopyGetsNoName() throws Exception {
    Path file = ssd.resolve("m/x");
    Set<FileMoveState> reached = EnumSet.noneOf(FileMoveState.class);
    rig.ports.copier =
        new FileCopier() {
          @Override
          long copy(FileChannel source, Path to, Throttle throttle)
              throws IOException, InterruptedException {
            // The owner makes the file private before writing a secret into it.
            AttackRig.rights(file, "rw-------");
            Files.write(file, LocalDirRig.bytes(AttackRig.BYTES, 7));
            return super.copy(source, to, throttle);
          }
        };
    rig.ports.moves = (state, path) -> reached.add(state);
    reopen();
    assertFalse(down("m/x"));
    assertFalse(reached.contains(FileMoveState.NAMED), "named with outdated rights: " + reached);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4755", "4644", "2644", "6644"})
  void down_fileThatLendsItsOwnersRights_stays(String mode) throws Exception {
    Path file = ssd.resolve("m/x");
    assertEquals(0, run("chmod", mode, file.toString()));
    rig.awaitTick();
    assertFalse(down("m/x"));
    assertEquals(mode, FileMark.of(file).rightsText());
  }

  @Test
  void up_fileThatLendsItsOwnersRights_comesWithThem() throws Exception {
    assertTrue(down("m/x"));
    assertEquals(0, run("chmod", "4755", Files.readSymbolicLink(ssd.resolve("m/x")).toString()));
    rig.awaitTick();
    assertTrue(tier.tree().bringUp(Path.of("m", "x")));
    FileMark mark = FileMark.of(ssd.resolve("m/x"));
    assertEquals("4755", mark.rightsText());
    assertEquals(MALLORY, mark.uid);
  }

  @Test
  void mayComeUp_linkToAnothersFileOrToNone_isFalse() throws Exception {
    assertTrue(down("a/x"));
    AttackRig.link(ssd.resolve("m/hers"), Files.readSymbolicLink(ssd.resolve("a/x")), MALLORY);
    AttackRig.link(ssd.resolve("m/none"), tier.hddHomes().get(0).resolve("m/none"), MALLORY);
    assertEquals(3, tier.tree().downFiles().size());
    assertTrue(tier.tree().mayComeUp(Path.of("a", "x")));
    assertFalse(tier.tree().mayComeUp(Path.of("m", "hers")));
    assertFalse(tier.tree().mayComeUp(Path.of("m", "none")));
    assertFalse(tier.tree().mayComeUp(Path.of("m", "x")));
  }

  @Test
  void down_fileWithCapabilities_stays() throws Exception {
    LinuxCalls calls = Objects.requireNonNull(LinuxCalls.load(), "JNA is missing");
    ByteBuffer capabilities = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
    capabilities.putInt(0x02000001).putInt(1 << 10);
    calls.attributes.set(ssd.resolve("m/x"), "security.capability", capabilities.array());
    rig.awaitTick();
    assertFalse(down("m/x"));
  }

  /** With fs.protected_symlinks, only the link's owner can follow a link there. */
  @Test
  void down_directoryThatAllWriteTo_stays() throws Exception {
    Path shared = AttackRig.directory(ssd.resolve("shared"), 0);
    assertEquals(0, run("chmod", "1777", shared.toString()));
    AttackRig.file(shared.resolve("x"), MALLORY);
    rig.awaitTick();
    assertFalse(down("shared/x"));
    assertFalse(Files.isSymbolicLink(shared.resolve("x")));
  }

  @Test
  void down_hddWithADefaultAccessControlList_grantsNoAccess() throws Exception {
    LinuxCalls calls = Objects.requireNonNull(LinuxCalls.load(), "JNA is missing");
    tier.close();
    for (Path root : List.of(rig.hdd0, rig.hdd1, ssd)) {
      LocalDirRig.delete(root.resolve(root.equals(ssd) ? ".hycache" : "."), false);
      calls.attributes.set(root, DEFAULT, list(BOB));
    }
    tier = rig.open();
    AttackRig.rights(ssd.resolve("m/x"), "rw-r-----");
    rig.awaitTick();
    assertTrue(down("m/x"));
    Path link = ssd.resolve("m/x");
    Path file = Files.readSymbolicLink(link);
    assertFalse(ActingAs.may(BOB, () -> Files.readAllBytes(file)));
    assertTrue(ActingAs.may(MALLORY, () -> Files.readAllBytes(file)));
    assertTrue(tier.tree().bringUp(Path.of("m", "x")));
    assertFalse(ActingAs.may(BOB, () -> Files.readAllBytes(link)));
    assertEquals("640", FileMark.of(link).rightsText());
  }

  /** user::rwx user:uid:rwx group::r-x mask::rwx other::r-x. */
  private static byte[] list(int uid) {
    ByteBuffer list = ByteBuffer.allocate(4 + 5 * 8).order(ByteOrder.LITTLE_ENDIAN).putInt(2);
    int[][] entries = {{1, 7, -1}, {2, 7, uid}, {4, 5, -1}, {16, 7, -1}, {32, 5, -1}};
    for (int[] entry : entries) {
      list.putShort((short) entry[0]).putShort((short) entry[1]).putInt(entry[2]);
    }
    return list.array();
  }

  @Test
  void sweep_directoryThatIsHisAloneNow_isSoOnTheHddToo() throws Exception {
    assertTrue(down("m/d/x"));
    Path file = Files.readSymbolicLink(ssd.resolve("m/d/x"));
    assertTrue(ActingAs.may(ALICE, () -> Files.readAllBytes(file)));
    AttackRig.rights(ssd.resolve("m/d"), "rwx------");
    tier.sweepNow();
    assertFalse(ActingAs.may(ALICE, () -> Files.readAllBytes(file)));
    assertTrue(ActingAs.may(MALLORY, () -> Files.readAllBytes(file)));
    AttackRig.rights(ssd.resolve("m/d"), "rwxr-x--x");
    tier.sweepNow();
    assertTrue(ActingAs.may(ALICE, () -> Files.readAllBytes(file)));
  }

  @Test
  void sweep_linkByWayOfALinkOutside_isNotFollowed() throws Exception {
    assertTrue(down("m/x"));
    Path link = ssd.resolve("m/x");
    Path target = Files.readSymbolicLink(link);
    Files.delete(link);
    Path detour = AttackRig.link(users.outside.resolve("detour"), target, MALLORY);
    AttackRig.link(link, detour, MALLORY);
    rig.sweepAll(tier);
    assertFalse(Files.exists(target), "root followed a user's link");
  }

  // ------------------------------------------------------------------------ earlier versions

  @Test
  void open_directoryThatAnEarlierVersionMadeForAll_isOursAlone() throws Exception {
    AttackRig.directory(ssd.resolve("roots"), 0);
    AttackRig.file(ssd.resolve("roots/x"), MALLORY);
    rig.awaitTick();
    assertTrue(down("roots/x"));
    Path onHdd = AttackRig.behind(ssd.resolve("roots/x"));
    // The mode that the directory in the tree had at that time.
    assertEquals(0, run("chmod", "1777", onHdd.toString()));
    assertTrue(ActingAs.may(ALICE, () -> Files.createFile(onHdd.resolve("hers"))));
    reopen();
    assertFalse(ActingAs.may(ALICE, () -> Files.createFile(onHdd.resolve("new"))));
    assertTrue(ActingAs.may(ALICE, () -> Files.readAllBytes(ssd.resolve("roots/x"))));
  }

  @Test
  void open_filesOfAnEarlierVersion_areFoundMovedAndSwept() throws Exception {
    Path home = LocalDirRig.home(tier, rig.hdd0);
    tier.close();
    // The state of an earlier version: directories belong to the users, with the modes of those in
    // the tree.
    AttackRig.directory(home.resolve("m/d"), MALLORY);
    AttackRig.give(home.resolve("m"), MALLORY);
    AttackRig.rights(home.resolve("m/d"), "rwxrwxrwx");
    Path up = AttackRig.file(home.resolve("m/d/up"), MALLORY);
    Path gone = AttackRig.file(home.resolve("m/d/gone"), MALLORY);
    Path stray = AttackRig.file(home.resolve("m/d/stray"), MALLORY);
    AttackRig.link(ssd.resolve("m/d/up"), up, MALLORY);
    AttackRig.link(ssd.resolve("m/moved"), stray, MALLORY);
    rig.awaitTick();
    tier = rig.open();
    assertEquals(2, tier.tree().downFiles().size());
    rig.sweepAll(tier);
    assertFalse(Files.exists(gone));
    assertTrue(tier.rehome(Path.of("m", "moved")));
    assertEquals(home.resolve("m/moved"), Files.readSymbolicLink(ssd.resolve("m/moved")));
    byte[] his = LocalDirRig.bytes(AttackRig.BYTES, MALLORY);
    for (String name : List.of("m/moved", "m/d/up")) {
      Path path = ssd.resolve(name);
      assertArrayEquals(his, ActingAs.call(MALLORY, () -> Files.readAllBytes(path)));
      assertTrue(tier.tree().bringUp(Path.of(name)));
      assertArrayEquals(his, ActingAs.call(MALLORY, () -> Files.readAllBytes(path)));
    }
    rig.sweepAll(tier);
    assertEquals(List.of(), rig.onHdds());
  }

  /** symlink(2) checks only the length of the whole text. */
  @Test
  void scanAndSweep_linksToNamesThatAreTooLong_blockNobody() throws Exception {
    Path home = tier.hddHomes().get(0);
    Path tooLong = home.resolve("n".repeat(256));
    Path link = AttackRig.link(ssd.resolve("link"), tooLong, MALLORY);
    Path middle = AttackRig.link(ssd.resolve("m/link"), tooLong.resolve("x"), MALLORY);
    Path longest = AttackRig.link(ssd.resolve("longest"), home.resolve("n".repeat(255)), MALLORY);
    assertEquals(List.of(longest), tier.tree().downFiles());
    assertFalse(tier.tree().mayComeUp(link));
    assertFalse(tier.tree().mayComeUp(middle));
    assertFalse(tier.tree().mayComeUp(longest));
    tier.close();
    tier =
        LocalDirTier.open(
            rig.config().capacityBytes(AttackRig.BYTES).high(0.5).low(0.1).build(), rig.ports);
    LocalDirPlanner planner = tier.plannerWith((hdd, move) -> move.run());
    planner.round();
    assertTrue(Files.isSymbolicLink(ssd.resolve("a/x")));
    rig.sweepAll(tier);
    planner.found(List.of(link, middle));
    planner.round();
    assertEquals(0, tier.status().figure(Figure.HDD_LOOKS_FAILED));
    assertEquals(0, tier.status().figure(Figure.MOVES_FAILED));
    assertTrue(Files.isSymbolicLink(link));
    assertTrue(Files.isSymbolicLink(middle));
  }

  // ------------------------------------------------------------------ waiting and running out

  @Test
  void down_writeLeaseTakenAfterTheFirstLook_isNotWaitedFor() throws Exception {
    NativeLibrary libc = NativeLibrary.getInstance("c");
    Function fcntl = libc.getFunction("fcntl");
    byte[] path = (ssd.resolve("m/x") + "\0").getBytes(StandardCharsets.UTF_8);
    int[] descriptor = {-1};
    rig.ports.moves =
        (state, moved) -> {
          if (state == FileMoveState.RESERVED && descriptor[0] < 0) {
            descriptor[0] = libc.getFunction("open").invokeInt(new Object[] {path, 0, 0});
            fcntl.invokeInt(new Object[] {descriptor[0], 10, 23});
            fcntl.invokeInt(new Object[] {descriptor[0], 1024, 1});
          }
        };
    reopen();
    try {
      assertFalse(assertTimeoutPreemptively(Duration.ofSeconds(30), () -> down("m/x")));
      assertEquals(1, tier.status().figure(Figure.SKIPPED_OPEN));
    } finally {
      libc.getFunction("close").invokeInt(new Object[] {descriptor[0]});
    }
  }

  @Test
  void down_fileThatGrowsAsFastAsItIsCopied_isGivenUp() throws Exception {
    int[] appends = new int[1];
    Path file = ssd.resolve("m/x");
    rig.ports.copier =
        new FileCopier() {
          @Override
          long copy(FileChannel source, Path to, Throttle throttle)
              throws IOException, InterruptedException {
            return super.copy(
                source,
                to,
                new Throttle() {
                  @Override
                  public int chunkBytes(int most) {
                    return throttle.chunkBytes(most);
                  }

                  @Override
                  public void take(long bytes) throws InterruptedException {
                    throttle.take(bytes);
                    if (appends[0] < 1_000) {
                      appends[0]++;
                      append(file);
                    }
                  }
                });
          }
        };
    reopen();
    assertFalse(down("m/x"));
    assertTrue(appends[0] < 10, "appends=" + appends[0]);
  }

  private static void append(Path file) {
    try {
      Files.write(file, new byte[AttackRig.BYTES], StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void deepen(int levels) throws IOException {
    Path name = Path.of("d");
    Directory at = Directory.open(ssd.resolve("m"), Caller.of(rig.ports.calls));
    for (int i = 0; i < levels; i++) {
      at.make(name);
      Directory next = Objects.requireNonNull(at.below(name));
      at.close();
      at = next;
    }
    Files.write(at.at("x"), new byte[AttackRig.BYTES]);
    at.close();
  }

  /** Runs work on a new thread, as planner and sweeper do. */
  private <T> T onAThread(java.util.concurrent.Callable<T> work) throws Exception {
    return ActingAs.call(0, work);
  }

  @Test
  void scanAndSweep_deepTree_blocksNoOtherUser() throws Exception {
    deepen(DEEP);
    assertTrue(down("a/x"));
    rig.awaitTick();
    onAThread(
        () -> {
          tier.planner().round();
          return tier.tree().downFiles();
        });
    assertEquals(3, tier.status().upFiles(), "files that deep do not move");
    assertEquals(0, onAThread(() -> tier.sweepNow()));
  }

  @Test
  void scanAndSweep_treeDeeperThanAnyPath_staysAndBlocksNoOtherUser() throws Exception {
    assertTrue(down("a/x"));
    assertTrue(down("m/x"));
    deepen(TOO_DEEP);
    Files.delete(ssd.resolve("m/x"));
    rig.awaitTick();
    assertEquals(1, onAThread(() -> tier.tree().downFiles()).size());
    onAThread(
        () -> {
          tier.planner().round();
          return 0;
        });
    // Without access to every directory, links may be missed.
    assertEquals(-1, onAThread(() -> tier.sweepNow()));
    assertEquals(1, tier.status().figure(Figure.INVENTORIES_INCOMPLETE));
    assertEquals(2, rig.onHdds().size());
    AttackRig.file(ssd.resolve("m/y"), MALLORY);
    rig.awaitTick();
    assertTrue(down("m/y"));
    assertTrue(tier.tree().bringUp(Path.of("a", "x")));
    assertEquals(0, run("rm", "-rf", ssd.resolve("m/d").toString()));
    rig.sweepAll(tier);
    assertEquals(rig.linked(), rig.onHdds());
  }
}
