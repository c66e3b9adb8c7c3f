// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.volume;

import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * A dataset that knows which of its volumes must not be given anything new, and how busy they are.
 * Thread-safe.
 */
public interface VolumeHealth {

  /** For the write path: no lock, no I/O. */
  boolean isSick(FsVolumeSpi volume);

  /**
   * Bytes of a volume that made way for the replica that this thread is about to create, and that
   * the volume itself may not yet show as available. No lock, no I/O.
   */
  default long madeWayBytes(FsVolumeSpi volume) {
    return 0;
  }

  /**
   * How many times as long one more write takes on a volume as if it were idle; 0 if that is not
   * known. No lock, no I/O.
   */
  default double slowdown(FsVolumeSpi volume) {
    return 0;
  }

  /**
   * Called when a volume was chosen for the replica that this thread is about to create, so that
   * later calls of {@link #slowdown} take it into account. No lock, no I/O.
   */
  default void chosen(FsVolumeSpi volume) {}
}
