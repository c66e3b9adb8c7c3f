// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.model.Reason;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A client reads a clean copy while the SSD goes out of use. The rest of the checksums is read from
 * DISK. If there are none there that belong to the data, HDFS would send zeros in their place, and
 * the client would report the replica as corrupt; so the connection ends, and the client reads
 * again.
 */
@Timeout(180)
class SickSsdIT {
  private static final int LENGTH = 32 << 20;
  private static final int PART = 64 << 10;
  private static final Path FILE = new Path("/a");

  private byte[] data = {};

  @SuppressWarnings("NullAway.Init") // see start
  private EmbeddedCluster c;

  @BeforeEach
  void start() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.setInt("dfs.blocksize", 2 * LENGTH);
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    conf.set(HyCacheKeys.SSD_CAPACITY, "200MB");
    conf.set(HyCacheKeys.BALANCE, "false"); // the data stay at the copy
    c = EmbeddedCluster.start(conf, 1);
    data = c.write(FILE.toString(), 1, LENGTH);
    c.await("tracked", () -> c.node(0).status().trackedBlocks() == 1);
    c.hint(0, "job", FILE.toString(), 9);
    c.await("promoted", () -> c.locate(0, FILE.toString()).get(0).reason == Reason.ON_SSD_CLEAN);
  }

  @AfterEach
  void stop() {
    c.close();
  }

  @Test
  void replicaIsAsItWas_theStreamGoesOn() throws Exception {
    byte[] read = new byte[LENGTH];
    try (InputStream in = c.fs.open(FILE)) {
      assertEquals(PART, in.readNBytes(read, 0, PART));
      c.node(0).failSsds();
      assertEquals(LENGTH - PART, in.readNBytes(read, PART, LENGTH - PART));
    }
    assertArrayEquals(data, read);
    assertEquals(1, c.count(0, "SsdBlocksReadHits"));
    assertEquals(0, c.count(0, "SsdBlocksReadMisses"));
    nothingIsCorrupt();
  }

  @Test
  void replicaIsAppendedTo_theClientReadsItAgain_andReportsNothing() throws Exception {
    byte[] more = EmbeddedCluster.content(2, PART);
    byte[] read = new byte[LENGTH];
    try (InputStream in = c.fs.open(FILE)) {
      assertEquals(PART, in.readNBytes(read, 0, PART));
      try (OutputStream out = c.fs.append(FILE)) {
        out.write(more);
      }
      c.node(0).failSsds();
      assertEquals(LENGTH - PART, in.readNBytes(read, PART, LENGTH - PART));
    }
    assertArrayEquals(data, read);
    assertEquals(1, c.count(0, "SsdBlocksReadHits"));
    assertEquals(1, c.count(0, "SsdBlocksReadMisses"));
    nothingIsCorrupt();
  }

  private void nothingIsCorrupt() throws Exception {
    assertEquals(0, c.fs.getCorruptBlocksCount());
    assertEquals(0, c.count(0, "Failures"));
  }
}
