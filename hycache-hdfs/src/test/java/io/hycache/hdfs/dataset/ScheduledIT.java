// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.Reason;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the NameNode counts as scheduled on a storage type where replicas went to another one. */
@Timeout(180)
class ScheduledIT {
  private static final int BLOCK = EmbeddedCluster.BLOCK;

  @SuppressWarnings("NullAway.Init") // each test starts its own
  private EmbeddedCluster c;

  @AfterEach
  void stop() throws Exception {
    assertEquals(0, c.count(0, "Failures"));
    c.close();
  }

  private void start(long ssdBytes, long diskBytes) throws Exception {
    start("active", ssdBytes, diskBytes);
  }

  private void start(String mode, long ssdBytes, long diskBytes) throws Exception {
    Configuration conf = EmbeddedCluster.conf();
    conf.set(HyCacheKeys.MODE, mode);
    // Guests stay: what a demotion reports on DISK would clear the count as well.
    conf.set(HyCacheKeys.DEMOTE_HIGH, "1");
    conf.set(HyCacheKeys.DEMOTE_LOW, "1");
    c = EmbeddedCluster.start(conf, 1, ssdBytes, diskBytes);
  }

  /** What the NameNode believes is still to come. */
  private int scheduled(StorageType type) throws Exception {
    return c.cluster
        .getNamesystem()
        .getBlockManager()
        .getDatanodeManager()
        .getDatanode(c.dataNode(0).getDatanodeId())
        .getBlocksScheduled(type);
  }

  @Test
  void write_threeTimesWhatTheDisksHaveFree_noneFails() throws Exception {
    start(64L * BLOCK, 20L * BLOCK);
    for (int i = 0; i < 10; i++) {
      byte[] data = c.write("/a", i, 6 * BLOCK);
      assertArrayEquals(data, c.read("/a"));
      c.fs.delete(new Path("/a"), false);
      // Plain HDFS, too, fails a write that comes before what was deleted is gone from a full DISK.
      c.await("deleted", () -> c.node(0).status().trackedBlocks() == 0);
    }
    assertTrue(c.count(0, "SsdBlocksWrite") >= 40, "most go to SSD");
    c.await("settled", () -> scheduled(StorageType.DISK) == 0);
  }

  @Test
  void scheduled_guestsAndNoReplicaOnDisk_isSettled() throws Exception {
    start(64L * BLOCK, 64L * BLOCK);
    byte[] data = c.write("/a", 1, 6 * BLOCK);
    c.await("settled", () -> scheduled(StorageType.DISK) == 0);
    assertEquals(List.of(StorageType.SSD), List.copyOf(Set.copyOf(c.types("/a"))));
    assertArrayEquals(data, c.read("/a"));
  }

  @Test
  void scheduled_guestsAndAReplicaOnDisk_isSettledWithThat() throws Exception {
    start(64L * BLOCK, 64L * BLOCK);
    c.node(0).settings(Map.of(HyCacheKeys.WRITE_MIN_BLOCK_SIZE, "64MB"));
    c.write("/disk", 1, BLOCK);
    c.node(0).settings(Map.of(HyCacheKeys.WRITE_MIN_BLOCK_SIZE, "0"));
    c.write("/a", 1, 6 * BLOCK);
    c.await("settled", () -> scheduled(StorageType.DISK) == 0);
    assertEquals(Set.of(StorageType.SSD), Set.copyOf(c.types("/a")));
    assertEquals(Set.of(StorageType.DISK), Set.copyOf(c.types("/disk")));
  }

