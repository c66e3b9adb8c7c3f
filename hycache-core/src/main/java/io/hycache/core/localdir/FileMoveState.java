package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The life of a file's move, down or up.
 *
 * <pre>
 *  PLANNED -> RESERVED -> COPIED -> SYNCED -> NAMED -> STAGED -> CHECKED -> EXCHANGED -> SETTLED
 *     |          |          |         |         |        |          |           |
 *     +----------+----------+---------+---------+--------+----------+-----------+
 *                                     |
 *                                ROLLED_BACK   (the name leads to what it led to before)
 * </pre>
 *
 * A crash in any state loses nothing. Up to CHECKED the tree is as it was: what was staged or
 * copied goes at the next start, and a copy that is named on the HDD is swept, for no link names
 * it. From EXCHANGED on the tree leads to the copy, which is complete and on its device; what it
 * was exchanged for lies in staging with its {@link MoveRecord}, by which {@link Settlement}
 * decides whether the exchange stands. A move that only gives a renamed file its right name on the
 * HDD skips from RESERVED to NAMED.
 */
enum FileMoveState {
  /** Decided; nothing was done. */
  PLANNED,
  /** There is room for it on its target. */
  RESERVED,
  /** All bytes and attributes are in a half copy. */
  COPIED,
  /** The copy is on its device. */
  SYNCED,
  /** The copy has its name, which is on the device too. */
  NAMED,
  /** What takes the file's place lies in staging with its record. */
  STAGED,
  /** The file was the one that was copied, and nobody had it open for writing, a moment ago. */
  CHECKED,
  /** The name leads to the copy. */
  EXCHANGED,
  /** What was displaced was the very thing that was copied, and is gone. The end. */
  SETTLED,
  /** Given up. The end. */
  ROLLED_BACK;

  /** May a move go from this state to that one? */
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

  /** Stops a move in a test, or lets something happen in the middle of it. */
  interface Hook {
    /** In production. */
    Hook NONE = (state, path) -> {};

    /** Called as soon as a state is reached. */
    void at(FileMoveState state, Path path) throws IOException;
  }
}
