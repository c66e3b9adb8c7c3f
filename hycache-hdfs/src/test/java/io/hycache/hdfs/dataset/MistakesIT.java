// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.Reason;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.LogLines;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a DataNode says of a configuration with mistakes, and that it runs all the same. */
@Timeout(180)
class MistakesIT {
  @TempDir Path dir;

  /** As the {@code status} command gets it. */
  private static NodeStatus status(EmbeddedCluster c) throws IOException {
    Configuration conf = new Configuration(c.cluster.getConfiguration(0));
    conf.set("fs.defaultFS", c.fs.getUri().toString());
    HyCacheClient client = new HyCacheClient(conf, (what, done, total) -> {});
    NodeAnswer<NodeStatus> answer = client.status(client.liveNodes()).get(0);
    IOException failure = answer.failure();
    if (failure != null) {
      throw failure;
    }
    return answer.value();
  }

  private static void assertOnce(String start, List<String> lines) {
    assertEquals(
        1,
        lines.stream().filter(line -> line.startsWith(start)).count(),
        () -> start + " in\n" + String.join("\n", lines));
  }

  @Test
  void mistakes_areToldOnceEach_andNothingIsMade() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    Path gone = dir.resolve("nonexistent/ssd");
    conf.set(HyCacheKeys.CACHE_DIRS, gone.toString());
    conf.set("hycache.polcy", "lru");
    conf.unset("dfs.datanode.fsdataset.volume.choosing.policy");
    conf.set(HyCacheKeys.DIRECTORY_REPLICAS, "0");
    LogLines log = new LogLines("io.hycache");
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      c.await("looked at", () -> status(c).devices().size() == 2);
      c.await("scanned", () -> status(c).isCounted());
      NodeStatus status = status(c);
      assertFalse(status.passThrough());
      assertEquals(4, status.warnings().size(), status.warnings()::toString);
      assertOnce("hycache.cache.dirs: " + gone + " is not used: ", status.warnings());
      assertOnce("hycache.polcy: ", status.warnings());
      assertOnce("dfs.datanode.fsdataset.volume.choosing.policy: ", status.warnings());
      assertOnce("hycache.directory.replicas: ", status.warnings());
      assertFalse(Files.exists(gone));
      byte[] data = c.write("/a", 1, EmbeddedCluster.BLOCK);
      assertArrayEquals(data, c.read("/a"));
      assertOnce(
          "WARN a directory of hycache.cache.dirs is not used: directory=" + gone, log.lines());
      assertOnce("WARN hycache.polcy: ", log.lines());
      assertOnce("WARN dfs.datanode.fsdataset.volume.choosing.policy: ", log.lines());
      assertOnce("WARN hycache.directory.replicas: ", log.lines());
      assertFalse(log.lines().stream().anyMatch(line -> line.startsWith("\tat ")), "a stack trace");
    } finally {
      log.close();
    }
  }

  @Test
  void badValues_allAreTold_andTheDataNodeIsPlainHdfs() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "2");
    conf.set(HyCacheKeys.MODE, "on");
    conf.set(HyCacheKeys.SSD_CAPACITY, "much");
    conf.set(HyCacheKeys.DIRECTORY, "maybe");
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      NodeStatus status = status(c);
      assertTrue(status.passThrough());
      assertEquals("HyCache is in pass-through", status.notCounted());
      assertEquals(4, status.warnings().size(), status.warnings()::toString);
      for (String key :
          List.of(
              HyCacheKeys.WRITE_SHARE,
              HyCacheKeys.MODE,
              HyCacheKeys.SSD_CAPACITY,
              HyCacheKeys.DIRECTORY)) {
        assertOnce(key + ": ", status.warnings());
      }
      byte[] data = c.write("/a", 1, EmbeddedCluster.BLOCK);
      assertArrayEquals(data, c.read("/a"));
    }
  }

  /** What reads nothing and writes nothing logs nothing. */
  @Test
  void idleDataNode_logsNothing_andReasonsAreRight() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_MIN_BLOCK_SIZE, Integer.toString(2 * EmbeddedCluster.BLOCK));
    LogLines log = new LogLines("io.hycache");
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      assertEquals(List.of(), status(c).warnings());
      c.write("/small", 1, EmbeddedCluster.BLOCK);
      c.await("known", () -> c.locate(0, "/small").get(0).reason != Reason.NOT_TRACKED);
      assertEquals(Reason.TOO_SMALL, c.locate(0, "/small").get(0).reason);
      c.await("has its directory", () -> c.directory(0) != null);
      // What it does once after its start ends; then nothing follows for so long.
      int[] seen = {-1};
      long[] since = {0};
      c.await(
          "quiet",
          Duration.ofSeconds(90),
          () -> {
            int now = log.lines().size();
            if (now != seen[0]) {
              seen[0] = now;
              since[0] = System.nanoTime();
            }
            return System.nanoTime() - since[0] > TimeUnit.SECONDS.toNanos(12);
          });
      List<String> lines = log.lines();
      assertTrue(lines.size() < 40, () -> String.join("\n", lines));
    } finally {
      log.close();
    }
  }
}
