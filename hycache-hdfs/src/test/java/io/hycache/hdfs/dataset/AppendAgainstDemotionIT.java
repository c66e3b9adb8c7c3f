// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.MoveKind;
import io.hycache.core.model.MoveState;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A writer of a block wins against a move of it, whatever state the move is in. */
@Timeout(180)
class AppendAgainstDemotionIT {
  private static final int BYTES = 300_000;
  private static final int MORE = 200_000;
  private static final Path FILE = new Path("/a");
  private static final Map<String, String> DEMOTE_ALL =
      Map.of(HyCacheKeys.DEMOTE_HIGH, "0", HyCacheKeys.DEMOTE_LOW, "0");

  @SuppressWarnings("NullAway.Init")
  private EmbeddedCluster c;

  private final Configuration conf = EmbeddedCluster.conf();

  @BeforeEach
  void start() throws Exception {
    conf.set(HyCacheKeys.DEMOTE_HIGH, "1");
    conf.set(HyCacheKeys.DEMOTE_LOW, "1");
    c = EmbeddedCluster.start(conf, 1);
  }

  @AfterEach
  void stop() throws IOException {
    if (!c.isClosed()) {
      assertEquals(0, c.count(0, "Failures"));
      c.close();
    }
  }

  private ExtendedBlock block() throws IOException {
    return c.blocks("/a").get(0).getBlock();
  }

  /** The last rename of a demotion: of the data, when the checksum file has its name already. */
  private FileGate demotionHeldInLastRename() throws Exception {
    FileGate gate =
        new FileGate(c.dataNode(0), "HyCacheScrubber", StorageType.DISK, OPERATION.MOVE, 2);
    c.node(0).settings(DEMOTE_ALL);
    gate.awaitReached();
    return gate;
  }

  private void awaitNoMoves() throws Exception {
    c.await("no move is under way", () -> c.node(0).status().movesQueued() == 0);
  }

  /** No demotion begins any longer; that which is held goes on. */
  private void noMoreDemotions() throws IOException {
    c.node(0).settings(Map.of(HyCacheKeys.DEMOTE_HIGH, "1", HyCacheKeys.DEMOTE_LOW, "1"));
  }

  private void healthy(byte[] expected) throws Exception {
    assertArrayEquals(expected, c.read("/a"));
    assertEquals(0, c.cluster.getNamesystem().getCorruptReplicaBlocks(), "corrupt");
    assertEquals(0, c.cluster.getNamesystem().getMissingBlocksCount(), "missing");
    assertEquals(List.of(), strays(), "files of the block that no replica has");
  }

  /** Files of the block outside of the clean area that the replica map does not name. */
  private List<File> strays() throws IOException {
    List<File> found = new ArrayList<>();
    ExtendedBlock block = block();
    ReplicaView view = view();
    for (int i = 0; i < 2; i++) {
      File root = c.cluster.getInstanceStorageDir(0, i);
      try (Stream<java.nio.file.Path> all = Files.walk(root.toPath())) {
        all.filter(p -> p.toString().contains("/current/finalized/"))
            .map(java.nio.file.Path::toFile)
            .filter(f -> f.isFile() && f.getName().startsWith(block.getBlockName()))
            .filter(f -> view == null || !(f.equals(view.data()) || f.equals(view.checksums())))
            .forEach(found::add);
      }
    }
    return found;
  }

  private @Nullable ReplicaView view() throws IOException {
    ExtendedBlock block = block();
    return c.node(0).replica(new BlockKey(block.getBlockPoolId(), block.getBlockId()));
  }

