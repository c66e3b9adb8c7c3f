// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns, names and traces of them, on the heap and in a file. */
class ColumnTest {

  @ParameterizedTest
  @ValueSource(longs = {0, 6 << 20, Long.MAX_VALUE})
  void addAndSet_anyPlace_holdsWhatWasPut(long heapBytes) {
    Spill spill = new Spill(heapBytes);
    Column ints = Column.ofInts(spill);
    Column longs = Column.ofLongs(spill);
    int length = (1 << 21) + 7;
    for (int i = 0; i < length; i++) {
      ints.add(i ^ 5);
      longs.add(((long) i << 20));
    }
    Column zeros = Column.ofInts(spill, length);
    for (int i = 0; i < length; i += 3) {
      longs.set(i, -i);
      zeros.set(i, i);
    }

    assertEquals(length, ints.length());
    assertEquals(length, zeros.length());
    long wrong = 0;
    for (int i = 0; i < length; i++) {
      wrong += ints.getInt(i) == (i ^ 5) && ints.get(i) == (i ^ 5) ? 0 : 1;
      wrong += longs.get(i) == (i % 3 == 0 ? -i : ((long) i << 20)) ? 0 : 1;
      wrong += zeros.get(i) == (i % 3 == 0 ? i : 0) ? 0 : 1;
    }
    assertEquals(0, wrong);
    assertEquals(heapBytes == Long.MAX_VALUE, spill.fileBytes() == 0);
  }

  @Test
  void number_manyNames_asAMapDoes() {
    NameTable names = new NameTable();
    Map<String, Integer> wanted = new HashMap<>();
    Random random = new Random(5);
    for (int i = 0; i < 100_000; i++) {
      String name = "n" + random.nextInt(20_000);
      int number = wanted.computeIfAbsent(name, n -> wanted.size());
      assertEquals(number, names.number(name), name);
    }
    assertEquals(wanted.size(), names.size());
  }

  @Test
  void trace_onHeapAndInAFile_isTheSame() {
    for (int seed = 0; seed < 50; seed++) {
      Trace.Builder onHeap = new Trace.Builder("t", new Spill(Long.MAX_VALUE));
      Trace.Builder inFile = new Trace.Builder("t", new Spill(0));
      Random random = new Random(seed);
      boolean timed = random.nextBoolean();
      List<long[]> wanted = new ArrayList<>();
      int[] sizes = random.ints(10, 1, random.nextBoolean() ? 2 : 100).toArray();
      for (int i = 0; i < 200; i++) {
        int object = random.nextInt(10);
        sizes[object] += random.nextInt(50) == 0 ? 1 : 0;
        long request = seed % 3 == 0 ? sizes[object] : random.nextInt(sizes[object] + 1);
        long time = timed ? 1000L * i : -1;
        boolean write = random.nextInt(4) == 0;
        for (Trace.Builder each : List.of(onHeap, inFile)) {
          each.add("o" + object, sizes[object], write, request, null, time, false);
        }
        wanted.add(new long[] {object, sizes[object], write ? 1 : 0, request, Math.max(0, time)});
      }
      Map<Long, Integer> numbers = new HashMap<>();
      for (Trace trace : List.of(onHeap.build(), inFile.build())) {
        assertEquals(timed, trace.hasTimes());
        Column next = trace.nextUses();
        for (int at = 0; at < wanted.size(); at++) {
          long[] row = wanted.get(at);
          String where = "seed=" + seed + " at=" + at;
          int number = numbers.computeIfAbsent(row[0], o -> numbers.size());
          assertEquals(number, trace.object(at), where);
          assertEquals(row[1], trace.sizeBytes(at), where);
          assertEquals(row[2] == 1, trace.isWrite(at), where);
          assertEquals(row[3], trace.requestBytes(at), where);
          assertEquals(row[4], trace.timeMillis(at), where);
          int later = at + 1;
          while (later < wanted.size() && wanted.get(later)[0] != row[0]) {
            later++;
          }
          assertEquals(later, next.get(at), where);
        }
        assertNull(trace.classOf(0));
      }
      assertTrue(inFile.build().fileBytes() > 0);
    }
  }
}
