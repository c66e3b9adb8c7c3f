// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.google.common.collect.ImmutableList;
import io.hycache.core.policy.NextUseIndex.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UseHeapTest {
  private static final Comparator<Entry> NEAREST_FIRST =
      Comparator.<Entry>comparingLong(e -> e.nextUse)
          .thenComparing(e -> e.firstSeen, Comparator.reverseOrder());

  @ParameterizedTest
  @CsvSource({"true,1", "false,1", "true,2", "false,2"})
  void anyOperations_sameOrderAsATree(boolean farthestFirst, long seed) {
    Random random = new Random(seed);
    UseHeap heap = new UseHeap(farthestFirst);
    TreeSet<Entry> model = new TreeSet<>(farthestFirst ? NEAREST_FIRST.reversed() : NEAREST_FIRST);
    List<Entry> inside = new ArrayList<>();
    assertNull(heap.first());
    for (int step = 0; step < 20_000; step++) {
      int choice = random.nextInt(10);
      // Few distinct times, so that many are equal; some are NEVER.
      long time = random.nextInt(8) == 0 ? KnownBlock.NEVER : random.nextInt(50);
      if (inside.isEmpty() || choice < 4) {
        Entry added = new Entry(CachePolicyContract.block(step), step);
        added.nextUse = time;
        heap.add(added);
        model.add(added);
        inside.add(added);
      } else if (choice < 7) {
        Entry gone = inside.remove(random.nextInt(inside.size()));
        heap.remove(gone);
        model.remove(gone);
      } else {
        Entry moved = inside.get(random.nextInt(inside.size()));
        model.remove(moved);
        moved.nextUse = time;
        model.add(moved);
        heap.moved(moved);
      }
      assertEquals(model.isEmpty() ? null : model.first(), heap.first());
      assertEquals(model.isEmpty(), heap.isEmpty());
      if (step % 101 == 0) {
        assertEquals(ImmutableList.copyOf(model), ImmutableList.copyOf(heap));
      }
    }
    assertEquals(ImmutableList.copyOf(model), ImmutableList.copyOf(heap));
  }
}
