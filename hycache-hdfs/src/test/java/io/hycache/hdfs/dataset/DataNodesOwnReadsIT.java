// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.OutputStream;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a DataNode reads to send it to another one is no access to the block. */
@Timeout(180)
class DataNodesOwnReadsIT {
  private static final int BLOCK = EmbeddedCluster.BLOCK;

  @SuppressWarnings("NullAway.Init") // each test starts its own
  private EmbeddedCluster c;

  @AfterEach
  void stop() {
    c.close();
  }

  private static Configuration conf() {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    conf.set(HyCacheKeys.POLICY, "heuristic");
    return conf;
  }

  private long reads() throws Exception {
    long reads = 0;
    for (int i = 0; i < c.cluster.getDataNodes().size(); i++) {
      reads += c.count(i, "SsdBlocksReadHits") + c.count(i, "SsdBlocksReadMisses");
    }
    return reads;
  }

  @Test
  void blockIsReplicated_hintedReadIsStillExpected() throws Exception {
    c = EmbeddedCluster.start(conf(), 2);
    c.write("/a", 1, BLOCK);
    DatanodeInfo[] holders = c.blocks("/a").get(0).getLocations();
    int holder = c.dataNode(0).getDatanodeUuid().equals(holders[0].getDatanodeUuid()) ? 0 : 1;
    c.hint(holder, "w", "/a", 1);
    c.fs.setReplication(new Path("/a"), (short) 2);
    c.await("two replicas", () -> c.blocks("/a").get(0).getLocations().length == 2);
    c.await("it was sent", () -> c.dataNode(holder).getXmitsInProgress() == 0);

    // Reads are counted in order, so that one before this would have been counted, too.
    c.readAt(1 - holder, c.blocks("/a").get(0));
    c.await("the client's read", () -> reads() > 0);
    assertEquals(1, reads());
    assertEquals(0, c.count(holder, "DiskBytesRead"));
    assertEquals(1, c.node(holder).status().hintsLeft());
  }

  @Test
  void erasureCodedBlockIsReconstructed_isNoRead() throws Exception {
    c = EmbeddedCluster.start(conf(), 4);
    Path dir = new Path("/coded");
    c.fs.mkdirs(dir);
    c.fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    c.fs.setErasureCodingPolicy(dir, "XOR-2-1-1024k");
    byte[] data = EmbeddedCluster.content(1, 2 * BLOCK);
    try (OutputStream out = c.fs.create(new Path(dir, "a"))) {
      out.write(data);
    }
    // A striped file is complete as soon as its data blocks are reported, not the parity.
    c.await("data and parity", () -> c.blocks("/coded/a").get(0).getLocations().length == 3);
    DatanodeInfo lost = c.blocks("/coded/a").get(0).getLocations()[0];
    c.cluster.stopDataNode(lost.getXferAddr());
    c.cluster.setDataNodeDead(lost);
    c.await(
        "reconstructed",
        () -> {
          DatanodeInfo[] now = c.blocks("/coded/a").get(0).getLocations();
          return now.length == 3 && Arrays.stream(now).noneMatch(lost::equals);
        });

    assertEquals(2 * BLOCK, c.read("/coded/a").length);
    c.await("the client's reads", () -> reads() >= 2);
    assertEquals(2, reads());
  }
}
