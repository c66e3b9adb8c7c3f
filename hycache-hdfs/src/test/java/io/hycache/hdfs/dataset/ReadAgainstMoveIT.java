// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.core.spi.MoveAbandonedException;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetTestUtil;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A reader that stalls between look-up and open while its replica moves. */
@Timeout(120)
class ReadAgainstMoveIT {
  private static final int BYTES = 300_000;
  private static final String READER = "StalledReader";

  @SuppressWarnings("NullAway.Init")
  private EmbeddedCluster c;

  private byte[] data = new byte[0];

  @BeforeEach
  void start() throws Exception {
    Configuration conf = EmbeddedCluster.dirtyConf();
    c = EmbeddedCluster.start(conf, 1);
    data = c.write("/a", 1, BYTES);
  }

  @AfterEach
  void stop() throws IOException {
    assertEquals(0, c.count(0, "Failures"));
    c.close();
  }

  private ExtendedBlock block() throws IOException {
    return c.blocks("/a").get(0).getBlock();
  }

  private FsDatasetSpi<?> dataset() {
    return c.dataNode(0).getFSDataset();
  }

  private @Nullable ReplicaView view() throws IOException {
    ExtendedBlock block = block();
    return c.node(0).replica(new BlockKey(block.getBlockPoolId(), block.getBlockId()));
  }

  private void demote() throws Exception {
    c.node(0).settings(Map.of(HyCacheKeys.DEMOTE_HIGH, "0", HyCacheKeys.DEMOTE_LOW, "0"));
    c.await("on DISK", () -> c.types("/a").equals(List.of(StorageType.DISK)));
    c.await("no move is under way", () -> c.node(0).status().movesQueued() == 0);
  }

  /** What the reader gets whose file operation was held during the demotion. */
  private <T> T stalledDuringDemotion(OPERATION held, Callable<T> reader) throws Exception {
    try (FileGate gate = new FileGate(c.dataNode(0), READER, StorageType.SSD, held, 1)) {
      FutureTask<T> task = new FutureTask<>(reader);
      new Thread(task, READER).start();
      gate.awaitReached();
      demote();
      // The SSD bytes stay as a clean copy; what the reader looks for is the replica.
      gate.open();
      return task.get(20, TimeUnit.SECONDS);
    }
  }

  private void healthy() throws Exception {
    ExtendedBlock block = block();
    assertTrue(dataset().contains(block), "the replica is in the map");
    ReplicaView view = view();
    assertNotNull(view);
    assertTrue(view.data().exists(), "its file is there");
    assertArrayEquals(data, c.read("/a"));
    assertEquals(0, c.cluster.getNamesystem().getMissingBlocksCount());
    assertEquals(0, c.cluster.getNamesystem().getCorruptReplicaBlocks());
  }

  private static byte[] all(@Nullable InputStream in) throws IOException {
    assertNotNull(in);
    try (InputStream stream = in) {
      return stream.readAllBytes();
    }
  }

  @Test
  void data_openStalledDuringDemotion_readsTheReplicaOnDisk() throws Exception {
    ExtendedBlock block = block();
    byte[] read =
        stalledDuringDemotion(OPERATION.OPEN, () -> all(dataset().getBlockInputStream(block, 0)));
    assertArrayEquals(data, read);
    assertEquals(1, c.count(0, "ReplicasLookedUpAgain"));
    healthy();
  }

  /** Its file is gone when the reader comes to open it: that is no fault of the SSD. */
  /** A reader of a replica that is appended to needs it, see BlockSender. */
  @Test
  void demoted_keepsTheChecksumOfItsLastChunk() throws Exception {
    ExtendedBlock block = block();
    byte[] written = lastChecksum(block);
    assertNotNull(written);
    demote();
    assertArrayEquals(written, lastChecksum(block));
  }

  private byte @Nullable [] lastChecksum(ExtendedBlock block) {
    ReplicaInfo replica =
        FsDatasetTestUtil.fetchReplicaInfo(dataset(), block.getBlockPoolId(), block.getBlockId());
    return ((FinalizedReplica) replica).getLastPartialChunkChecksum();
  }

