package io.hycache.core.move;

import io.hycache.core.model.MoveKind;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.MoveListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One move on its way through {@link MoveState}. Every step is validated; a step that may not
 * follow is our bug, costs nothing but a log line, and leaves the state as it was, because a move
 * that is half done must not end for a mistake in its bookkeeping.
 *
 * <p>Used by one thread at a time.
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
    tell();
  }

  public MoveState state() {
    return state;
  }

  @Override
  public void reached(MoveState next) {
    if (!state.allows(kind, next)) {
      LOG.error("a move took a wrong step: kind={} from={} to={}", kind, state, next);
      assert false : kind + ": " + state + " -> " + next;
      return;
    }
    state = next;
    tell();
  }

  /** It failed. Past the commit there is nothing to roll back: the copy is the replica. */
  public void failed() {
    if (state.allows(kind, MoveState.ROLLED_BACK)) {
      reached(MoveState.ROLLED_BACK);
    }
  }

  private void tell() {
    try {
      listener.onMove(kind, replica, state);
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("a listener of moves failed: kind={} state={}", kind, state, e);
    }
  }
}
