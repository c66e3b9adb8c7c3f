// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.Outcome.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MergedListTest {
  private static final int MEMBERS = 100;

  /** What each member holds, by key. */
  private final List<TreeMap<String, Row>> held = new ArrayList<>();

  private final Random random = new Random(1);

  MergedListTest() {
    for (int member = 0; member < MEMBERS; member++) {
      held.add(new TreeMap<>());
    }
  }

  private void hold(int member, String key, long version, int valueBytes) {
    Row row = new Row(key, version, new byte[valueBytes]);
    held.get(member).put(key, row);
  }

  /** A member's answer, with the limits of one. */
  private static Outcome answer(NavigableMap<String, Row> of, String after) {
    List<Row> rows = new ArrayList<>();
    int bytes = 0;
    for (Row row : of.tailMap(after, false).values()) {
      if (rows.size() >= Operation.MAX_ROWS || bytes >= Operation.MAX_ANSWER_BYTES) {
        return Outcome.listed(rows, true);
      }
      rows.add(row);
      bytes += row.bytes();
    }
    return Outcome.listed(rows, false);
  }

  private Outcome page(String after) {
    MergedList list = new MergedList(MEMBERS, 2);
    List<Integer> order = new ArrayList<>();
    for (int member = 0; member < MEMBERS; member++) {
      order.add(random.nextInt(order.size() + 1), member);
    }
    Outcome page = null;
    for (int member : order) {
      assertNull(page);
      page = list.add(answer(held.get(member), after));
    }
    assertNotNull(page);
    return page;
  }

  /** Reads page by page; expects each row once, in order, and no page beyond the limits. */
  private int pages() {
    List<Row> read = new ArrayList<>();
    int pages = 0;
    boolean more = true;
    while (more) {
      Outcome page = page(read.isEmpty() ? "" : read.get(read.size() - 1).key());
      List<Row> rows = page.rows();
      assertTrue(rows.size() <= Operation.MAX_ROWS, "rows=" + rows.size());
      int bytes = rows.stream().limit(Math.max(0, rows.size() - 1)).mapToInt(Row::bytes).sum();
      assertTrue(bytes < Operation.MAX_ANSWER_BYTES, "bytes=" + bytes);
      assertFalse(rows.isEmpty());
      read.addAll(rows);
      more = page.more();
      pages++;
    }
    assertTrue(texts(all()).equals(texts(read)), () -> "read=" + read.size());
    return pages;
  }

  /** What all hold, the newest row of each key. */
  private List<Row> all() {
    TreeMap<String, Row> newest = new TreeMap<>();
    for (TreeMap<String, Row> one : held) {
      one.forEach(
          (key, row) -> newest.merge(key, row, (a, b) -> a.version() < b.version() ? b : a));
    }
    return List.copyOf(newest.values());
  }

  private static List<String> texts(Collection<Row> rows) {
    return rows.stream().map(row -> row.key() + '@' + row.version()).collect(Collectors.toList());
  }

  @Test
  void pages_manyFullAnswers_haveTheLimitsOfOneAnswerAndEachRowOnce() {
    for (int member = 0; member < MEMBERS; member++) {
      for (int i = 0; i < Operation.MAX_ROWS; i++) {
        hold(member, String.format("%06d", random.nextInt(60_000)), random.nextInt(9), 8);
      }
    }
    assertTrue(page("").more());
    int expected = all().size() / Operation.MAX_ROWS;
    int pages = pages();
    assertTrue(pages >= expected && pages <= 2 * expected, "pages=" + pages);
  }

  @Test
  void pages_longRows_haveTheBytesOfOneAnswerAndEachRowOnce() {
    for (int i = 0; i < 1000; i++) {
      String key = String.format("%06d", i);
      hold(random.nextInt(MEMBERS), key, 1, random.nextInt(Operation.MAX_VALUE_BYTES));
      hold(random.nextInt(MEMBERS), key, 2, random.nextInt(Operation.MAX_VALUE_BYTES));
    }
    pages();
  }

  @Test
  void page_oneAnswerIsCutOff_endsThereAndTheOthersGoOn() {
    hold(0, "a", 1, 1);
    hold(0, "d", 1, 1);
    hold(1, "b", 1, 1);
    hold(1, "c", 1, 1);
    MergedList list = new MergedList(2, 1);
    assertNull(list.add(answer(held.get(0), "")));
    Row first = held.get(1).firstEntry().getValue();
    Outcome page = list.add(Outcome.listed(List.of(first), true));
    assertNotNull(page);
    assertTrue(page.more());
    assertEquals(List.of("a@1", "b@1"), texts(page.rows()));
  }
}
