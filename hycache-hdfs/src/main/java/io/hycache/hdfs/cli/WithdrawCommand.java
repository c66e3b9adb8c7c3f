// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.hdfs.client.DataNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import org.apache.hadoop.conf.Configuration;

/** Makes the DataNodes forget a workflow. */
final class WithdrawCommand implements Command {

  @Override
  public String name() {
    return "withdraw";
  }

  @Override
  public String usage() {
    return "WORKFLOW [PATH...] [--user USER]";
  }

  @Override
  public String summary() {
    return "make the DataNodes forget a workflow";
  }

  @Override
  public String details() {
    return "  WORKFLOW     its name: the manifest's \"workflow\", or the name of the list file\n"
        + "  PATH         ask only the DataNodes that hold blocks of these paths\n"
        + "  --user USER  a workflow of another user; for administrators\n\n"
        + "The exit code is 1 if no DataNode has such a workflow: it was never submitted, is used\n"
        + "up, or its time is over.\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, IOException {
    Args parsed = Args.parse(args, List.of(), List.of("--user"));
    List<String> given = parsed.positionals();
    if (given.isEmpty()) {
      throw new UsageException("expected a WORKFLOW, found none");
    }
    String workflow = given.get(0);
    String user = parsed.value("--user");
    HyCacheClient client = new HyCacheClient(conf, new ProgressLine(console, System::nanoTime));
    List<DataNode> asked =
        Audience.of(
            client,
            given.subList(1, given.size()),
            "name a path that you may read: withdraw WORKFLOW PATH");
    List<NodeAnswer<OptionalInt>> answers =
        client.withdraw(workflow, user == null ? "" : user, asked);
    boolean failed = Answers.warnOfFailures(console, answers);
    long left = 0;
    int found = 0;
    for (NodeAnswer<OptionalInt> answer : answers) {
      if (answer.isAnswered() && answer.value().isPresent()) {
        found++;
        left += answer.value().getAsInt();
      }
    }
    if (found == 0) {
      console.warn("no DataNode has a workflow " + workflow);
      return ExitCode.FAILED;
    }
    console.printf(
        "Withdrew workflow %s on %s: %s left",
        workflow, Text.plural(found, "DataNode"), Text.plural(left, "expected block read"));
    return failed ? ExitCode.FAILED : ExitCode.OK;
  }
}
