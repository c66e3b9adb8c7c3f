// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import io.hycache.core.directory.Outcome.Row;
import io.hycache.core.directory.Outcome.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The answers of all members to one LIST. It has one outcome, with the last answer or when it is
 * given up; holds no rows afterwards. Its limits are those of one answer ({@link
 * Operation#MAX_ROWS}, {@link Operation#MAX_ANSWER_BYTES}): what is beyond them is dropped at once
 * and belongs to the next page, so that many members take no more memory than one. Thread-safe.
 */
final class MergedList {
  private final int members;
  private final int replicas;

  /** The newest row of each key. */
  private final TreeMap<String, Row> rows = new TreeMap<>();

  private long bytes;

  /** The last key of the outcome; null if no answer was cut off and all rows had room. */
  private @Nullable String end;

  private int answered;
  private int failed;
  private boolean ended;

  MergedList(int members, int replicas) {
    this.members = members;
    this.replicas = replicas;
  }

  /**
   * Adds a member's answer.
   *
   * @param answer null if the call failed
   * @return the outcome if this is the last answer
   */
  synchronized @Nullable Outcome add(@Nullable Outcome answer) {
    if (ended) {
      return null;
    }
    if (answer != null && answer.isOk() && !(answer.more() && answer.rows().isEmpty())) {
      answered++;
      merge(answer);
    } else {
      failed++;
    }
    return answered + failed == members ? end() : null;
  }

  /** Returns the outcome without the answers that are missing; null if there was an outcome. */
  synchronized @Nullable Outcome giveUp() {
    return ended ? null : end();
  }

  synchronized boolean hasEnded() {
    return ended;
  }

  private void merge(Outcome answer) {
    for (Row row : answer.rows()) {
      if (end == null || row.key().compareTo(end) <= 0) {
        put(row);
      }
    }
    if (answer.more()) {
      cutAfter(answer.rows().get(answer.rows().size() - 1).key());
    }
    while (isTooLong()) {
      removeLast();
      end = rows.lastKey();
    }
  }

  private void put(Row row) {
    Row known = rows.get(row.key());
    if (known == null || known.version() < row.version()) {
      rows.put(row.key(), row);
      bytes += row.bytes() - (known == null ? 0 : known.bytes());
    }
  }

  private void cutAfter(String last) {
    if (end == null || last.compareTo(end) < 0) {
      end = last;
    }
    while (!rows.isEmpty() && rows.lastKey().compareTo(end) > 0) {
      removeLast();
    }
  }

  /** As in one answer, the row that reaches the size is the last one. */
  private boolean isTooLong() {
    return rows.size() > Operation.MAX_ROWS
        || (rows.size() > 1
            && bytes - rows.lastEntry().getValue().bytes() >= Operation.MAX_ANSWER_BYTES);
  }

  private void removeLast() {
    Map.Entry<String, Row> last = rows.pollLastEntry();
    bytes -= last == null ? 0 : last.getValue().bytes();
  }

  private Outcome end() {
    ended = true;
    int silent = members - answered;
    if (silent >= replicas) {
      rows.clear();
      String text = silent + " of " + members + " nodes gave no answer";
      return Outcome.failed(Status.UNKNOWN, text);
    }
    List<Row> out = new ArrayList<>(rows.values());
    rows.clear();
    return Outcome.listed(out, end != null);
  }
}
