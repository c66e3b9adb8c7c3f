// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class RecentCreatesTest {
  private static final DatedPath ONE = DatedPath.of("/one");
  private static final DatedPath TWO = DatedPath.of("/two");
  private static final DatedPath THREE = DatedPath.of("/three");

  private final RecentCreates creates = new RecentCreates(2);

  @Test
  void createsThatAreOld_areDropped() {
    creates.add(0, "etl", ONE);
    assertSame(ONE, creates.find(RecentCreates.RECENT_MILLIS - 1, "etl", "/one"));
    assertNull(creates.find(RecentCreates.RECENT_MILLIS, "etl", "/one"));
    assertNull(creates.find(0, "bob", "/one"));
    creates.add(RecentCreates.RECENT_MILLIS, "etl", TWO);
    assertEquals(1, creates.size());
  }

  @Test
  void beyondTheLimit_theOldestIsDropped() {
    creates.add(0, "etl", ONE);
    creates.add(1, "etl", TWO);
    creates.add(2, "etl", ONE);
    creates.add(3, "etl", THREE);
    assertEquals(2, creates.size());
    assertNull(creates.find(3, "etl", "/two"));
    assertSame(ONE, creates.find(3, "etl", "/one"));
    assertSame(THREE, creates.find(3, "etl", "/three"));
  }
}
