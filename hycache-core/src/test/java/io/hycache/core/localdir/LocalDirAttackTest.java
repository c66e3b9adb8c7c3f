// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static io.hycache.core.localdir.AttackRig.ALICE;
import static io.hycache.core.localdir.AttackRig.MALLORY;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import io.hycache.core.localdir.LocalDirStatus.Figure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks of a user of a tree on the root process that serves it, one at a time. */
class LocalDirAttackTest {
  private AttackRig users;
  private LocalDirRig rig;
  private LocalDirTier tier;
  private Path ssd;
  private Path outside;
  private Canaries canaries;

  @BeforeEach
  void setUp() throws Exception {
    ActingAs.assumeRoot();
    users = new AttackRig();
    rig = users.rig;
    ssd = users.ssd;
    outside = users.outside;
    tier = rig.open();
    canaries = new Canaries(outside, users.alices);
  }

  @AfterEach
  void tearDown() throws Exception {
    if (users != null) {
      tier.close();
      users.close();
    }
  }

  private void reopen() throws IOException {
    tier.close();
    tier = rig.open();
  }

  private void down(String path) throws Exception {
    assertTrue(tier.tree().bringDown(Path.of(path)), path);
  }

  /** Restores the state of an earlier version, which gave directories on HDDs to the users. */
  private void makeHisOwn(Path onHdd) throws IOException {
    AttackRig.give(onHdd, MALLORY);
    AttackRig.rights(onHdd, "rwxr-xr-x");
  }

  // ------------------------------------------------------------- links on the HDD and to it

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void rehome_linkThroughALinkOnTheHdd_linksNoOtherUsersFile(boolean madeByEarlierVersion)
      throws Exception {
    down("m/x");
    Path his = AttackRig.behind(ssd.resolve("m/x"));
    if (madeByEarlierVersion) {
      makeHisOwn(his);
    }
    Path evil = his.resolve("evil");
    assertEquals(
        madeByEarlierVersion,
        ActingAs.may(MALLORY, () -> Files.createSymbolicLink(evil, outside)),
        "names on the HDD are the service's");
    if (!madeByEarlierVersion) {
      AttackRig.link(evil, outside, MALLORY);
    }
    Path link = AttackRig.link(ssd.resolve("m/y"), evil.resolve("secret"), MALLORY);
    assertFalse(tier.rehome(Path.of("m", "y")));
    assertFalse(tier.tree().bringUp(Path.of("m", "y")));
    assertFalse(Files.exists(his.resolve("y"), LinkOption.NOFOLLOW_LINKS));
    assertEquals(evil.resolve("secret"), Files.readSymbolicLink(link));
    canaries.check("a link on the HDD was followed");
  }

  @Test
  void up_linkToAnotherUsersFileOnTheHdd_isRefused() throws Exception {
    down("a/x");
    Path alices = Files.readSymbolicLink(ssd.resolve("a/x"));
    Canaries onHdd = new Canaries(alices);
    AttackRig.link(ssd.resolve("m/y"), alices, MALLORY);
    assertFalse(tier.tree().bringUp(Path.of("m", "y")));
    assertFalse(tier.rehome(Path.of("m", "y")));
    // Nor through Alice's own link, which Mallory has moved into his directory.
    AttackRig.link(ssd.resolve("m/z"), alices, ALICE);
    assertFalse(tier.tree().bringUp(Path.of("m", "z")));
    assertFalse(tier.rehome(Path.of("m", "z")));
    onHdd.check("a user's link made another's file move");
    assertTrue(tier.tree().bringUp(Path.of("a", "x")));
  }

  @Test
  void up_linkToAnotherUsersFileInADirectoryOfRoots_isRefused() throws Exception {
    down("a/x");
    Path alices = Files.readSymbolicLink(ssd.resolve("a/x"));
    Canaries onHdd = new Canaries(alices);
    Path shared = AttackRig.directory(ssd.resolve("shared"), 0);
    AttackRig.rights(shared, "rwxrwxrwx");
    AttackRig.link(shared.resolve("y"), alices, MALLORY);
    assertFalse(tier.tree().bringUp(Path.of("shared", "y")));
    assertFalse(tier.rehome(Path.of("shared", "y")));
    onHdd.check("a user's link made another's file move");
  }

