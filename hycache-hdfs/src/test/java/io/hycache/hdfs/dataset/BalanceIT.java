// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static io.hycache.hdfs.dataset.EmbeddedCluster.BLOCK;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.core.model.Reason;
import io.hycache.core.move.DeviceLoad;
import io.hycache.core.stats.NodeFigure;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads and writes of a DataNode whose SSD is busier than its DISK volume. */
class BalanceIT {
  private static final int BLOCKS = 4;
  private static final int STREAMS = 20;

  private final DeviceLoad ssd = new DeviceLoad(50e6, false);
  private final DeviceLoad disk = new DeviceLoad(12e6, true);

  @SuppressWarnings("NullAway.Init") // see start
  private EmbeddedCluster c;

  private void start(Configuration conf) throws Exception {
    c = EmbeddedCluster.start(conf, 1);
    c.node(0).balanceBy(ssd, disk);
  }

  @AfterEach
  void stop() {
    c.close();
  }

  private void busy() {
    for (int i = 0; i < STREAMS; i++) {
      ssd.begun();
    }
  }

  private void notBusy() {
    for (int i = 0; i < STREAMS; i++) {
      ssd.ended();
    }
  }

  private void assertNoStreams() throws Exception {
    c.await("all streams ended", () -> ssd.streams() == 0 && disk.streams() == 0);
  }

  @Test
  void writes_whileTheSsdIsBusy_goToDiskAndSayWhy() throws Exception {
    start(EmbeddedCluster.conf());
    busy();
    byte[] data = c.write("/busy", 1, BLOCKS * BLOCK);
    assertEquals(List.of(StorageType.DISK), c.types("/busy").stream().distinct().collect(toList()));
    assertEquals(BLOCKS, c.count(0, "SsdFallbackSsdBusy"));
    assertEquals(BLOCKS, c.count(0, "SsdBlocksWriteFallback"));
    c.await(
        "says why",
        () -> c.locate(0, "/busy").stream().allMatch(b -> b.reason == Reason.WRITTEN_SSD_BUSY));
    notBusy();
    assertNoStreams();
    c.write("/idle", 2, BLOCKS * BLOCK);
    assertEquals(BLOCKS, c.count(0, "SsdBlocksWrite"));
    assertArrayEquals(data, c.read("/busy"));
    assertNoStreams();
  }

  /** As after a failure of the pipeline: HDFS removes the replica that was being written. */
  @Test
  void write_createdOnSsdAndAgainOnDisk_isOneOnDiskFromThenOn() throws Exception {
    start(EmbeddedCluster.conf());
    c.await("looked at", () -> c.node(0).status().capacityBytes() > 0);
    String pool = c.cluster.getNamesystem().getBlockPoolId();
    assertEquals(StorageType.SSD, volumeOf(create(pool, 0)));
    assertEquals(BLOCK, c.node(0).status().figure(NodeFigure.WRITE_BYTES_IN_FLIGHT));
    busy();
    ReplicaInPipeline again = create(pool, 1002);
    assertEquals(StorageType.DISK, volumeOf(again));
    assertEquals(0, c.node(0).status().figure(NodeFigure.WRITE_BYTES_IN_FLIGHT));
    DataChecksum checksum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);
    again.createStreams(true, checksum).close();
    dataset().finalizeBlock(new ExtendedBlock(pool, again.getReplicaInfo()), false);
    assertEquals(0, c.count(0, "NameNodeScheduledOwed"));
    notBusy();
    assertNoStreams();
  }

  private FsDatasetSpi<?> dataset() {
    return c.dataNode(0).getFSDataset();
  }

  /** Creates a replica of the same block, asked for on DISK. */
  private ReplicaInPipeline create(String pool, long newStamp) throws IOException {
    ExtendedBlock block = new ExtendedBlock(pool, 4711, BLOCK, 1001);
    try (ReplicaHandler handler =
        dataset().createRbw(StorageType.DISK, null, block, false, newStamp)) {
      return handler.getReplica();
    }
  }

  private static StorageType volumeOf(ReplicaInPipeline replica) {
    return replica.getReplicaInfo().getVolume().getStorageType();
  }

  private byte[] writeAndPromote(int blocks) throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    start(conf);
    byte[] data = c.write("/a", 1, blocks * BLOCK);
    c.await("tracked", () -> c.node(0).status().trackedBlocks() == blocks);
    c.hint(0, "job", "/a", 9);
    c.await(
        "promoted",
        () -> c.locate(0, "/a").stream().allMatch(b -> b.reason == Reason.ON_SSD_CLEAN));
    return data;
  }

  @Test
  void read_leftToDiskThatCanNotOpenIt_isNoStreamOfDisk() throws Exception {
    byte[] unused = writeAndPromote(1);
    busy();
    LocatedBlock block = c.blocks("/a").get(0);
    ReplicaView replica = c.node(0).replica(c.keys("/a").get(0));
    assertNotNull(replica);
    Files.delete(replica.data().toPath());
    assertThrows(IOException.class, () -> c.readAt(0, block));
    assertEquals(1, c.count(0, "SsdReadsLeftToDisk"));
    // The stream would otherwise be counted for a minute.
    c.await("ended", Duration.ofSeconds(10), () -> disk.streams() == 0);
  }

  @Test
  void readsOfCleanCopies_whileTheSsdIsBusy_areServedByDisk() throws Exception {
    byte[] data = writeAndPromote(BLOCKS);
    busy();
    assertArrayEquals(data, c.read("/a"));
    c.await("read from DISK", () -> c.count(0, "DiskBytesRead") == data.length);
    assertEquals(BLOCKS, c.count(0, "SsdReadsLeftToDisk"));
    assertEquals(0, c.count(0, "SsdBytesRead"));
    notBusy();
    assertNoStreams();
    assertArrayEquals(data, c.read("/a"));
    c.await("read from SSD", () -> c.count(0, "SsdBytesRead") == data.length);
    assertEquals(BLOCKS, c.count(0, "SsdReadsLeftToDisk"));
    assertNoStreams();
  }
}
