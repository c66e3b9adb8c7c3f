// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.CacheKey;

/** The entry of a block that is resident, expected to be used again, or both. */
abstract class KnownBlock extends BlockMap.Value {
  /** No next use is expected. */
  static final long NEVER = Long.MAX_VALUE;

  /** Logical time of its first mention; unique. */
  final long firstSeen;

  boolean resident;

  /** Size if resident. */
  long sizeBytes;

  /** Hinted references left. */
  long references;

  long nextUse = NEVER;

  KnownBlock(CacheKey key, long firstSeen) {
    super(key);
    this.firstSeen = firstSeen;
  }

  /** The next use if it was announced; {@link #NEVER} if it was only estimated. */
  long announcedNextUse() {
    return nextUse;
  }

  /** True if the entry holds nothing worth keeping. */
  final boolean isIdle() {
    return !resident && references == 0 && nextUse == NEVER;
  }
}
