package io.hycache.hdfs.dataset;

import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import java.util.function.Consumer;

/** Takes files that an earlier process left back into the index. Thread-safe. */
final class CopyAdoption {
  private final ReplicaStore store;
  private final CleanCopies copies;
  private final HdfsMover mover;
  private final Guard guard;
  private final Consumer<CleanFile> found;

  /**
   * @param found gets each file that is in the index now, to have it verified
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

  /** Takes a file of the clean area back if it still copies the replica that is here. */
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
    copies
        .add(new CleanCopies.Copy(replica, isData ? file : null, isData ? null : file))
        .forEach(replaced -> replaced.area().remove(replaced.path()));
    if (!store.isFinalizedOnDisk(replica)
        || guard.tripped()
        || file.area().isDoomed(file.path())
        || (isData && !file.path().exists())) {
      // Changed or removed in between, and whoever did that found no copy to drop.
      mover.discard(replica);
      return false;
    }
    found.accept(file);
    return true;
  }
}
