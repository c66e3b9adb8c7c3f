// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowsTest {

  @Test
  void anyOperations_sameAsAHashMap_withNumbersNoLargerThanNeeded() {
    Random random = new Random(1);
    Rows<String> rows = new Rows<>();
    Map<Integer, String> model = new HashMap<>();
    int most = 0;
    for (int step = 0; step < 20_000; step++) {
      int row = random.nextInt(500);
      if (model.remove(row) != null) {
        rows.remove(row);
      } else {
        assertEquals(null, model.put(rows.add("v" + step), "v" + step));
        most = Math.max(most, model.size());
      }
    }
    int bound = most;
    model.forEach(
        (row, value) -> {
          assertEquals(value, rows.get(row));
          assertTrue(row < bound, row + " of " + bound);
        });
  }

  @Test
  void removed_isNotFound() {
    Rows<String> rows = new Rows<>();
    int row = rows.add("a");
    rows.remove(row);

    IllegalStateException e = assertThrows(IllegalStateException.class, () -> rows.get(row));
    assertEquals("expected a value, found none: row=0", e.getMessage());
  }
}
