// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.OutputStream;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The blocks of erasure-coded files are placed and promoted as replicas are. */
@Timeout(180)
class ErasureCodedIT {
  private static final int BLOCK = EmbeddedCluster.BLOCK;
  private static final String FILE = "/coded/a";

  @SuppressWarnings("NullAway.Init") // each test starts its own
  private EmbeddedCluster c;

  @AfterEach
  void stop() {
    c.close();
  }

  /** Two blocks of data and one of parity. */
  private byte[] write() throws Exception {
    Path dir = new Path("/coded");
    c.fs.mkdirs(dir);
    c.fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    c.fs.setErasureCodingPolicy(dir, "XOR-2-1-1024k");
    byte[] data = EmbeddedCluster.content(1, 2 * BLOCK);
    try (OutputStream out = c.fs.create(new Path(FILE))) {
      out.write(data);
    }
    c.await("data and parity", () -> types().size() == 3);
    return data;
  }

  private List<StorageType> types() throws Exception {
    return List.of(c.blocks(FILE).get(0).getStorageTypes());
  }

  private long sum(String counter) throws Exception {
    long sum = 0;
    for (int i = 0; i < c.cluster.getDataNodes().size(); i++) {
      sum += c.count(i, counter);
    }
    return sum;
  }

  @Test
  void written_dataAndParityAreOnSsd() throws Exception {
    Configuration conf = EmbeddedCluster.dirtyConf();
    conf.setInt(HyCacheKeys.WRITE_MIN_BLOCK_SIZE, BLOCK);
    c = EmbeddedCluster.start(conf, 3);
    byte[] data = write();
    assertEquals(Collections.nCopies(3, StorageType.SSD), types());
    assertEquals(3, sum("SsdBlocksWrite"));
    assertArrayEquals(data, c.read(FILE));
  }

  @Test
  void readFromDisk_dataIsPromoted() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    conf.set(HyCacheKeys.POLICY, "lru");
    c = EmbeddedCluster.start(conf, 3);
    byte[] data = write();
    assertEquals(Collections.nCopies(3, StorageType.DISK), types());
    assertArrayEquals(data, c.read(FILE));
    c.await("both blocks of data are promoted", () -> sum("SsdBlocksPromoted") == 2);
    assertArrayEquals(data, c.read(FILE));
    c.await("they are read from SSD", () -> sum("SsdBlocksReadHits") == 2);
  }
}
