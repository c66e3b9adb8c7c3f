// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.io.IOUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A clean copy is served only while it is a copy of the replica that is here. */
@Timeout(180)
class CopyIdentityIT {
  private static final int BLOCK = EmbeddedCluster.BLOCK;

  @SuppressWarnings("NullAway.Init") // each test starts its own
  private EmbeddedCluster c;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path temp;

  @AfterEach
  void stop() {
    if (!c.isClosed()) {
      c.close();
    }
  }

  /** All that is written becomes a clean copy. */
  private static Configuration conf() {
    Configuration conf = EmbeddedCluster.cleanConf();
    conf.setInt("dfs.client.retry.window.base", 10);
    return conf;
  }

  /** What comes to DISK by itself gets a copy of its checksum file only. */
  private static Configuration onDisk() {
    return EmbeddedCluster.onDisk(conf());
  }

  private static Configuration plain() {
    Configuration conf = conf();
    for (String key :
        List.of(
            "dfs.datanode.fsdataset.factory",
            "dfs.datanode.fsdataset.volume.choosing.policy",
            "dfs.datanode.plugins")) {
      conf.unset(key);
    }
    return conf;
  }

  private byte[] writeClean(String path, long seed, int blocks) throws Exception {
    byte[] data = c.write(path, seed, blocks * BLOCK);
    c.await(
        "clean copies of " + path,
        () ->
            c.types(path).stream().allMatch(type -> type == StorageType.DISK)
                && c.node(0).status().cleanBytes() >= (long) blocks * BLOCK
                && c.node(0).status().movesQueued() == 0);
    return data;
  }

  private List<String> names(String path) throws IOException {
    return c.blocks(path).stream()
        .map(b -> b.getBlock().getLocalBlock() + " " + b.getBlockSize())
        .collect(Collectors.toList());
  }

  /** The files of clean copies with this ending. */
  private List<File> copies(String ending) throws IOException {
    try (Stream<Path> all = Files.walk(new File(c.cluster.getDataDirectory()).toPath())) {
      return all.filter(p -> p.toString().contains("/hycache/BP-") && p.toString().endsWith(ending))
          .map(Path::toFile)
          .collect(Collectors.toList());
    }
  }

  private static void flip(File file, long at) throws IOException {
    try (RandomAccessFile f = new RandomAccessFile(file, "rw")) {
      f.seek(at);
      int b = f.read();
      f.seek(at);
      f.write(b ^ 4);
    }
  }

  /** A reader that tries again, as a task would be. */
  private byte[] readPatiently(String path, boolean positional) throws Exception {
    byte[] found = new byte[(int) c.fs.getFileStatus(new org.apache.hadoop.fs.Path(path)).getLen()];
    List<String> errors = new ArrayList<>();
    c.await(
        "read " + path + " errors=" + errors,
        () -> {
          try (FSDataInputStream in = c.fs.open(new org.apache.hadoop.fs.Path(path))) {
            if (positional) {
              in.readFully(0, found);
            } else {
              IOUtils.readFully(in, found, 0, found.length);
            }
            return true;
          } catch (IOException e) {
            errors.add(e.toString());
            return false;
          }
        });
    return found;
  }