  @Test
  void cleanCopy_openStalledDuringEviction_readsTheReplicaAndCountsNoReadError() throws Exception {
    demote();
    ExtendedBlock block = block();
    BlockKey key = new BlockKey(block.getBlockPoolId(), block.getBlockId());
    AtomicInteger evicted = new AtomicInteger();
    FileOperations.observe(
        (operation, file) -> {
          if (operation == FileOperation.OPEN
              && file.getName().endsWith(".data")
              && evicted.getAndIncrement() == 0) {
            c.node(0).evictData(key);
            assertFalse(file.exists(), "it has made way");
          }
        });
    try {
      assertArrayEquals(data, c.read("/a")); // clean copies are for clients only
    } finally {
      FileOperations.observe(null);
    }
    assertEquals(1, evicted.get());
    assertEquals(0, c.count(0, "SsdReadErrors"));
    healthy();
  }

  @Test
  void checksums_openStalledDuringDemotion_readsThoseOnDisk() throws Exception {
    ExtendedBlock block = block();
    ReplicaView before = view();
    assertNotNull(before);
    byte[] expected = Files.readAllBytes(before.checksums().toPath());
    byte[] read =
        stalledDuringDemotion(OPERATION.OPEN, () -> all(dataset().getMetaDataInputStream(block)));
    assertArrayEquals(expected, read);
    healthy();
  }

  @Test
  void checksums_lookStalledDuringDemotion_readsThoseOnDisk() throws Exception {
    ExtendedBlock block = block();
    ReplicaView before = view();
    assertNotNull(before);
    byte[] expected = Files.readAllBytes(before.checksums().toPath());
    byte[] read =
        stalledDuringDemotion(OPERATION.EXISTS, () -> all(dataset().getMetaDataInputStream(block)));
    assertArrayEquals(expected, read);
    healthy();
  }

  @Test
  void localPath_lookStalledDuringDemotion_isThatOnDisk() throws Exception {
    ExtendedBlock block = block();
    String path =
        stalledDuringDemotion(
            OPERATION.EXISTS, () -> dataset().getBlockLocalPathInfo(block).getBlockPath());
    ReplicaView view = view();
    assertNotNull(view);
    assertEquals(view.data().getAbsolutePath(), path);
    healthy();
  }

  @Test
  void checkBlock_stalledDuringDemotion_findsNothingMissing() throws Exception {
    ExtendedBlock block = block();
    Boolean checked =
        stalledDuringDemotion(
            OPERATION.EXISTS,
            () -> {
              dataset().checkBlock(block, block.getNumBytes(), ReplicaState.FINALIZED);
              return true;
            });
    assertTrue(checked);
    healthy();
  }

  @Test
  void missing_reportedOfAReplicaThatMoved_isIgnored() throws Exception {
    ExtendedBlock block = block();
    demote();
    dataset().invalidateMissingBlock(block.getBlockPoolId(), block.getLocalBlock());
    assertEquals(1, c.count(0, "ReplicasNotMissing"));
    healthy();
  }

  @Test
  void missing_dataFileBehindCleanChecksums_isGivenUp() throws Exception {
    demote();
    c.await("checksums on SSD", () -> c.locate(0, "/a").get(0).cleanChecksums);
    ExtendedBlock block = block();
    ReplicaView view = view();
    assertNotNull(view);
    // The data's copy goes, the checksum file's stays; then the replica's data file goes.
    c.node(0).evictData(new BlockKey(block.getBlockPoolId(), block.getBlockId()));
    Files.delete(view.data().toPath());
    assertThrows(IOException.class, () -> dataset().getBlockInputStream(block, 0));
    assertFalse(dataset().contains(block), "given up");
  }

  @Test
  void missing_reportedOfAReplicaThatIs_isGivenUp() throws Exception {
    ExtendedBlock block = block();
    ReplicaView view = view();
    assertNotNull(view);
    Files.delete(view.data().toPath());
    dataset().invalidateMissingBlock(block.getBlockPoolId(), block.getLocalBlock());
    assertFalse(dataset().contains(block), "given up");
    assertEquals(0, c.count(0, "ReplicasNotMissing"));
    // A second report finds no replica.
    dataset().invalidateMissingBlock(block.getBlockPoolId(), block.getLocalBlock());
  }

