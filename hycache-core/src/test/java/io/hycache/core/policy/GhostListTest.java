// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static io.hycache.core.policy.CachePolicyContract.block;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.CacheKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GhostListTest {
  @Test
  void trim_smallAndEmptyBlocks_isByTheirNumber_oldestFirst() {
    GhostList ghosts = new GhostList();
    for (int id = 1; id <= 200_000; id++) {
      ghosts.add(block(id), id % 2);
    }
    List<CacheKey> forgotten = new ArrayList<>();
    ghosts.trim(1_000_000, 50_000, forgotten::add);
    assertEquals(150_000, forgotten.size());
    assertEquals(block(1), forgotten.get(0));
    assertEquals(25_000, ghosts.bytes());
    assertFalse(ghosts.has(block(150_000)));
    assertTrue(ghosts.has(block(150_001)));
    assertTrue(ghosts.has(block(200_000)));
  }

  @Test
  void trim_largeBlocks_isByTheirBytes() {
    GhostList ghosts = new GhostList();
    for (int id = 1; id <= 5; id++) {
      ghosts.add(block(id), 100);
    }
    ghosts.trim(250, 1_000);
    assertEquals(200, ghosts.bytes());
    assertFalse(ghosts.has(block(3)));
    assertTrue(ghosts.has(block(4)));
  }
}
