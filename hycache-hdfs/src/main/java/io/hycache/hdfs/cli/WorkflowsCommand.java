// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.hdfs.client.DataNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Lists the workflows that have hints left. */
final class WorkflowsCommand implements Command {

  @Override
  public String name() {
    return "workflows";
  }

  @Override
  public String usage() {
    return "[PATH...] [--json]";
  }

  @Override
  public String summary() {
    return "list the workflows that have hints left";
  }

  @Override
  public String details() {
    return "  PATH        ask only the DataNodes that hold blocks of these paths\n"
        + "  --json      for scripts\n\n"
        + "You see your own, administrators everybody's.\n\n"
        + "  LEFT        expected block reads that are not used up\n"
        + "  REFUSED     block reads that the DataNode did not take, because of a limit\n"
        + "  EXPIRES     when the rest is forgotten\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, IOException {
    Args parsed = Args.parse(args, List.of("--json"), List.of());
    HyCacheClient client = new HyCacheClient(conf, new ProgressLine(console, System::nanoTime));
    List<DataNode> asked =
        Audience.of(client, parsed.positionals(), "name a path that you may read: workflows PATH");
    List<NodeAnswer<List<WorkflowStatus>>> answers = client.workflows(asked);
    if (parsed.has("--json")) {
      Answers.printJson(
          console,
          answers,
          (node, workflows) -> workflows.forEach(w -> put(node.withArray("workflows"), w)));
    } else {
      print(console, answers);
    }
    return Answers.warnOfFailures(console, answers) ? ExitCode.FAILED : ExitCode.OK;
  }

  private static void print(Console console, List<NodeAnswer<List<WorkflowStatus>>> answers) {
    Table table =
        new Table("DATANODE", "USER", "WORKFLOW", ">LEFT", ">REFUSED", ">AGE", ">EXPIRES");
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
            Text.count(w.receipt.refused()),
            Text.duration(Duration.ofSeconds(w.ageMillis / 1000)),
            Text.duration(Duration.ofSeconds(w.expiresInMillis / 1000)));
      }
    }
    if (!table.isEmpty()) {
      console.print(table.toString());
    }
  }

  private static void put(ArrayNode to, WorkflowStatus w) {
    ObjectNode node = to.addObject();
    node.put("user", w.id().user());
    node.put("workflow", w.id().name());
    node.put("left", w.left);
    node.put("accepted", w.receipt.accepted());
    node.put("refused", w.receipt.refused());
    node.put("ageMillis", w.ageMillis);
    node.put("expiresInMillis", w.expiresInMillis);
    ArrayNode limits = node.putArray("limits");
    w.receipt.limits().forEach(limit -> limits.add(limit.name()));
  }
}
