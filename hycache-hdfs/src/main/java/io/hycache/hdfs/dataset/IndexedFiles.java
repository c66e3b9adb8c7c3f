package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.MoveAbandonedException;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The index of clean copies and their files, kept in step: a copy is complete before it enters the
 * index, and has left it before its files go. Thread-safe.
 */
final class IndexedFiles {
  private final ReplicaStore store;
  private final CleanCopies copies;
  private final BooleanSupplier stopped;

  /**
   * @param stopped true once no move of ours may begin or be completed
   */
  IndexedFiles(ReplicaStore store, CleanCopies copies, BooleanSupplier stopped) {
    this.store = store;
    this.copies = copies;
    this.stopped = stopped;
  }

  /** Ends a move of ours that must not go on. */
  void refuseIfStopped(Replica replica) throws IOException {
    if (stopped.getAsBoolean()) {
      throw new IOException("no moves are made in pass-through: replica=" + replica);
    }
  }

  /** Enters a complete copy into the index unless its replica has changed meanwhile. */
  void publish(CleanCopies.Copy copy) throws IOException {
    Replica replica = copy.replica();
    if (!store.isFinalizedOnDisk(replica)) {
      copy.files().forEach(IndexedFiles::unlinkIfSet);
      throw new MoveAbandonedException("replica changed while it was copied: replica=" + replica);
    }
    copies.add(copy).forEach(IndexedFiles::unlinkIfSet);
    // Looked at after it is in the index: who stops us drops what is there after he said so.
    if (stopped.getAsBoolean() || !store.isFinalizedOnDisk(replica)) {
      discard(replica);
      throw new MoveAbandonedException("replica changed while it was copied: replica=" + replica);
    }
  }

  /** See {@link HdfsMover#evict}. */
  void evict(BlockKey block, Part part) {
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
   * Takes a copy out of the index at once; its files are removed soon after. Never waits. Returns
   * true if there was one.
   */
  boolean drop(BlockKey block) {
    return removeSoon(copies.remove(block));
  }

  /** Drops the block's copy, if it is of this state of the replica. */
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
