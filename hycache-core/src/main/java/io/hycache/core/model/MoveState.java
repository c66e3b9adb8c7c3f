package io.hycache.core.model;

import java.util.EnumSet;
import java.util.Set;

/**
 * The life of a move.
 *
 * <pre>
 *  PLANNED -> RESERVED -> COPIED -> VERIFIED -> SYNCED -> COMMITTED -> SOURCE_REMOVED
 *     |          |          |          |          |       (promotions end in COMMITTED,
 *     +----------+----------+----------+----------+        demotions go on)
 *                           |
 *                      ROLLED_BACK   (the source was never touched)
 * </pre>
 *
 * A crash in any state loses nothing: up to SYNCED the source is the replica and what was copied is
 * removed by the next scan; from COMMITTED on the copy is what is served, and a source that is left
 * over is an ordinary second replica that HDFS removes.
 */
public enum MoveState {
  /** Decided; nothing was done. */
  PLANNED,
  /** Its bytes are set aside on the target and it waits for a mover thread. */
  RESERVED,
  /** Data and checksum file are written under temporary names. */
  COPIED,
  /** Every chunk agreed with the checksum file, and the lengths are right. */
  VERIFIED,
  /** Data, checksum file and directory are on the device. */
  SYNCED,
  /** The copy counts: it is in the replica map, or in the index of clean copies. */
  COMMITTED,
  /** The SSD source of a demotion is unlinked. The end. */
  SOURCE_REMOVED,
  /** Given up; the source is as it was. The end. */
  ROLLED_BACK;

  private Set<MoveState> next(MoveKind kind) {
    switch (this) {
      case PLANNED:
        return EnumSet.of(RESERVED, ROLLED_BACK);
      case RESERVED:
        return EnumSet.of(COPIED, ROLLED_BACK);
      case COPIED:
        return EnumSet.of(VERIFIED, ROLLED_BACK);
      case VERIFIED:
        return EnumSet.of(SYNCED, ROLLED_BACK);
      case SYNCED:
        return EnumSet.of(COMMITTED, ROLLED_BACK);
      case COMMITTED:
        return kind == MoveKind.DEMOTE
            ? EnumSet.of(SOURCE_REMOVED)
            : EnumSet.noneOf(MoveState.class);
      case SOURCE_REMOVED:
      case ROLLED_BACK:
        return EnumSet.noneOf(MoveState.class);
    }
    throw new AssertionError(this);
  }

  /** May a move of this kind go from this state to that one? */
  public boolean allows(MoveKind kind, MoveState to) {
    return next(kind).contains(to);
  }
}
