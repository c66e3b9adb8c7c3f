// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.MoveAbandonedException;
import io.hycache.hdfs.conf.DataDirMode;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PromoterTest {
  private static final int LENGTH = 100_000;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path dir;

  private final Replica replica = new Replica(new BlockKey("BP-1", 7), 1001, LENGTH);
  private final Map<String, CleanArea> areas = new ConcurrentHashMap<>();
  private final CleanCopies copies = new CleanCopies();

  /** References of the replica's volume that are held now. */
  private final AtomicInteger holds = new AtomicInteger();

  @SuppressWarnings("NullAway.Init")
  private CleanArea ssd;

  @SuppressWarnings("NullAway.Init")
  private HdfsMover mover;

  @BeforeEach
  void start() throws IOException {
    File data = dir.resolve("blk_7").toFile();
    File meta = dir.resolve("blk_7_1001.meta").toFile();
    ReplicaFiles.write(data, meta, new byte[LENGTH], DataChecksum.Type.CRC32C, 512);
    ReplicaView view = new ReplicaView(replica, false, dir.toFile(), data, meta);
    File root = Files.createDirectory(dir.resolve("ssd")).toFile();
    ssd = new CleanArea(root, new DeviceWatch(root), DataDirMode.OWNER_ONLY);
    areas.put(root.getPath(), ssd);
    ReplicaStore store =
        Stubs.of(
            ReplicaStore.class,
            Map.of(
                "finalized", arguments -> view,
                "isFinalizedOnDisk", arguments -> true,
                "hold", arguments -> hold(),
                "reserve", arguments -> (Closeable) () -> {},
                "revokeShortCircuit", arguments -> null));
    mover = TestMovers.of(store, copies, areas);
  }

  @AfterEach
  void stop() {
    FileOperation.observe(null);
    ssd.close();
  }

  private Closeable hold() {
    holds.incrementAndGet();
    return holds::decrementAndGet;
  }

  private void promote(BlockMover.Progress progress) throws Exception {
    mover.promote(replica, Part.DATA, ssd.root().getPath(), device -> bytes -> {}, progress);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.walk(ssd.root().toPath())) {
      return all.filter(Files::isRegularFile).map(Path::toString).collect(Collectors.toList());
    }
  }

  @Test
  void promote_isInTheIndex() throws Exception {
    promote(state -> {});
    assertNotNull(copies.get(replica.block()));
    assertEquals(2, files().size());
  }

  @Test
  void promote_ssdWasRemovedMeanwhile_isInNoIndexAndLeavesNoFile() throws Exception {
    assertThrows(
        MoveAbandonedException.class,
        () ->
            promote(
                state -> {
                  if (state == MoveState.SYNCED) {
                    areas.clear();
                    ssd.close();
                  }
                }));
    assertNull(copies.get(replica.block()));
    assertEquals(List.of(), files());
  }

  /** While an SSD hangs, the HDD can be removed. */
  @Test
  void promote_referencesTheReplicasVolume_onlyWhileItIsRead() throws Exception {
    Set<Integer> whileDiskIsRead = new HashSet<>();
    Set<Integer> whileSsdIsUsed = new HashSet<>();
    FileOperation.observe(
        (operation, file) ->
            (file.toPath().startsWith(ssd.root().toPath()) ? whileSsdIsUsed : whileDiskIsRead)
                .add(holds.get()));
    promote(state -> {});
    assertNotNull(copies.get(replica.block()));
    assertEquals(Set.of(1), whileDiskIsRead);
    assertEquals(Set.of(0), whileSsdIsUsed);
    assertEquals(0, holds.get());
  }
}