  /**
   * HDFS renames a replica's files and then changes its replica map, all under a lock. A reader of
   * the file that is being written finds neither the old nor the new place.
   */
  @Test
  void reader_comesWhileTheReplicaIsFinalized_theReplicaIsNotGivenUp() throws Exception {
    Path path = new Path("/b");
    byte[] written = EmbeddedCluster.content(2, BYTES);
    FSDataOutputStream out = c.fs.create(path);
    out.write(written);
    out.hflush();
    ExtendedBlock block = c.blocks("/b").get(0).getBlock();
    try (FileGate gate =
        new FileGate(c.dataNode(0), "PacketResponder", StorageType.SSD, OPERATION.MOVE, 2)) {
      FutureTask<Void> close =
          new FutureTask<>(
              () -> {
                out.close();
                return null;
              });
      new Thread(close, "closer").start();
      gate.awaitReached();
      FutureTask<Void> giveUp =
          new FutureTask<>(
              () -> {
                // What HDFS does for a reader that does not find the file.
                dataset().invalidateMissingBlock(block.getBlockPoolId(), block.getLocalBlock());
                return null;
              });
      Thread reader = new Thread(giveUp, READER);
      reader.start();
      c.await(
          "the reader waits, or is through",
          () -> giveUp.isDone() || reader.getState() == Thread.State.WAITING);
      gate.open();
      giveUp.get(20, TimeUnit.SECONDS);
      close.get(20, TimeUnit.SECONDS);
    }
    assertTrue(dataset().contains(block));
    assertArrayEquals(written, c.read("/b"));
    healthy();
  }

