// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.hycache.core.hint.WorkflowProgress;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code list --watch}: what became of the hints of each workflow, again and again. Not
 * thread-safe.
 */
final class WorkflowWatch {
  static final String DETAILS =
      "With --watch, in block reads:\n"
          + "  HINTED      that the DataNodes took\n"
          + "  READ        of these, that came; SSD: of these, with the block on SSD\n"
          + "  ON SSD      blocks with reads left that are on SSD now\n"
          + "  LATE        reads that found the block on DISK: before its copy, or without one\n"
          + "  WRONG       promised, and not read when the workflow was over; - until then\n"
          + "  BY          what submitted it: submit, run, watch, auto, openlineage, hive...\n";

  /** Start, two points and end of a longer name where there is little room. */
  private static final int MAX_NAME_CHARS = 24;

  private static final Pattern PLAIN_NAME =
      Pattern.compile("[^\\s=\"]+", Pattern.UNICODE_CHARACTER_CLASS);

  private static final int NAME_END_CHARS = 9;

  private static final String HOME_AND_CLEAR = "\u001b[H\u001b[2J";

  /** Asks the DataNodes. */
  interface Source {
    List<NodeAnswer<List<WorkflowStatus>>> ask() throws IOException;
  }

  /** A workflow on all DataNodes together. */
  private static final class Sum {
    long hinted;
    long read;
    long fromSsd;
    long onSsd;
    long late;
    long wrong;
    boolean known;
    boolean active;
    String by = "";

    void add(WorkflowStatus w) {
      hinted += w.receipt.accepted();
      active |= !w.isOver();
      WorkflowProgress progress = w.progress;
      if (progress == null) {
        read += w.receipt.accepted() - (long) w.left;
        return;
      }
      known = true;
      read += progress.read();
      fromSsd += progress.fromSsd;
      onSsd += progress.onSsd;
      late += progress.fromDisk;
      wrong += w.isOver() ? w.left : 0;
      by = by.isEmpty() ? progress.by : by;
    }

    /** A figure that older DataNodes do not send. */
    String figure(long value) {
      return known ? Text.count(value) : "-";
    }

    /** As {@link #figure}, for scripts. */
    String plain(long value) {
      return known ? String.valueOf(value) : "-";
    }

    String wrong() {
      return active ? "-" : figure(wrong);
    }

    String by() {
      return by.isEmpty() ? "-" : by;
    }
  }

  private final Console console;
  private final boolean json;
  private final boolean inPlace;

  /** The DataNodes without an answer at the last look; null before the first. */
  private @Nullable Set<String> silent;

  /**
   * @param json whether each look is a line of JSON
   * @param inPlace whether each look replaces the one before, if not JSON
   */
  WorkflowWatch(Console console, boolean json, boolean inPlace) {
    this.console = console;
    this.json = json;
    this.inPlace = inPlace;
  }

