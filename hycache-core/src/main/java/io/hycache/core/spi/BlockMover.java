// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.spi;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import java.io.IOException;

/**
 * File operations that the DataNode performs for the engine. Calls block on I/O; they are made on
 * mover threads, never on a read or write path. Each call either completes, or throws and leaves
 * the replica unchanged. Thread-safe.
 */
public interface BlockMover {

  /** Limits the pace of a copy. Called after each chunk. */
  interface Throttle {
    /**
     * Blocks until {@code bytes} more may have been copied.
     *
     * @throws InterruptedException when the mover is shut down
     */
    void take(long bytes) throws InterruptedException;

    /**
     * Bytes to copy in one operation; other requests to the disk wait that long. May change with
     * the pace.
     *
     * @param mostBytes &gt; 0
     * @return 1 to {@code mostBytes}
     */
    default int chunkBytes(int mostBytes) {
      return mostBytes;
    }
  }

  /** Supplies the throttle of a copy for the device that it reads from. */
  interface Pace {
    /**
     * Returns the throttle for copies from a slow device.
     *
     * @param slowDevice id of the {@link SlowDevice} that holds the replica
     */
    Throttle from(String slowDevice);
  }

  /** Receives the states that a move reaches, from COPIED on. */
  interface Progress {
    /** Called on the mover thread. Must not throw. */
    void reached(MoveState state);
  }

  /**
   * Copies one file of a DISK replica to a fast device as a clean copy, verified and synced. For
   * {@link Part#DATA}, the checksum file is copied too if it is missing.
   *
   * @param device id of a {@link FastDevice}
   * @return bytes written to the fast device, &gt;= 0
   * @throws ReplicaNotCacheableException if the replica can't have a clean copy while it is as it
   *     is
   * @throws IOException if the replica is gone or changed, verification failed, or I/O failed
   */
  long promote(Replica replica, Part part, String device, Pace pace, Progress progress)
      throws IOException, InterruptedException;

  /**
   * Writes a replica that exists only on a fast device to a slow device, or to a fast device of a
   * slower tier, where it stays a guest; notifies the NameNode, then removes the source.
   *
   * @param target id of a {@link SlowDevice}, or of a {@link FastDevice} that holds replicas
   * @param keepClean whether to keep the source's bytes as a clean copy (by a hard link; nothing is
   *     written); false if the target is a fast device
   * @return true if a clean copy was kept
   */
  boolean demote(
      Replica replica, String target, boolean keepClean, Throttle throttle, Progress progress)
      throws IOException, InterruptedException;

  /**
   * Unlinks a clean copy. {@link Part#DATA} unlinks the data only; {@link Part#CHECKSUM} unlinks
   * both files, because data without its checksum file saves no disk access. Never fails.
   */
  void evict(BlockKey block, Part part);

  /**
   * Unlinks the clean copy of exactly this replica state, if there is one; a copy of a newer state
   * stays. Never fails.
   */
  default void discard(Replica copied) {
    evict(copied.block(), Part.CHECKSUM);
  }
}
