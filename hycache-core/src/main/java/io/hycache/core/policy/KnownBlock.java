package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;

/** What a policy was told of a block that is resident, or will be used again, or both. */
abstract class KnownBlock extends BlockMap.Value {
  /** No next use is known. */
  static final long NEVER = Long.MAX_VALUE;

  /** Ticks; each value is given out once. */
  final long firstSeen;

  boolean resident;

  /** Of a resident. */
  long sizeBytes;

  /** Known references left. */
  long references;

  long nextUse = NEVER;

  KnownBlock(BlockKey block, long firstSeen) {
    super(block);
    this.firstSeen = firstSeen;
  }

  /** The next use if it was told and is no conclusion. */
  long toldNextUse() {
    return nextUse;
  }

  /** Nothing is known of it that is worth keeping. */
  final boolean isIdle() {
    return !resident && references == 0 && nextUse == NEVER;
  }
}
