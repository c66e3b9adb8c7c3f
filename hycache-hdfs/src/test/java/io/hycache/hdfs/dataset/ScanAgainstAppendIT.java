// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.InputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.apache.hadoop.test.LambdaTestUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What plain HDFS does, without anything of ours: why {@code torture.sh} lets a corrupt replica be
 * where the DataNode's directory scanner says so. Where this fails, HDFS was mended, and the script
 * need not.
 *
 * <p>The directory scanner lists the files of a volume first and compares them with the replicas in
 * memory later. An append in between gives the checksum file another name, and the scanner, which
 * does not find the one that it listed, reports the good replica as corrupt.
 */
@Timeout(120)
class ScanAgainstAppendIT {
  private static final int LENGTH = 65_536;
  private static final int WAIT_MILLIS = 30_000;

  @TempDir File directory;

  @Test
  void append_betweenTheScansListAndItsEnd_plainHdfs_goodReplicaIsCalledCorrupt() throws Exception {
    Configuration conf = new Configuration();
    conf.setLong("dfs.heartbeat.interval", 1);
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, directory)
            .numDataNodes(1)
            .storagesPerDatanode(1)
            .build()) {
      cluster.waitActive();
      DistributedFileSystem fs = cluster.getFileSystem();
      Path file = new Path("/file");
      DFSTestUtil.createFile(fs, file, LENGTH, (short) 1, 1);
      DataNode node = cluster.getDataNodes().get(0);
      FsDatasetSpi<?> dataset = node.getFSDataset();
      ExtendedBlock block = DFSTestUtil.getFirstBlock(fs, file);
      ScanInfo listed = listed(cluster, block);

      DFSTestUtil.appendFile(fs, file, LENGTH);
      byte[] content = DFSTestUtil.readFileAsBytes(fs, file);
      assertEquals(0, cluster.getNamesystem().getMissingBlocksCount());
      dataset.checkAndUpdate(block.getBlockPoolId(), listed);

      LambdaTestUtils.await(
          WAIT_MILLIS, 20, () -> cluster.getNamesystem().getMissingBlocksCount() == 1);
      ExtendedBlock appended = DFSTestUtil.getFirstBlock(fs, file);
      try (InputStream replica = dataset.getBlockInputStream(appended, 0)) {
        assertArrayEquals(content, replica.readAllBytes());
      }
    }
  }

  /** What the scanner keeps of a replica between its two steps. */
  private static ScanInfo listed(MiniDFSCluster cluster, ExtendedBlock block) throws Exception {
    File data = cluster.getBlockFile(0, block);
    try (var volumes = cluster.getDataNodes().get(0).getFSDataset().getFsVolumeReferences()) {
      return new ScanInfo(
          block.getBlockId(),
          data.getParentFile(),
          data.getName(),
          DatanodeUtil.getMetaName(data.getName(), block.getGenerationStamp()),
          volumes.get(0));
    }
  }
}
