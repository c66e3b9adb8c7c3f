// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.hycache.core.model.CacheKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockMapTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void anyOperations_sameAsAHashMap(long seed) {
    Random random = new Random(seed);
    BlockMap<Resident> map = new BlockMap<>();
    Map<CacheKey, Resident> model = new HashMap<>();
    for (int step = 0; step < 50_000; step++) {
      // Few ids, so that there are long probe sequences with removals in the middle.
      CacheKey block =
          new CacheKey(random.nextBoolean() ? "a" : "b", random.nextInt(1 + step / 100));
      if (random.nextInt(3) > 0 && !model.containsKey(block)) {
        Resident added = new Resident(block, step);
        map.add(added);
        model.put(block, added);
      } else if (random.nextBoolean()) {
        assertSame(model.remove(block), map.remove(block));
      }
      assertSame(model.get(block), map.get(new CacheKey(block.namespace(), block.id())));
      assertEquals(model.size(), map.size());
    }
    Set<Resident> all = new HashSet<>();
    map.forEach(all::add);
    assertEquals(new HashSet<>(model.values()), all);
    model.forEach((block, value) -> assertSame(value, map.get(block)));
  }

  @Test
  void removed_isNotFoundThoughItWasFoundLast() {
    BlockMap<Resident> map = new BlockMap<>();
    CacheKey block = CachePolicyContract.block(1);
    map.add(new Resident(block, 1));
    map.get(block);
    map.remove(block);

    assertNull(map.get(block));
    assertNull(map.remove(block));
  }

  @Test
  void equalIdsInManyPools_areDistinguished() {
    BlockMap<Resident> map = new BlockMap<>();
    for (int pool = 0; pool < 50; pool++) {
      map.add(new Resident(new CacheKey("pool" + pool, 7), pool));
    }
    map.remove(new CacheKey("pool3", 7));

    assertNull(map.get(new CacheKey("pool3", 7)));
    Resident last = map.get(new CacheKey("pool49", 7));
    assertEquals(49, last == null ? -1 : last.sizeBytes);
    assertEquals(49, map.size());
  }
}