  /** True if a person looks at the standard output. */
  @SuppressWarnings("SystemConsoleNull") // what later versions return is asked below
  static boolean isTerminal() {
    java.io.Console there = System.console();
    if (there == null) {
      return false;
    }
    try {
      // Since Java 22 there is a console without a terminal, too.
      Method isTerminal = java.io.Console.class.getMethod("isTerminal");
      return Boolean.TRUE.equals(isTerminal.invoke(there));
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  /** Looks until the thread is interrupted, or a signal ends the process with exit code 0. */
  int run(Source source, Duration every) {
    Thread hook = new Thread(() -> Runtime.getRuntime().halt(ExitCode.OK), "hycache-watch-end");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      while (!Thread.currentThread().isInterrupted()) {
        look(source, Instant.now());
        Thread.sleep(every.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      removeHook(hook);
    }
    return ExitCode.OK;
  }

  private static void removeHook(Thread hook) {
    try {
      boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process ends, and the hook says with what.
    }
  }

  /** One look; DataNodes that fail are looked at again the next time. */
  void look(Source source, Instant now) {
    List<NodeAnswer<List<WorkflowStatus>>> answers;
    try {
      answers = source.ask();
    } catch (IOException e) {
      console.warn(ErrorText.of(e));
      return;
    }
    Map<String, Map<String, Sum>> sums = new TreeMap<>();
    long answered = 0;
    long failed = 0;
    boolean isActive = answers.stream().anyMatch(answer -> !HyCacheClient.isNotActive(answer));
    for (NodeAnswer<List<WorkflowStatus>> answer : answers) {
      if (!answer.isAnswered()) {
        failed += isActive && HyCacheClient.isNotActive(answer) ? 0 : 1;
        continue;
      }
      answered++;
      for (WorkflowStatus w : answer.value()) {
        sums.computeIfAbsent(w.id().user(), user -> new TreeMap<>())
            .computeIfAbsent(w.id().name(), name -> new Sum())
            .add(w);
      }
    }
    if (json) {
      printJson(sums, failed, now);
    } else if (inPlace) {
      printTable(sums, failed, answered, now);
    } else {
      printLines(sums, now);
    }
    if (json || !inPlace) {
      warnOfChange(answers);
    }
  }

  /** A table has room for their number only. */
  private void warnOfChange(List<NodeAnswer<List<WorkflowStatus>>> answers) {
    Set<String> before = silent;
    Set<String> now = new TreeSet<>();
    answers.stream().filter(a -> !a.isAnswered()).forEach(a -> now.add(a.node().name()));
    if (now.equals(before)) {
      return;
    }
    silent = now;
    boolean unused = Answers.warnOfFailures(console, answers);
    if (before != null && now.isEmpty()) {
      console.warn("all DataNodes answer again");
    }
  }

  private void printTable(
      Map<String, Map<String, Sum>> sums, long failed, long answered, Instant now) {
    Table table =
        new Table(
            "USER",
            "WORKFLOW",
            ">HINTED",
            ">READ",
            "?>SSD",
            ">ON SSD",
            ">LATE",
            ">WRONG",
            "?BY",
            "?STATE");
    sums.forEach(
        (user, workflows) ->
            workflows.forEach(
                (name, sum) ->
                    table.row(
                        user,
                        console.isWide() ? name : shortened(name),
                        Text.count(sum.hinted),
                        Text.count(sum.read),
                        sum.figure(sum.fromSsd),
                        sum.figure(sum.onSsd),
                        sum.figure(sum.late),
                        sum.wrong(),
                        sum.by(),
                        sum.active ? "active" : "over")));
    console.print(
        HOME_AND_CLEAR
            + now.toString().substring(0, 19)
            + "Z  "
            + Text.plural(answered, "DataNode")
            + (failed == 0 ? "" : ", " + failed + " without an answer"));
    console.print(table);
  }

  private static String shortened(String name) {
    return name.length() <= MAX_NAME_CHARS
        ? name
        : name.substring(0, MAX_NAME_CHARS - 2 - NAME_END_CHARS)
            + ".."
            + name.substring(name.length() - NAME_END_CHARS);
  }

  private void printLines(Map<String, Map<String, Sum>> sums, Instant now) {
    sums.forEach(
        (user, workflows) ->
            workflows.forEach(
                (name, sum) ->
                    console.printf(
                        "%s user=%s workflow=%s by=%s hinted=%d read=%d ssd=%s onSsd=%s late=%s"
                            + " wrong=%s",
                        now,
                        user,
                        quoted(name),
                        sum.by(),
                        sum.hinted,
                        sum.read,
                        sum.plain(sum.fromSsd),
                        sum.plain(sum.onSsd),
                        sum.plain(sum.late),
                        sum.active ? "-" : sum.plain(sum.wrong))));
  }

  /** A name that would look like several fields is a JSON string. */
  private static String quoted(String name) {
    return PLAIN_NAME.matcher(name).matches() ? name : TextNode.valueOf(name).toString();
  }

  private void printJson(Map<String, Map<String, Sum>> sums, long failed, Instant now) {
    ObjectNode root = Json.object();
    root.put("timeMillis", now.toEpochMilli());
    root.put("failedDataNodes", failed);
    ArrayNode all = root.putArray("workflows");
    sums.forEach(
        (user, workflows) ->
            workflows.forEach(
                (name, sum) -> {
                  ObjectNode node = all.addObject();
                  node.put("user", user);
                  node.put("workflow", name);
                  node.put("active", sum.active);
                  node.put("hinted", sum.hinted);
                  node.put("read", sum.read);
                  if (sum.known) {
                    node.put("by", sum.by);
                    node.put("readFromSsd", sum.fromSsd);
                    node.put("onSsd", sum.onSsd);
                    node.put("late", sum.late);
                    if (!sum.active) {
                      node.put("wrong", sum.wrong);
                    }
                  }
                }));
    Json.printLine(console, root);
  }
}
