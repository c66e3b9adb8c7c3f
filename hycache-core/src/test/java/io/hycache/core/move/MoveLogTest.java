// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.MoveKind;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Replica;
import io.hycache.core.stats.RecentMove;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MoveLogTest {
  private long nanos = -5;
  private final MoveLog log = new MoveLog(() -> nanos);

  private static Replica replica(long id) {
    return new Replica(new BlockKey("pool", id), 1, 100 + id);
  }

  private void after(long millis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private void go(MoveKind kind, long id, MoveState... states) {
    for (MoveState state : states) {
      log.onMove(kind, replica(id), state);
    }
  }

  private static final MoveState[] UP_TO_COMMIT = {
    MoveState.PLANNED,
    MoveState.RESERVED,
    MoveState.COPIED,
    MoveState.VERIFIED,
    MoveState.SYNCED,
    MoveState.COMMITTED
  };

  @Test
  void moves_thatRunComeFirst_thenThoseThatEnded_theLastFirst() {
    go(MoveKind.PROMOTE, 1, UP_TO_COMMIT);
    after(10);
    go(MoveKind.DEMOTE, 2, UP_TO_COMMIT);
    after(20);
    go(MoveKind.PROMOTE, 3, MoveState.PLANNED, MoveState.ROLLED_BACK);
    after(30);
    List<RecentMove> moves = log.moves();
    assertEquals(
        List.of(2L, 3L, 1L),
        moves.stream().map(move -> move.block.id()).collect(Collectors.toList()));
    RecentMove running = moves.get(0);
    assertFalse(running.isEnded());
    assertEquals(MoveState.COMMITTED, running.state);
    assertEquals(50, running.begunAgoMillis);
    assertEquals(102, running.bytes);
    assertEquals(30, moves.get(1).endedAgoMillis);
    assertEquals(MoveState.ROLLED_BACK, moves.get(1).state);
    assertEquals(60, moves.get(2).endedAgoMillis);
    go(MoveKind.DEMOTE, 2, MoveState.SOURCE_REMOVED);
    assertTrue(log.moves().get(0).isEnded());
    assertEquals(2, log.moves().get(0).block.id());
  }

  @Test
  void moves_areBounded_theOldestAreForgotten() {
    int many = 3 * MoveLog.MOST_RUNNING;
    for (int i = 0; i < many; i++) {
      go(MoveKind.PROMOTE, i, MoveState.PLANNED, MoveState.RESERVED);
    }
    assertEquals(MoveLog.MOST_RUNNING, log.moves().size());
    assertEquals(many - MoveLog.MOST_RUNNING, log.moves().get(0).block.id());
    for (int i = 0; i < many; i++) {
      go(MoveKind.PROMOTE, i, MoveState.COPIED, MoveState.COMMITTED);
    }
    assertEquals(MoveLog.MOST_ENDED, log.moves().size());
    assertEquals(many - 1, log.moves().get(0).block.id());
  }

  @Test
  void checksumFiles_areLeftOut_andPassedOn() {
    List<MoveKind> passed = new ArrayList<>();
    log.passOnTo((kind, replica, state) -> passed.add(kind));
    go(MoveKind.PROMOTE_CHECKSUMS, 1, MoveState.PLANNED);
    go(MoveKind.DEMOTE, 1, MoveState.PLANNED);
    assertEquals(List.of(MoveKind.PROMOTE_CHECKSUMS, MoveKind.DEMOTE), passed);
    assertEquals(1, log.moves().size());
  }
}
