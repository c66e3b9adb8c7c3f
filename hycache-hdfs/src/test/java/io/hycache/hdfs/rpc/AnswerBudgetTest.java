// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static io.hycache.hdfs.rpc.Thrown.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AnswerBudgetTest {
  private final AtomicLong nanos = new AtomicLong(-5);
  private final AnswerBudget budget = new AnswerBudget(nanos::get);

  /** Takes until nothing is left; returns how often. */
  private int takeAll(String user) {
    for (int i = 0; ; i++) {
      try {
        budget.check(user);
        budget.spend(user, 1 << 20);
      } catch (RefusedException e) {
        return i;
      }
    }
  }

  @Test
  void aBurst_isRefilledSteadily_forEachUser() throws Exception {
    assertEquals(32, takeAll("eve"));
    assertEquals(32, takeAll("bob"));
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(60));
    int minute = takeAll("eve");
    assertTrue(minute == 8 || minute == 9, "answers=" + minute);
    nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
    assertEquals(32, takeAll("eve"), "no more than a burst");
    RefusedException e = assertThrows(RefusedException.class, () -> budget.check("eve"));
    assertEquals(
        "expected answers of at most 32 MB at once and 8 MB a minute on state and workflows, found"
            + " more: user=eve. Fix: ask less often",
        message(e));
  }
}
