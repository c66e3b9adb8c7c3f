// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

/** Result of a move that did not fail. */
enum MoveResult {
  /** The file is on the other tier now. */
  MOVED,
  /**
   * The file can't move: not a regular file, too small, too new, hard-linked, another user's, or
   * gone.
   */
  UNFIT,
  /** The file is open for writing. */
  OPEN,
  /** The file was changed, replaced or removed meanwhile. */
  CANCELLED,
  /** The target has no room. */
  FULL
}
