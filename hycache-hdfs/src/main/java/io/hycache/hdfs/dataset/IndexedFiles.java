// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.MoveAbandonedException;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the index of clean copies consistent with their files: a copy enters the index when its
 * files are complete, and leaves it before they are removed. Thread-safe.
 */
final class IndexedFiles {
  private final ReplicaStore store;
  private final CleanCopies copies;
  private final Consumer<CleanCopies.Copy> beforeEviction;
  private final BooleanSupplier stopped;

  /**
   * @param beforeEviction is passed each copy that is about to be evicted; may block
   * @param stopped true once moves must neither begin nor complete
   */
  IndexedFiles(
      ReplicaStore store,
      CleanCopies copies,
      Consumer<CleanCopies.Copy> beforeEviction,
      BooleanSupplier stopped) {
    this.store = store;
    this.copies = copies;
    this.beforeEviction = beforeEviction;
    this.stopped = stopped;
  }

  /** Throws if HyCache is in pass-through, where no moves are made. */
  void refuseIfStopped(Replica replica) throws IOException {
    if (stopped.getAsBoolean()) {
      throw new IOException("moves are disabled in pass-through: replica=" + replica);
    }
  }

  /**
   * Adds a complete copy to the index unless its replica has changed or its device was removed.
   * Removes its files if it throws.
   */
  void publish(CleanCopies.Copy copy) throws IOException {
    if (!isValid(copy)) {
      copy.files().forEach(IndexedFiles::unlinkIfSet);
      throw abandoned(copy);
    }
    copies.add(copy).forEach(IndexedFiles::unlinkIfSet);
    // Check after the copy is in the index: pass-through sets the flag first and then drops what
    // the index contains, and a removed device is closed before its copies are dropped.
    if (stopped.getAsBoolean() || !isValid(copy)) {
      discard(copy.replica());
      throw abandoned(copy);
    }
  }

  private boolean isValid(CleanCopies.Copy copy) {
    return store.isFinalizedOnDisk(copy.replica()) && !copy.isLost();
  }

  private static MoveAbandonedException abandoned(CleanCopies.Copy copy) {
    return new MoveAbandonedException(
        "replica changed or device was removed while it was copied: replica=" + copy.replica());
  }

  /** See {@link HdfsMover#evict}. */
  void evict(BlockKey block, Part part) {
    CleanCopies.Copy copy = copies.get(block);
    if (copy != null) {
      beforeEviction.accept(copy);
    }
    if (part == Part.DATA) {
      unlinkIfSet(copies.removeData(block));
    } else {
      CleanCopies.Copy gone = copies.remove(block);
      if (gone != null) {
        gone.files().forEach(IndexedFiles::unlinkIfSet);
      }
    }
    store.revokeShortCircuit(block);
  }

  /**
   * Removes a copy from the index; its files are removed soon after. Never blocks. Returns whether
   * there was one.
   */
  boolean drop(BlockKey block) {
    return removeSoon(copies.remove(block));
  }

  /** Drops the block's copy if it is of this replica state. */
  void discard(Replica copied) {
    var unused = removeSoon(copies.remove(copied));
  }

  private boolean removeSoon(CleanCopies.@Nullable Copy gone) {
    if (gone == null) {
      return false;
    }
    gone.files().forEach(file -> file.area().unlinkLater(file.path()));
    store.revokeShortCircuit(gone.replica().block());
    return true;
  }

  static void unlinkIfSet(@Nullable CleanFile file) {
    if (file != null) {
      file.area().remove(file.path());
    }
  }
}
