// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The life cycle of a file's move, down or up.
 *
 * <pre>
 *  PLANNED -> RESERVED -> COPIED -> SYNCED -> NAMED -> STAGED -> CHECKED -> EXCHANGED -> SETTLED
 *     |          |          |         |         |        |          |           |
 *     +----------+----------+---------+---------+--------+----------+-----------+
 *                                     |
 *                                ROLLED_BACK   (the name leads to what it led to before)
 * </pre>
 *
 * A crash in any state loses nothing. Up to CHECKED the tree is unchanged, unless an exchange in
 * two steps had begun: staged and partially copied files are removed at the next start, and a named
 * copy on the HDD is swept, because no link leads to it. From EXCHANGED on, the tree leads to the
 * copy, which is complete and fsynced. The displaced file is in staging together with its {@link
 * MoveRecord}, from which {@link Settlement} decides whether the exchange stands. A move that only
 * corrects the name of a file on its HDD goes from RESERVED to NAMED.
 */
enum FileMoveState {
  /** Decided; no work has been done. */
  PLANNED,
  /** Space is reserved on the target. */
  RESERVED,
  /** All bytes and attributes are in a partial copy. */
  COPIED,
  /** The copy is fsynced. */
  SYNCED,
  /** The copy has its final name, which is fsynced too. */
  NAMED,
  /** The replacement for the file is in staging, with its record. */
  STAGED,
  /** The last check found the file unchanged since it was copied, and not open for writing. */
  CHECKED,
  /** The name in the tree leads to the copy. */
  EXCHANGED,
  /** The displaced file was verified to be the one that was copied, and is removed. Final. */
  SETTLED,
  /**
   * Abandoned; the tree is unchanged, unless an exchange in two steps could not be undone: then
   * files and record stay for the next start. Final.
   */
  ROLLED_BACK;

  /** Returns whether a move may go from this state to {@code next}. */
  boolean allows(FileMoveState next) {
    switch (next) {
      case PLANNED:
        return false;
      case RESERVED:
        return this == PLANNED;
      case COPIED:
        return this == RESERVED;
      case SYNCED:
        return this == COPIED;
      case NAMED:
        return this == SYNCED || this == RESERVED;
      case STAGED:
        return this == NAMED;
      case CHECKED:
        return this == STAGED;
      case EXCHANGED:
        return this == CHECKED;
      case SETTLED:
        return this == EXCHANGED;
      case ROLLED_BACK:
        return this != SETTLED && this != ROLLED_BACK;
    }
    throw new AssertionError(next);
  }

  /** Lets tests interrupt a move or act in the middle of it. */
  interface Hook {
    /** For production: does nothing. */
    Hook NONE = (state, path) -> {};

    /** Called as soon as a state is reached. */
    void at(FileMoveState state, Path path) throws IOException;
  }
}
