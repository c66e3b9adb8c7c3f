// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A DataNode with a PROVIDED volume, which is no directory of the machine. */
@Timeout(180)
class ProvidedVolumeIT {
  @TempDir Path dir;

  @Test
  void heartbeatsAndWrites_goOnAsWithoutIt() throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(
        DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY,
        "[SSD]"
            + dir.resolve("ssd").toUri()
            + ",[DISK]"
            + dir.resolve("disk").toUri()
            + ",[PROVIDED]hdfs://127.0.0.1:1/data");
    conf.set("dfs.provided.aliasmap.text.read.file", dir.resolve("blocks.csv").toUri().toString());
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build()) {
      String pool = cluster.getNamesystem().getBlockPoolId();
      Path unused = Files.createFile(dir.resolve("blocks_" + pool + ".csv"));
      cluster.startDataNodes(conf, 1, false, StartupOption.REGULAR, null);
      cluster.waitActive(); // until the DataNode has sent a heartbeat
      var dataset = cluster.getDataNodes().get(0).getFSDataset();
      StorageReport[] reports = dataset.getStorageReports(pool);
      assertEquals(3, reports.length);
      DistributedFileSystem fs = cluster.getFileSystem();
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/a");
      try (OutputStream out = fs.create(file, (short) 1)) {
        out.write(new byte[EmbeddedCluster.BLOCK]);
      }
      StorageType[] types =
          fs.getClient().getLocatedBlocks("/a", 0, Long.MAX_VALUE).get(0).getStorageTypes();
      assertTrue(types[0] == StorageType.SSD || types[0] == StorageType.DISK);
      HyCacheNode node = ((WithHyCache) dataset).hyCache();
      assertEquals(0L, node.status().counters().get("Failures"));
    }
  }
}
