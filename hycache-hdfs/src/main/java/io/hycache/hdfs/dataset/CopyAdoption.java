// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import java.util.function.Consumer;

/** Adopts clean copies that an earlier process left. Thread-safe. */
final class CopyAdoption {
  private final ReplicaStore store;
  private final CleanCopies copies;
  private final HdfsMover mover;
  private final Guard guard;
  private final Consumer<CleanFile> found;

  /**
   * @param found receives each adopted file, so that it is verified before it is served
   */
  CopyAdoption(
      ReplicaStore store,
      CleanCopies copies,
      HdfsMover mover,
      Guard guard,
      Consumer<CleanFile> found) {
    this.store = store;
    this.copies = copies;
    this.mover = mover;
    this.guard = guard;
    this.found = found;
  }

  /**
   * Adds a file to the index if its name still matches the replica here; returns whether it did.
   */
  boolean adopt(CleanFile file) {
    Replica replica = file.replica();
    boolean isData = file.part() == Part.DATA;
    long bytes = file.lengthBytes();
    boolean complete = isData ? bytes == replica.lengthBytes() : bytes > 0;
    if (!complete || !store.isFinalizedOnDisk(replica)) {
      return false;
    }
    CleanCopies.Copy known = copies.get(replica.block());
    if (known != null && known.replica().equals(replica)) {
      CleanFile have = isData ? known.data() : known.checksums();
      if (have != null) {
        return have.isSameFileAs(file);
      }
    }
    CleanCopies.Copy adopted =
        new CleanCopies.Copy(replica, isData ? file : null, isData ? null : file);
    copies.add(adopted).forEach(replaced -> replaced.area().remove(replaced.path()));
    if (!store.isFinalizedOnDisk(replica)
        || guard.tripped()
        || adopted.isLost()
        || file.area().isDoomed(file.path())
        || (isData && !file.path().exists())) {
      // The replica changed, or the file or its device was removed, before the copy was in the
      // index, when there was no copy to drop yet.
      mover.discard(replica);
      return false;
    }
    found.accept(file);
    return true;
  }
}