  @Test
  void scheduled_askedOnSsdAndWrittenToDisk_isSettled() throws Exception {
    start(4L * BLOCK, 64L * BLOCK);
    c.fs.mkdirs(new Path("/ssd"));
    c.fs.setStoragePolicy(new Path("/ssd"), HdfsConstants.ALLSSD_STORAGE_POLICY_NAME);
    // The NameNode goes on believing that the SSD is empty.
    DataNodeTestUtils.setHeartbeatsDisabledForTests(c.dataNode(0), true);
    byte[] data = c.write("/ssd/a", 1, 8 * BLOCK);
    assertEquals(Set.of(StorageType.SSD, StorageType.DISK), Set.copyOf(c.types("/ssd/a")));
    c.await("settled", () -> scheduled(StorageType.SSD) == 0);
    assertTrue(c.count(0, "NameNodeScheduledSettled") > 0);
    long full = c.count(0, "SsdFallbackSsdFull");
    assertTrue(full > 0);
    long kinds =
        c.node(0).status().counters().entrySet().stream()
            .filter(counter -> counter.getKey().startsWith("SsdFallback"))
            .mapToLong(Map.Entry::getValue)
            .sum();
    assertEquals(kinds, c.count(0, "SsdBlocksWriteFallback"));
    c.await(
        "each says why",
        () ->
            c.locate(0, "/ssd/a").stream().filter(b -> b.reason == Reason.WRITTEN_SSD_FULL).count()
                == full);
    assertArrayEquals(data, c.read("/ssd/a"));
  }

  /** The client would take the SSD of another DataNode. */
  @ParameterizedTest
  @ValueSource(strings = {"off", "observe"})
  void askedOnFullSsd_modeThatMovesNothing_failsAsInPlainHdfs(String mode) throws Exception {
    start(mode, 4L * BLOCK, 64L * BLOCK);
    c.fs.mkdirs(new Path("/ssd"));
    c.fs.setStoragePolicy(new Path("/ssd"), HdfsConstants.ALLSSD_STORAGE_POLICY_NAME);
    // The NameNode goes on believing that the SSD is empty.
    DataNodeTestUtils.setHeartbeatsDisabledForTests(c.dataNode(0), true);
    ReplicaStore.Volume ssd = c.node(0).ssdVolumes().get(0);
    try (Closeable full = c.node(0).reserve(ssd.root(), ssd.availableBytes() - BLOCK / 2)) {
      assertThrows(IOException.class, () -> c.write("/ssd/a", 1, BLOCK));
    }
    assertEquals(0, c.count(0, "SsdFallbackSsdFull"));
    assertEquals(0, c.count(0, "NameNodeScheduledOwed"));
  }

  @Test
  void holdsBack_reportsNotTaken_writesGoToDiskAndSayWhy() throws Exception {
    start(64L * BLOCK, 20L * BLOCK);
    c.node(0).stopSettling();
    for (int i = 0; i < 5; i++) {
      c.write("/a", i, 6 * BLOCK);
      c.fs.delete(new Path("/a"), false);
      c.await("deleted", () -> c.node(0).status().trackedBlocks() == 0);
    }
    long held = c.count(0, "SsdFallbackScheduledOnDisk");
    assertTrue(held > 0 && c.count(0, "SsdBlocksWrite") > 0, "held back: " + held);
    assertEquals(held, c.count(0, "SsdBlocksWriteFallback"));
    c.write("/b", 9, BLOCK);
    c.await("says why", () -> c.locate(0, "/b").get(0).reason == Reason.WRITTEN_SCHEDULED_ON_DISK);
  }

  private FSDataOutputStream open(String path) throws Exception {
    FSDataOutputStream out = c.fs.create(new Path(path));
    out.write(new byte[1000]);
    out.hflush();
    return out;
  }

  @Test
  void scheduled_abandonedBlock_isClearedByTheNameNodeOnly() throws Exception {
    start(64L * BLOCK, 64L * BLOCK);
    FSDataOutputStream unused = open("/a");
    assertEquals(1, scheduled(StorageType.DISK));
    c.fs
        .getClient()
        .getNamenode()
        .abandonBlock(
            c.blocks("/a").get(0).getBlock(),
            c.fs.getClient().getFileInfo("/a").getFileId(),
            "/a",
            c.fs.getClient().getClientName());
    assertEquals(0, scheduled(StorageType.DISK));
    assertEquals(0, c.count(0, "NameNodeScheduledOwed"));
  }

  @Test
  void scheduled_clientGoneAndLeaseRecovered_isSettled() throws Exception {
    start(64L * BLOCK, 64L * BLOCK);
    FSDataOutputStream unused = open("/a");
    c.await("closed", () -> c.fs.recoverLease(new Path("/a")));
    c.await("settled", () -> scheduled(StorageType.DISK) == 0);
    assertEquals(1, c.count(0, "NameNodeScheduledOwed"));
    assertEquals(1000, c.read("/a").length);
  }
}
