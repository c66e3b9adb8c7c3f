// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FullOnce;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Appends to a guest whose SSD has no room left, while DISK has. */
@Timeout(120)
class AppendToFullSsdIT {
  private static final int BYTES = EmbeddedCluster.BLOCK / 2;
  private static final int MORE = 200_000;
  private static final Path FILE = new Path("/a");

  @SuppressWarnings("NullAway.Init")
  private EmbeddedCluster c;

  private byte[] begin = new byte[0];
  private final byte[] more = EmbeddedCluster.content(2, MORE);

  @BeforeEach
  void start() throws Exception {
    Configuration conf = EmbeddedCluster.dirtyConf();
    c = EmbeddedCluster.start(conf, 1);
    begin = c.write("/a", 1, BYTES);
    c.await("on SSD", () -> c.types("/a").equals(List.of(StorageType.SSD)));
  }

  @AfterEach
  void stop() throws IOException {
    assertEquals(0, c.count(0, "Failures"));
    c.close();
  }

  /** Leaves less room on all volumes of a type than an append reserves. */
  private void fill(StorageType type) throws IOException {
    try (var volumes = c.dataNode(0).getFSDataset().getFsVolumeReferences()) {
      for (var volume : volumes) {
        if (volume.getStorageType() == type) {
          ((FsVolumeImpl) volume).setCapacityForTesting(((FsVolumeImpl) volume).getDfsUsed() + 1);
        }
      }
    }
  }

  private byte[] expected() {
    byte[] all = Arrays.copyOf(begin, BYTES + MORE);
    System.arraycopy(more, 0, all, BYTES, MORE);
    return all;
  }

  @Test
  void append_ssdIsFull_goesOnOnDisk() throws Exception {
    fill(StorageType.SSD);
    try (OutputStream out = c.fs.append(FILE)) {
      out.write(more);
    }
    c.await("on DISK", () -> c.types("/a").equals(List.of(StorageType.DISK)));
    assertArrayEquals(expected(), c.read("/a"));
    assertEquals(1, c.count(0, "AppendsMovedToDisk"));
    assertEquals(0, c.cluster.getNamesystem().getCorruptReplicaBlocks());
    c.cluster.restartDataNode(0, true);
    c.cluster.waitActive();
    assertArrayEquals(expected(), c.read("/a"));
  }

  @Test
  void recoverAppend_ssdIsFull_goesOnOnDisk() throws Exception {
    fill(StorageType.SSD);
    ExtendedBlock block = c.blocks("/a").get(0).getBlock();
    block.setNumBytes(EmbeddedCluster.BLOCK);
    long stamp = block.getGenerationStamp() + 1;
    try (ReplicaHandler handler = c.dataNode(0).getFSDataset().recoverAppend(block, stamp, BYTES)) {
      assertEquals(
          StorageType.DISK, handler.getReplica().getReplicaInfo().getVolume().getStorageType());
    }
    assertEquals(1, c.count(0, "AppendsMovedToDisk"));
  }

  /** HDFS copies a replica that an upgrade keeps before it reserves space for the append. */
  @Test
  void append_noSpaceForHdfsOwnCopy_goesOnOnDisk() throws Exception {
    ExtendedBlock block = c.blocks("/a").get(0).getBlock();
    block.setNumBytes(EmbeddedCluster.BLOCK);
    try (ReplicaHandler handler =
        FullOnce.append(
            c.dataNode(0).getFSDataset(), block, block.getGenerationStamp() + 1, BYTES)) {
      assertEquals(
          StorageType.DISK, handler.getReplica().getReplicaInfo().getVolume().getStorageType());
    }
    assertEquals(1, c.count(0, "AppendsMovedToDisk"));
  }

  /** HDFS copies a replica that a snapshot keeps before it truncates. */
  @Test
  void truncate_noSpaceForHdfsOwnCopy_isRetriedOnce() throws Exception {
    ExtendedBlock block = c.blocks("/a").get(0).getBlock();
    assertEquals(
        2, FullOnce.recovered(c.dataNode(0).getFSDataset(), block, "No space left on device"));
    assertThrows(
        IOException.class,
        () -> FullOnce.recovered(c.dataNode(0).getFSDataset(), block, "Input/output error"));
  }

  @Test
  void append_ssdAndDiskAreFull_failsAsPlainHdfs() throws Exception {
    fill(StorageType.SSD);
    fill(StorageType.DISK);
    assertThrows(
        IOException.class,
        () -> {
          try (OutputStream out = c.fs.append(FILE)) {
            out.write(more);
          }
        });
    assertEquals(0, c.count(0, "AppendsMovedToDisk"));
  }
}
