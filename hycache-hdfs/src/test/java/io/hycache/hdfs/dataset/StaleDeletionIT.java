// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The NameNode asks for the deletion of a replica as it was before an append or a pipeline
 * recovery: HDFS refuses, because the generation stamps differ.
 */
@Timeout(120)
class StaleDeletionIT {
  private static void refuseDeletion(EmbeddedCluster c) throws IOException {
    ExtendedBlock now = c.blocks("/a").get(0).getBlock();
    Block before = new Block(now.getBlockId(), now.getNumBytes(), now.getGenerationStamp() - 1);
    assertThrows(
        IOException.class,
        () -> c.dataNode(0).getFSDataset().invalidate(now.getBlockPoolId(), new Block[] {before}));
  }

  @Test
  void guest_isStillKnown() throws Exception {
    Configuration conf = EmbeddedCluster.dirtyConf();
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      byte[] data = c.write("/a", 1, EmbeddedCluster.BLOCK);
      c.await("known", () -> c.locate(0, "/a").get(0).dirty);
      refuseDeletion(c);
      assertTrue(c.locate(0, "/a").get(0).dirty);
      assertEquals(List.of(StorageType.SSD), c.types("/a"));
      assertArrayEquals(data, c.read("/a"));
    }
  }

  @Test
  void cleanCopy_stays() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    try (EmbeddedCluster c = EmbeddedCluster.start(conf, 1)) {
      byte[] data = c.write("/a", 2, EmbeddedCluster.BLOCK);
      c.await("known", () -> c.node(0).status().trackedBlocks() == 1);
      c.hint(0, "w", "/a", 3);
      c.await("clean", () -> c.locate(0, "/a").get(0).cleanData);
      refuseDeletion(c);
      assertTrue(c.locate(0, "/a").get(0).cleanData);
      assertArrayEquals(data, c.read("/a"));
      assertEquals(1, c.count(0, "SsdBlocksPromoted"));
    }
  }
}
