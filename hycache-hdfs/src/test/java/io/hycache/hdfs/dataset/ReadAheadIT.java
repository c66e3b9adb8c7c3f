// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static io.hycache.hdfs.dataset.EmbeddedCluster.BLOCK;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.Reason;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job whose manifest names each file once, with the default policy and the default share. */
class ReadAheadIT {
  private static final int BLOCKS = 8;

  @SuppressWarnings("NullAway.Init") // see start
  private EmbeddedCluster c;

  @SuppressWarnings("NullAway.Init")
  private byte[] data;

  @BeforeEach
  void start() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    c = EmbeddedCluster.start(conf, 1);
    data = c.write("/a", 1, BLOCKS * BLOCK);
    c.await("tracked", () -> c.node(0).status().trackedBlocks() == BLOCKS);
  }

  @AfterEach
  void stop() {
    c.close();
  }

  private boolean all(Reason reason) throws Exception {
    return c.locate(0, "/a").stream().allMatch(block -> block.reason == reason);
  }

  @Test
  void manifestOfASingleRead_isReadFromSsd_whichGetsItsSpaceBack() throws Exception {
    c.hint(0, "job", "/a", 1);
    c.await("fetched ahead", () -> all(Reason.FETCHED_AHEAD));
    long before = c.count(0, "SsdBytesRead");
    assertArrayEquals(data, c.read("/a"));
    c.await("all read from SSD", () -> c.count(0, "SsdBytesRead") - before == data.length);
    c.await("given back", () -> all(Reason.AHEAD_READ) && c.node(0).status().cleanBytes() == 0);
    assertEquals(BLOCKS, c.count(0, "SsdBlocksReadAhead"));
    assertEquals(0, c.count(0, "SsdReadAheadEvictedWithoutRead"));
    long written = c.node(0).status().ssdBytesWrittenPer100Read();
    assertTrue(written >= 100 && written <= 101, "data, and checksum files or not: " + written);
    assertArrayEquals(data, c.read("/a"), "from DISK again");
  }

  @Test
  void jobThatNeverReads_losesItsCopiesWithItsManifest() throws Exception {
    c.hint(0, "job", "/a", 1);
    c.await("fetched ahead", () -> all(Reason.FETCHED_AHEAD));
    c.withdraw(0, "job");
    c.await("given back", () -> all(Reason.AHEAD_UNREAD) && c.node(0).status().cleanBytes() == 0);
    assertEquals(BLOCKS, c.count(0, "SsdReadAheadEvictedWithoutRead"));
  }

  @Test
  void shareSetToZeroWhileItRuns_fetchesNoMore() throws Exception {
    c.node(0).settings(Map.of(HyCacheKeys.PREFETCH_SHARE, "0"));
    c.hint(0, "job", "/a", 1);
    c.await("refused", () -> all(Reason.NO_LATER_REFERENCE));
    assertEquals(0, c.count(0, "SsdBlocksPromoted"));
  }
}
