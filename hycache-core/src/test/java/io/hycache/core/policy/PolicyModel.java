// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A policy as plain lists that are searched and sorted for each answer. */
final class PolicyModel {

  /** A resident with everything that a policy may order by. */
  static final class Row {
    final CacheKey block;
    final int admitted;
    long size;
    int used;
    int reads;
    long references;

    /** For the heuristic policy: breaks ties in cost. */
    int turn;

    Row(CacheKey block, int admitted) {
      this.block = block;
      this.admitted = admitted;
      this.used = admitted;
      this.turn = admitted;
    }

    long cost() {
      return references * size;
    }
  }

  static final Comparator<Row> LRU = Comparator.comparingInt(r -> r.used);
  static final Comparator<Row> LFU =
      Comparator.<Row>comparingInt(r -> r.reads).thenComparingInt(r -> r.used);
  static final Comparator<Row> HEURISTIC =
      Comparator.<Row>comparingLong(Row::cost).thenComparingInt(r -> r.turn);
  static final Comparator<Row> FIFO = Comparator.comparingInt(r -> r.admitted);

  private final Comparator<Row> order;
  private final boolean takesHints;
  private final List<Row> rows = new ArrayList<>();
  private final Map<CacheKey, Long> references = new HashMap<>();

  /** When a block was first seen, while it is resident or has references. */
  private final Map<CacheKey, Integer> seen = new HashMap<>();

  private int time;

  /** The resident whose references went down to 0 since the last access. */
  private @Nullable Row lastOneDue;

  PolicyModel(Comparator<Row> order, boolean takesHints) {
    this.order = order;
    this.takesHints = takesHints;
  }

  void onAccess(CacheKey block) {
    Row row = find(block);
    if (row != null) {
      row.used = ++time;
      row.reads++;
      if (row.references == 0 && row != lastOneDue) {
        row.turn = ++time;
      }
    }
    lastOneDue = null;
  }

  void onAdmitted(CacheKey block, long size) {
    Row row = find(block);
    if (row == null) {
      row = new Row(block, ++time);
      row.references = references.getOrDefault(block, 0L);
      row.turn = seen.computeIfAbsent(block, b -> ++time);
      rows.add(row);
    }
    row.size = size;
  }

  void onRemoved(CacheKey block) {
    rows.removeIf(row -> row.block.equals(block));
    forgetIfIdle(block);
  }

  void onReferences(CacheKey block, long remaining) {
    references.put(block, remaining);
    Row row = find(block);
    if (row == null && remaining > 0) {
      seen.computeIfAbsent(block, b -> ++time);
    }
    if (row != null) {
      row.references = remaining;
      row.turn = seen.getOrDefault(block, row.admitted);
      if (remaining == 0) {
        lastOneDue = row;
      } else if (lastOneDue == row) {
        lastOneDue = null;
      }
    }
    forgetIfIdle(block);
  }

  private void forgetIfIdle(CacheKey block) {
    if (find(block) == null && references.getOrDefault(block, 0L) == 0) {
      seen.remove(block);
    }
  }

  Decision decide(Candidate candidate, long free, long capacity) {
    if (!takesHints && candidate.trigger() == Candidate.Trigger.HINT) {
      return Decision.bypass(Reason.HINTS_NOT_USED);
    }
    if (find(candidate.key()) != null) {
      return Decision.bypass(Reason.ON_SSD_CLEAN);
    }
    if (candidate.sizeBytes() > capacity) {
      return Decision.bypass(Reason.TOO_LARGE);
    }
    if (takesHints && candidate.referencesAfterFetch() == 0) {
      return Decision.bypass(Reason.NO_LATER_REFERENCE);
    }
    long gain = candidate.referencesAfterFetch() * candidate.sizeBytes();
    long costs = 0;
    long room = free;
    List<CacheKey> victims = new ArrayList<>();
    for (Row row : sorted()) {
      if (room >= candidate.sizeBytes()) {
        break;
      }
      costs += row.cost();
      if (takesHints && costs >= gain) {
        return Decision.bypass(Reason.COST_NOT_BELOW_GAIN);
      }
      victims.add(row.block);
      room += row.size;
    }
    return room >= candidate.sizeBytes()
        ? Decision.admit(victims)
        : Decision.bypass(Reason.NO_ROOM);
  }

  List<CacheKey> evictionOrder() {
    return sorted().stream().map(row -> row.block).collect(Collectors.toList());
  }

  private List<Row> sorted() {
    return rows.stream().sorted(order).collect(Collectors.toList());
  }

  private @Nullable Row find(CacheKey block) {
    return rows.stream().filter(row -> row.block.equals(block)).findFirst().orElse(null);
  }
}
