// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.apache.hadoop.test.MetricsAsserts.assertGauge;
import static org.apache.hadoop.test.MetricsAsserts.getMetrics;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Devices that were not there, or may not be used, when the DataNode took stock. */
class LateDeviceIT {
  private static final int BLOCKS = 3;

  private static Configuration conf(Path cache, boolean allowRoot) {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.CACHE_DIRS, cache.toString());
    conf.setBoolean(HyCacheKeys.CACHE_DIRS_ALLOW_ROOT, allowRoot);
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    return conf;
  }

  @Test
  void deviceThatComesAfterTheLook_isLookedAtThen(@TempDir Path dir) throws Exception {
    Path cache = Modes.directory(dir.resolve("cache"), "rwx------");
    byte[] data;
    long files;
    try (EmbeddedCluster c = EmbeddedCluster.start(conf(cache, true), 1)) {
      data = c.write("/a", 21, BLOCKS * EmbeddedCluster.BLOCK);
      c.await("tracked", () -> c.node(0).status().trackedBlocks() == BLOCKS);
      c.hint(0, "w", "/a", 3);
      c.await("all clean", () -> c.locate(0, "/a").stream().allMatch(b -> b.cleanData));
      files = copiesUnder(cache);
      assertTrue(files > 0, "all copies went to the SSD volume");
    }
    Path away = Files.move(cache, dir.resolve("away"));
    try (EmbeddedCluster c = EmbeddedCluster.restart(conf(cache, true), 1)) {
      c.await("stock is taken", () -> c.node(0).status().trackedBlocks() == BLOCKS);
      long clean = c.node(0).status().cleanBytes();
      assertTrue(clean < BLOCKS * EmbeddedCluster.BLOCK, "clean=" + clean);
      assertFalse(Files.exists(cache), "the operator's directory is not ours to make");
      Files.move(away, cache);
      c.await(
          "what is there is in the ledger",
          () ->
              c.node(0).status().cleanBytes() == BLOCKS * EmbeddedCluster.BLOCK
                  && c.locate(0, "/a").stream().allMatch(b -> b.cleanData));
      assertEquals(files, copiesUnder(cache), "kept, not forgotten");
      assertArrayEquals(data, c.read("/a"));
    }
  }

  @Test
  void cacheDirOnTheRootFileSystem_isNotUsed() throws Exception {
    assumeTrue(Files.isWritable(Path.of("/")), "makes a directory in /: run as root");
    Path top = Files.createTempDirectory(Path.of("/"), "hycache-test");
    try (EmbeddedCluster c = EmbeddedCluster.start(conf(top, false), 1)) {
      byte[] data = c.write("/a", 22, EmbeddedCluster.BLOCK);
      c.await("tracked", () -> c.node(0).status().trackedBlocks() == 1);
      c.hint(0, "w", "/a", 3);
      c.await("clean, on the SSD volume", () -> c.locate(0, "/a").get(0).cleanData);
      assertEquals(40L * EmbeddedCluster.BLOCK, c.node(0).status().capacityBytes());
      String[] made = top.toFile().list();
      assertEquals(0, made == null ? -1 : made.length);
      assertArrayEquals(data, c.read("/a"));
    } finally {
      var unused = TreeRemoval.remove(top, path -> true);
    }
  }

  @Test
  void cacheDirOpenToOtherUsers_isNotUsedUntilThatIsMended(@TempDir Path dir) throws Exception {
    Path cache = Modes.directory(dir.resolve("cache"), "rwxr-xr-x");
    Configuration conf = conf(cache, true);
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      c.await("refused", () -> c.node(0).status().devices().size() == 2);
      byte[] data = c.write("/a", 23, EmbeddedCluster.BLOCK);
      c.await("tracked", () -> c.node(0).status().trackedBlocks() == 1);
      c.hint(0, "w", "/a", 3);
      c.await("clean, on the SSD volume", () -> c.locate(0, "/a").get(0).cleanData);
      assertArrayEquals(data, c.read("/a"));

      String own = cache.resolve(c.dataNode(0).getDatanodeUuid()).toString();
      assertEquals(
          Set.of(own),
          c.node(0).status().devices().stream()
              .filter(device -> !device.isUsable())
              .map(device -> device.device())
              .collect(Collectors.toSet()));
      assertEquals(40L * EmbeddedCluster.BLOCK, c.node(0).status().capacityBytes());
      assertGauge("SsdsSick", 1L, getMetrics("HyCache-" + c.dataNode(0).getDatanodeUuid()));
      c.await("one is out on the metrics", () -> usable(c).equals(List.of(0, 1)));
      assertFalse(Files.exists(Path.of(own)), "nothing is made in it");
      assertFalse(c.node(0).passThrough());
      assertEquals(0, c.count(0, "Failures"));

      Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwx------"));
      c.await(
          "used, without a restart",
          () -> c.node(0).status().capacityBytes() == 80L * EmbeddedCluster.BLOCK);
      assertTrue(c.node(0).status().devices().stream().allMatch(device -> device.isUsable()));
      c.await("both on the metrics", () -> usable(c).equals(List.of(1, 1)));
      assertGauge("SsdsSick", 0L, getMetrics("HyCache-" + c.dataNode(0).getDatanodeUuid()));
    }
  }

  @Test
  void ssdVolumeThatHdfsTakesOut_isOutUntilItIsReconfigured() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set("dfs.datanode.failed.volumes.tolerated", "1");
    conf.set("dfs.datanode.disk.check.min.gap", "0s");
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      DataNode dataNode = c.dataNode(0);
      String both = dataNode.getConf().get("dfs.datanode.data.dir");
      c.await("in use", () -> c.node(0).status().capacityBytes() > 0);
      c.write("/a", 24, EmbeddedCluster.BLOCK);
      c.await("a guest", () -> c.node(0).status().dirtyBytes() == EmbeddedCluster.BLOCK);
      File root = c.node(0).ssdVolumes().get(0).root();
      DataNodeTestUtils.injectDataDirFailure(root);
      dataNode.checkDiskError();
      assertEquals(1, dataNode.getFSDataset().getNumFailedVolumes());
      c.await(
          "nothing is left of it",
          () -> {
            NodeStatus status = c.node(0).status();
            return status.freeBytes() == 0 && status.dirtyBytes() == 0;
          });
      assertOut(c, root);
      DataNodeTestUtils.restoreDataDirFromFailure(root);
      assertOut(c, root); // it is well, but HDFS does not look at it any more

      String disk = both.substring(both.indexOf("[DISK]"));
      dataNode.getConf().set("dfs.datanode.data.dir", reconfigured(dataNode, disk));
      c.await("forgotten", () -> c.node(0).status().devices().isEmpty());
      assertGauge("SsdsSick", 0L, getMetrics("HyCache-" + dataNode.getDatanodeUuid()));

      dataNode.getConf().set("dfs.datanode.data.dir", reconfigured(dataNode, both));
      c.await("in use again", () -> c.node(0).status().capacityBytes() > 0);
      assertTrue(c.node(0).status().devices().get(0).isUsable());
      assertGauge("SsdsSick", 0L, getMetrics("HyCache-" + dataNode.getDatanodeUuid()));
    }
  }

  private static void assertOut(EmbeddedCluster c, File root) throws Exception {
    NodeStatus status = c.node(0).status();
    assertEquals(1, status.devices().size());
    assertEquals(root.getPath(), status.devices().get(0).device());
    assertFalse(status.devices().get(0).isUsable());
    List<String> warnings = status.warnings();
    assertTrue(
        warnings.stream().anyMatch(w -> w.startsWith(root + ": expected a volume in use")),
        warnings::toString);
    assertTrue(warnings.stream().noneMatch(w -> w.startsWith("no SSD: ")), warnings::toString);
    assertGauge("SsdsSick", 1L, getMetrics("HyCache-" + c.dataNode(0).getDatanodeUuid()));
  }

  private static String reconfigured(DataNode dataNode, String dirs) throws Exception {
    String set = dataNode.reconfigurePropertyImpl("dfs.datanode.data.dir", dirs);
    return set == null ? dirs : set;
  }

  /** Of each device, in ascending order, as the metrics show it. */
  private static List<Integer> usable(EmbeddedCluster c) {
    return MetricRecords.of("HyCacheDevices-" + c.dataNode(0).getDatanodeUuid()).stream()
        .map(record -> MetricRecords.value(record, "Usable").intValue())
        .sorted()
        .collect(Collectors.toList());
  }

  private static long copiesUnder(Path dir) throws Exception {
    try (var all = Files.walk(dir)) {
      return all.map(Path::toFile)
          .filter(File::isFile)
          .filter(file -> file.getName().endsWith(".data"))
          .count();
    }
  }
}