  @Test
  void down_fileOfAnotherUserInHisDirectory_stays() throws Exception {
    AttackRig.file(ssd.resolve("m/hers"), ALICE);
    rig.awaitTick();
    assertFalse(tier.tree().bringDown(Path.of("m", "hers")));
    assertFalse(tier.tree().isDown(Path.of("m", "hers")));
  }

  @Test
  void down_directoryNamedAsTheServicesOwn_getsAnother() throws Exception {
    AttackRig.directory(ssd.resolve(".staging"), MALLORY);
    AttackRig.file(ssd.resolve(".staging/x"), MALLORY);
    rig.awaitTick();
    down(".staging/x");
    Path behind = AttackRig.behind(ssd.resolve(".staging/x"));
    assertTrue(behind.endsWith(".staging.~1~"), behind.toString());
    for (Path hdd : new Path[] {rig.hdd0, rig.hdd1}) {
      FileMark staging = FileMark.of(LocalDirRig.home(tier, hdd).resolve(".staging"));
      assertEquals(0, staging.uid);
      assertEquals("700", staging.rightsText());
    }
    assertFalse(tier.rehome(Path.of(".staging", "x")));
    rig.sweepAll(tier);
    assertEquals(rig.linked(), rig.onHdds());
  }

  // ------------------------------------------------------------------- changes in the middle

  @ParameterizedTest
  @EnumSource(
      value = FileMoveState.class,
      names = {"PLANNED", "RESERVED", "COPIED", "SYNCED", "NAMED", "STAGED", "CHECKED"})
  void down_directoryChangedForALinkInTheMiddle_touchesNothingOutside(FileMoveState at)
      throws Exception {
    changeDirectoryAt(at);
    tier.tree().bringDown(Path.of("m", "d", "x"));
    canaries.check("a directory was changed for a link at " + at);
    assertArrayEquals(
        LocalDirRig.bytes(AttackRig.BYTES, MALLORY), Files.readAllBytes(ssd.resolve("m/away/x")));
  }

  @ParameterizedTest
  @EnumSource(
      value = FileMoveState.class,
      names = {"PLANNED", "RESERVED", "COPIED", "SYNCED", "NAMED", "STAGED", "CHECKED"})
  void up_directoryChangedForALinkInTheMiddle_touchesNothingOutside(FileMoveState at)
      throws Exception {
    down("m/d/x");
    changeDirectoryAt(at);
    tier.tree().bringUp(Path.of("m", "d", "x"));
    canaries.check("a directory was changed for a link at " + at);
    assertArrayEquals(
        LocalDirRig.bytes(AttackRig.BYTES, MALLORY), Files.readAllBytes(ssd.resolve("m/away/x")));
  }

  private void changeDirectoryAt(FileMoveState at) throws IOException {
    boolean[] done = new boolean[1];
    rig.ports.moves =
        (state, path) -> {
          if (state == at && !done[0]) {
            done[0] = true;
            Files.move(ssd.resolve("m/d"), ssd.resolve("m/away"), StandardCopyOption.ATOMIC_MOVE);
            AttackRig.link(ssd.resolve("m/d"), outside.resolve("d"), MALLORY);
          }
        };
    reopen();
  }

  @ParameterizedTest
  @EnumSource(
      value = FileMoveState.class,
      names = {"RESERVED", "COPIED", "SYNCED", "NAMED", "STAGED", "CHECKED", "EXCHANGED"})
  void settle_afterACrashDirectoryIsALink_touchesNothingOutside(FileMoveState at) throws Exception {
    rig.ports.moves =
        (state, path) -> {
          if (state == at) {
            throw new AssertionError("crash");
          }
        };
    reopen();
    assertThrows(AssertionError.class, () -> tier.tree().bringDown(Path.of("m", "d", "x")));
    rig.ports.moves = FileMoveState.Hook.NONE;
    Files.move(ssd.resolve("m/d"), ssd.resolve("m/away"), StandardCopyOption.ATOMIC_MOVE);
    AttackRig.link(ssd.resolve("m/d"), outside.resolve("d"), MALLORY);
    reopen();
    canaries.check("a crash at " + at + " was settled through a link");
    rig.sweepAll(tier);
    canaries.check("after the sweep");
  }

