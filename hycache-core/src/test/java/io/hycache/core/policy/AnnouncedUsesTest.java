// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static io.hycache.core.policy.CachePolicyContract.block;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.policy.NextUseIndex.Entry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What announcements are worth, by what became of earlier ones. */
class AnnouncedUsesTest {
  private final AnnouncedUses uses = new AnnouncedUses();
  private final List<Entry> forgotten = new ArrayList<>();
  private long ids;

  private Entry entry() {
    return new Entry(block(++ids), ids);
  }

  /** A read that uses up the announcement, as a DataNode reports it. */
  private void read(Entry entry, long now) {
    uses.announce(entry, KnownBlock.NEVER, now);
    uses.read(entry.key, entry, true, now);
  }

  @Test
  void kept_trustStays() {
    for (int i = 0; i < 1_000; i++) {
      Entry entry = entry();
      uses.announce(entry, i * 100L + 50, i * 100L);
      read(entry, i * 100L + 50 + i % 3);
      uses.breakOverdue(i * 100L + 99, forgotten::add);
    }
    assertEquals(1, uses.trust(), 0.001);
    assertEquals(List.of(), forgotten);
  }

  @Test
  void neverRead_isForgottenAfterAQuarterOfTheWait_andTrustFalls() {
    Entry entry = entry();
    uses.announce(entry, 1_000, 0);
    uses.breakOverdue(1_200, forgotten::add);
    assertEquals(List.of(), forgotten, "it may still come");

    uses.breakOverdue(1_300, forgotten::add);
    assertEquals(List.of(entry), forgotten);
    assertEquals(KnownBlock.NEVER, entry.announcedAt);
    assertTrue(uses.trust() < 1);
  }

  @Test
  void readLongBeforeTheAnnouncedTime_isBroken() {
    double before = uses.trust();
    Entry entry = entry();
    uses.announce(entry, 1_000, 0);
    read(entry, 100);

    assertTrue(uses.trust() < before, "trust " + uses.trust());
  }

  @Test
  void allBroken_trustFallsToNearlyNothing_andKeptOnesRestoreIt() {
    for (int i = 0; i < 2_000; i++) {
      uses.announce(entry(), i * 10L + 4, i * 10L);
      uses.breakOverdue(i * 10L + 9, forgotten::add);
    }
    assertEquals(2_000, forgotten.size());
    assertEquals(0.001, uses.trust(), 1e-4);
    for (int i = 2_000; i < 2_400; i++) {
      Entry entry = entry();
      uses.announce(entry, i * 10L + 4, i * 10L);
      read(entry, i * 10L + 4);
    }
    assertTrue(uses.trust() > 0.9, "trust " + uses.trust());
  }

  /** Where readers choose among holders that all have the hints, most uses are elsewhere. */
  @Test
  void usedElsewhereInTime_isKept() {
    for (int i = 0; i < 2_000; i++) {
      Entry entry = entry();
      long due = i * 100L + 50;
      uses.announce(entry, due, i * 100L);
      if (i % 5 < 3) {
        uses.announce(entry, KnownBlock.NEVER, due);
        uses.usedWithoutAccess(entry.key, due);
      } else if (i % 5 == 3) {
        read(entry, due);
      }
      uses.read(block(0), null, false, due);
      uses.breakOverdue(i * 100L + 99, forgotten::add);
    }
    assertEquals(400, forgotten.size());
    assertEquals(0.8, uses.trust(), 0.02, "four in five");
  }

  @Test
  void usedElsewhereLongBeforeTheAnnouncedTime_isBroken() {
    Entry entry = entry();
    uses.announce(entry, 1_000, 0);
    uses.announce(entry, KnownBlock.NEVER, 100);
    uses.usedWithoutAccess(entry.key, 100);

    assertTrue(uses.trust() < 1, "trust " + uses.trust());
  }

  @Test
  void hostThatDoesNotWithdraw_readInTimeIsKept() {
    for (int i = 0; i < 500; i++) {
      uses.announce(entry(), i * 10L + 4, i * 10L);
      uses.breakOverdue(i * 10L + 9, forgotten::add);
    }
    double before = uses.trust();
    Entry entry = entry();
    uses.announce(entry, 10_004, 10_000);
    uses.announce(entry(), 10_500, 10_001);
    uses.read(block(0), null, false, 10_002);
    uses.read(entry.key, entry, true, 10_004);

    assertTrue(uses.trust() > before);
    assertEquals(KnownBlock.NEVER, entry.announcedAt);
  }

  @Test
  void rereadsWithoutAnnouncement_countByWhetherTheBlockEverHadOne() {
    Entry hinted = entry();
    Entry other = entry();
    for (int i = 0; i < 500; i++) {
      uses.announce(hinted, i * 10L + 4, i * 10L);
      uses.read(block(0), null, false, i * 10L);
      read(hinted, i * 10L + 4);
      uses.read(other.key, other, true, i * 10L + 5);
    }
    assertEquals(0, uses.surprises(hinted), 0.01, "all of its reads were announced");
    assertEquals(1, uses.surprises(other), 0.01);
  }

  @Test
  void manyReplacedAnnouncements_areNotKeptUntilTheirTime() {
    Entry entry = entry();
    for (int i = 0; i < 100_000; i++) {
      uses.announce(entry, 1L << 40 | i, i);
    }
    assertTrue(uses.pending() < 5_000, "pending " + uses.pending());
  }
}
