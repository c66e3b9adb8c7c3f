// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DirectoryUseTest {
  private static final DatedPath DIRECTORY = DatedPath.of("/logs");

  private final DirectoryUse use = new DirectoryUse();

  private void open(int night, String file, int times) {
    for (int i = 0; i < times; i++) {
      use.opened(DirectoryUse.GAP_MILLIS * 10 * night + i, null, DIRECTORY, file);
    }
  }

  @Test
  void occurrenceThatIsOver_keepsHowOftenFilesWereRead_withoutTheirNames() {
    for (int night = 0; night < 3; night++) {
      open(night, "/logs/a", 4 + night);
      open(night, "/logs/b", 2 + night);
    }
    assertEquals(3, use.occurrences().get(0).times());
    assertEquals(4, use.occurrences().get(1).times());
    assertEquals(5, use.last().times());
    assertEquals(Set.of(), use.occurrences().get(0).files);
    assertEquals(Set.of(), use.occurrences().get(1).files);
    assertEquals(Set.of("/logs/a", "/logs/b"), use.last().files);
  }

  @Test
  void lastOccurrence_endsOnceNoReadCanBelongToIt() {
    open(0, "/logs/a", 3);
    assertFalse(use.endIfOver(use.last().endMillis + DirectoryUse.GAP_MILLIS - 1));
    assertEquals(Set.of("/logs/a"), use.last().files);
    assertTrue(use.endIfOver(use.last().endMillis + DirectoryUse.GAP_MILLIS));
    assertEquals(Set.of(), use.last().files);
    open(0, "/logs/late", 1);
    assertTrue(use.endIfOver(use.last().endMillis + DirectoryUse.GAP_MILLIS));
    open(1, "/logs/a", 1);
    assertEquals(3, use.occurrences().get(0).times());
    assertEquals(1, use.last().times());
  }

  @Test
  void filesBeyondTheLimit_areNoReadsOfTheOthers() {
    for (int file = 0; file < 3 * DirectoryUse.MAX_FILES; file++) {
      open(0, "/logs/" + file, 1);
    }
    assertEquals(1, use.last().times());
    open(0, "/logs/0", 1);
    assertEquals(DirectoryUse.MAX_FILES, use.last().files.size());
  }

  /** A job that scans a table of many partitions each hour. */
  @Test
  void manyDates_aLimitedNumberIsKept_andOnceForOccurrencesWithTheSame() {
    for (int run = 0; run < 3; run++) {
      for (int ago = 0; ago < 10 * DirectoryUse.MAX_DATES; ago++) {
        DatedPath directory = DatedPath.of("/t/" + LocalDate.of(2026, 11, 1).minusDays(ago));
        use.opened(2L * run * DirectoryUse.GAP_MILLIS, null, directory, "/t/" + ago);
      }
    }
    Set<List<Integer>> dates = use.occurrences().get(0).offsets;
    assertEquals(DirectoryUse.MAX_DATES, dates.size());
    assertSame(dates, use.occurrences().get(1).offsets);
    assertEquals(dates.size(), use.last().offsets.size());
  }
}
