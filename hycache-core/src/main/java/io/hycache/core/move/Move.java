// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import io.hycache.core.model.MoveKind;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.MoveListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One move and its {@link MoveState}. Every transition is validated. An invalid transition is a bug
 * of the caller: it is logged and leaves the state unchanged, because a half-done move must not be
 * aborted by a bookkeeping error.
 *
 * <p>Confined to one thread at a time.
 */
public final class Move implements BlockMover.Progress {
  private static final Logger LOG = LoggerFactory.getLogger(Move.class);

  private final MoveKind kind;
  private final Replica replica;
  private final MoveListener listener;
  private MoveState state = MoveState.PLANNED;

  public Move(MoveKind kind, Replica replica, MoveListener listener) {
    this.kind = kind;
    this.replica = replica;
    this.listener = listener;
    notifyListener();
  }

  public MoveState state() {
    return state;
  }

  @Override
  public void reached(MoveState next) {
    if (!state.allows(kind, next)) {
      LOG.error("invalid state transition of a move: kind={} from={} to={}", kind, state, next);
      assert false : kind + ": " + state + " -> " + next;
      return;
    }
    state = next;
    notifyListener();
  }

  /** The move failed. Has no effect after the commit: the copy is the replica by then. */
  public void failed() {
    if (state.allows(kind, MoveState.ROLLED_BACK)) {
      reached(MoveState.ROLLED_BACK);
    }
  }

  private void notifyListener() {
    try {
      listener.onMove(kind, replica, state);
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("a move listener failed: kind={} state={}", kind, state, e);
    }
  }
}
