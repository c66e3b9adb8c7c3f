// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.MoveKind;
import io.hycache.core.model.MoveState;

/** A move that is queued, under way or ended lately. Immutable. */
public final class RecentMove {
  /** Instead of an age: it has not ended. */
  public static final long NOT_ENDED = -1;

  public final MoveKind kind;
  public final BlockKey block;

  /** Length of the replica, &gt;= 0. */
  public final long bytes;

  /** Its present state, or its last. */
  public final MoveState state;

  /** Milliseconds since it was decided, &gt;= 0. */
  public final long begunAgoMillis;

  /** Milliseconds since its end, &gt;= 0, or {@link #NOT_ENDED}. */
  public final long endedAgoMillis;

  public RecentMove(
      MoveKind kind,
      BlockKey block,
      long bytes,
      MoveState state,
      long begunAgoMillis,
      long endedAgoMillis) {
    this.kind = kind;
    this.block = block;
    this.bytes = bytes;
    this.state = state;
    this.begunAgoMillis = begunAgoMillis;
    this.endedAgoMillis = endedAgoMillis;
  }

  public boolean isEnded() {
    return endedAgoMillis != NOT_ENDED;
  }
}
