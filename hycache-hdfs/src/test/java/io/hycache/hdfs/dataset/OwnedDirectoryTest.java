package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnedDirectoryTest {
  private static final List<String> OURS = List.of("/data/1", "/data/2");

  @TempDir Path dir;

  private File directory(String uuid) {
    return dir.resolve(uuid).toFile();
  }

  private CacheDir cacheDir(String uuid, List<String> dataDirs) throws IOException {
    CacheDir cache = new CacheDir(dir.toFile(), uuid, dataDirs, true);
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
    OwnedDirectory first = new OwnedDirectory(directory("a"), OURS);
    first.claim();
    first.claim();
    OwnedDirectory second = new OwnedDirectory(directory("a"), OURS);
    assertThrows(IOException.class, second::claim);
    first.close();
    second.claim();
    assertEquals(OURS, OwnedDirectory.readOwner(directory("a")));
    second.close();
    assertThrows(IOException.class, second::claim);
  }

  @Test
  void cacheDir_onTheRootFileSystem_isRefusedUnlessAllowed() throws Exception {
    Path top = Files.createTempDirectory(Path.of("/"), "hycache-test");
    try {
      CacheDir refused = new CacheDir(top.toFile(), "uuid", OURS, false);
      assertThrows(IOException.class, refused::open);
      assertFalse(refused.isOpen());
      assertFalse(Files.exists(top.resolve("uuid")));
      CacheDir allowed = new CacheDir(top.toFile(), "uuid", OURS, true);
      allowed.open();
      assertTrue(allowed.isOpen());
      allowed.close();
    } finally {
      var unused = TreeRemoval.remove(top, path -> true);
    }
  }

  @Test
  void cacheDir_withoutItsParent_isNotMade() {
    CacheDir cache = new CacheDir(dir.resolve("gone").toFile(), "uuid", OURS, true);
    assertThrows(IOException.class, cache::open);
    assertFalse(Files.exists(dir.resolve("gone")));
  }
}
