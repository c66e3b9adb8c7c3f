// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.core.hint.WorkflowStatus;
import io.hycache.hdfs.client.DataNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/** Makes the DataNodes forget a workflow, or all workflows of a user. */
final class WithdrawCommand implements Command {
  private static final String ALL = "--all";

  @Override
  public String name() {
    return "withdraw";
  }

  @Override
  public String usage() {
    return "WORKFLOW [PATH...] [--user USER] | --all [PATH...] [--user USER]";
  }

  @Override
  public String summary() {
    return "make the DataNodes forget a workflow, or all of yours";
  }

  @Override
  public String details() {
    return "  WORKFLOW     its name: the manifest's \"workflow\", or the name of the list file\n"
        + "  --all        every workflow of yours that has hints left; what list shows\n"
        + "  PATH         ask only the DataNodes that hold blocks of these paths\n"
        + "  --user USER  of another user; for administrators\n\n"
        + "What is on SSD stays there until the policy evicts it. The exit code is 1 if no DataNode\n"
        + "has such a workflow: it was never submitted, is used up, or its time is over.\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, IOException {
    Args parsed = Args.parse(args, List.of(ALL), List.of("--user"));
    boolean all = parsed.has(ALL);
    List<String> given = parsed.positionals();
    if (!all && given.isEmpty()) {
      throw new UsageException("expected a WORKFLOW or --all, found none");
    }
    String user = parsed.value("--user");
    HyCacheClient client = new HyCacheClient(conf, new ProgressLine(console, System::nanoTime));
    List<DataNode> asked =
        Audience.of(
            client,
            all ? given : given.subList(1, given.size()),
            "name a path that you may read: withdraw " + (all ? ALL : "WORKFLOW") + " PATH",
            console);
    String of = user == null ? "" : user;
    if (!all) {
      return withdraw(client, given.get(0), of, asked, console);
    }
    Set<String> workflows = new TreeSet<>();
    List<NodeAnswer<List<WorkflowStatus>>> answers = client.workflows(asked);
    boolean failed = Answers.warnOfFailures(console, answers);
    String owner = user == null ? UserGroupInformation.getCurrentUser().getShortUserName() : user;
    for (NodeAnswer<List<WorkflowStatus>> answer : answers) {
      if (answer.isAnswered()) {
        answer.value().stream()
            .filter(workflow -> workflow.id().user().equals(owner))
            .forEach(workflow -> workflows.add(workflow.id().name()));
      }
    }
    if (answers.isEmpty()) {
      return ExitCode.FAILED;
    }
    if (workflows.isEmpty()) {
      console.warn("no DataNode has a workflow of " + owner);
      return ExitCode.FAILED;
    }
    for (String workflow : workflows) {
      failed |= withdraw(client, workflow, of, asked, console) != ExitCode.OK;
    }
    return failed ? ExitCode.FAILED : ExitCode.OK;
  }

  private static int withdraw(
      HyCacheClient client, String workflow, String user, List<DataNode> asked, Console console)
      throws IOException {
    List<NodeAnswer<OptionalInt>> answers = client.withdraw(workflow, user, asked);
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
      if (!answers.isEmpty()) {
        console.warn("no DataNode has a workflow " + workflow);
      }
      return ExitCode.FAILED;
    }
    console.printf(
        "Withdrew workflow %s on %s: %s left",
        workflow, Text.plural(found, "DataNode"), Text.plural(left, "expected block read"));
    return failed ? ExitCode.FAILED : ExitCode.OK;
  }
}
