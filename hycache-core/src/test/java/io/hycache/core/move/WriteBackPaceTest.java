// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class WriteBackPaceTest {
  private final WriteBackPace pace = new WriteBackPace(1000, 10);

  @Test
  void fill_betweenTheWatermarks() {
    assertEquals(0, WriteBackPace.fill(100, 100, 200));
    assertEquals(0.5, WriteBackPace.fill(150, 100, 200));
    assertEquals(1, WriteBackPace.fill(200, 100, 200));
    assertEquals(1, WriteBackPace.fill(900, 100, 200));
    assertEquals(0, WriteBackPace.fill(100, 100, 100));
    assertEquals(1, WriteBackPace.fill(101, 100, 100));
  }

  @Test
  void inUse_nothingBeginsBelowTheHighWatermark() {
    assertFalse(pace.begins(0.99, true));
    assertTrue(pace.begins(1, true));
    assertEquals(10, pace.bytesPerSec(1, true));
    assertEquals(10, pace.bytesPerSec(0.1, true));
  }

  @Test
  void idle_growsFromAQuarterToAll() {
    assertFalse(pace.begins(0, false));
    assertTrue(pace.begins(0.01, false));
    assertEquals(250, pace.bytesPerSec(0.01, false));
    assertEquals(500, pace.bytesPerSec(0.5, false));
    assertEquals(1000, pace.bytesPerSec(1, false));
    assertEquals(60, new WriteBackPace(100, 60).bytesPerSec(0.1, false));
  }
}
