// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.MoveAbandonedException;
import io.hycache.hdfs.conf.DataDirMode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Demotions through a local move that leaves its source, which HDFS would remove. */
class DemoterTest {
  private static final int LENGTH = 100_000;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path dir;

  private final Replica replica = new Replica(new BlockKey("BP-1", 7), 1001, LENGTH);
  private final Map<String, CleanArea> areas = new ConcurrentHashMap<>();
  private final CleanCopies copies = new CleanCopies();

  /** The DISK volumes in service. */
  private final List<ReplicaStore.Volume> disks = new CopyOnWriteArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private CleanArea ssd;

  @SuppressWarnings("NullAway.Init")
  private File source;

  @SuppressWarnings("NullAway.Init")
  private File target;

  @SuppressWarnings("NullAway.Init")
  private File targetMeta;

  @SuppressWarnings("NullAway.Init")
  private ReplicaView view;

  /** The replicas that HDFS was to verify. */
  private final List<Object> suspects = new CopyOnWriteArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private HdfsMover mover;

  @BeforeEach
  void start() throws IOException {
    File root = Files.createDirectory(dir.resolve("ssd")).toFile();
    source = new File(root, "blk_7");
    File meta = new File(root, "blk_7_1001.meta");
    byte[] bytes = new byte[LENGTH];
    Arrays.fill(bytes, (byte) 7);
    ReplicaFiles.write(source, meta, bytes, DataChecksum.Type.CRC32C, 512);
    ssd = new CleanArea(root, new DeviceWatch(root), DataDirMode.OWNER_ONLY);
    areas.put(root.getPath(), ssd);
    File hdd = dir.resolve("hdd").toFile();
    target = new File(hdd, "blk_7");
    targetMeta = new File(hdd, "blk_7_1001.meta");
    disks.add(Stubs.of(ReplicaStore.Volume.class, Map.of("root", arguments -> hdd)));
    view = new ReplicaView(replica, true, root, source, meta);
    ReplicaStore store =
        Stubs.of(
            ReplicaStore.class,
            Map.of(
                "ssdVolumes", arguments -> List.of(),
                "diskVolumes", arguments -> disks,
                "finalized", arguments -> view,
                "isFinalizedOnDisk", arguments -> true,
                "revokeShortCircuit", arguments -> null,
                "suspect", arguments -> suspects.add(arguments[0]),
                "moveTo",
                    arguments -> {
                      mover.demoter().copyReplica(view, target, targetMeta);
                      mover.demoter().committed(replica.block());
                      return null;
                    }));
    mover = TestMovers.of(store, copies, areas);
  }

  @AfterEach
  void stop() {
    FileOperation.observe(null);
    ssd.close();
  }

  private boolean demote(BlockMover.Progress progress) throws Exception {
    return demote(bytes -> {}, progress);
  }

  private boolean demote(BlockMover.Throttle throttle, BlockMover.Progress progress)
      throws Exception {
    return mover.demote(replica, target.getParentFile().getPath(), true, throttle, progress);
  }

  /** The files of clean copies. */
  private List<Path> cleanFiles() throws IOException {
    try (Stream<Path> all = Files.walk(ssd.root().toPath())) {
      return all.filter(Files::isRegularFile)
          .filter(file -> !file.toFile().getParentFile().equals(ssd.root()))
          .collect(Collectors.toList());
    }
  }

  private void assertDemoted() throws IOException {
    assertArrayEquals(Files.readAllBytes(source.toPath()), Files.readAllBytes(target.toPath()));
  }

  @Test
  void demote_keepsTheSsdFilesAsACleanCopy() throws Exception {
    assertTrue(demote(state -> {}));
    assertDemoted();
    assertNotNull(copies.get(replica.block()));
    assertEquals(2, cleanFiles().size());
  }

  /** Such as that of an HDFS upgrade that is not finalized. */
  @Test
  void demote_replicaHasAnotherName_isMadeWithoutACleanCopy() throws Exception {
    Files.createLink(dir.resolve("previous"), source.toPath());
    assertFalse(demote(state -> {}));
    assertDemoted();
    assertNull(copies.get(replica.block()));
    assertEquals(List.of(), cleanFiles());
  }

  @Test
  void demote_ssdRefusesToSyncItsFiles_isMadeWithoutACleanCopy() throws Exception {
    FileOperation.observe(
        (operation, file) -> {
          if (operation == FileOperation.SYNC && file.getParentFile().equals(ssd.root())) {
            throw new IOException("injected");
          }
        });
    assertFalse(demote(state -> {}));
    assertDemoted();
    assertNull(copies.get(replica.block()));
    assertEquals(List.of(), cleanFiles());
  }

  @Test
  void demote_anErrorAfterTheSourceIsRemoved_leavesNoLinks() throws Exception {
    assertThrows(
        OutOfMemoryError.class,
        () ->
            demote(
                state -> {
                  if (state == MoveState.SOURCE_REMOVED) {
                    throw new OutOfMemoryError("injected");
                  }
                }));
    assertNull(copies.get(replica.block()));
    assertEquals(List.of(), cleanFiles());
  }

  @Test
  void demote_sourceIsCorrupt_failsAndHdfsIsToVerifyIt() throws Exception {
    ReplicaFiles.flip(source, 5000);
    assertThrows(ChecksumException.class, () -> demote(state -> {}));
    assertFalse(target.exists());
    assertEquals(List.of(replica), suspects);
  }

  /** As the mover and the disk balancer make it. */
  @Test
  void settleCopy_ofHdfsOwnMove_sourceIsCorrupt_failsAndHdfsIsToVerifyIt() throws Exception {
    Files.createDirectories(target.getParentFile().toPath());
    ReplicaFiles.flip(source, 5000);
    Files.copy(source.toPath(), target.toPath());
    Files.copy(view.checksums().toPath(), targetMeta.toPath());
    assertThrows(
        ChecksumException.class, () -> mover.demoter().settleCopy(view, target, targetMeta));
    assertFalse(target.exists());
    assertFalse(targetMeta.exists());
    assertEquals(List.of(replica), suspects);
  }

  @Test
  void demote_targetIsRemovedMeanwhile_isAbandonedAtTheNextChunk() {
    assertThrows(MoveAbandonedException.class, () -> demote(bytes -> disks.clear(), state -> {}));
    assertFalse(target.exists());
    assertNull(copies.get(replica.block()));
  }
}
