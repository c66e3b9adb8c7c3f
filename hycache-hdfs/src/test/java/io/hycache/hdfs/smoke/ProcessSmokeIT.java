// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.smoke;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.stats.BlockStatus;
import io.hycache.hdfs.client.FilePlaces;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The life of the plugin on real processes: put in, used, killed with SIGKILL, taken out. */
@Timeout(600)
class ProcessSmokeIT {
  private static final int BLOCK = 1 << 20;
  static final Map<String, String> PLUGIN =
      Map.of(
          "dfs.datanode.fsdataset.factory",
          "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HyCacheDatasetFactory",
          "dfs.datanode.fsdataset.volume.choosing.policy",
          "io.hycache.hdfs.volume.HyCacheVolumeChoosingPolicy",
          "dfs.datanode.plugins",
          "io.hycache.hdfs.dataset.HyCachePlugin",
          HyCacheKeys.SSD_CAPACITY,
          "32MB",
          HyCacheKeys.WRITE_MIN_BLOCK_SIZE,
          Integer.toString(BLOCK));

  @TempDir java.nio.file.Path directory;

  private final WrittenFiles written = new WrittenFiles();
  private ProcessCluster cluster;

  @BeforeEach
  void prepare() throws IOException {
    cluster = new ProcessCluster(directory, PLUGIN);
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  @Test
  void pluginInKilledAndOut_everyByteIsThere() throws Exception {
    try {
      cluster.format();
      JavaProcess nameNode = cluster.startNameNode();
      JavaProcess dataNode = cluster.startDataNode();
      cluster.awaitUp(nameNode, dataNode);
      dataNode = useAndKill(dataNode);
      dataNode.stop();
      nameNode.stop();
      nameNode = cluster.startNameNode();
      dataNode = cluster.startPlainDataNode();
      cluster.awaitUp(nameNode, dataNode);
      verifyPlain(dataNode);
    } catch (Exception | AssertionError e) {
      System.err.println(cluster.logs());
      throw e;
    }
  }

  /** Returns the DataNode that was started after the kill. */
  private JavaProcess useAndKill(JavaProcess dataNode) throws Exception {
    try (DistributedFileSystem fs = cluster.connect()) {
      written.write(fs, "/hot", 8 * BLOCK + 77, BLOCK);
      written.write(fs, "/cold", 4 * BLOCK + 33, BLOCK / 2);
      assertTrue(places("/hot").stream().allMatch(b -> b.dirty), "new replicas are on SSD");
      assertFalse(places("/cold").stream().anyMatch(b -> b.dirty), "small blocks are on DISK");
      written.verify(fs, "with the plugin");

      java.nio.file.Path manifest =
          Files.writeString(
              directory.resolve("smoke.json"),
              "{\"version\": 1, \"workflow\": \"smoke\", \"ttl\": \"1h\", \"jobs\": ["
                  + "{\"name\": \"read\", \"repeat\": 3, \"reads\": [{\"path\": \"/cold\"}]}]}");
      String submitted = cluster.hycache("submit", manifest.toString());
      assertTrue(
          submitted.contains("Submitted workflow smoke, ttl 1h: 1 file, 9 blocks"), submitted);
      cluster.await(
          "hinted blocks on SSD",
          dataNode,
          () -> places("/cold").stream().allMatch(b -> b.cleanData));
      long before = count("SsdBytesRead");
      written.verify(fs, "from SSD");
      long hits = count("SsdBytesRead") - before;
      assertEquals(written.bytes(), hits);

      // Above the high watermark: the kill comes while replicas are being moved to DISK.
      written.write(fs, "/more", 20 * BLOCK, BLOCK);
      cluster.await("demotion under way", dataNode, () -> count("SsdBlocksDemoted") > 0);
      dataNode.kill();
    }
    JavaProcess restarted = cluster.startDataNode();
    try (DistributedFileSystem fs = cluster.connect()) {
      cluster.await(
          "stock taken after the kill", restarted, () -> cluster.status().trackedBlocks() == 38);
      written.verify(fs, "after the kill");
      assertEquals(0, count("Failures"));
      assertFalse(cluster.status().passThrough());
    }
    assertTrue(restarted.output().contains("HyCache"), "the log tells of the plugin");
    return restarted;
  }

  private void verifyPlain(JavaProcess dataNode) throws Exception {
    try (DistributedFileSystem fs = cluster.connect()) {
      written.verify(fs, "without the plugin");
    }
    String fsck = cluster.fsck();
    assertTrue(fsck.contains("is HEALTHY"), fsck);
    assertFalse(dataNode.output().contains("HyCache"), "no trace of the plugin");
  }

  private long count(String counter) throws IOException {
    return cluster.status().counters().getOrDefault(counter, -1L);
  }

  private List<BlockStatus> places(String path) throws IOException {
    List<BlockStatus> places = new ArrayList<>();
    for (FilePlaces.BlockPlaces block : cluster.client().locate(path).get(0).blocks()) {
      for (NodeAnswer<BlockStatus> replica : block.replicas()) {
        places.add(ProcessCluster.answer(replica));
      }
    }
    return places;
  }
}
