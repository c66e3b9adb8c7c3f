// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.core.hint.AuditLine;
import io.hycache.core.hint.RecurringReads;
import io.hycache.core.hint.RecurringWorkflow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Learns from the lines of an audit log, and finds the beginnings of runs of what it has learned.
 * Time is that of the lines. Not thread-safe; O(workflows of all users) for each open.
 */
final class RunWatch {
  /** Time between two times of learning. */
  private static final long LEARN_MILLIS = TimeUnit.MINUTES.toMillis(10);

  /** Notified of the beginning of a run. */
  interface Listener {
    void begins(RecurringWorkflow workflow, long timeMillis);
  }

  private final RecurringReads reads = new RecurringReads();
  private final int minRuns;
  private final double minConfidence;
  private final Listener listener;
  private List<RecurringWorkflow> learned = List.of();
  private long learnedMillis = Long.MIN_VALUE;

  /** When a run of a workflow began last, by name. */
  private final Map<String, Long> begun = new HashMap<>();

  private boolean live;

  RunWatch(int minRuns, double minConfidence, Listener listener) {
    this.minRuns = minRuns;
    this.minConfidence = minConfidence;
    this.listener = listener;
  }

  /** Learns from what was passed so far; runs that begin from now on are reported. */
  void goLive() {
    live = true;
    learn();
  }

  List<RecurringWorkflow> learned() {
    return learned;
  }

  private void learn() {
    learned = reads.learn(minRuns);
    learned.removeIf(workflow -> workflow.confidence() < minConfidence);
  }

  /** Takes a line of the log; lines of other kinds are passed over. */
  void line(String text) {
    AuditLine operation = AuditLine.of(text);
    String user = operation == null || !operation.isAllowed() ? null : operation.user();
    if (operation == null || user == null) {
      return;
    }
    long now = operation.timeMillis();
    if (live && now - learnedMillis >= LEARN_MILLIS) {
      learnedMillis = now;
      learn();
    }
    if (operation.command().equals("open")) {
      if (live) {
        look(now, user, operation.source());
      }
      reads.opened(now, user, operation.job(), operation.source());
    } else if (operation.command().equals("create")) {
      reads.created(now, user, operation.source());
    }
  }

  private void look(long now, String user, String path) {
    for (RecurringWorkflow workflow : learned) {
      if (workflow.begins(now, user, path)) {
        Long last = begun.get(workflow.name());
        if (last == null || now - last > workflow.period().toMillis() / 2) {
          begun.put(workflow.name(), now);
          listener.begins(workflow, now);
        }
        return;
      }
    }
  }
}
