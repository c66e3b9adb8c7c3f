// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pass-through is plain HDFS. */
@Timeout(180)
class PassThroughIT {
  private static final int BLOCK = EmbeddedCluster.BLOCK;
  private static final int BLOCKS = 8;

  private static long onDisk(EmbeddedCluster c, String file) throws IOException {
    return c.types(file).stream().filter(type -> type == StorageType.DISK).count();
  }

  private static long cleanFiles(EmbeddedCluster c) throws IOException {
    return cleanFiles(c.cluster.getInstanceStorageDir(0, 0).toPath());
  }

  private static long cleanFiles(Path device) throws IOException {
    Path area = device.resolve(CleanArea.DIRECTORY);
    if (!Files.exists(area)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(area)) {
      return files.filter(file -> file.getFileName().toString().startsWith("blk_")).count();
    }
  }

  @Test
  void trip_whileBlocksAreDemoted_noneFollowsAndTheSpaceIsWhatStatfsSays() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.POLICY, "lru");
    conf.set(HyCacheKeys.DEMOTE_HIGH, "1");
    conf.set(HyCacheKeys.DEMOTE_LOW, "1");
    conf.set(HyCacheKeys.DEMOTE_BANDWIDTH, "1MB");
    conf.set(HyCacheKeys.DEMOTE_BANDWIDTH_BUSY, "1MB");
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      byte[] data = c.write("/a", 1, BLOCKS * BLOCK);
      c.await("all dirty", () -> c.locate(0, "/a").stream().allMatch(b -> b.dirty));
      HyCacheNode node = c.node(0);
      node.settings(Map.of(HyCacheKeys.DEMOTE_HIGH, "0", HyCacheKeys.DEMOTE_LOW, "0"));
      c.await("a clean copy", () -> node.cleanBytes() > 0 && onDisk(c, "/a") >= 1);

      long before = onDisk(c, "/a");
      assertTrue(before < BLOCKS / 2, "demotions are slow: " + before);
      node.stepAside("by the test");
      assertEquals(0, node.cleanBytes());
      c.await("moves have ended", () -> node.status().movesQueued() == 0);
      c.await("clean copies are gone", () -> cleanFiles(c) == 0);
      c.await(
          "they left the status",
          () -> node.status().cleanBytes() == 0 && node.status().checksumBytes() == 0);
      assertTrue(c.locate(0, "/a").stream().noneMatch(b -> b.cleanData || b.cleanChecksums));
      c.cluster.triggerHeartbeats();
      c.cluster.triggerBlockReports();
      long after = onDisk(c, "/a");
      assertTrue(after <= before + 1, "before=" + before + " after=" + after);
      assertEquals(BLOCKS, c.types("/a").size());
      assertTrue(node.status().passThrough());

      FsDatasetSpi<?> dataset = c.dataNode(0).getFSDataset();
      String pool = c.blocks("/a").get(0).getBlock().getBlockPoolId();
      try (FsDatasetSpi.FsVolumeReferences volumes = dataset.getFsVolumeReferences()) {
        for (FsVolumeSpi volume : volumes) {
          for (StorageReport report : dataset.getStorageReports(pool)) {
            if (report.getStorage().getStorageID().equals(volume.getStorageID())) {
              long error = Math.abs(volume.getAvailable() - report.getRemaining());
              assertTrue(error < BLOCK, "volume=" + volume + " errorBytes=" + error);
            }
          }
        }
      }
      long hits = c.count(0, "SsdBytesRead");
      assertArrayEquals(data, c.read("/a"));
      assertEquals(hits, c.count(0, "SsdBytesRead"), "plain HDFS reads");
      c.write("/b", 2, BLOCK);
      c.await("written as asked", () -> onDisk(c, "/b") == 1);
      assertEquals(after, onDisk(c, "/a"));
    }
  }

  /**
   * The copies of before would take the room that is reported as used, and nothing would free it.
   */
  @Test
  void badSettingAtARestart_copiesOfBeforeAreRemoved() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.POLICY, "lru");
    conf.set(HyCacheKeys.DEMOTE_HIGH, "0");
    conf.set(HyCacheKeys.DEMOTE_LOW, "0");
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      c.write("/a", 1, BLOCKS * BLOCK);
      c.await("all clean", () -> onDisk(c, "/a") == BLOCKS && c.node(0).cleanBytes() > 0);
      assertTrue(cleanFiles(c) > 0);
    }
    conf.set(HyCacheKeys.POLICY, "no-such-policy");
    try (EmbeddedCluster c = EmbeddedCluster.restart(conf, 1)) {
      assertTrue(c.node(0).passThrough());
      c.await("removed", () -> cleanFiles(c) == 0);
      assertArrayEquals(EmbeddedCluster.content(1, BLOCKS * BLOCK), c.read("/a"));
    }
  }

  /** Nothing would remove the copies of files that users delete. */
  @Test
  void badSettingAtARestart_copiesInCacheDirectoriesAreRemoved(@TempDir Path dir) throws Exception {
    Path cache = Modes.directory(dir.resolve("cache"), "rwx------");
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.CACHE_DIRS, cache.toString());
    conf.set(HyCacheKeys.CACHE_DIRS_ALLOW_ROOT, "true");
    Path own;
    Path pool;
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      c.write("/a", 1, BLOCK);
      own = cache.resolve(c.dataNode(0).getDatanodeUuid());
      pool =
          own.resolve(CleanArea.DIRECTORY)
              .resolve(c.blocks("/a").get(0).getBlock().getBlockPoolId());
      c.await("in use", () -> Files.exists(own.resolve(OwnedDirectory.OWNER)));
    }
    Files.createDirectories(pool.resolve("0"));
    Files.write(pool.resolve("0/blk_1_1001"), new byte[BLOCK]);
    assertEquals(1, cleanFiles(own));
    conf.set(HyCacheKeys.POLICY, "no-such-policy");
    try (EmbeddedCluster c = EmbeddedCluster.restart(conf, 1)) {
      assertTrue(c.node(0).passThrough());
      c.await("removed", () -> cleanFiles(own) == 0);
    }
  }
}
