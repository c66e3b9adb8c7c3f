// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.test.LambdaTestUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What plain HDFS does, without anything of ours: why {@code src-it/bench/Torture.java} puts files
 * aside whose truncate never ends. Where this fails, HDFS was mended, and the client need not.
 *
 * <p>A truncate within a block of a file with a snapshot leaves the old block and writes what stays
 * to a new one. A NameNode that restarts before a DataNode has done so knows no replica to make the
 * new block from: its edits name the block alone. Then no recovery of the lease has anything to do.
 * Without a snapshot the replicas of the block are reported, and the truncate ends.
 */
@Timeout(120)
class TruncateAgainstRestartIT {
  private static final int LENGTH = 65_536;
  private static final int NEW_LENGTH = 10_108;
  private static final int WAIT_MILLIS = 30_000;
  private static final Path FILE = new Path("/d/file");

  @TempDir File directory;

  private MiniDFSCluster cluster(boolean withSnapshot) throws Exception {
    Configuration conf = new Configuration();
    conf.setLong("dfs.heartbeat.interval", 1);
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf, directory).numDataNodes(1).build();
    cluster.waitActive();
    DistributedFileSystem fs = cluster.getFileSystem();
    DFSTestUtil.createFile(fs, FILE, LENGTH, (short) 1, 1);
    if (withSnapshot) {
      fs.allowSnapshot(FILE.getParent());
      fs.createSnapshot(FILE.getParent(), "s");
    }
    return cluster;
  }

  /** The DataNode, without heartbeats, gets to know of the truncate only after the restart. */
  private static void truncateAndRestart(MiniDFSCluster cluster) throws Exception {
    DataNodeTestUtils.setHeartbeatsDisabledForTests(cluster.getDataNodes().get(0), true);
    assertFalse(cluster.getFileSystem().truncate(FILE, NEW_LENGTH));
    cluster.restartNameNode(false);
    DataNodeTestUtils.setHeartbeatsDisabledForTests(cluster.getDataNodes().get(0), false);
    cluster.waitActive();
    cluster.triggerBlockReports();
  }

  private static LocatedBlock last(DistributedFileSystem fs) throws Exception {
    return fs.getClient().getLocatedBlocks(FILE.toString(), 0).getLastLocatedBlock();
  }

  @Test
  void truncateIntoANewBlock_plainHdfsNameNodeRestarts_neverEnds() throws Exception {
    try (MiniDFSCluster cluster = cluster(true)) {
      long before = last(cluster.getFileSystem()).getBlock().getBlockId();
      truncateAndRestart(cluster);
      DistributedFileSystem fs = cluster.getFileSystem();
      for (int i = 0; i < 3; i++) {
        assertFalse(fs.recoverLease(FILE));
        cluster.triggerHeartbeats();
        cluster.triggerBlockReports();
        cluster.triggerDeletionReports();
      }
      assertFalse(fs.isFileClosed(FILE));
      assertNotEquals(before, last(fs).getBlock().getBlockId());
      assertEquals(0, last(fs).getLocations().length);
    }
  }

  @Test
  void truncateInPlace_plainHdfsNameNodeRestarts_ends() throws Exception {
    try (MiniDFSCluster cluster = cluster(false)) {
      long before = last(cluster.getFileSystem()).getBlock().getBlockId();
      truncateAndRestart(cluster);
      DistributedFileSystem fs = cluster.getFileSystem();
      LambdaTestUtils.await(WAIT_MILLIS, 500, () -> fs.recoverLease(FILE));
      assertEquals(NEW_LENGTH, fs.getFileStatus(FILE).getLen());
      assertEquals(before, last(fs).getBlock().getBlockId());
    }
  }
}
