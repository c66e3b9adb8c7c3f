// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import static io.hycache.core.model.MoveState.COMMITTED;
import static io.hycache.core.model.MoveState.COPIED;
import static io.hycache.core.model.MoveState.PLANNED;
import static io.hycache.core.model.MoveState.RESERVED;
import static io.hycache.core.model.MoveState.ROLLED_BACK;
import static io.hycache.core.model.MoveState.SOURCE_REMOVED;
import static io.hycache.core.model.MoveState.SYNCED;
import static io.hycache.core.model.MoveState.VERIFIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.MoveKind;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Replica;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MoveTest {
  private static final List<MoveState> WAY =
      List.of(PLANNED, RESERVED, COPIED, VERIFIED, SYNCED, COMMITTED);
  private static final Replica REPLICA = new Replica(new BlockKey("BP-1", 1), 1, 10);

  private final List<MoveState> seen = new ArrayList<>();

  private Move move(MoveKind kind) {
    return new Move(kind, REPLICA, (k, replica, state) -> seen.add(state));
  }

  private static void go(Move move, int steps) {
    WAY.subList(1, steps).forEach(move::reached);
  }

  @ParameterizedTest
  @EnumSource
  void allStates_inOrder_areReported(MoveKind kind) {
    Move move = move(kind);
    go(move, WAY.size());
    assertEquals(WAY, seen);
    assertEquals(COMMITTED, move.state());
    assertEquals(kind == MoveKind.DEMOTE, COMMITTED.allows(kind, SOURCE_REMOVED));
  }

  @ParameterizedTest
  @EnumSource
  void failed_rollsBackUpToTheCommit_andNotPastIt(MoveKind kind) {
    for (int steps = 1; steps <= WAY.size(); steps++) {
      Move move = move(kind);
      go(move, steps);
      move.failed();
      assertEquals(steps < WAY.size() ? ROLLED_BACK : COMMITTED, move.state());
      MoveState end = move.state();
      move.failed();
      assertEquals(end, move.state(), "once only");
    }
  }

  @Test
  void wrongStep_isRefused() {
    for (MoveKind kind : MoveKind.values()) {
      for (MoveState from : MoveState.values()) {
        for (MoveState to : MoveState.values()) {
          int at = WAY.indexOf(from);
          boolean next = at >= 0 && at + 1 < WAY.size() && WAY.get(at + 1) == to;
          boolean end = from == COMMITTED && to == SOURCE_REMOVED && kind == MoveKind.DEMOTE;
          boolean back = to == ROLLED_BACK && at >= 0 && from != COMMITTED;
          assertEquals(next || end || back, from.allows(kind, to), kind + from.name() + to);
        }
      }
    }
    Move move = move(MoveKind.PROMOTE);
    assertThrows(AssertionError.class, () -> move.reached(SYNCED));
    assertEquals(PLANNED, move.state());
  }

  @Test
  void listenerThrows_theMoveGoesOn() {
    Move move =
        new Move(
            MoveKind.DEMOTE,
            REPLICA,
            (kind, replica, state) -> {
              throw new IllegalStateException("failure injected by the test");
            });
    go(move, WAY.size());
    move.reached(SOURCE_REMOVED);
    assertEquals(SOURCE_REMOVED, move.state());
  }
}
