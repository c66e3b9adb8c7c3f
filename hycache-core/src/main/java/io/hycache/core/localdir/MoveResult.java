package io.hycache.core.localdir;

/** How a move of one file ended, if nothing failed. */
enum MoveResult {
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
