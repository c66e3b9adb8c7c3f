// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.key;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.policy.Policies;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class QuietRoundsTest {
  @Test
  void roundsAreRarer_afterMoreAndMoreWithoutWork_untilTheNextWithWork() {
    QuietRounds quiet = new QuietRounds();
    for (int again = 0; again < 2; again++) {
      assertEquals(0, quiet.ticks());
      for (int i = 1; i <= 2 * QuietRounds.MIN_IDLE_ROUNDS; i++) {
        quiet.count(false, false);
        int expected =
            i < QuietRounds.MIN_QUIET_ROUNDS
                ? 0
                : i < QuietRounds.MIN_IDLE_ROUNDS
                    ? QuietRounds.TICKS_WHILE_QUIET
                    : QuietRounds.TICKS_WHILE_IDLE;
        assertEquals(expected, quiet.ticks(), "round " + i);
      }
      quiet.count(true, again == 1);
    }
    assertEquals(0, quiet.ticks());
  }

  /** Rounds are an hour apart where nothing wakes the planner. */
  @Test
  void beginningOfAWrite_isFollowedByARound() throws Exception {
    HyCacheConfig config = EngineRig.config().tick(Duration.ofHours(1)).build();
    FakeDataNode node = new FakeDataNode(10 * BLOCK);
    EngineRig rig = new EngineRig(config, Policies.create("lru"), node).start();
    try (HyCacheEngine engine = rig.engine) {
      engine.settle();
      for (int id = 1; id <= 3; id++) {
        EngineRig.await("room", () -> engine.placeOnFast(BLOCK));
        long before = rig.rounds();
        engine.onPlaced(key(id), BLOCK, 0);
        EngineRig.await("a round after a write to SSD", () -> rig.rounds() > before);
        long next = rig.rounds();
        rig.writeSlow(10 + id, FakeDataNode.HDD);
        EngineRig.await("a round after a write to DISK", () -> rig.rounds() > next);
      }
    }
  }

  @Test
  void roundsAreSomewhatRarer_whileNothingButWritesGoesOn() {
    QuietRounds quiet = new QuietRounds();
    for (int i = 0; i < 2 * QuietRounds.MIN_IDLE_ROUNDS; i++) {
      quiet.count(false, true);
      assertEquals(QuietRounds.TICKS_WHILE_WRITING, quiet.ticks());
    }
    quiet.count(true, true);
    assertEquals(0, quiet.ticks(), "reads batch up");
    quiet.count(false, true);
    assertEquals(QuietRounds.TICKS_WHILE_WRITING, quiet.ticks());
    quiet.count(false, false);
    assertEquals(0, quiet.ticks(), "the writes are over: work may follow");
  }
}
