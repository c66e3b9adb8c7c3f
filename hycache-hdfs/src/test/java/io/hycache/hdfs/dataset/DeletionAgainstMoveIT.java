// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replica is deleted in the last steps of its demotion. */
@Timeout(120)
class DeletionAgainstMoveIT {
  @SuppressWarnings("NullAway.Init")
  private EmbeddedCluster c;

  @SuppressWarnings("NullAway.Init")
  private ExtendedBlock block;

  private final AtomicBoolean deleted = new AtomicBoolean();

  @BeforeEach
  void start() throws Exception {
    Configuration conf = EmbeddedCluster.dirtyConf();
    c = EmbeddedCluster.start(conf, 1);
    byte[] unused = c.write("/a", 1, EmbeddedCluster.BLOCK);
    c.await("known", () -> c.locate(0, "/a").get(0).dirty);
    block = c.blocks("/a").get(0).getBlock();
  }

  @AfterEach
  void stop() throws IOException {
    FileOperation.observe(null);
    assertEquals(0, c.count(0, "Failures"));
    c.close();
  }

  private FsDatasetSpi<?> dataset() {
    return c.dataNode(0).getFSDataset();
  }

  /** As the NameNode's command does, on a thread of its own. */
  private void delete() throws IOException {
    FutureTask<Boolean> task =
        new FutureTask<>(
            () -> {
              dataset().invalidate(block.getBlockPoolId(), new Block[] {block.getLocalBlock()});
              c.await("deleted", () -> !dataset().contains(block)); // by another thread
              return true;
            });
    new Thread(task).start();
    try {
      deleted.set(task.get(20, TimeUnit.SECONDS));
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private void demote() throws Exception {
    c.node(0).settings(Map.of(HyCacheKeys.DEMOTE_HIGH, "0", HyCacheKeys.DEMOTE_LOW, "0"));
    c.await("deleted", deleted::get);
    c.await("no move is under way", () -> c.node(0).status().movesQueued() == 0);
  }

  private static boolean isFinalizedDirectory(FileOperation operation, File file) {
    return operation == FileOperation.SYNC
        && file.isDirectory()
        && file.getPath().contains("/finalized");
  }

  @Test
  void rightBeforeTheRename_nothingIsPlaced() throws Exception {
    AtomicInteger synced = new AtomicInteger();
    FileOperation.observe(
        (operation, file) -> {
          if (operation == FileOperation.RENAME && file.getPath().contains("/finalized/")) {
            delete();
          } else if (isFinalizedDirectory(operation, file)) {
            synced.incrementAndGet();
          }
        });
    demote();
    assertEquals(0, synced.get(), "directories of a copy in its place");
    c.await("no file is left", () -> files().isEmpty());
  }

  /** Once it is in its place, the copy is taken back. */
  @Test
  void afterTheRename_theLargeFileIsRemovedWithoutALock() throws Exception {
    AtomicBoolean unlocked = new AtomicBoolean();
    FileOperation.observe(
        (operation, file) -> {
          if (isFinalizedDirectory(operation, file) && !deleted.get()) {
            delete();
          } else if (operation == FileOperation.UNLINK && file.getName().endsWith(".abandoned")) {
            assertTrue(file.exists());
            unlocked.set(isPoolUnlocked());
          }
        });
    demote();
    assertTrue(unlocked.get());
    c.await("no file is left", () -> files().isEmpty());
  }

  /** Whether another thread gets the block pool's lock, as all reads and writes do. */
  private boolean isPoolUnlocked() throws IOException {
    FutureTask<Boolean> task =
        new FutureTask<>(
            () -> {
              try (AutoCloseDataSetLock lock =
                  dataset()
                      .acquireDatasetLockManager()
                      .writeLock(LockLevel.BLOCK_POOl, block.getBlockPoolId())) {
                return true;
              }
            });
    new Thread(task).start();
    try {
      return task.get(20, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** Files of the block on all volumes. */
  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(Path.of(MiniDFSCluster.getBaseDirectory()))) {
      return all.filter(file -> file.getFileName().toString().startsWith(block.getBlockName()))
          .collect(Collectors.toList());
    }
  }
}
