// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

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

  @Test
  void roundsAreSomewhatRarer_whileNothingButWritesGoesOn() {
    QuietRounds quiet = new QuietRounds();
    quiet.count(false, true);
    assertEquals(0, quiet.ticks());
    for (int i = 0; i < 2 * QuietRounds.MIN_IDLE_ROUNDS; i++) {
      quiet.count(false, true);
      assertEquals(QuietRounds.TICKS_WHILE_WRITING, quiet.ticks());
    }
    quiet.count(true, true);
    assertEquals(0, quiet.ticks());
    quiet.count(false, true);
    assertEquals(0, quiet.ticks());
    quiet.count(false, false);
    assertEquals(0, quiet.ticks(), "the writes are over: work may follow");
  }
}
