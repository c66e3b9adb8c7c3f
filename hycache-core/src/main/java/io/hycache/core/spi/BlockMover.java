package io.hycache.core.spi;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import java.io.IOException;

/**
 * What the DataNode does for the engine. Every call blocks on I/O and is made on a mover thread,
 * never on a read or write path. Thread-safe. A call either completes or throws and leaves the
 * replica as it was.
 */
public interface BlockMover {

  /** How a copy is slowed down. Called after each chunk. */
  interface Throttle {
    /**
     * Waits until {@code bytes} more may have been copied.
     *
     * @throws InterruptedException when the mover is shut down
     */
    void take(long bytes) throws InterruptedException;

    /**
     * How much to copy at once: whoever comes for the disk meanwhile waits for that. Changes with
     * the pace.
     *
     * @param mostBytes &gt; 0
     * @return 1 to {@code mostBytes}
     */
    default int chunkBytes(int mostBytes) {
      return mostBytes;
    }
  }

  /** The pace of a copy, by where it comes from. */
  interface Pace {
    /**
     * How a copy from there is slowed down.
     *
     * @param slowDevice id of the {@link SlowDevice} that the replica lies on
     */
    Throttle from(String slowDevice);
  }

  /** Where a move is told what it has reached, from COPIED on. */
  interface Progress {
    /** Called by the thread that moves; never throws. */
    void reached(MoveState state);
  }

  /**
   * Makes a clean copy of one file of a DISK replica on a fast device, verified and synced. For
   * {@link Part#DATA} the checksum file is copied too if it is not there yet.
   *
   * @param device id of a {@link FastDevice}
   * @return bytes written to the fast device, &gt;= 0
   * @throws IOException if the replica is gone or changed, verification failed, or I/O failed
   */
  long promote(Replica replica, Part part, String device, Pace pace, Progress progress)
      throws IOException, InterruptedException;

  /**
   * Writes a replica whose only copy is on SSD to DISK and tells the NameNode; then removes the SSD
   * source.
   *
   * @param slowDevice id of the {@link SlowDevice} that gets it
   * @param keepClean keep the SSD bytes as a clean copy (a hard link, nothing is written)
   * @return true if a clean copy stayed behind
   */
  boolean demote(
      Replica replica, String slowDevice, boolean keepClean, Throttle throttle, Progress progress)
      throws IOException, InterruptedException;

  /**
   * Unlinks a clean copy: {@link Part#DATA} leaves the checksum file, {@link Part#CHECKSUM} leaves
   * nothing, because data without its checksum file spares nothing. Never fails.
   */
  void evict(BlockKey block, Part part);

  /**
   * Unlinks the clean copy of this state of a replica, if there is one; a copy of a newer state
   * stays. Never fails.
   */
  default void discard(Replica copied) {
    evict(copied.block(), Part.CHECKSUM);
  }
}
