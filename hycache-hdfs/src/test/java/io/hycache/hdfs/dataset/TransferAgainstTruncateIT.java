// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.test.LambdaTestUtils;
import org.apache.hadoop.test.MetricsAsserts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What plain HDFS does, without anything of ours: why {@link DatasetModelIT} truncates no block
 * that is just being sent to another DataNode. Where this fails, HDFS was mended, and the model
 * need not wait.
 *
 * <p>A DataNode sends a replica with sendfile, which passes pages of the file and not copies. A
 * truncate in place fills the rest of the last page with zeros, also for the receiver that has not
 * read it yet. The receiver reports a corrupt replica, with its older generation stamp, and the
 * NameNode calls the truncated replica corrupt, which is well and has no other.
 */
@Timeout(120)
class TransferAgainstTruncateIT {
  private static final int LENGTH = 65_536;
  private static final int NEW_LENGTH = 10_108;
  private static final int WAIT_MILLIS = 30_000;

  @TempDir File directory;

  @Test
  void truncate_whileTheReplicaIsSent_plainHdfs_goodReplicaIsCalledCorrupt() throws Exception {
    Configuration conf = new Configuration();
    conf.setLong("dfs.heartbeat.interval", 1);
    conf.setLong("dfs.namenode.redundancy.interval.seconds", 1);
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, directory).numDataNodes(2).build()) {
      cluster.waitActive();
      DistributedFileSystem fs = cluster.getFileSystem();
      Path file = new Path("/file");
      DFSTestUtil.createFile(fs, file, LENGTH, (short) 1, 1);
      byte[] content = Arrays.copyOf(DFSTestUtil.readFileAsBytes(fs, file), NEW_LENGTH);
      DatanodeInfo holder = fs.getClient().getLocatedBlocks("/file", 0).get(0).getLocations()[0];
      DataNode sender = cluster.getDataNode(holder.getIpcPort());
      DataNode receiver =
          cluster.getDataNodes().stream().filter(node -> node != sender).findFirst().orElseThrow();

      try (FileGate gate =
          new FileGate(receiver, "DataXceiver", StorageType.DISK, OPERATION.OPEN, 1)) {
        assertTrue(fs.setReplication(file, (short) 2));
        gate.awaitReached();
        LambdaTestUtils.await(WAIT_MILLIS, 20, () -> replicated(sender) == 1);
        fs.truncate(file, NEW_LENGTH);
        LambdaTestUtils.await(WAIT_MILLIS, 20, () -> fs.isFileClosed(file));
        assertEquals(0, cluster.getNamesystem().getMissingBlocksCount());
      }
      LambdaTestUtils.await(
          WAIT_MILLIS, 20, () -> cluster.getNamesystem().getMissingBlocksCount() == 1);
      cluster.triggerBlockReports();
      cluster.triggerHeartbeats();
      assertEquals(1, cluster.getNamesystem().getMissingBlocksCount());
      ExtendedBlock block = DFSTestUtil.getFirstBlock(fs, file);
      try (InputStream replica = sender.getFSDataset().getBlockInputStream(block, 0)) {
        assertArrayEquals(content, replica.readAllBytes());
      }
    }
  }

  private static long replicated(DataNode node) {
    return MetricsAsserts.getLongCounter(
        "BlocksReplicated", MetricsAsserts.getMetrics(node.getMetrics().name()));
  }
}
