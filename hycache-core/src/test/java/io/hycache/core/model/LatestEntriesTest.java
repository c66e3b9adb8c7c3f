// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LatestEntriesTest {
  @Test
  void anEntryMoreThanTheBound_dropsTheOneThatWasNotUsedTheLongest() {
    Map<String, Integer> latest = LatestEntries.map(2);
    latest.put("a", 1);
    latest.put("b", 2);
    latest.put("a", 3);
    latest.put("c", 4);
    assertEquals(Map.of("a", 3, "c", 4), latest);
    assertEquals(3, latest.getOrDefault("a", 0));
    assertEquals(List.of("c", "a"), List.copyOf(latest.keySet()));
  }
}
