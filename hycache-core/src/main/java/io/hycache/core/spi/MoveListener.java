package io.hycache.core.spi;

import io.hycache.core.model.MoveKind;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Replica;

/**
 * Hears of every step of every move, on the thread that makes it. Must return soon; what it throws
 * is logged and changes nothing.
 */
public interface MoveListener {
  /** Hears nothing. */
  MoveListener NONE = (kind, replica, state) -> {};

  void onMove(MoveKind kind, Replica replica, MoveState state);
}
