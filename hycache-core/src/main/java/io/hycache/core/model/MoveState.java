package io.hycache.core.model;

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

  /** May a move of this kind go from this state to that one? Each state names its predecessors. */
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
