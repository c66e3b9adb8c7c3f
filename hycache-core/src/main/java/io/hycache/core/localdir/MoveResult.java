package io.hycache.core.localdir;

/** How a move of one file ended. Immutable. */
final class MoveResult {
  /** The ways in which it can end without a failure. */
  enum Kind {
    /** It is on the other side now. */
    MOVED,
    /** It is nothing that moves: no file, too small, too new, hard-linked, another user's, gone. */
    UNFIT,
    /** Somebody has it open for writing. */
    OPEN,
    /** It was changed, replaced or removed meanwhile. */
    CANCELLED,
    /** There is no room for it. */
    FULL
  }

  final Kind kind;
  final long bytes;

  MoveResult(Kind kind, long bytes) {
    this.kind = kind;
    this.bytes = bytes;
  }

  boolean isMoved() {
    return kind == Kind.MOVED;
  }

  @Override
  public String toString() {
    return kind + " bytes=" + bytes;
  }
}
