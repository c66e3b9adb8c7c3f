// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.core.hint.AuditLine;
import io.hycache.core.hint.LogLines;
import io.hycache.core.hint.RecurringReads;
import io.hycache.core.hint.RecurringWorkflow;
import io.hycache.core.hint.RunStarts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Learns from the lines of an audit log, and finds the beginnings of runs of what it has learned.
 * Time is that of the lines. Not thread-safe; O(length) for each line, besides {@link #learn} and
 * {@link OwnLookUps}.
 */
final class RunWatch {
  /** Time between two times of learning. */
  private static final long LEARN_MILLIS = TimeUnit.MINUTES.toMillis(10);

  /** Notified of the beginning of a run. */
  interface Listener {
    /** Returns the paths, as a manifest has them, whose files it has looked up. */
    Collection<String> begins(RecurringWorkflow workflow, long timeMillis);
  }

  private final RecurringReads reads = new RecurringReads();
  private final @Nullable String only;
  private final int minRuns;
  private final double minConfidence;
  private final Listener listener;
  private List<RecurringWorkflow> learned = List.of();
  private RunStarts starts = new RunStarts(List.of());

  /** Time of the line before which was learned last; 0 before the first live line. */
  private long learnedMillis;

  /** Null if nothing is looked up, or if the log names what is. */
  private @Nullable OwnLookUps lookUps;

  /** When a run of a workflow began last, by {@link #key}. */
  private final Map<String, Long> begun = new HashMap<>();

  private long used;
  private boolean live;
  private boolean warned;

  /**
   * @param only the user whose operations are used; null: those of all
   * @param minRuns runs that must have been seen, &gt;= 2
   * @param minConfidence least {@link RecurringWorkflow#confidence}
   * @param self the user as whom the listener looks up files; null: it does not
   */
  RunWatch(
      @Nullable String only,
      int minRuns,
      double minConfidence,
      @Nullable String self,
      Listener listener) {
    this.lookUps = self == null ? null : new OwnLookUps(self);
    this.only = only;
    this.minRuns = minRuns;
    this.minConfidence = minConfidence;
    this.listener = listener;
  }

  /** Learns from what was passed so far; runs that begin from now on are reported. */
  void goLive() {
    live = true;
    learn();
  }

  /** Returns what the last {@link #learn} found. */
  List<RecurringWorkflow> learned() {
    return learned;
  }

  /** Returns the number of operations that were used. */
  long used() {
    return used;
  }

  /** Warns, the first time, if operations were left out because there are too many directories. */
  void warnOfLeftOut(Consumer<String> warnings) {
    if (!warned && reads.leftOut() > 0) {
      warned = true;
      warnings.accept(
          Text.plural(reads.leftOut(), "operation") + " left out: too many directories");
    }
  }

  /** Learns from what was passed so far. */
  void learn() {
    learned = reads.learn(minRuns);
    learned.removeIf(workflow -> workflow.confidence() < minConfidence);
    starts = new RunStarts(learned);
  }

  /**
   * Sorts logs by the time of their first operation, whatever their names: log4j's {@code .1} is
   * the newest of those that are numbered. Those without an operation come last. If one is no
   * regular file, such as a pipe, which can be read only once, all stay in the order given.
   *
   * @throws IOException if one cannot be opened; its name is in the message
   */
  static List<Path> inOrder(List<String> names) throws IOException {
    List<Path> logs = new ArrayList<>();
    names.forEach(name -> logs.add(Path.of(name)));
    if (logs.size() < 2 || !logs.stream().allMatch(Files::isRegularFile)) {
      return logs;
    }
    Map<Path, Long> firstMillis = new HashMap<>();
    for (Path log : logs) {
      firstMillis.put(log, firstMillis(log));
    }
    logs.sort(Comparator.comparingLong(log -> firstMillis.getOrDefault(log, Long.MAX_VALUE)));
    return logs;
  }

  /** The time of the first operation; {@link Long#MAX_VALUE} if there is none. */
  private static long firstMillis(Path log) throws IOException {
    try (LogLines lines = LogLines.open(log, GrowingLog.MAX_LINE_BYTES)) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        AuditLine operation = AuditLine.of(line);
        if (operation != null && operation.timeMillis() >= 0) {
          return operation.timeMillis();
        }
      }
    }
    return Long.MAX_VALUE;
  }

  /**
   * Reads a whole log, packed or not; one that cannot be read to its end as far as it goes. Lines
   * that {@link GrowingLog} leaves out are left out.
   *
   * @param warnings receives what the user is to be warned of
   * @throws IOException if it cannot be opened; its name is in the message
   */
  void read(Path log, Consumer<String> warnings) throws IOException {
    try (LogLines lines = LogLines.open(log, GrowingLog.MAX_LINE_BYTES)) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        if (!lines.isCut()) {
          line(line);
        }
      }
      IOException failure = lines.failure();
      if (failure != null) {
        warnings.accept(
            log + ": read as far as line " + lines.number() + ", not to its end (" + failure + ")");
      }
    }
  }

  /** Takes a line of the log; lines of other kinds are passed over. */
  void line(String text) {
    AuditLine operation = AuditLine.of(text);
    String user = operation == null || !operation.isAllowed() ? null : operation.user();
    if (operation == null || user == null || (only != null && !only.equals(user))) {
      return;
    }
    if (operation.isLookUp()) {
      lookUps = null;
      return;
    }
    if (lookUps != null && lookUps.remove(operation)) {
      return;
    }
    long now = operation.timeMillis();
    if (live && now - learnedMillis >= LEARN_MILLIS) {
      learnedMillis = now;
      reads.reaches(now);
      learn();
    }
    if (live && operation.command().equals("open")) {
      look(now, user, operation.source());
    }
    used += reads.add(operation) ? 1 : 0;
  }

  /** What a workflow is known by: names are those of one user. */
  static String key(RecurringWorkflow workflow) {
    return workflow.user() + '\n' + workflow.name();
  }

  private void look(long now, String user, String path) {
    RecurringWorkflow workflow = starts.find(now, user, path);
    if (workflow == null) {
      return;
    }
    String key = key(workflow);
    Long last = begun.get(key);
    if (last == null || now - last > workflow.period().toMillis() / 2) {
      begun.put(key, now);
      Collection<String> paths = listener.begins(workflow, now);
      if (lookUps != null) {
        lookUps.add(paths, now);
      }
    }
  }
}
