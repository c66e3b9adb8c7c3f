// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.move.WriteBudget.Cause;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WriteBudgetTest {
  private long now = -TimeUnit.DAYS.toNanos(3) - 17;

  private void hours(long hours) {
    now += TimeUnit.HOURS.toNanos(hours);
  }

  @Test
  void restore_addsWhatWasSaved_asOldAsItIs() {
    WriteBudget before = new WriteBudget(1, 24_000, now);
    before.wrote(Cause.USER_WRITE, 5_000, now);
    hours(3);
    assertFalse(before.isSaved());
    before.wrote(Cause.PROMOTION, 9_000, now);
    long[] saved = before.save(now);
    assertTrue(before.isSaved());
    assertEquals(24_000 - 5_000 + 3_000 - 9_000, before.leftBytes(now));

    hours(2);
    WriteBudget after = new WriteBudget(1, 24_000, now);
    after.wrote(Cause.PROMOTION, 100, now);
    after.restore(saved, TimeUnit.HOURS.toNanos(2), now);
    assertEquals(13_000 + 2_000 - 100, after.leftBytes(now));
    assertEquals(5_000, after.lastDayBytes(Cause.USER_WRITE, now));
    assertEquals(9_100, after.lastDayBytes(Cause.PROMOTION, now));
    hours(19);
    assertEquals(0, after.lastDayBytes(Cause.USER_WRITE, now));
    assertEquals(9_100, after.lastDayBytes(Cause.PROMOTION, now));
  }

  @Test
  void limitAfterNone_countsTheLastDayOnly() {
    WriteBudget before = new WriteBudget(0, 24_000, now);
    before.wrote(Cause.USER_WRITE, 1_000_000_000, now);
    hours(30);
    before.wrote(Cause.PROMOTION, 4_000, now);
    long[] saved = before.save(now);
    hours(2);
    WriteBudget after = new WriteBudget(1, 24_000, now);
    after.restore(saved, TimeUnit.HOURS.toNanos(2), now);
    assertEquals(20_000, after.leftBytes(now));

    saved[0] = -1_000_004_000; // as earlier versions saved it
    WriteBudget again = new WriteBudget(1, 24_000, now);
    again.restore(saved, TimeUnit.HOURS.toNanos(2), now);
    assertEquals(20_000, again.leftBytes(now));
  }

  @Test
  void limitIsLowered_orRaised_debtIsADaysWorthAtMost() {
    WriteBudget before = new WriteBudget(2, 24_000, now);
    before.wrote(Cause.USER_WRITE, 1_000_000, now);
    assertEquals(-48_000, before.leftBytes(now), "a write of a user is never refused");
    long[] saved = before.save(now);
    for (double writesPerDay : new double[] {1, 4}) {
      WriteBudget after = new WriteBudget(writesPerDay, 24_000, now);
      after.restore(saved, 0, now);
      assertFalse(after.allows(Cause.USER_WRITE, now));
      assertTrue(after.allows(Cause.USER_WRITE, now + TimeUnit.HOURS.toNanos(25)));
    }
  }

  @Test
  void restore_ofAnotherForm_isIgnored() {
    WriteBudget budget = new WriteBudget(1, 24_000, now);
    budget.restore(new long[] {-1, 2, 3}, 0, now);
    assertEquals(24_000, budget.leftBytes(now));
  }

  @Test
  void promotionsStopFirst_thenWrites_andBothComeBack() {
    WriteBudget budget = new WriteBudget(2, 12_000, now);
    assertEquals(24_000, budget.leftBytes(now));
    budget.wrote(Cause.PROMOTION, 19_000, now);
    assertTrue(budget.allows(Cause.PROMOTION, now));
    budget.wrote(Cause.PROMOTION, 200, now);
    assertFalse(budget.allows(Cause.PROMOTION, now));
    assertTrue(budget.allows(Cause.USER_WRITE, now));
    budget.wrote(Cause.USER_WRITE, 5_800, now);
    assertFalse(budget.allows(Cause.USER_WRITE, now));
    assertEquals(-1_000, budget.leftBytes(now));
    hours(1);
    assertFalse(budget.allows(Cause.USER_WRITE, now));
    hours(1);
    assertEquals(1_000, budget.leftBytes(now));
    assertTrue(budget.allows(Cause.USER_WRITE, now));
    assertFalse(budget.allows(Cause.PROMOTION, now));
    hours(4);
    assertTrue(budget.allows(Cause.PROMOTION, now));
    hours(100);
    assertEquals(24_000, budget.leftBytes(now), "never more than a day's worth");
  }

  @Test
  void noBudget_isNoLimit_butCounts() {
    WriteBudget budget = new WriteBudget(0, 100, now);
    budget.wrote(Cause.USER_WRITE, 1_000_000, now);
    assertTrue(budget.allows(Cause.PROMOTION, now));
    assertEquals(Long.MAX_VALUE, budget.leftBytes(now));
    assertEquals(1_000_000, budget.lastDayBytes(Cause.USER_WRITE, now));
    assertEquals(0, budget.lastDayBytes(Cause.PROMOTION, now));
  }

  @Test
  void lastDay_forgetsByTheHour() {
    WriteBudget budget = new WriteBudget(1, 100, now);
    for (int i = 0; i < 30; i++) {
      budget.wrote(Cause.PROMOTION, 10, now);
      hours(1);
    }
    assertEquals(230, budget.lastDayBytes(Cause.PROMOTION, now));
    hours(12);
    assertEquals(110, budget.lastDayBytes(Cause.PROMOTION, now));
    hours(1_000);
    assertEquals(0, budget.lastDayBytes(Cause.PROMOTION, now));
  }

  @Test
  void capacityShrinks_soDoesTheBudget() {
    WriteBudget budget = new WriteBudget(1, 24_000, now);
    budget.setCapacity(12_000);
    assertEquals(12_000, budget.leftBytes(now));
    budget.setCapacity(24_000);
    assertEquals(12_000, budget.leftBytes(now));
  }
}
