package io.hycache.hdfs.dataset;

import java.io.File;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes room for a replica that the NameNode itself put on SSD and that found none, because clean
 * copies took what the NameNode counts as free.
 *
 * <p>On the writer's thread, and therefore without a walk and without waiting for the device: the
 * planner has named the copies that may go. They are out of the index at once; their files are
 * unlinked on a thread of the device's own. What they free belongs to the writer that made them go:
 * until its replica is created its thread holds it as a {@link Grant}, for the volume choice.
 * Thread-safe.
 */
final class RoomOnSsd {
  /** What is needed of engine and index. */
  interface Copies {
    /** Bytes that can be given on a device. O(1). */
    long spareBytes(String device);

    /**
     * Gives one clean copy's data up. O(1).
     *
     * @return bytes that become free on the device, 0 if this one was gone already, -1 if there is
     *     none left
     */
    long giveUpNext(String device);

    /** Room was missed: the next ones shall find it. */
    void missed(long sizeBytes);
  }

  /** Bytes that made way on the volume with this root. Immutable. */
  private static final class Grant {
    final File volume;
    final long bytes;

    Grant(File volume, long bytes) {
      this.volume = volume;
      this.bytes = bytes;
    }
  }

  private final Copies copies;

  @SuppressWarnings("ThreadLocalUsage") // one dataset's; a thread's is removed after each create
  private final ThreadLocal<@Nullable Grant> grants = new ThreadLocal<>();

  RoomOnSsd(Copies copies) {
    this.copies = copies;
  }

  /**
   * Makes room on one of the volumes.
   *
   * @param volumes those that may be written to
   * @return true if there is room now; {@link #ended} must follow
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

  /** What this thread made free on the volume with this root and has not used yet. */
  long granted(File volume) {
    Grant grant = grants.get();
    return grant != null && grant.volume.equals(volume) ? grant.bytes : 0;
  }

  /** This thread made room and has not used it yet. */
  boolean isGranted() {
    return grants.get() != null;
  }

  /** The replica is created, or not. */
  void ended() {
    grants.remove();
  }
}
