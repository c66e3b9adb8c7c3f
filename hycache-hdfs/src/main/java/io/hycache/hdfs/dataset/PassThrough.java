// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.model.BlockKey;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a DataNode into plain HDFS when the guard trips: the engine stops all moves, nothing here
 * is listed in the directory any more, all clean copies are dropped to free their space, and files
 * of an earlier process on the SSD volumes and in the cache directories are removed: nothing would
 * remove the copies of files that users delete. Dirty replicas stay where they are, but leave the
 * directory too: their deletion would not be noticed. Copies leave the index before their files are
 * removed, and the engine is notified of each; open streams stay valid. Thread-safe; the caller
 * does not block.
 */
final class PassThrough {
  private static final Logger LOG = LoggerFactory.getLogger(PassThrough.class);
  private static final int MAX_REMOVAL_ATTEMPTS = 100;
  private static final long RETRY_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final HyCacheEngine engine;
  private final CleanCopies copies;
  private final OpenFiles openFiles;
  private final CopyEviction eviction;
  private final ReplicaStore store;
  private final List<CacheDir> cacheDirs;
  private final Runnable withdraw;
  private final AtomicBoolean begun = new AtomicBoolean();

  /**
   * @param withdraw ends the directory's records of blocks here; may be called more than once
   */
  PassThrough(
      HyCacheEngine engine,
      CleanCopies copies,
      OpenFiles openFiles,
      CopyEviction eviction,
      ReplicaStore store,
      List<CacheDir> cacheDirs,
      Runnable withdraw) {
    this.store = store;
    this.cacheDirs = cacheDirs;
    this.withdraw = withdraw;
    this.engine = engine;
    this.copies = copies;
    this.openFiles = openFiles;
    this.eviction = eviction;
  }

  /** Starts the change on the first call. Never throws. */
  void begin() {
    if (!begun.compareAndSet(false, true)) {
      return;
    }
    engine.stepAside();
    try {
      Thread thread = new Thread(this::dropAll, "HyCachePassThrough");
      thread.setDaemon(true);
      thread.start();
    } catch (OutOfMemoryError e) {
      // No thread could be started: the copies stay, unused, until the DataNode restarts.
      LOG.error("could not remove clean copies", e);
    }
  }

  /** A copy that is completed meanwhile is dropped by the thread that completed it. */
  private void dropAll() {
    while (true) {
      try {
        withdraw.run();
        openFiles.releaseAll();
        for (BlockKey block : copies.blocks()) {
          eviction.drop(block);
        }
        store.ssdVolumes().forEach(volume -> removeFiles(volume.root()));
        cacheDirs.forEach(PassThrough::removeFiles);
        return;
      } catch (Throwable e) {
        LockSupport.parkNanos(RETRY_DELAY_NANOS);
      }
    }
  }

  /** The copies in a directory that must not be used, or is not there yet, stay. */
  static void removeFiles(CacheDir dir) {
    try {
      if (dir.root().isDirectory() || !dir.parent().isDirectory()) {
        dir.open();
        removeFiles(dir.root());
      }
    } catch (IOException e) {
      notRemoved(dir.root(), e);
    }
  }

  private static void notRemoved(File root, IOException why) {
    LOG.warn(
        "could not remove clean copies of before, which now stay. Fix: mount the SSD if it is not"
            + " mounted, and remove them by hand: directory={}",
        root,
        why);
  }

  /** A copy in progress is removed by the thread that makes it. */
  private static void removeFiles(File root) {
    File[] pools =
        new File(root, CleanArea.DIRECTORY).listFiles((dir, name) -> name.startsWith("BP-"));
    if (pools == null) {
      return;
    }
    for (int tries = 1; ; tries++) {
      try {
        for (File pool : pools) {
          if (pool.exists()) {
            long unused = TreeRemoval.remove(pool.toPath(), file -> true);
          }
        }
        return;
      } catch (IOException e) {
        if (tries == MAX_REMOVAL_ATTEMPTS) {
          notRemoved(root, e);
          return;
        }
        LockSupport.parkNanos(RETRY_DELAY_NANOS); // other threads remove files there, too
      }
    }
  }
}
