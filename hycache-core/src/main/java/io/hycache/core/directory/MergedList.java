// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import io.hycache.core.directory.Outcome.Row;
import io.hycache.core.directory.Outcome.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The answers of all members to one LIST. It has one outcome, with the last answer or when it is
 * given up; holds no rows afterwards. Thread-safe.
 */
final class MergedList {
  private final int members;
  private final int replicas;

  /** The newest row of each key. */
  private final TreeMap<String, Row> rows = new TreeMap<>();

  /** Where the first answer that was cut off ends; null if none was. */
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
      rows.merge(row.key(), row, (a, b) -> a.version() >= b.version() ? a : b);
    }
    if (answer.more()) {
      String last = answer.rows().get(answer.rows().size() - 1).key();
      end = end == null || last.compareTo(end) < 0 ? last : end;
    }
  }

  private Outcome end() {
    ended = true;
    int silent = members - answered;
    if (silent >= replicas) {
      rows.clear();
      String text = silent + " of " + members + " nodes gave no answer";
      return Outcome.failed(Status.UNKNOWN, text);
    }
    List<Row> out = new ArrayList<>((end == null ? rows : rows.headMap(end, true)).values());
    rows.clear();
    return Outcome.listed(out, end != null);
  }
}
