// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.model;

/**
 * The life cycle of a move.
 *
 * <pre>
 *  PLANNED -> RESERVED -> COPIED -> VERIFIED -> SYNCED -> COMMITTED -> SOURCE_REMOVED
 *     |          |          |          |          |       (promotions end in COMMITTED,
 *     +----------+----------+----------+----------+        demotions go on)
 *                           |
 *                      ROLLED_BACK   (the source was never touched)
 * </pre>
 *
 * A crash in any state loses nothing. Up to SYNCED, the source is the replica, and the next scan
 * removes the partial copy. From COMMITTED on, reads are served from the copy; a source that is
 * still there is an ordinary duplicate replica, which HDFS removes.
 */
public enum MoveState {
  /** Decided; no work has been done. */
  PLANNED,
  /** Space is reserved on the target; the move waits for a mover thread. */
  RESERVED,
  /** Data and checksum file are written under temporary names. */
  COPIED,
  /** Every chunk matches the checksum file, and the lengths match the replica's. */
  VERIFIED,
  /** Data, checksum file and directory are fsynced. */
  SYNCED,
  /** The copy is in use: it is in the replica map or in the index of clean copies. */
  COMMITTED,
  /** The SSD source of a demotion is unlinked. Final. */
  SOURCE_REMOVED,
  /** Abandoned; the source is unchanged. Final. */
  ROLLED_BACK;

  /** Returns whether a move of this kind may go from this state to {@code to}. */
  public boolean allows(MoveKind kind, MoveState to) {
    switch (to) {
      case PLANNED:
        return false;
      case RESERVED:
        return this == PLANNED;
      case COPIED:
        return this == RESERVED;
      case VERIFIED:
        return this == COPIED;
      case SYNCED:
        return this == VERIFIED;
      case COMMITTED:
        return this == SYNCED;
      case SOURCE_REMOVED:
        return this == COMMITTED && kind == MoveKind.DEMOTE;
      case ROLLED_BACK:
        return compareTo(COMMITTED) < 0;
    }
    throw new AssertionError(to);
  }
}