  private static byte[] joined(byte[] a, byte[] b) {
    byte[] all = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, all, a.length, b.length);
    return all;
  }

  private void restartDataNode() throws Exception {
    assertTrue(c.cluster.restartDataNode(0, true));
    c.cluster.waitActive();
    c.cluster.triggerBlockReports();
  }

  @Test
  void append_demotionHeldInLastRename_bytesAreReadableAtOnceAndStay() throws Exception {
    byte[] begin = c.write("/a", 1, BYTES);
    byte[] more = EmbeddedCluster.content(2, MORE);
    byte[] all = joined(begin, more);
    try (FileGate gate = demotionHeldInLastRename()) {
      FSDataOutputStream out = c.fs.append(FILE);
      out.write(more);
      out.hsync();
      assertArrayEquals(all, readOpen(all.length), "while the demotion is held");
      noMoreDemotions();
      gate.open();
      awaitNoMoves();
      assertArrayEquals(all, readOpen(all.length), "once the demotion went on");
      out.close();
    }
    healthy(all);
    assertEquals(0, c.count(0, "MovesFailed"));
    assertEquals(1, c.count(0, "MovesAbandoned"));
    assertEquals(0, c.count(0, "SsdBlocksDemoted"));
    restartDataNode();
    healthy(all);
  }

  private byte[] readOpen(int length) throws IOException {
    byte[] data = new byte[length];
    try (var in = c.fs.open(FILE)) {
      in.readFully(0, data);
    }
    return data;
  }

  @Test
  void appendAndClose_demotionHeldInLastRename_closeSucceeds() throws Exception {
    byte[] begin = c.write("/a", 1, BYTES);
    byte[] more = EmbeddedCluster.content(2, MORE);
    try (FileGate gate = demotionHeldInLastRename()) {
      try (OutputStream out = c.fs.append(FILE)) {
        out.write(more);
      }
      noMoreDemotions();
      gate.open();
      awaitNoMoves();
    }
    healthy(joined(begin, more));
    assertEquals(1, c.count(0, "MovesAbandoned"));
    restartDataNode();
    healthy(joined(begin, more));
  }

  @Test
  void truncate_demotionHeldInLastRename_isCutAndStays() throws Exception {
    byte[] begin = c.write("/a", 1, BYTES);
    try (FileGate gate = demotionHeldInLastRename()) {
      if (!c.fs.truncate(FILE, 1234)) {
        c.await("truncated", () -> c.fs.getClient().isFileClosed("/a"));
      }
      noMoreDemotions();
      gate.open();
      awaitNoMoves();
    }
    healthy(Arrays.copyOf(begin, 1234));
    assertEquals(1, c.count(0, "MovesAbandoned"));
    restartDataNode();
    healthy(Arrays.copyOf(begin, 1234));
  }

  @Test
  void truncateOfSnapshotted_demotionHeldInLastRename_bothStay() throws Exception {
    byte[] begin = c.write("/a", 1, BYTES);
    c.fs.allowSnapshot(new Path("/"));
    c.fs.createSnapshot(new Path("/"), "s");
    try (FileGate gate = demotionHeldInLastRename()) {
      if (!c.fs.truncate(FILE, 1234)) {
        c.await("truncated", () -> c.fs.getClient().isFileClosed("/a"));
      }
      noMoreDemotions();
      gate.open();
      awaitNoMoves();
    }
    healthy(Arrays.copyOf(begin, 1234));
    assertArrayEquals(begin, c.read("/.snapshot/s/a"));
    restartDataNode();
    healthy(Arrays.copyOf(begin, 1234));
    assertArrayEquals(begin, c.read("/.snapshot/s/a"));
  }

  @Test
  void recoverLease_ofAppendAgainstHeldDemotion_closesWithAllBytes() throws Exception {
    byte[] begin = c.write("/a", 1, BYTES);
    byte[] more = EmbeddedCluster.content(2, MORE);
    try (FileGate gate = demotionHeldInLastRename()) {
      FSDataOutputStream out = c.fs.append(FILE);
      out.write(more);
      out.hsync();
      c.await("closed", () -> c.fs.recoverLease(FILE));
      noMoreDemotions();
      gate.open();
      awaitNoMoves();
    }
    healthy(joined(begin, more));
    restartDataNode();
    healthy(joined(begin, more));
  }

  @Test
  void delete_demotionHeldInLastRename_nothingStays() throws Exception {
    c.write("/a", 1, BYTES);
    ExtendedBlock block = block();
    var dataset = c.dataNode(0).getFSDataset();
    try (FileGate gate = demotionHeldInLastRename()) {
      assertTrue(c.fs.delete(FILE, false));
      c.await("deleted", () -> !dataset.contains(block));
      gate.open();
      awaitNoMoves();
    }
    assertFalse(dataset.contains(block));
    for (int i = 0; i < 2; i++) {
      File root = c.cluster.getInstanceStorageDir(0, i);
      c.await("no file of the block in " + root, () -> filesOf(block, root).isEmpty());
    }
  }

  private static List<java.nio.file.Path> filesOf(ExtendedBlock block, File root)
      throws IOException {
    try (Stream<java.nio.file.Path> all = Files.walk(root.toPath())) {
      return all.filter(p -> p.getFileName().toString().startsWith(block.getBlockName()))
          .collect(Collectors.toList());
    }
  }

  @Test
  void append_hdfsMoveAcrossStorageHeldInLastRename_moveIsRefusedBytesStay() throws Exception {
    appendAgainstHdfsMove(
        () -> {
          var dataset = c.dataNode(0).getFSDataset();
          return dataset.moveBlockAcrossStorage(block(), StorageType.DISK, "");
        });
  }

  @Test
  void append_hdfsMoveAcrossVolumesHeldInLastRename_moveIsRefusedBytesStay() throws Exception {
    appendAgainstHdfsMove(
        () -> {
          var dataset = c.dataNode(0).getFSDataset();
          try (var volumes = dataset.getFsVolumeReferences()) {
            for (var volume : volumes) {
              if (volume.getStorageType() == StorageType.DISK) {
                return dataset.moveBlockAcrossVolumes(block(), volume);
              }
            }
          }
          throw new AssertionError("no DISK volume");
        });
  }

  private void appendAgainstHdfsMove(Callable<?> move) throws Exception {
    byte[] begin = c.write("/a", 1, BYTES);
    byte[] more = EmbeddedCluster.content(2, MORE);
    try (FileGate gate =
        new FileGate(c.dataNode(0), "HdfsMove", StorageType.DISK, OPERATION.MOVE, 2)) {
      CompletableFuture<Throwable> ended = new CompletableFuture<>();
      Thread mover =
          new Thread(
              () -> {
                try {
                  move.call();
                  ended.complete(null);
                } catch (Throwable e) {
                  ended.complete(e);
                }
              },
              "HdfsMove");
      mover.start();
      gate.awaitReached();
      try (OutputStream out = c.fs.append(FILE)) {
        out.write(more);
      }
      gate.open();
      Throwable why = ended.get(20, TimeUnit.SECONDS);
      assertTrue(why instanceof IOException, "the move should have been refused: " + why);
    }
    healthy(joined(begin, more));
    restartDataNode();
    healthy(joined(begin, more));
  }

  @Test
  void append_promotionHeldBeforeItsIndex_staleCopyIsNeverServed() throws Exception {
    c.close();
    conf.set(HyCacheKeys.WRITE_SHARE, "0");
    c = EmbeddedCluster.start(conf, 1);
    byte[] begin = c.write("/a", 1, BYTES);
    byte[] more = EmbeddedCluster.content(2, MORE);
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch opened = new CountDownLatch(1);
    c.node(0)
        .observeMoves(
            (kind, replica, state) -> {
              if (kind == MoveKind.PROMOTE && state == MoveState.SYNCED && reached.getCount() > 0) {
                reached.countDown();
                try {
                  assertTrue(opened.await(30, TimeUnit.SECONDS));
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }
            });
    c.await("tracked", () -> c.node(0).status().trackedBlocks() == 1);
    c.hint(0, "w", "/a", 5);
    assertTrue(reached.await(20, TimeUnit.SECONDS), "promotion");
    FSDataOutputStream out = c.fs.append(FILE);
    out.write(more);
    out.hsync();
    opened.countDown();
    awaitNoMoves();
    assertArrayEquals(joined(begin, more), readOpen(BYTES + MORE));
    out.close();
    healthy(joined(begin, more));
  }

  @Test
  void append_betweenSwitchAndNotification_theNameNodeIsNotifiedOfTheNewerReplica()
      throws Exception {
    byte[] begin = c.write("/a", 1, BYTES);
    byte[] more = EmbeddedCluster.content(2, MORE);
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch opened = new CountDownLatch(1);
    c.node(0)
        .observeMoves(
            (kind, replica, state) -> {
              if (kind == MoveKind.DEMOTE && state == MoveState.COMMITTED) {
                reached.countDown();
                try {
                  assertTrue(opened.await(30, TimeUnit.SECONDS));
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }
            });
    c.node(0).settings(DEMOTE_ALL);
    assertTrue(reached.await(20, TimeUnit.SECONDS), "demotion");
    // Closing needs the NameNode to know of the new replica: it does, by the writer.
    try (OutputStream out = c.fs.append(FILE)) {
      out.write(more);
    }
    noMoreDemotions();
    opened.countDown();
    awaitNoMoves();
    c.cluster.triggerHeartbeats();
    c.await("on DISK", () -> c.types("/a").equals(List.of(StorageType.DISK)));
    healthy(joined(begin, more));
    assertFalse(c.blocks("/a").get(0).isCorrupt());
    restartDataNode();
    healthy(joined(begin, more));
  }

  @Test
  void scan_olderFilesOnAnotherVolume_areRemovedAndTheReplicaStays() throws Exception {
    byte[] begin = c.write("/a", 1, BYTES);
    ReplicaView older = view();
    assertNotNull(older);
    java.nio.file.Path ssd = older.volumeRoot().toPath();
    java.nio.file.Path disk = c.cluster.getInstanceStorageDir(0, 1).toPath();
    java.nio.file.Path data = disk.resolve(ssd.relativize(older.data().toPath()));
    java.nio.file.Path checksums = disk.resolve(ssd.relativize(older.checksums().toPath()));
    java.nio.file.Path dir = Files.createDirectories(Objects.requireNonNull(data.getParent()));
    // What an abandoned demotion leaves that can't remove its files.
    Files.copy(older.data().toPath(), data);
    Files.copy(older.checksums().toPath(), checksums);
    byte[] more = EmbeddedCluster.content(2, MORE);
    try (OutputStream out = c.fs.append(FILE)) {
      out.write(more);
    }
    ExtendedBlock block = block();
    var dataset = c.dataNode(0).getFSDataset();
    try (var volumes = dataset.getFsVolumeReferences()) {
      for (var volume : volumes) {
        if (volume.getStorageType() == StorageType.DISK) {
          dataset.checkAndUpdate(
              block.getBlockPoolId(),
              new ScanInfo(
                  block.getBlockId(),
                  dir.toFile(),
                  data.getFileName().toString(),
                  checksums.getFileName().toString(),
                  volume));
        }
      }
    }
    assertEquals(
        block.getGenerationStamp(),
        dataset.getStoredBlock(block.getBlockPoolId(), block.getBlockId()).getGenerationStamp());
    healthy(joined(begin, more));
    restartDataNode();
    healthy(joined(begin, more));
  }

  @Test
  void append_somewhereInTheDemotion_neverFails() throws Exception {
    c.node(0).settings(DEMOTE_ALL);
    int threads = 4;
    int appends = 75;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<List<String>>> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int seed = t;
      all.add(pool.submit(() -> writeAndAppend(seed, appends)));
    }
    List<String> failures = new ArrayList<>();
    for (Future<List<String>> one : all) {
      failures.addAll(one.get());
    }
    pool.shutdown();
    assertEquals(List.of(), failures);
    assertEquals(0, c.cluster.getNamesystem().getCorruptReplicaBlocks(), "corrupt");
    assertEquals(0, c.cluster.getNamesystem().getMissingBlocksCount(), "missing");
    assertTrue(c.count(0, "SsdBlocksDemoted") > 0, "demotions went on");
    assertEquals(0, c.count(0, "MovesFailed"));
  }

  private List<String> writeAndAppend(int seed, int appends) {
    List<String> failures = new ArrayList<>();
    Random random = new Random(seed);
    for (int i = 0; i < appends; i++) {
      String name = "/f" + seed + "-" + i;
      try {
        byte[] begin = c.write(name, i, 1 + random.nextInt(200_000));
        Thread.sleep(random.nextInt(121));
        byte[] more = EmbeddedCluster.content(i + 1, 1 + random.nextInt(50_000));
        try (OutputStream out = c.fs.append(new Path(name))) {
          out.write(more);
        }
        if (!Arrays.equals(joined(begin, more), c.read(name))) {
          failures.add(name + ": other bytes");
        }
      } catch (IOException | InterruptedException e) {
        failures.add(name + ": " + e);
      }
    }
    return failures;
  }

  /** What the NameNode and clients know must not wait for an SSD that hangs after the move. */
  @Test
  void ssdHangsAfterTheSwitch_theNameNodeKnowsTheReplicaOnDisk() throws Exception {
    byte[] data = c.write("/a", 1, BYTES);
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch answers = new CountDownLatch(1);
    FileOperation.observe(
        (operation, file) -> {
          if (operation == FileOperation.LINK) {
            reached.countDown();
            try {
              answers.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        });
    try {
      c.node(0).settings(DEMOTE_ALL);
      assertTrue(reached.await(60, TimeUnit.SECONDS));
      c.cluster.triggerHeartbeats();
      c.await("on DISK", () -> c.types("/a").equals(List.of(StorageType.DISK)));
    } finally {
      FileOperation.observe(null);
      answers.countDown();
    }
    awaitNoMoves();
    healthy(data);
  }
}