  @Test
  void settle_exchangeThatIsTakenBack_staysInItsDirectory() throws Exception {
    boolean[] done = new boolean[1];
    rig.ports.moves =
        (state, path) -> {
          if (state == FileMoveState.EXCHANGED && !done[0]) {
            done[0] = true;
            // The original was replaced, and the path to it leads outside.
            AttackRig.rights(inStaging(), "rwxr-x--x");
            Files.move(ssd.resolve("m/d"), ssd.resolve("m/away"), StandardCopyOption.ATOMIC_MOVE);
            AttackRig.link(ssd.resolve("m/d"), outside.resolve("d"), MALLORY);
          }
        };
    reopen();
    assertFalse(tier.tree().bringDown(Path.of("m", "d", "x")));
    canaries.check("an exchange was taken back through a link");
    assertEquals("751", FileMark.of(ssd.resolve("m/away/x")).rightsText());
    assertEquals(List.of(), rig.staged());
  }

  private Path inStaging() throws IOException {
    try (var all = Files.list(ssd.resolve(".hycache/staging"))) {
      return all.filter(path -> !path.toString().endsWith(".of")).findFirst().orElseThrow();
    }
  }

  // ------------------------------------------------------------- sweeping, listing, clearing

  @Test
  void sweep_linksOnTheHddOfAnEarlierVersion_goThemselves() throws Exception {
    down("m/d/x");
    Path his = AttackRig.behind(ssd.resolve("m/d/x"));
    makeHisOwn(his);
    AttackRig.link(his.resolve("out"), outside, MALLORY);
    AttackRig.link(his.resolve("secret"), outside.resolve("secret"), MALLORY);
    rig.sweepAll(tier);
    assertFalse(Files.exists(his.resolve("out"), LinkOption.NOFOLLOW_LINKS));
    assertFalse(Files.exists(his.resolve("secret"), LinkOption.NOFOLLOW_LINKS));
    canaries.check("swept outside");
  }

  @Test
  void removeEmptyHomes_linksOnTheHddOfAnEarlierVersion_areNotFollowed() throws Exception {
    Files.createDirectory(outside.resolve("empty"));
    canaries = new Canaries(outside);
    down("m/d/x");
    Path his = AttackRig.behind(ssd.resolve("m/d/x"));
    makeHisOwn(his);
    AttackRig.link(his.resolve("out"), outside, MALLORY);
    assertEquals(2, tier.filesOnHdds());
    tier.removeEmptyHomes();
    canaries.check("cleared outside");
    assertTrue(Files.exists(his.resolve("x")));
  }

  @Test
  void scan_treeLinksToPlacesOutside_noneIsLookedInto() throws Exception {
    AttackRig.link(ssd.resolve("m/out"), outside, MALLORY);
    tier.planner().round();
    assertEquals(0, tier.status().downFiles());
    assertEquals(4, tier.status().upFiles());
    assertEquals(List.of(), tier.tree().downFiles());
    canaries.check("looked into");
  }

  // ------------------------------------------------------------------------- rights on HDDs

  @Test
  void down_filesOfTwoUsers_eachReadsHisOwnAndNoneChangesNames() throws Exception {
    down("m/d/x");
    down("a/x");
    byte[] his = LocalDirRig.bytes(AttackRig.BYTES, MALLORY);
    byte[] hers = LocalDirRig.bytes(AttackRig.BYTES, ALICE);
    Path hisLink = ssd.resolve("m/d/x");
    Path herLink = ssd.resolve("a/x");
    assertArrayEquals(his, ActingAs.call(MALLORY, () -> Files.readAllBytes(hisLink)));
    assertArrayEquals(hers, ActingAs.call(ALICE, () -> Files.readAllBytes(herLink)));
    // Alice's file is world-readable, but her directory is not: on the HDD, too, no other user
    // reaches the file.
    Path herFile = Files.readSymbolicLink(herLink);
    assertEquals("644", FileMark.of(herFile).rightsText());
    assertFalse(ActingAs.may(MALLORY, () -> Files.readAllBytes(herFile)));
    Path hisFile = Files.readSymbolicLink(hisLink);
    assertArrayEquals(his, ActingAs.call(ALICE, () -> Files.readAllBytes(hisFile)));
    Path home = LocalDirRig.home(tier, hisFile.startsWith(rig.hdd0) ? rig.hdd0 : rig.hdd1);
    for (Path at : List.of(home.resolve("m/d"), home.resolve("m"), home)) {
      FileMark mark = FileMark.of(at);
      assertEquals(0, mark.uid, at.toString());
      assertFalse(mark.isWritableForOthers(), at.toString());
      for (int uid : new int[] {MALLORY, ALICE}) {
        assertFalse(ActingAs.may(uid, () -> Files.createFile(at.resolve("new"))), at.toString());
        assertFalse(
            ActingAs.may(
                uid,
                () ->
                    Files.setPosixFilePermissions(
                        at, PosixFilePermissions.fromString("rwxrwxrwx"))),
            at.toString());
        assertFalse(ActingAs.may(uid, () -> list(at)), at.toString());
      }
    }
    assertFalse(ActingAs.may(MALLORY, () -> Files.move(hisFile, hisFile.resolveSibling("moved"))));
    assertFalse(ActingAs.may(MALLORY, () -> Files.delete(hisFile)));
    // The owner can still write to the file and remove its name in the tree.
    assertTrue(ActingAs.may(MALLORY, () -> Files.write(hisLink, new byte[7])));
    assertTrue(ActingAs.may(MALLORY, () -> Files.delete(hisLink)));
  }