  private void assertHealthy() throws Exception {
    c.await(
        "no corrupt and no missing block",
        () ->
            c.cluster.getNamesystem().getCorruptReplicaBlocks() == 0
                && c.cluster.getNamesystem().getMissingBlocksCount() == 0);
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path p : (Iterable<Path>) all::iterator) {
        Path target = to.resolve(from.relativize(p).toString());
        if (Files.isDirectory(p)) {
          Files.createDirectories(target);
        } else {
          Files.copy(p, target, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  private static void deleteTree(File tree) {
    try (Stream<Path> all = Files.walk(tree.toPath())) {
      all.sorted(java.util.Comparator.reverseOrder())
          .forEach(
              p -> {
                try {
                  Files.delete(p);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void restart_nameNodeRestoredAndIdsIssuedAgain_theOtherBlocksCopyIsNotServed() throws Exception {
    c = EmbeddedCluster.start(conf(), 1);
    writeClean("/old", 1, 2);
    File nameDir = new File(c.cluster.getNameDirs(0).iterator().next());
    List<File> nameDirs =
        c.cluster.getNameDirs(0).stream().map(File::new).collect(Collectors.toList());
    c.close();
    Path saved = temp.resolve("name");
    copyTree(nameDir.toPath(), saved);

    c = EmbeddedCluster.restart(conf(), 1);
    writeClean("/a", 2, 2);
    List<String> namesOfA = names("/a");
    List<BlockKey> keys = c.keys("/a");
    File dataDir = new File(c.cluster.getDataDirectory());
    c.close();

    // As namenode -rollback and datanode -rollback leave it.
    for (File dir : nameDirs) {
      deleteTree(dir);
      copyTree(saved, dir.toPath());
    }
    try (Stream<Path> all = Files.walk(dataDir.toPath())) {
      for (Path p : all.filter(p -> p.toString().contains("/current/BP-")).toArray(Path[]::new)) {
        String name = p.getFileName().toString();
        boolean listOfReplicas = name.equals("replicas");
        if (listOfReplicas || keys.stream().anyMatch(k -> name.startsWith("blk_" + k.id()))) {
          Files.delete(p);
        }
      }
    }
    c = EmbeddedCluster.restart(plain(), 1);
    byte[] b = c.write("/b", 3, 2 * BLOCK);
    assertEquals(namesOfA, names("/b"), "ids, generation stamps and lengths are issued again");
    c.close();

    c = EmbeddedCluster.restart(conf(), 1);
    c.await("stock is taken", () -> c.node(0).status().trackedBlocks() == 4);
    for (int i = 0; i < 5; i++) {
      assertArrayEquals(b, c.read("/b"));
      assertArrayEquals(EmbeddedCluster.content(1, 2 * BLOCK), c.read("/old"));
    }
    c.await("the copies of /a are found", () -> c.count(0, "SsdCopiesBad") >= 2);
    assertArrayEquals(b, c.read("/b"));
    assertHealthy();
  }

  @Test
  void restart_copiesAreServedAgainOnceVerified() throws Exception {
    c = EmbeddedCluster.start(conf(), 1);
    byte[] data = writeClean("/a", 1, 4);
    c.close();
    c = EmbeddedCluster.restart(conf(), 1);
    c.await("verified", () -> c.count(0, "SsdCopiesScrubbed") >= 4);
    long before = c.count(0, "SsdBytesRead");
    assertArrayEquals(data, c.read("/a"));
    c.await("from SSD", () -> c.count(0, "SsdBytesRead") - before >= data.length);
    assertEquals(0, c.count(0, "SsdCopiesBad"));
  }

  @Test
  void flippedBit_inTheDataOfACopy_costsNoReplica() throws Exception {
    for (boolean positional : new boolean[] {false, true}) {
      c = EmbeddedCluster.start(conf(), 1);
      byte[] data = writeClean("/a", 1, 2);
      for (File copy : copies(".data")) {
        flip(copy, 300_000);
      }
      assertArrayEquals(data, readPatiently("/a", positional));
      assertArrayEquals(data, readPatiently("/a", !positional));
      assertHealthy();
      assertTrue(c.count(0, "SsdCopiesBad") >= 1);
      assertTrue(c.count(0, "ReplicasReportedWell") >= 1);
      assertArrayEquals(data, c.read("/a"));
      c.close();
    }
  }

  @Test
  void flippedBit_inTheChecksumsOfACopy_costsNoReplica() throws Exception {
    c = EmbeddedCluster.start(onDisk(), 1);
    byte[] data = c.write("/a", 1, 2 * BLOCK);
    c.await("checksum files on SSD", () -> c.count(0, "SsdChecksumsPromoted") == 2);
    for (File copy : copies(".meta")) {
      flip(copy, 500);
    }
    assertArrayEquals(data, readPatiently("/a", false));
    assertHealthy();
    assertTrue(c.count(0, "SsdCopiesBad") >= 1);
    c.close();

    c = EmbeddedCluster.restart(onDisk(), 1);
    assertArrayEquals(data, c.read("/a"));
    assertHealthy();
  }

  @Test
  void flippedBit_rightAfterTheCopyWasVerified_costsNoReplica() throws Exception {
    c = EmbeddedCluster.start(conf(), 1);
    byte[] data = writeClean("/a", 1, 2);
    c.close();
    c = EmbeddedCluster.restart(conf(), 1);
    c.await("both are verified", () -> c.count(0, "SsdCopiesScrubbed") >= 2);
    for (File copy : copies(".data")) {
      flip(copy, 300_000);
    }
    assertArrayEquals(data, readPatiently("/a", false));
    assertArrayEquals(data, readPatiently("/a", true));
    assertHealthy();
    assertEquals(2, c.count(0, "SsdCopiesBad"));
  }

  /** The client goes to another replica and never comes back. */
  @Test
  void flippedBit_otherReplicasAreRead_costsNoReplica() throws Exception {
    Configuration conf = conf();
    conf.setInt("dfs.replication", 2);
    c = EmbeddedCluster.start(conf, 2);
    byte[] data = writeClean("/a", 1, 1);
    c.await("two replicas", () -> c.blocks("/a").get(0).getLocations().length == 2);
    for (File copy : copies(".data")) {
      if (copy.toPath().startsWith(c.cluster.getInstanceStorageDir(0, 0).toPath())) {
        flip(copy, 300_000);
      }
    }
    for (int i = 0; i < 200 && c.cluster.getNamesystem().getCorruptReplicaBlocks() == 0; i++) {
      assertArrayEquals(data, c.read("/a"));
      if (c.count(0, "SsdCopiesBad") > 0) {
        break;
      }
    }
    c.await("it is dropped", () -> c.count(0, "SsdCopiesBad") == 1);
    assertHealthy();
    // It is reported as deleted before it is reported as received.
    c.await("two replicas", () -> c.blocks("/a").get(0).getLocations().length == 2);
  }

  @Test
  void flippedBit_whileTheDataNodeWasDown_isNeverServed() throws Exception {
    c = EmbeddedCluster.start(conf(), 1);
    byte[] data = writeClean("/a", 1, 2);
    List<File> files = copies(".data");
    c.close();
    for (File copy : files) {
      flip(copy, 300_000);
    }
    c = EmbeddedCluster.restart(conf(), 1);
    for (int i = 0; i < 5; i++) {
      assertArrayEquals(data, c.read("/a"));
    }
    c.await("both are found", () -> c.count(0, "SsdCopiesBad") == 2);
    assertHealthy();
  }

  @Test
  void corruptToTheNameNodeAlready_replicaIsWell_isReportedWell() throws Exception {
    c = EmbeddedCluster.start(conf(), 1);
    byte[] data = writeClean("/a", 1, 1);
    for (File copy : copies(".data")) {
      flip(copy, 300_000);
    }
    c.fs
        .getClient()
        .reportBadBlocks(
            c.blocks("/a").toArray(new org.apache.hadoop.hdfs.protocol.LocatedBlock[0]));
    c.await("corrupt", () -> c.cluster.getNamesystem().getCorruptReplicaBlocks() == 1);
    assertArrayEquals(data, readPatiently("/a", false));
    assertHealthy();
  }

  /** A copy reads all of a block, and may find what no reader has read. */
  @Test
  void corruptReplica_foundWhileItIsCopied_isVerifiedByHdfs_andReported() throws Exception {
    c = EmbeddedCluster.start(onDisk(), 1);
    byte[] unused = c.write("/a", 1, BLOCK);
    c.await("its checksum file", () -> c.locate(0, "/a").get(0).cleanChecksums);
    for (File replica : c.cluster.getAllBlockFiles(c.blocks("/a").get(0).getBlock())) {
      flip(replica, BLOCK - 10);
    }
    c.hint(0, "w", "/a", 3);
    c.await("corrupt", () -> c.cluster.getNamesystem().getCorruptReplicaBlocks() == 1);
    assertEquals(0, c.node(0).status().cleanBytes());
  }

  /** A guest on SSD that can't be demoted, because it is corrupt, is reported, too. */
  @Test
  void corruptGuest_foundWhileItIsDemoted_isVerifiedByHdfs_andReported() throws Exception {
    Configuration conf = conf();
    conf.set(HyCacheKeys.DEMOTE_HIGH, "1");
    conf.set(HyCacheKeys.DEMOTE_LOW, "1");
    c = EmbeddedCluster.start(conf, 1);
    byte[] unused = c.write("/a", 1, BLOCK);
    assertEquals(List.of(StorageType.SSD), c.types("/a"));
    for (File replica : c.cluster.getAllBlockFiles(c.blocks("/a").get(0).getBlock())) {
      flip(replica, BLOCK - 10);
    }
    c.node(0).settings(Map.of(HyCacheKeys.DEMOTE_HIGH, "0", HyCacheKeys.DEMOTE_LOW, "0"));
    c.await("corrupt", () -> c.cluster.getNamesystem().getCorruptReplicaBlocks() == 1);
  }

  /** What goes to another DataNode is the replica: that one's word would be believed. */
  @Test
  void flippedBit_blockIsReplicated_theReplicaIsWhatIsSent() throws Exception {
    c = EmbeddedCluster.start(conf(), 2);
    byte[] data = c.write("/a", 1, BLOCK);
    c.await(
        "a clean copy",
        () ->
            c.types("/a").equals(List.of(StorageType.DISK))
                && c.node(0).status().cleanBytes() + c.node(1).status().cleanBytes() >= BLOCK);
    for (File copy : copies(".data")) {
      flip(copy, 300_000);
    }
    c.fs.setReplication(new org.apache.hadoop.fs.Path("/a"), (short) 2);
    c.await("two replicas", () -> c.blocks("/a").get(0).getLocations().length == 2);
    assertEquals(0, c.cluster.getNamesystem().getCorruptReplicaBlocks());
    assertEquals(0, c.count(0, "SsdBlocksReadHits") + c.count(1, "SsdBlocksReadHits"));
    assertArrayEquals(data, readPatiently("/a", false));
    assertHealthy();
  }

  /** HDFS gives up a read whose checksum header it can't use before it opens the data. */
  @Test
  void flippedBit_inTheHeaderOfACopysChecksums_costsNoRead() throws Exception {
    for (long at = 0; at < 7; at++) {
      c = EmbeddedCluster.start(conf(), 1);
      byte[] data = writeClean("/a", 1, 1);
      for (File copy : copies(".meta")) {
        flip(copy, at);
      }
      assertArrayEquals(data, readPatiently("/a", false), "at=" + at);
      assertArrayEquals(data, c.read("/a"));
      assertHealthy();
      c.close();
    }
  }

  /** HDFS closes what it has open for a read after an IOException only. */
  @Test
  void copyOpened_throwsAnError_theReplicaIsReadAndNoVolumeStaysReferenced() throws Exception {
    c = EmbeddedCluster.start(conf(), 1);
    byte[] data = writeClean("/a", 1, 2);
    List<Object> before = references();
    for (String ending : new String[] {".data", ".meta"}) {
      FileOperations.observe(
          (operation, file) -> {
            if (operation == FileOperation.OPEN && file.getName().endsWith(ending)) {
              throw new OutOfMemoryError("injected");
            }
          });
      try {
        assertArrayEquals(data, c.read("/a"));
      } finally {
        FileOperations.observe(null);
      }
    }
    assertEquals(4, c.count(0, "Failures"));
    c.await("no reference is left", () -> references().equals(before));
  }

  /** How often each volume is referenced now, this look left out. */
  private List<Object> references() throws Exception {
    List<Object> counts = new ArrayList<>();
    try (FsDatasetSpi.FsVolumeReferences volumes =
        c.dataNode(0).getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        Method count = volume.getClass().getDeclaredMethod("getReferenceCount");
        count.setAccessible(true);
        counts.add(count.invoke(volume));
      }
    }
    return counts;
  }

  /** Somebody removed it, or it made way while it was looked up. */
  @Test
  void copyIsMissing_isNoFaultOfTheSsd() throws Exception {
    c = EmbeddedCluster.start(conf(), 1);
    byte[] data = writeClean("/a", 1, 4);
    for (File copy : copies(".data")) {
      Files.delete(copy.toPath());
    }
    assertArrayEquals(data, c.read("/a"));
    for (int i = 0; i < 5; i++) { // more than an SSD may fail before it is out of use
      assertArrayEquals(data, c.read("/a"));
    }
    assertFalse(c.node(0).avoid(c.node(0).ssdVolumes().get(0).root()), "the SSD is in use");
    assertEquals(0, c.count(0, "SsdCopiesBad"));
    assertHealthy();
  }

  /** A client that reads what HDFS has locked in memory looks at no checksum. */
  @Test
  void blockIsLockedInMemory_itsCopyIsNotServed() throws Exception {
    c = EmbeddedCluster.start(conf(), 1);
    byte[] data = writeClean("/a", 1, 2);
    assertArrayEquals(data, c.read("/a"));
    c.await("served from SSD", () -> c.count(0, "SsdBytesRead") == data.length);
    BlockKey locked = c.keys("/a").get(0);
    c.dataNode(0).getFSDataset().cache(locked.pool(), new long[] {locked.id()});
    assertArrayEquals(data, c.read("/a"));
    c.await("one of two", () -> c.count(0, "SsdBytesRead") == data.length * 3 / 2);
    assertEquals(data.length * 3 / 2, c.count(0, "SsdBytesRead"));
    c.dataNode(0).getFSDataset().uncache(locked.pool(), new long[] {locked.id()});
    c.hint(0, "w", "/a", 9);
    c.await("a copy again", () -> c.locate(0, "/a").stream().allMatch(b -> b.cleanData));
    assertArrayEquals(data, c.read("/a"));
    c.await("both again", () -> c.count(0, "SsdBytesRead") == data.length * 5 / 2);
  }
}
