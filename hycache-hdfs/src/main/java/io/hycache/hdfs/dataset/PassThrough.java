package io.hycache.hdfs.dataset;

import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.model.BlockKey;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a DataNode plain HDFS again when the guard trips: the engine makes no more moves, and all
 * clean copies are dropped, so that the space they take is free. Copies leave the index before
 * their files go; streams that are open may end. Thread-safe; the caller does not wait.
 */
final class PassThrough {
  private static final Logger LOG = LoggerFactory.getLogger(PassThrough.class);
  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final HyCacheEngine engine;
  private final CleanCopies copies;
  private final OpenFiles openFiles;
  private final HdfsMover mover;
  private final AtomicBoolean begun = new AtomicBoolean();

  PassThrough(HyCacheEngine engine, CleanCopies copies, OpenFiles openFiles, HdfsMover mover) {
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
        return;
      } catch (Throwable e) {
        LockSupport.parkNanos(AGAIN_NANOS);
      }
    }
  }
}