  private static void list(Path directory) throws IOException {
    try (var names = Files.newDirectoryStream(directory)) {
      names.forEach(name -> {});
    }
  }

  @Test
  void down_directoryWithAnAccessControlList_sameUsersComeToTheFileOnTheHdd() throws Exception {
    LinuxCalls calls = java.util.Objects.requireNonNull(LinuxCalls.load(), "JNA is missing");
    int bob = MALLORY + 9;
    ByteBuffer list = ByteBuffer.allocate(4 + 5 * 8).order(ByteOrder.LITTLE_ENDIAN).putInt(2);
    // user::rwx user:bob:rwx group::--- mask::rwx other::---
    int[][] entries = {{1, 7, -1}, {2, 7, bob}, {4, 0, -1}, {16, 7, -1}, {32, 0, -1}};
    for (int[] entry : entries) {
      list.putShort((short) entry[0]).putShort((short) entry[1]).putInt(entry[2]);
    }
    calls.attributes.set(ssd.resolve("m/d"), "system.posix_acl_access", list.array());
    down("m/d/x");
    Path file = Files.readSymbolicLink(ssd.resolve("m/d/x"));
    assertTrue(ActingAs.may(MALLORY, () -> Files.readAllBytes(file)));
    assertTrue(ActingAs.may(bob, () -> Files.readAllBytes(file)));
    assertFalse(ActingAs.may(ALICE, () -> Files.readAllBytes(file)));
    assertFalse(ActingAs.may(bob, () -> Files.delete(file)));
  }

  @Test
  void down_directoryOfTheSameNameOfAnotherUser_getsOneOfItsOwn() throws Exception {
    AttackRig.directory(ssd.resolve("m/u"), MALLORY);
    AttackRig.file(ssd.resolve("m/u/x"), MALLORY);
    rig.awaitTick();
    down("m/u/x");
    Path his = AttackRig.behind(ssd.resolve("m/u/x"));
    Files.move(ssd.resolve("m/u"), ssd.resolve("m/v"), StandardCopyOption.ATOMIC_MOVE);
    // The directory is Alice's now; Mallory's file must not be passed to her.
    AttackRig.directory(ssd.resolve("m/u"), ALICE);
    AttackRig.rights(ssd.resolve("m/u"), "rwx------");
    AttackRig.file(ssd.resolve("m/u/y"), ALICE);
    rig.awaitTick();
    down("m/u/y");
    Path hers = AttackRig.behind(ssd.resolve("m/u/y"));
    if (hers.startsWith(rig.hdd0) == his.startsWith(rig.hdd0)) {
      assertEquals(his.resolveSibling("u.~1~"), hers);
    }
    Path herFile = Files.readSymbolicLink(ssd.resolve("m/u/y"));
    assertTrue(ActingAs.may(ALICE, () -> Files.readAllBytes(herFile)));
    assertFalse(ActingAs.may(MALLORY, () -> Files.readAllBytes(herFile)));
    assertTrue(ActingAs.may(MALLORY, () -> Files.readAllBytes(ssd.resolve("m/v/x"))));
  }

