// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

/** Notified of the reads of one stream. Must not throw. */
interface ReadRecorder {
  /** Called when bytes were read. Called once per packet, so it must not cost more than a store. */
  default void onRead() {}

  /**
   * Called on close if only the descriptor of the stream was used, that is, handed out to a client.
   */
  default void onHandedOut() {}

  /**
   * Called when the stream is closed.
   *
   * @param bytes read from the stream, &gt;= 0
   */
  void onClosed(long bytes);
}
