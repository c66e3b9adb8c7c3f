// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.spi;

import io.hycache.core.model.MoveKind;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Replica;

/**
 * Receives every state change of every move, on the mover thread. Must return quickly; exceptions
 * are logged and otherwise ignored.
 */
public interface MoveListener {
  /** Ignores all events. */
  MoveListener NONE = (kind, replica, state) -> {};

  void onMove(MoveKind kind, Replica replica, MoveState state);
}