  /** A file that moved to a private directory is still in the old one on the HDD. */
  @Test
  void down_directoryOfTheSameNameWithMoreRights_opensNoOtherFile() throws Exception {
    tier.close();
    tier =
        LocalDirTier.open(
            LocalDirConfig.builder(ssd)
                .hdd(rig.hdd0)
                .policy("lru")
                .leastBytes(1)
                .grace(Duration.ZERO)
                .sweepGrace(Duration.ofSeconds(60))
                .build(),
            rig.ports);
    Path old =
        AttackRig.directory(AttackRig.directory(ssd.resolve("s"), ALICE).resolve("d"), ALICE);
    AttackRig.rights(old, "rwx------");
    AttackRig.file(old.resolve("x"), ALICE);
    rig.awaitTick();
    down("s/d/x");
    Path file = Files.readSymbolicLink(old.resolve("x"));
    Files.move(old, ssd.resolve("s/e"), StandardCopyOption.ATOMIC_MOVE);
    AttackRig.file(AttackRig.directory(old, ALICE).resolve("y"), ALICE);
    rig.awaitTick();
    down("s/d/y");
    Path link = old.resolve("y");
    // Mallory's link does not keep the rights from being updated.
    AttackRig.link(ssd.resolve("m/stray"), Files.readSymbolicLink(link), MALLORY);
    assertTrue(ActingAs.may(MALLORY, () -> Files.readAllBytes(link)));
    assertFalse(ActingAs.may(MALLORY, () -> Files.readAllBytes(file)));
    tier.sweepNow();
    assertFalse(ActingAs.may(MALLORY, () -> Files.readAllBytes(file)));
    assertTrue(ActingAs.may(ALICE, () -> Files.readAllBytes(ssd.resolve("s/e/x"))));
    assertTrue(tier.rehome(Path.of("s", "e", "x")));
    assertFalse(
        ActingAs.may(
            MALLORY, () -> Files.readAllBytes(Files.readSymbolicLink(ssd.resolve("s/e/x")))));
    rig.sweepAll(tier);
    assertFalse(Files.exists(file));
    AttackRig.rights(old, "rwx------");
    tier.sweepNow();
    assertFalse(ActingAs.may(MALLORY, () -> Files.readAllBytes(Files.readSymbolicLink(link))));
    AttackRig.rights(old, "rwxr-xr-x");
    tier.sweepNow();
    assertTrue(ActingAs.may(MALLORY, () -> Files.readAllBytes(link)));
  }

  @Test
  void corner_isRootsAlone() throws Exception {
    for (String name : new String[] {"", "staging", "kept"}) {
      FileMark mark = FileMark.of(ssd.resolve(".hycache").resolve(name));
      assertEquals(0, mark.uid);
      assertEquals("700", mark.rightsText());
    }
    AttackRig.rights(ssd.resolve(".hycache"), "rwxr-xr-x");
    reopen();
    assertEquals("700", FileMark.of(ssd.resolve(".hycache")).rightsText());
    assertFalse(ActingAs.may(MALLORY, () -> Files.readString(ssd.resolve(".hycache/id"))));
    IOException e =
        assertThrows(
            IOException.class, () -> ActingAs.call(MALLORY, () -> LocalDirStatus.read(ssd)));
    assertTrue(String.valueOf(e.getMessage()).contains("as the user who serves"), e.getMessage());
  }

  // ------------------------------------------------------------------- what root serves at all

  private void refused(String... parts) {
    tier.close();
    IOException e = assertThrows(IOException.class, () -> rig.open().close());
    for (String part : parts) {
      assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
    }
  }

  @Test
  void open_hddThatOthersMayChange_isRefused() throws Exception {
    AttackRig.rights(rig.hdd1, "rwxrwxrwx");
    reopen();
    assertEquals(List.of(rig.hdd1), tier.unusableHdds());
    AttackRig.rights(rig.hdd0, "rwxrwxrwx");
    refused("hdd=" + rig.hdd0, "expected that only root", "mode=777", "Fix: chown root");
  }

  @Test
  void open_ssdBelowADirectoryOfAUser_isRefused() throws Exception {
    AttackRig.give(rig.base, MALLORY);
    refused("ssd=" + ssd, "names in " + rig.base, "uid=" + MALLORY);
  }

