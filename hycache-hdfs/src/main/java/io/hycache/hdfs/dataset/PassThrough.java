package io.hycache.hdfs.dataset;

import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.model.BlockKey;
import java.io.File;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a DataNode plain HDFS again when the guard trips: the engine makes no more moves, and all
 * clean copies are dropped, so that the space they take is free, and what an earlier process left
 * on the SSD volumes is removed. Copies leave the index before their files go; streams that are
 * open may end. Thread-safe; the caller does not wait.
 */
final class PassThrough {
  private static final Logger LOG = LoggerFactory.getLogger(PassThrough.class);
  private static final int MOST_TRIES = 100;
  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final HyCacheEngine engine;
  private final CleanCopies copies;
  private final OpenFiles openFiles;
  private final HdfsMover mover;
  private final ReplicaStore store;
  private final AtomicBoolean begun = new AtomicBoolean();

  PassThrough(
      HyCacheEngine engine,
      CleanCopies copies,
      OpenFiles openFiles,
      HdfsMover mover,
      ReplicaStore store) {
    this.store = store;
    this.engine = engine;
    this.copies = copies;
    this.openFiles = openFiles;
    this.mover = mover;
  }

  /** Begins, the first time it is called. Never throws. */
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
      // No thread to be had: they stay, unused, until the DataNode is started again.
      LOG.error("clean copies could not be removed", e);
    }
  }

  /** What is completed meanwhile is dropped by who completed it. */
  private void dropAll() {
    while (true) {
      try {
        openFiles.releaseAll();
        for (BlockKey block : copies.blocks()) {
          mover.drop(block);
        }
        store.ssdVolumes().forEach(volume -> removeFiles(volume.root()));
        return;
      } catch (Throwable e) {
        LockSupport.parkNanos(AGAIN_NANOS);
      }
    }
  }

  /** A copy in the making is removed by who makes it. */
  private static void removeFiles(File root) {
    File[] pools =
        new File(root, CleanArea.DIRECTORY).listFiles((dir, name) -> name.startsWith("BP-"));
    for (int tries = 0; pools != null && tries < MOST_TRIES; tries++) {
      try {
        for (File pool : pools) {
          if (pool.exists()) {
            long unused = TreeRemoval.remove(pool.toPath(), file -> true);
          }
        }
        return;
      } catch (IOException e) {
        // Others remove files there as well.
        LOG.debug("not all removed: root={}", root, e);
        LockSupport.parkNanos(AGAIN_NANOS);
      }
    }
  }
}
