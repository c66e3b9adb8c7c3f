// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.test.LambdaTestUtils.VoidCallable;
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
    Configuration conf = EmbeddedCluster.confForCopy(LENGTH);
    conf.set(HyCacheKeys.BALANCE, "false"); // the data stay at the copy
    c = EmbeddedCluster.start(conf, 1);
    data = c.writeWithCopy(FILE.toString(), LENGTH);
  }

  @AfterEach
  void stop() {
    c.close();
  }

  @Test
  void replicaIsAsItWas_theStreamGoesOn() throws Exception {
    readWhileTheSsdFails(() -> {});
    assertEquals(0, c.count(0, "SsdBlocksReadMisses"));
  }

  @Test
  void replicaIsAppendedTo_theClientReadsItAgain_andReportsNothing() throws Exception {
    readWhileTheSsdFails(
        () -> {
          try (OutputStream out = c.fs.append(FILE)) {
            out.write(EmbeddedCluster.content(2, PART));
          }
        });
    assertEquals(1, c.count(0, "SsdBlocksReadMisses"));
  }

  private void readWhileTheSsdFails(VoidCallable before) throws Exception {
    byte[] read = new byte[LENGTH];
    try (InputStream in = c.fs.open(FILE)) {
      assertEquals(PART, in.readNBytes(read, 0, PART));
      before.call();
      c.node(0).areas().forEach(area -> SickDevices.failReads(area.watch()));
      assertEquals(LENGTH - PART, in.readNBytes(read, PART, LENGTH - PART));
    }
    assertArrayEquals(data, read);
    assertEquals(1, c.count(0, "SsdBlocksReadHits"));
    assertEquals(0, c.fs.getCorruptBlocksCount());
    assertEquals(0, c.count(0, "Failures"));
  }
}