  @Test
  void open_ssdByWayOfALink_isRefused() throws Exception {
    tier.close();
    Path link = Files.createSymbolicLink(rig.base.resolve("link"), ssd);
    LocalDirConfig config = LocalDirConfig.builder(link).hdd(rig.hdd0).build();
    IOException e = assertThrows(IOException.class, () -> LocalDirTier.open(config).close());
    assertTrue(String.valueOf(e.getMessage()).contains("Fix: configure " + ssd), e.getMessage());
  }

  @Test
  void open_cornerOfAUserOrWritableForOthers_isRefused() throws Exception {
    AttackRig.rights(ssd.resolve(".hycache"), "rwxrwxr-x");
    refused(ssd.resolve(".hycache").toString(), "mode=775", "chmod 700");
    AttackRig.give(ssd.resolve(".hycache"), MALLORY);
    refused("found uid=" + MALLORY, "look at what is in it");
  }

  @Test
  void open_directoriesThatAnEarlierVersionGaveAway_areTakenOver() throws Exception {
    AttackRig.rights(ssd.resolve("m/d"), "rwx------");
    down("m/d/x");
    Path his = AttackRig.behind(ssd.resolve("m/d/x"));
    Path home = LocalDirRig.home(tier, his.startsWith(rig.hdd0) ? rig.hdd0 : rig.hdd1);
    for (Path directory : List.of(home, home.resolve("m"), his)) {
      makeHisOwn(directory);
    }
    AttackRig.rights(his, "rwx------");
    AttackRig.link(his.resolve("out"), outside, MALLORY);
    reopen();
    for (Path directory : List.of(home, home.resolve("m"), his)) {
      FileMark mark = FileMark.of(directory);
      assertEquals(0, mark.uid);
      assertFalse(mark.isWritableForOthers());
      assertFalse(ActingAs.may(MALLORY, () -> Files.createFile(directory.resolve("new"))));
    }
    Path link = ssd.resolve("m/d/x");
    assertTrue(ActingAs.may(MALLORY, () -> Files.readAllBytes(link)));
    Path file = Files.readSymbolicLink(link);
    assertFalse(ActingAs.may(ALICE, () -> Files.readAllBytes(file)));
    AttackRig.file(ssd.resolve("m/d/y"), MALLORY);
    rig.awaitTick();
    down("m/d/y");
    assertTrue(tier.tree().bringUp(Path.of("m", "d", "x")));
    canaries.check("taken over outside");
  }

  @Test
  void withoutJna_rootMovesAndSweepsNothingThatUsersCanReach() throws Exception {
    down("m/x");
    Path file = Files.readSymbolicLink(ssd.resolve("m/x"));
    Files.write(ssd.resolve("roots"), LocalDirRig.bytes(AttackRig.BYTES, 1));
    rig.awaitTick();
    tier.close();
    rig.ports.calls = null;
    tier = rig.open();
    down("roots");
    for (String name : new String[] {"m/d/x", "a/x"}) {
      IOException e =
          assertThrows(IOException.class, () -> tier.tree().bringDown(Path.of(name)), name);
      assertTrue(String.valueOf(e.getMessage()).contains("JNA"), e.getMessage());
    }
    for (int i = 0; i < 3; i++) {
      assertThrows(IOException.class, () -> tier.sweepNow());
      rig.nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
    }
    assertTrue(Files.exists(file), "unreadable directories may contain links to it");
    canaries.check("without JNA");
  }

  @Test
  void down_writeLeaseOnTheFile_isNotWaitedFor() throws Exception {
    NativeLibrary libc = NativeLibrary.getInstance("c");
    Function fcntl = libc.getFunction("fcntl");
    byte[] path = (ssd.resolve("m/x") + "\0").getBytes(StandardCharsets.UTF_8);
    int descriptor = libc.getFunction("open").invokeInt(new Object[] {path, 0, 0});
    assertTrue(descriptor >= 0);
    try {
      // SIGURG is ignored by default; a write lease blocks every other open.
      fcntl.invokeInt(new Object[] {descriptor, 10, 23});
      assertEquals(0, fcntl.invokeInt(new Object[] {descriptor, 1024, 1}));
      assertFalse(tier.tree().bringDown(Path.of("m", "x")));
      assertEquals(1, tier.status().figure(Figure.SKIPPED_OPEN));
    } finally {
      libc.getFunction("close").invokeInt(new Object[] {descriptor});
    }
    assertFalse(tier.tree().isDown(Path.of("m", "x")));
  }
}
