// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CacheKeyTest {
  private final CacheKey plain = new CacheKey("BP-1", 7);
  private final BlockKey block = new BlockKey("BP-1", 7);

  @Test
  void equals_sameNamespaceAndNumber_whateverTheClass() {
    assertEquals(plain, block);
    assertEquals(block, plain);
    assertEquals(plain.hashCode(), block.hashCode());
    assertEquals(plain.idHash(), block.idHash());
    assertNotEquals(plain, new BlockKey("BP-1", 8));
    assertNotEquals(block, new CacheKey("BP-2", 7));
  }

  @Test
  void maps_findAKeyByOneOfTheOtherClass() {
    Map<CacheKey, String> map = new HashMap<>();
    map.put(plain, "plain");
    map.put(block, "block");
    assertEquals(Map.of(plain, "block"), map);
    assertEquals("block", map.get(new CacheKey("BP-1", 7)));
  }

  @Test
  void blockKeyOf_keepsABlockKey_andMakesOneOfAnother() {
    assertSame(block, BlockKey.of(block));
    assertEquals(plain, BlockKey.of(plain));
    assertEquals("BP-1", BlockKey.of(plain).pool());
  }
}
