// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.conf.DataDirMode.TooWideException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnedDirectoryTest {
  private static final List<String> OURS = List.of("/data/1", "/data/2");

  @TempDir Path dir;

  private File directory(String uuid) {
    return dir.resolve(uuid).toFile();
  }

  private CacheDir cacheDir(String uuid, List<String> dataDirs) throws IOException {
    CacheDir cache =
        new CacheDir(dir.toFile(), uuid, dataDirs, Set.of(), true, DataDirMode.OWNER_ONLY);
    cache.open();
    Path bucket = cache.root().toPath().resolve("hycache/BP-1/00");
    Files.createDirectories(bucket);
    Files.write(bucket.resolve("blk_1_1_1.data"), new byte[1]);
    return cache;
  }

  @Test
  void formerUuid_sameDataDirectories_isRemoved() throws Exception {
    cacheDir("old", OURS).close();
    try (CacheDir now = cacheDir("new", OURS)) {
      assertEquals(2, now.removeEarlierLives());
    }
    assertFalse(directory("old").exists());
    assertTrue(new File(directory("new"), "hycache/BP-1/00/blk_1_1_1.data").exists());
  }

  @Test
  void neighbour_inUse_stays() throws Exception {
    try (CacheDir other = cacheDir("other", OURS);
        CacheDir now = cacheDir("new", OURS)) {
      assertEquals(0, now.removeEarlierLives());
      assertTrue(other.isOpen());
    }
    assertTrue(new File(directory("other"), "hycache/BP-1/00/blk_1_1_1.data").exists());
  }

  @Test
  void neighbour_stoppedWithOtherDataDirectories_stays() throws Exception {
    cacheDir("other", List.of("/data/1", "/data/3")).close();
    cacheDir("none", List.of()).close();
    try (CacheDir now = cacheDir("new", OURS)) {
      assertEquals(0, now.removeEarlierLives());
    }
    assertTrue(directory("other").exists());
    assertTrue(directory("none").exists());
  }

  @Test
  void neighbour_withoutOrWithABrokenOwnerFile_stays() throws Exception {
    Files.createDirectories(dir.resolve("older/hycache"));
    cacheDir("broken", OURS).close();
    Path owner = dir.resolve("broken/owner");
    Files.writeString(owner, Files.readString(owner).replace("/data/1", "/data/7"));
    assertNull(OwnedDirectory.readOwner(directory("broken")));
    try (CacheDir now = cacheDir("new", OURS)) {
      assertEquals(0, now.removeEarlierLives());
    }
    assertTrue(directory("older").exists());
    assertTrue(directory("broken").exists());
  }

  @Test
  void neighbour_thatHoldsAnythingElse_stays() throws Exception {
    cacheDir("mixed", OURS).close();
    Files.writeString(dir.resolve("mixed/notes.txt"), "x");
    Files.createDirectory(dir.resolve("photos"));
    Path elsewhere = Files.createDirectory(dir.resolve("elsewhere"));
    Files.createSymbolicLink(dir.resolve("link"), elsewhere);
    try (CacheDir now = cacheDir("new", OURS)) {
      assertEquals(0, now.removeEarlierLives());
    }
    assertTrue(Files.exists(dir.resolve("mixed/hycache/BP-1/00/blk_1_1_1.data")));
    assertTrue(Files.exists(dir.resolve("photos")));
    assertTrue(Files.exists(dir.resolve("link")));
  }

  @Test
  void claim_twice_isRefusedUntilTheFirstEnds() throws Exception {
    OwnedDirectory first = new OwnedDirectory(directory("a"), OURS, DataDirMode.OWNER_ONLY);
    first.claim();
    first.claim();
    OwnedDirectory second = new OwnedDirectory(directory("a"), OURS, DataDirMode.OWNER_ONLY);
    assertThrows(IOException.class, second::claim);
    first.close();
    second.claim();
    assertEquals(OURS, OwnedDirectory.readOwner(directory("a")));
    second.close();
    assertThrows(IOException.class, second::claim);
  }

  @Test
  void cacheDir_onTheRootFileSystem_isRefusedUnlessAllowed() throws Exception {
    assumeTrue(Files.isWritable(Path.of("/")), "makes a directory in /: run as root");
    Path top = Files.createTempDirectory(Path.of("/"), "hycache-test");
    try {
      CacheDir refused =
          new CacheDir(top.toFile(), "uuid", OURS, Set.of(), false, DataDirMode.OWNER_ONLY);
      assertThrows(IOException.class, refused::open);
      assertFalse(refused.isOpen());
      assertFalse(Files.exists(top.resolve("uuid")));
      CacheDir allowed =
          new CacheDir(top.toFile(), "uuid", OURS, Set.of(), true, DataDirMode.OWNER_ONLY);
      allowed.open();
      assertTrue(allowed.isOpen());
      allowed.close();
    } finally {
      var unused = TreeRemoval.remove(top, path -> true);
    }
  }

  @Test
  void cacheDir_onItsOwnFileSystem_looksAtTheDisksOnce() throws Exception {
    Path memory = Files.createTempDirectory(Path.of("/dev/shm"), "hycache-test");
    Path disk = dir.resolve("disk");
    Set<File> disks = Set.of(disk.toFile());
    try (CacheDir known =
            new CacheDir(memory.toFile(), "uuid", OURS, disks, false, DataDirMode.OWNER_ONLY);
        CacheDir fresh =
            new CacheDir(memory.toFile(), "other", OURS, disks, false, DataDirMode.OWNER_ONLY)) {
      known.open();
      // Whoever looks at the disk from now on finds it on the file system of the directory.
      Files.createSymbolicLink(disk, memory);
      known.open();
      assertFalse(known.isRefused());
      assertThrows(IOException.class, fresh::open);
    } finally {
      var unused = TreeRemoval.remove(memory, path -> true);
    }
  }

  @Test
  void cacheDir_onTheFileSystemOfADiskVolume_isRefusedUnlessAllowed() throws Exception {
    Path memory = Files.createTempDirectory(Path.of("/dev/shm"), "hycache-test");
    try {
      Path disk = Modes.directory(memory.resolve("disk"), "rwx------");
      Path parent = Modes.directory(memory.resolve("ssd"), "rwx------");
      Set<File> disks = Set.of(new File("/no/such/disk"), disk.toFile());
      CacheDir refused =
          new CacheDir(parent.toFile(), "uuid", OURS, disks, false, DataDirMode.OWNER_ONLY);
      assertThrows(IOException.class, refused::open);
      assertEquals(
          "expected a directory on a mounted SSD, found one on the file system of the DISK"
              + " directory "
              + disk
              + ", which clean copies would fill. Fix: mount the SSD, or, if this is intended, set"
              + " hycache.cache.dirs.allow-root=true",
          refused.refusal());
      assertFalse(Files.exists(parent.resolve("uuid")));
      try (CacheDir allowed =
              new CacheDir(parent.toFile(), "uuid", OURS, disks, true, DataDirMode.OWNER_ONLY);
          CacheDir alone =
              new CacheDir(
                  parent.toFile(), "other", OURS, Set.of(), false, DataDirMode.OWNER_ONLY)) {
        allowed.open();
        assertNull(allowed.refusal());
        alone.open();
        assertTrue(alone.isOpen());
      }
    } finally {
      var unused = TreeRemoval.remove(memory, path -> true);
    }
  }

  @Test
  void cacheDir_missing_isRefusedUntilItIsThere() throws Exception {
    Path parent = dir.resolve("later");
    try (CacheDir cache =
        new CacheDir(parent.toFile(), "uuid", OURS, Set.of(), true, DataDirMode.OWNER_ONLY)) {
      cache.failed(assertThrows(NoSuchFileException.class, cache::open));
      assertTrue(cache.isRefused());
      assertTrue(
          String.valueOf(cache.refusal())
              .startsWith("expected a directory on a mounted SSD, found none. Fix: mount the SSD"));
      Path made = Modes.directory(parent, "rwx------");
      cache.open();
      assertTrue(cache.isOpen(), () -> "made=" + made);
      assertNull(cache.refusal());
      cache.failed(new NoSuchFileException("later"));
      assertNull(cache.refusal(), "it was in use: its watch says what is wrong");
    }
  }

  @Test
  void cacheDir_withoutItsParent_isNotMade() {
    CacheDir cache =
        new CacheDir(
            dir.resolve("gone").toFile(), "uuid", OURS, Set.of(), true, DataDirMode.OWNER_ONLY);
    assertThrows(IOException.class, cache::open);
    assertFalse(Files.exists(dir.resolve("gone")));
  }

  private static Path withMode(Path directory, String mode) throws IOException {
    return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
  }

  @Test
  void cacheDir_operatorsDirectoryOpenToOthers_isRefusedUntilThatIsMended() throws Exception {
    Path open = Modes.directory(dir.resolve("cache"), "rwxr-xr-x");
    try (CacheDir cache =
        new CacheDir(open.toFile(), "uuid", OURS, Set.of(), true, DataDirMode.OWNER_ONLY)) {
      TooWideException e = assertThrows(TooWideException.class, cache::open);
      assertTrue(e.getReason().endsWith("Fix: chmod 700 " + open), e.getReason());
      assertTrue(cache.isRefused());
      assertFalse(cache.isOpen());
      assertFalse(Files.exists(open.resolve("uuid")));
      withMode(open, "rwx------");
      cache.open();
      assertFalse(cache.isRefused());
      assertTrue(cache.isOpen());
    }
  }

  /** An earlier version made them like this. */
  @Test
  void cacheDir_ownDirectoryOpenToOthers_isRefusedInOneLineWithItsParent() throws Exception {
    Path open = Modes.directory(dir.resolve("cache"), "rwxr-xr-x");
    Path own = Modes.directory(open.resolve("uuid"), "rwxr-x--x");
    try (CacheDir cache =
        new CacheDir(open.toFile(), "uuid", OURS, Set.of(), true, DataDirMode.OWNER_ONLY)) {
      TooWideException both = assertThrows(TooWideException.class, cache::open);
      assertEquals(
          "other users may enter it: expected rwx------ at most (dfs.datanode.data.dir.perm), found"
              + " rwxr-xr-x "
              + open
              + ", rwxr-x--x "
              + own
              + ". Fix: chmod 700 "
              + open
              + " "
              + own,
          both.getReason());
      withMode(open, "rwx------");
      TooWideException one = assertThrows(TooWideException.class, cache::open);
      assertTrue(one.getReason().endsWith("Fix: chmod 700 " + own), one.getReason());
      withMode(own, "rwx------");
      cache.open();
      assertTrue(cache.isOpen());
    }
  }

  @Test
  void claim_whatItMakes_isOfTheDataNodesUserAlone() throws Exception {
    try (OwnedDirectory own = new OwnedDirectory(directory("a"), OURS, DataDirMode.OWNER_ONLY)) {
      own.claim();
    }
    assertEquals("rwx------", Modes.of(dir.resolve("a")));
    assertEquals("rw-------", Modes.of(dir.resolve("a/in_use.lock")));
    assertEquals("rw-------", Modes.of(dir.resolve("a/owner")));
  }
}