  /** HDFS's own tools moved it between the decision and the move. */
  @Test
  void demotion_replicaIsOnThatDiskAlready_staysThere() throws Exception {
    ExtendedBlock block = block();
    ReplicaView before = view();
    assertNotNull(before);
    dataset().moveBlockAcrossStorage(block, StorageType.DISK, "");
    c.await("on DISK", () -> c.types("/a").equals(List.of(StorageType.DISK)));
    ReplicaView now = view();
    assertNotNull(now);
    String disk = now.volumeRoot().getPath();
    assertThrows(
        MoveAbandonedException.class,
        () ->
            ModelLedger.mover(c.node(0))
                .demote(before.replica(), disk, true, bytes -> {}, state -> {}));
    healthy();
    // The same by HDFS's own hand, as its disk balancer moves.
    try (FsDatasetSpi.FsVolumeReferences volumes = dataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        if (volume.getStorageType() == StorageType.DISK) {
          assertThrows(IOException.class, () -> dataset().moveBlockAcrossVolumes(block, volume));
        }
      }
    }
    healthy();
  }

  @Test
  void demotion_ofAPinnedBlock_itStaysPinned() throws Exception {
    c.close();
    Configuration conf = EmbeddedCluster.dirtyConf();
    conf.setBoolean(DFSConfigKeys.DFS_DATANODE_BLOCK_PINNING_ENABLED, true);
    c = EmbeddedCluster.start(conf, 1);
    data = c.write("/a", 1, BYTES);
    dataset().setPinning(block());
    demote();
    assertTrue(dataset().getPinning(block()));
    healthy();
  }

  /** Where HDFS keeps, or would keep, the block's files on DISK. */
  private java.nio.file.Path onDisk(ExtendedBlock block) throws IOException {
    File finalized =
        MiniDFSCluster.getFinalizedDir(
            c.cluster.getInstanceStorageDir(0, 1), block.getBlockPoolId());
    return DatanodeUtil.idToBlockDir(finalized, block.getBlockId()).toPath();
  }

  /** A replica of another generation stamp that HDFS does not know, as of a volume that was out. */
  private void leaveBehind(ExtendedBlock block, long stamp) throws IOException {
    java.nio.file.Path dir = Files.createDirectories(onDisk(block));
    Files.write(dir.resolve(block.getBlockName()), new byte[] {1, 2, 3});
    Files.write(dir.resolve(DatanodeUtil.getMetaName(block.getBlockName(), stamp)), new byte[11]);
  }

  private List<String> filesOnDisk(ExtendedBlock block) throws IOException {
    try (Stream<java.nio.file.Path> files = Files.list(onDisk(block))) {
      return files.map(file -> file.getFileName().toString()).sorted().collect(Collectors.toList());
    }
  }

  private void restart() throws Exception {
    DataNodeProperties stopped = c.cluster.stopDataNode(0);
    // As after a kill: the DataNode looks at the files.
    try (Stream<java.nio.file.Path> files =
        Files.walk(c.cluster.getInstanceStorageDir(0, 1).toPath())) {
      for (java.nio.file.Path cache :
          files.filter(file -> file.endsWith("replicas")).collect(Collectors.toList())) {
        Files.delete(cache);
      }
    }
    assertTrue(c.cluster.restartDataNode(stopped));
    c.cluster.waitActive();
  }

  @Test
  void demotion_olderFilesLieInItsPlace_onlyItsOwnAreThereAfterwards() throws Exception {
    ExtendedBlock block = block();
    leaveBehind(block, block.getGenerationStamp() - 1);
    demote();
    assertEquals(
        List.of(
            block.getBlockName(),
            DatanodeUtil.getMetaName(block.getBlockName(), block.getGenerationStamp())),
        filesOnDisk(block));
    restart();
    healthy();
  }

  @Test
  void demotion_olderChecksumFileLiesInItsPlace_onlyItsOwnAreThereAfterwards() throws Exception {
    ExtendedBlock block = block();
    leaveBehind(block, block.getGenerationStamp() - 1);
    Files.delete(onDisk(block).resolve(block.getBlockName()));
    demote();
    assertEquals(2, filesOnDisk(block).size());
    restart();
    healthy();
  }

  /** HDFS's directory scanner decides which of them is the replica. */
  @Test
  void demotion_newerReplicaLiesInItsPlace_bothStay() throws Exception {
    ExtendedBlock block = block();
    leaveBehind(block, block.getGenerationStamp() + 1);
    List<String> before = filesOnDisk(block);
    c.node(0).settings(Map.of(HyCacheKeys.DEMOTE_HIGH, "0", HyCacheKeys.DEMOTE_LOW, "0"));
    c.await("abandoned", () -> c.count(0, "MovesAbandoned") > 0);
    assertEquals(before, filesOnDisk(block));
    assertEquals(3, Files.size(onDisk(block).resolve(block.getBlockName())));
    assertEquals(List.of(StorageType.SSD), c.types("/a"));
    healthy();
  }

  /** What happens when the copy of a demotion has its place and is not the replica yet. */
  private void demoteMeanwhile(Callable<?> event) throws IOException {
    ReplicaView before = view();
    assertNotNull(before);
    java.nio.file.Path disk = c.cluster.getInstanceStorageDir(0, 1).toPath();
    AtomicInteger placed = new AtomicInteger();
    FileOperations.observe(
        (operation, file) -> {
          if (operation == FileOperation.SYNC
              && file.toPath().startsWith(onDisk(block()))
              && placed.getAndIncrement() == 0) {
            try {
              event.call();
            } catch (Exception e) {
              throw new IOException(e);
            }
          }
        });
    try {
      assertThrows(
          MoveAbandonedException.class,
          () ->
              ModelLedger.mover(c.node(0))
                  .demote(before.replica(), disk.toString(), true, bytes -> {}, state -> {}));
    } finally {
      FileOperations.observe(null);
    }
    assertTrue(placed.get() > 0);
  }

  /**
   * HDFS forgets what lies on a volume that it removes, when no move is under way there any more.
   */
  @Test
  void demotion_itsDiskIsBeingRemoved_staysOnSsd() throws Exception {
    DataNode dataNode = c.dataNode(0);
    String ssd = "[SSD]" + c.cluster.getInstanceStorageDir(0, 0).toURI();
    FutureTask<String> removal =
        new FutureTask<>(
            () -> dataNode.reconfigurePropertyImpl(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, ssd));
    demoteMeanwhile(
        () -> {
          new Thread(removal).start();
          c.await("the volume is off the list", () -> volumes() == 1);
          return null;
        });
    removal.get(20, TimeUnit.SECONDS);
    assertEquals(List.of(StorageType.SSD), c.types("/a"));
    healthy();
  }

  private int volumes() throws IOException {
    try (FsDatasetSpi.FsVolumeReferences volumes = dataset().getFsVolumeReferences()) {
      return volumes.size();
    }
  }

  /** A pipeline is recovered: HDFS puts a newer replica in the place of the copy. */
  @Test
  void demotion_newerReplicaTakesItsPlace_onlyThatOnesFilesAreThere() throws Exception {
    ExtendedBlock newer = new ExtendedBlock(block());
    newer.setGenerationStamp(newer.getGenerationStamp() + 1);
    demoteMeanwhile(
        () -> {
          ReplicaInPipeline replica =
              dataset().createTemporary(StorageType.DISK, null, newer, true).getReplica();
          try (ReplicaOutputStreams streams =
              replica.createStreams(
                  true, DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512))) {
            streams.getDataOut().write(data);
            replica.setNumBytes(data.length);
          }
          dataset().finalizeBlock(newer, false);
          return null;
        });
    assertEquals(
        List.of(
            newer.getBlockName(),
            DatanodeUtil.getMetaName(newer.getBlockName(), newer.getGenerationStamp())),
        filesOnDisk(newer));
  }
}
