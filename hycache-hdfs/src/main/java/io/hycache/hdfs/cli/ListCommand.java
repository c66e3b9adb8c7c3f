// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.hdfs.client.DataNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.rpc.ReadableJson;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** Lists the workflows that have hints left. */
final class ListCommand implements Command {
  private static final String WATCH = "--watch";
  private static final String EVERY = "--every";
  private static final int DEFAULT_SECONDS = 2;

  @Override
  public String name() {
    return "list";
  }

  @Override
  public String usage() {
    return "[PATH...] [--watch [--every SECONDS]] [--json]";
  }

  @Override
  public String summary() {
    return "list the workflows that have hints left";
  }

  @Override
  public String details() {
    return "  PATH        ask only the DataNodes that hold blocks of these paths\n"
        + "  --watch     go on, with those that ended in the last hour: on a terminal in place, else\n"
        + "              by appended lines, with --json an object a line; Ctrl-C ends it, exit code\n"
        + "              0. Asks the DataNodes that were alive when it began\n"
        + "  --every SECONDS  between two looks, 1 to 3600; otherwise 2\n"
        + "  --json      for scripts\n\n"
        + "You see your own, administrators everybody's. With --wide, a line for each DataNode.\n"
        + "The command is also called workflows.\n\n"
        + "  NODES       DataNodes that have hints of it\n"
        + "  LEFT        expected block reads that are not used up\n"
        + "  PINNED      blocks with expected reads left that cache directives keep on SSD\n"
        + "  REFUSED     block reads that the DataNodes did not take, because of a limit\n"
        + "  EXPIRES     when the rest is forgotten\n\n"
        + WorkflowWatch.DETAILS;
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, IOException {
    Args parsed = Args.parse(args, List.of("--json", WATCH), List.of(EVERY));
    if (parsed.value(EVERY) != null && !parsed.has(WATCH)) {
      throw new UsageException(EVERY + ": expected " + WATCH + " with it, found none");
    }
    Duration every = Duration.ofSeconds(parsed.wholeNumber(EVERY, DEFAULT_SECONDS, 1, 3600));
    HyCacheClient client = new HyCacheClient(conf, new ProgressLine(console, System::nanoTime));
    List<DataNode> asked =
        Audience.of(
            client, parsed.positionals(), "name a path that you may read: list PATH", console);
    if (parsed.has(WATCH)) {
      return new WorkflowWatch(console, parsed.has("--json"), WorkflowWatch.isTerminal())
          .run(() -> client.recentWorkflows(asked), every);
    }
    List<NodeAnswer<List<WorkflowStatus>>> answers = client.workflows(asked);
    if (parsed.has("--json")) {
      Answers.printJson(
          console,
          answers,
          (node, workflows) -> {
            ArrayNode array = node.putArray("workflows");
            workflows.forEach(w -> ReadableJson.put(array.addObject(), w));
          });
    } else if (console.isWide()) {
      printNodes(console, answers);
    } else {
      print(console, answers);
    }
    return Answers.warnOfFailures(console, answers) ? ExitCode.FAILED : ExitCode.OK;
  }

  /** A workflow on all DataNodes together. */
  private static final class Sum {
    int nodes;
    long left;
    long pinned;
    long refused;
    long ageMillis;
    long expiresInMillis;

    void add(WorkflowStatus w) {
      nodes++;
      left += w.left;
      pinned += w.pinnedBlocks;
      refused += w.receipt.refused();
      ageMillis = Math.max(ageMillis, w.ageMillis);
      expiresInMillis = Math.max(expiresInMillis, w.expiresInMillis);
    }
  }

  private static void print(Console console, List<NodeAnswer<List<WorkflowStatus>>> answers) {
    Map<String, Map<String, Sum>> sums = new TreeMap<>();
    for (NodeAnswer<List<WorkflowStatus>> answer : answers) {
      if (answer.isAnswered()) {
        for (WorkflowStatus w : answer.value()) {
          sums.computeIfAbsent(w.id().user(), user -> new TreeMap<>())
              .computeIfAbsent(w.id().name(), name -> new Sum())
              .add(w);
        }
      }
    }
    Table table =
        new Table(
            "USER", "WORKFLOW", ">NODES", ">LEFT", "?>PINNED", ">REFUSED", "?>AGE", "?>EXPIRES");
    sums.forEach(
        (user, workflows) ->
            workflows.forEach(
                (name, sum) ->
                    table.row(
                        user,
                        name,
                        Text.count(sum.nodes),
                        Text.count(sum.left),
                        Text.count(sum.pinned),
                        Text.count(sum.refused),
                        age(sum.ageMillis),
                        age(sum.expiresInMillis))));
    console.print(table);
  }

  private static String age(long millis) {
    return Text.duration(Duration.ofSeconds(millis / 1000));
  }

  private static void printNodes(Console console, List<NodeAnswer<List<WorkflowStatus>>> answers) {
    Table table =
        new Table(
            "DATANODE", "USER", "WORKFLOW", ">LEFT", "?>PINNED", ">REFUSED", ">AGE", ">EXPIRES");
    for (NodeAnswer<List<WorkflowStatus>> answer : answers) {
      if (!answer.isAnswered()) {
        continue;
      }
      for (WorkflowStatus w : answer.value()) {
        table.row(
            answer.node().name(),
            w.id().user(),
            w.id().name(),
            Text.count(w.left),
            Text.count(w.pinnedBlocks),
            Text.count(w.receipt.refused()),
            age(w.ageMillis),
            age(w.expiresInMillis));
      }
    }
    console.print(table);
  }
}
