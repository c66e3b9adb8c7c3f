// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.File;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Frees space for a replica that the NameNode itself placed on SSD and that found none, because
 * clean copies occupy space that the NameNode counts as free.
 *
 * <p>Runs on the writer's thread, and therefore without a scan and without waiting for the device:
 * the planner has selected the copies to evict. They leave the index at once; their files are
 * unlinked by the device's own thread. The freed space is granted to the writer's thread until its
 * replica is created: the volume choosing policy counts the {@link Grant} as free. Thread-safe.
 */
final class RoomOnSsd {
  /** Access to the engine and the index of clean copies. */
  interface Copies {
    /** Returns the bytes that can be evicted on a device. O(1). */
    long spareBytes(String device);

    /**
     * Evicts the data of one clean copy. O(1).
     *
     * @return bytes that become free on the device, 0 if the copy was removed already, -1 if there
     *     is no copy left to evict
     */
    long giveUpNext(String device);

    /** Records missing space, so that the planner keeps more of it available. */
    void missed(long sizeBytes);
  }

  /** Bytes freed on the volume with a root. Immutable. */
  private static final class Grant {
    final File volume;
    final long bytes;

    Grant(File volume, long bytes) {
      this.volume = volume;
      this.bytes = bytes;
    }
  }

  private final Copies copies;

  @SuppressWarnings("ThreadLocalUsage") // per dataset; removed after each creation of a replica
  private final ThreadLocal<@Nullable Grant> grants = new ThreadLocal<>();

  RoomOnSsd(Copies copies) {
    this.copies = copies;
  }

  /**
   * Frees space on one of the volumes.
   *
   * @param volumes volumes that may be written to
   * @return true if there is space now; {@link #ended} must follow
   */
  boolean make(List<ReplicaStore.Volume> volumes, long sizeBytes) throws IOException {
    for (ReplicaStore.Volume volume : volumes) {
      String device = volume.root().getPath();
      long available = volume.availableBytes();
      if (available + copies.spareBytes(device) <= sizeBytes) {
        continue;
      }
      long given = 0;
      while (available + given <= sizeBytes) {
        long bytes = copies.giveUpNext(device);
        if (bytes < 0) {
          break;
        }
        given += bytes;
      }
      if (available + given > sizeBytes) {
        grants.set(new Grant(volume.root(), given));
        return true;
      }
    }
    copies.missed(sizeBytes);
    return false;
  }

  /** Returns the bytes that this thread freed on a volume and has not used yet. */
  long granted(File volume) {
    Grant grant = grants.get();
    return grant != null && grant.volume.equals(volume) ? grant.bytes : 0;
  }

  /** Returns true if this thread holds a grant. */
  boolean isGranted() {
    return grants.get() != null;
  }

  /** Ends this thread's grant, whether its replica was created or not. */
  void ended() {
    grants.remove();
  }
}
