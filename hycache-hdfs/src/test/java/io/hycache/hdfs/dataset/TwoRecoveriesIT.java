// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What plain HDFS does, without anything of ours: why {@code src-it/torture.sh} looks for blocks
 * with two checksum files. Where this fails, HDFS was mended, and the script need not look.
 *
 * <p>A truncate of a file with a snapshot leaves the old block and writes what stays to a new one
 * (copy on truncate). If its recovery runs twice, the first one's checksum file stays beside the
 * second's, and a DataNode without its replica cache, as after a kill, takes the older stamp.
 */
@Timeout(120)
class TwoRecoveriesIT {
  private static final long NEW_BLOCK = 900_000;
  private static final long FIRST = 5_040;
  private static final long SECOND = 5_161;
  private static final int NEW_LENGTH = 210_737;

  @TempDir File directory;

  @Test
  void copyOnTruncateRecoveredTwice_plainHdfs_olderStampAfterAKill() throws Exception {
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(new Configuration(), directory).build()) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/file");
      DFSTestUtil.createFile(cluster.getFileSystem(), file, 1 << 20, (short) 1, 1);
      ExtendedBlock block = DFSTestUtil.getFirstBlock(cluster.getFileSystem(), file);
      for (long stamp : new long[] {FIRST, SECOND}) {
        dataset(cluster)
            .initReplicaRecovery(new RecoveringBlock(block, new DatanodeInfo[0], stamp));
        var unused =
            dataset(cluster).updateReplicaUnderRecovery(block, stamp, NEW_BLOCK, NEW_LENGTH);
      }
      assertEquals(SECOND, stamp(cluster, block));
      assertEquals(
          List.of("blk_900000", "blk_900000_5040.meta", "blk_900000_5161.meta"),
          files("blk_" + NEW_BLOCK));

      DataNodeProperties stopped = cluster.stopDataNode(0);
      for (Path cache : find("replicas")) {
        Files.delete(cache);
      }
      assertTrue(cluster.restartDataNode(stopped));
      cluster.waitActive();
      assertEquals(FIRST, stamp(cluster, block));
    }
  }

  private static FsDatasetSpi<?> dataset(MiniDFSCluster cluster) {
    return cluster.getDataNodes().get(0).getFSDataset();
  }

  private static long stamp(MiniDFSCluster cluster, ExtendedBlock of) throws IOException {
    return dataset(cluster).getStoredBlock(of.getBlockPoolId(), NEW_BLOCK).getGenerationStamp();
  }

  private List<String> files(String prefix) throws IOException {
    return find(prefix).stream()
        .map(path -> path.getFileName().toString())
        .sorted()
        .collect(Collectors.toList());
  }

  private List<Path> find(String prefix) throws IOException {
    try (Stream<Path> all = Files.walk(directory.toPath())) {
      return all.filter(Files::isRegularFile)
          .filter(path -> path.getFileName().toString().startsWith(prefix))
          .collect(Collectors.toList());
    }
  }
}
