// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.dataset.Suspects.Suspect;
import org.junit.jupiter.api.Test;

class SuspectsTest {
  private static Suspect of(long from, long to, boolean rangeOnly, boolean hungUp) {
    return new Suspect(new BlockKey("BP-1", 7), from, to, rangeOnly, hungUp);
  }

  @Test
  void union_coversBothRanges_andWhatEitherAsksFor() {
    Suspect both = of(10, 20, true, false).and(of(40, 50, false, true));
    assertEquals(10, both.from);
    assertEquals(50, both.to);
    assertFalse(both.rangeOnly);
    assertTrue(both.hungUp);
  }

  /** Clients that were sent data of the replica only, wherever their streams ended. */
  @Test
  void union_withOneOfNoData_hasTheOthersRange() {
    Suspect none = of(900, 900, true, true);
    assertTrue(none.isOfNoData());
    for (Suspect both :
        new Suspect[] {none.and(of(10, 20, true, false)), of(10, 20, true, false).and(none)}) {
      assertEquals(10, both.from);
      assertEquals(20, both.to);
      assertTrue(both.hungUp);
    }
    assertTrue(none.and(of(100, 100, true, true)).isOfNoData());
  }
}
