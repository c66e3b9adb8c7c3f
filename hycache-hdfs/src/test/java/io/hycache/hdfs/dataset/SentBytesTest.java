// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.junit.jupiter.api.Test;

class SentBytesTest {
  private static final long MB = 1 << 20;

  private static List<Long> all(SentBytes bytes) {
    return List.of(bytes.from, bytes.to, bytes.dataFrom, bytes.dataTo);
  }

  @Test
  void lastOf_16MB_andWhatOfThemCameFromTheCopy() {
    assertEquals(
        List.of(84 * MB, 100 * MB, 84 * MB, 100 * MB),
        all(SentBytes.lastOf(0, 100 * MB, 0, 100 * MB)));
    assertEquals(
        List.of(84 * MB, 100 * MB, 84 * MB, 90 * MB),
        all(SentBytes.lastOf(0, 100 * MB, 0, 90 * MB)));
    assertEquals(
        List.of(95 * MB, 100 * MB, 97 * MB, 98 * MB),
        all(SentBytes.lastOf(95 * MB, 100 * MB, 97 * MB, 98 * MB)));
    assertFalse(SentBytes.lastOf(0, 100 * MB, 0, 50 * MB).hasData());
    assertFalse(SentBytes.lastOf(0, 100 * MB, 100 * MB, 100 * MB).hasData());
  }

  @Test
  void and_containsBoth() {
    SentBytes copy = SentBytes.ofCopy(10, 20);
    assertEquals(List.of(10L, 50L, 10L, 50L), all(copy.and(SentBytes.ofCopy(40, 50))));
    SentBytes disk = SentBytes.lastOf(800, 900, 900, 900);
    assertEquals(List.of(10L, 900L, 10L, 20L), all(copy.and(disk)));
    assertEquals(List.of(10L, 900L, 10L, 20L), all(disk.and(copy)));
    assertFalse(disk.and(disk).hasData());
  }
}
