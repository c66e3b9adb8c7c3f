// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.CacheKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecencyTableTest {
  private static final String[] POOLS = {"", "pool1", "pool2"};

  private static Map<CacheKey, Long> all(RecencyTable table) {
    Map<CacheKey, Long> all = new LinkedHashMap<>();
    for (ReadFetchPolicy.Order order = table.order(); order.next(); ) {
      all.put(order.key(), order.sizeBytes());
    }
    return all;
  }

  private static void assertSame(Map<CacheKey, Long> model, RecencyTable table) {
    assertEquals(new ArrayList<>(model.entrySet()), new ArrayList<>(all(table).entrySet()));
    assertEquals(model.size(), table.size());
  }

  /** Few ids in few pools, so that blocks repeat and hash codes collide. */
  private static CacheKey draw(Random random, int ids) {
    return new CacheKey(POOLS[random.nextInt(POOLS.length)], random.nextInt(ids));
  }

  @Test
  void anySteps_sameAsTheModel() {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      int ids = 1 << (1 + seed % 10);
      RecencyTable table = new RecencyTable();
      Map<CacheKey, Long> model = new LinkedHashMap<>();
      for (int step = 0; step < 20_000; step++) {
        CacheKey block = draw(random, ids);
        int row = table.find(block);
        Long size = model.get(block);
        assertEquals(size != null, row != RecencyTable.ABSENT);
        int choice = random.nextInt(10);
        if (size == null) {
          if (choice < 8) {
            table.add(block, step);
            model.put(block, (long) step);
          }
        } else if (choice < 4) {
          table.use(row);
          model.remove(block);
          model.put(block, size);
        } else if (choice < 8) {
          table.remove(row);
          model.remove(block);
        } else {
          table.setSizeBytes(row, step);
          model.put(block, (long) step);
        }
        assertEquals(model.size(), table.size());
        if (step % 97 == 0) {
          assertSame(model, table);
        }
      }
      assertSame(model, table);
    }
  }

  @Test
  void soonFirst_returnsEachBlockOnceInOrder() {
    RecencyTable table = new RecencyTable();
    List<CacheKey> blocks = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      CacheKey added = CachePolicyContract.block(i);
      table.add(added, 1);
      blocks.add(added);
    }
    CacheKey[] into = new CacheKey[Replay.AHEAD];

    assertEquals(10, table.soonFirst(into, 10));
    assertEquals(blocks.subList(0, 10), Arrays.asList(into).subList(0, 10));
    assertEquals(10, table.soonFirst(into, 10));
    assertEquals(blocks.subList(10, 20), Arrays.asList(into).subList(0, 10));
    assertEquals(0, table.soonFirst(into, 10), "none of them has gone");

    Set<CacheKey> seen = new HashSet<>();
    for (ReadFetchPolicy.Order order = table.order(); order.next(); order = table.order()) {
      table.remove(table.find(order.key()));
      int count = table.soonFirst(into, 10);
      for (int i = 0; i < count; i++) {
        assertTrue(seen.add(into[i]), "returned twice: " + into[i]);
      }
    }
    assertEquals(80, seen.size());
  }
}
