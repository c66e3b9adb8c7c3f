// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.model.BlockKey;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Evicts clean copies on behalf of HDFS's threads, outside of the planner's own moves, and notifies
 * the engine. Files are unlinked by the device's remover thread, so that callers do not wait for
 * I/O; only {@link #evictData} unlinks on the calling thread. What clients were sent of a copy is
 * not verified before: it is found missing later, and its replica is verified. Thread-safe.
 */
final class CopyEviction implements RoomOnSsd.Copies {
  private final ReplicaStore store;
  private final CleanCopies copies;
  private final OpenFiles openFiles;
  private final HdfsMover mover;
  private final HyCacheEngine engine;

  CopyEviction(
      ReplicaStore store,
      CleanCopies copies,
      OpenFiles openFiles,
      HdfsMover mover,
      HyCacheEngine engine) {
    this.store = store;
    this.copies = copies;
    this.openFiles = openFiles;
    this.mover = mover;
    this.engine = engine;
  }

  /** Drops the block's clean copy, if any. */
  void drop(BlockKey block) {
    openFiles.release(block);
    if (mover.drop(block)) {
      engine.onCleanDropped(block);
    }
  }

  /**
   * Evicts the data of a clean copy and keeps its checksum file. The file is unlinked when this
   * returns, because its space is needed at once.
   */
  void evictData(BlockKey block) {
    CleanFile unused = giveUpData(block, IndexedFiles::unlinkIfSet);
  }

  /** Returns the data file; null if there is none. */
  private @Nullable CleanFile giveUpData(BlockKey block, Consumer<CleanFile> unlink) {
    CleanFile data = copies.removeData(block);
    if (data == null) {
      return null;
    }
    // Close the kept descriptor while the file is still linked, so that the close frees no blocks.
    openFiles.release(block);
    unlink.accept(data);
    store.revokeShortCircuit(block);
    engine.onMadeWay(block);
    return data;
  }

  @Override
  public long spareBytes(String device) {
    return engine.mayMakeWayBytes(device);
  }

  @Override
  public long giveUpNext(String device) {
    BlockKey block = engine.nextToMakeWay(device);
    if (block == null) {
      return -1;
    }
    CleanFile data = giveUpData(block, file -> file.area().unlinkLater(file.path()));
    return data != null && data.area().root().getPath().equals(device) ? data.lengthBytes() : 0;
  }

  @Override
  public void missed(long sizeBytes) {
    engine.onRoomMissed(sizeBytes);
  }
}
