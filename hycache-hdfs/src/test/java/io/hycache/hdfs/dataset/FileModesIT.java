// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static io.hycache.hdfs.dataset.EmbeddedCluster.BLOCK;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Modes of all files and directories that a DataNode makes for HyCache. */
class FileModesIT {
  @TempDir Path dir;

  private Configuration conf() {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.CACHE_DIRS_ALLOW_ROOT, "true");
    conf.set(HyCacheKeys.DIRECTORY, "leveldb");
    conf.set(HyCacheKeys.DIRECTORY_DIR, dir.resolve("lib/directory").toString());
    return conf;
  }

  private static List<Path> under(Path top) throws IOException {
    try (Stream<Path> all = Files.walk(top)) {
      return all.collect(toList());
    }
  }

  private static String file(Path file) {
    return String.valueOf(file.getFileName());
  }

  @ParameterizedTest
  @CsvSource({"700, rwx------", "750, rwxr-x---"})
  void everythingMade_hasNoBitBeyondTheDataDirectories(String perm, String mode) throws Exception {
    Path cache = Modes.directory(dir.resolve("cache"), mode);
    Configuration conf = conf();
    conf.set("dfs.datanode.data.dir.perm", perm);
    conf.set(HyCacheKeys.CACHE_DIRS, cache.toString());
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    List<Path> made = new ArrayList<>();
    Path levelDb;
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      c.write("/a", 41, 4 * BLOCK);
      c.await("tracked", () -> c.node(0).status().trackedBlocks() == 4);
      c.hint(0, "w", "/a", 3);
      c.await("all clean", () -> c.locate(0, "/a").stream().allMatch(b -> b.cleanData));
      c.await("in the directory", () -> c.directory(0) != null);
      Path ssd = c.cluster.getInstanceStorageDir(0, 0).toPath();
      c.await("probed", () -> Files.exists(ssd.resolve("hycache/probe.read")));
      assertEquals(mode, Modes.of(ssd), "HDFS's own");
      made.addAll(under(ssd.resolve("hycache")));
      Path own = cache.resolve(c.dataNode(0).getDatanodeUuid());
      made.addAll(under(own));
      levelDb = dir.resolve("lib/directory").resolve(c.dataNode(0).getDatanodeUuid());
    }
    made.add(levelDb.getParent());
    made.add(levelDb);
    made.add(levelDb.resolve("owner"));
    made.add(levelDb.resolve("in_use.lock"));

    Set<PosixFilePermission> most = PosixFilePermissions.fromString(mode);
    List<String> wider = new ArrayList<>();
    for (Path path : made) {
      Set<PosixFilePermission> found = PosixFilePermissions.fromString(Modes.of(path));
      if (!most.containsAll(found)
          || (Files.isRegularFile(path) && found.contains(PosixFilePermission.OWNER_EXECUTE))) {
        wider.add(Modes.of(path) + " " + path);
      }
    }
    assertEquals(List.of(), wider);
    for (String name : List.of(".data", ".meta", "owner", "in_use.lock", "probe.write")) {
      assertTrue(made.stream().anyMatch(path -> file(path).endsWith(name)), "seen: " + name);
    }
    assertTrue(Files.exists(levelDb.resolve("CURRENT")), "seen: the LevelDB's files");
  }

  /** What becomes a replica is HDFS's: other software may read it as its modes allow. */
  @Test
  void demotedReplica_hasTheModesThatHdfsGives_andItsCopyIsBehindOurs() throws Exception {
    Configuration conf = conf();
    conf.set(HyCacheKeys.DEMOTE_HIGH, "0.001");
    conf.set(HyCacheKeys.DEMOTE_LOW, "0");
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      byte[] data = c.write("/a", 42, BLOCK);
      c.await("demoted", () -> c.types("/a").equals(List.of(StorageType.DISK)));
      c.await("clean", () -> c.locate(0, "/a").get(0).cleanData);
      c.node(0).settings(java.util.Map.of(HyCacheKeys.WRITE_SHARE, "0"));
      c.write("/plain", 43, BLOCK);
      assertEquals(List.of(StorageType.DISK), c.types("/plain"));
      Path disk = c.cluster.getInstanceStorageDir(0, 1).toPath();
      Path ssd = c.cluster.getInstanceStorageDir(0, 0).toPath();
      List<Path> demoted = replica(disk, c, "/a");
      List<Path> plain = replica(disk, c, "/plain");
      assertEquals(2, demoted.size());
      assertEquals(2, plain.size());
      for (int i = 0; i < 2; i++) {
        assertEquals(Modes.of(plain.get(i)), Modes.of(demoted.get(i)));
        assertEquals(
            Modes.of(plain.get(i).resolveSibling(".")),
            Modes.of(demoted.get(i).resolveSibling(".")));
      }
      assertEquals("rwx------", Modes.of(ssd.resolve("hycache")));
      assertArrayEquals(data, c.read("/a"));
    }
  }

  /** The finalized files of a file's one block on a volume: data, checksums. */
  private static List<Path> replica(Path volume, EmbeddedCluster c, String path) throws Exception {
    String block = c.blocks(path).get(0).getBlock().getBlockName();
    return under(volume.resolve("current")).stream()
        .filter(Files::isRegularFile)
        .filter(file -> file(file).equals(block) || file(file).startsWith(block + "_"))
        .sorted()
        .collect(toList());
  }

  @Test
  void directoryDirOpenToOtherUsers_isNotUsed_theShareIsInMemory() throws Exception {
    Files.createDirectory(dir.resolve("lib"));
    Path open = Modes.directory(dir.resolve("lib/directory"), "rwxr-xr-x");
    try (EmbeddedCluster c = EmbeddedCluster.start(conf(), 1)) {
      c.await("takes part in the directory", () -> c.directory(0) != null);
      byte[] data = c.write("/a", 44, BLOCK);
      assertArrayEquals(data, c.read("/a"));
      assertFalse(c.node(0).passThrough());
      assertEquals(List.of(open), under(open));
    }
  }
}
