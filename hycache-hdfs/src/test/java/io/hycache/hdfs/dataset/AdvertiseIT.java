// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static io.hycache.hdfs.dataset.EmbeddedCluster.BLOCK;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import io.hycache.core.stats.NodeFigure;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Hot clean copies that the DataNode reports as cached. A block must be stable for a minute before
 * it is, so that all is one test.
 */
@Timeout(300)
class AdvertiseIT {
  @SuppressWarnings("NullAway.Init") // see the test
  private EmbeddedCluster c;

  private static Configuration conf() {
    Configuration conf = CacheReports.conf();
    conf.set(HyCacheKeys.ADVERTISE_BLOCKS, "100");
    return conf;
  }

  @AfterEach
  void stop() {
    c.close();
  }

  private FsDatasetSpi<?> dataset() {
    return CacheReports.dataset(c);
  }

  private Set<Long> report() throws IOException {
    return CacheReports.report(c);
  }

  private Set<Long> ids(String path) throws IOException {
    return CacheReports.ids(c, path);
  }

  private long cached(String path) throws IOException {
    return CacheReports.cached(c, path);
  }

  private boolean allOnSsd(String path) throws IOException {
    return c.locate(0, path).stream().allMatch(block -> block.cleanData && block.cleanChecksums);
  }

  /** Reads the files again and again until all their blocks are listed. */
  private void readUntilCached(String... paths) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(150);
    for (String path : paths) {
      while (cached(path) < ids(path).size()) {
        assertTrue(System.nanoTime() < end, "not listed within 150 s: " + path);
        for (String each : paths) {
          c.read(each);
        }
      }
    }
  }

  @Test
  void hotCopies_areListedAtTheirHost_whileTheyAreThere_andTakeNoSpaceFromPins() throws Exception {
    c = EmbeddedCluster.start(conf(), 1);
    c.await("the SSD is known", () -> c.node(0).status().capacityBytes() > 0);
    byte[] a = c.write("/a", 1, 3 * BLOCK - 4096);
    c.write("/b", 2, 2 * BLOCK);
    byte[] d = c.write("/d", 3, BLOCK);
    for (String path : new String[] {"/a", "/b", "/d"}) {
      c.read(path);
      c.await("copied " + path, () -> allOnSsd(path));
    }
    assertEquals(Set.of(), report(), "not stable yet");
    readUntilCached("/a", "/b", "/d");

    for (LocatedBlock block : c.blocks("/a")) {
      assertEquals(block.getLocations()[0], block.getCachedLocations()[0]);
      assertFalse( // or clients of short-circuit reads would skip checksums
          dataset().isCached(block.getBlock().getBlockPoolId(), block.getBlock().getBlockId()));
    }
    for (BlockLocation block : c.fs.getFileBlockLocations(new Path("/a"), 0, 3L * BLOCK)) {
      assertArrayEquals(block.getHosts(), block.getCachedHosts());
    }
    assertTrue(c.locate(0, "/a").stream().allMatch(block -> block.reason == Reason.ADVERTISED));
    assertEquals(6, c.node(0).status().figure(NodeFigure.ADVERTISED_BLOCKS));
    assertEquals(0, dataset().getCacheUsed());
    assertEquals(10L * BLOCK, dataset().getCacheCapacity());
    assertEquals(0, dataset().getNumBlocksCached());

    c.await("asked to uncache", () -> c.count(0, "SsdBlocksAdvertisedAsked") >= 12);
    assertEquals(6, report().size());
    assertEquals(0, dataset().getNumBlocksFailedToUncache());

    long last = c.keys("/a").get(2).id();
    try (FSDataOutputStream out = c.fs.append(new Path("/a"))) {
      out.write(d);
    }
    c.await("appended", () -> !report().contains(last));
    c.await("two of four are listed", () -> cached("/a") == 2 && ids("/a").size() == 4);
    assertArrayEquals(a, Arrays.copyOf(c.read("/a"), a.length));

    Set<Long> deleted = ids("/b");
    assertTrue(c.fs.delete(new Path("/b"), false));
    c.await("deleted", () -> report().stream().noneMatch(deleted::contains));

    c.write("/x", 4, 60 * BLOCK);
    c.read("/x");
    c.await("evicted", () -> c.locate(0, "/d").stream().noneMatch(block -> block.cleanData));
    c.await("listed no more", () -> cached("/d") == 0 && onlyCopies());
    assertArrayEquals(d, c.read("/d"));

    c.node(0).stepAside("by the test");
    assertEquals(Set.of(), report());
    c.await("none is listed", () -> cached("/a") == 0);
  }

  /** True if each block of the report, and each that the NameNode lists, has a copy on SSD. */
  private boolean onlyCopies() throws IOException {
    Set<Long> reported = report();
    for (String path : new String[] {"/a", "/d"}) {
      for (LocatedBlock block : c.blocks(path)) {
        BlockKey key =
            new BlockKey(block.getBlock().getBlockPoolId(), block.getBlock().getBlockId());
        boolean listed = reported.contains(key.id()) || block.getCachedLocations().length > 0;
        if (listed && !c.node(0).locate(List.of(key)).get(0).cleanData) {
          return false;
        }
      }
    }
    return true;
  }
}
