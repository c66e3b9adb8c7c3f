// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class QuietRoundsTest {
  @Test
  void roundsAreRare_afterSomeWithoutWork_untilTheNextWithWork() {
    QuietRounds quiet = new QuietRounds();
    for (int again = 0; again < 2; again++) {
      for (int i = 1; i <= 3 * QuietRounds.MIN_QUIET_ROUNDS; i++) {
        quiet.count(false);
        assertEquals(i >= QuietRounds.MIN_QUIET_ROUNDS, quiet.isQuiet(), "round " + i);
      }
      quiet.count(true);
      assertEquals(false, quiet.isQuiet());
    }
  }
}
