package io.hycache.hdfs.cli;

import io.hycache.hdfs.client.DataNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Makes the DataNodes forget a workflow. */
final class WithdrawCommand implements Command {

  @Override
  public String name() {
    return "withdraw";
  }

  @Override
  public String usage() {
    return "WORKFLOW [PATH...]";
  }

  @Override
  public String summary() {
    return "make the DataNodes forget a workflow";
  }

  @Override
  public String details() {
    return "  WORKFLOW    its name: the manifest's \"workflow\", or the name of the list file\n"
        + "  PATH        ask the DataNodes that hold blocks of these paths, best those of the\n"
        + "              manifest; without, all of them, which takes an HDFS superuser\n\n"
        + "Only who submitted a workflow, or a superuser, may withdraw it. A workflow that is not\n"
        + "known is no error.\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, IOException {
    List<String> given = Args.parse(args, List.of(), List.of()).positionals();
    if (given.isEmpty()) {
      throw new UsageException("expected a WORKFLOW: found none");
    }
    String workflow = given.get(0);
    HyCacheClient client = new HyCacheClient(conf, new ProgressLine(console, System::nanoTime));
    List<DataNode> asked =
        Audience.of(
            client,
            given.subList(1, given.size()),
            "name the manifest's paths: withdraw WORKFLOW PATH...");
    List<NodeAnswer<Integer>> answers = client.withdraw(workflow, asked);
    boolean failed = Answers.warnOfFailures(console, answers);
    long left = 0;
    int answered = 0;
    for (NodeAnswer<Integer> answer : answers) {
      if (answer.isAnswered()) {
        answered++;
        left += answer.value();
      }
    }
    console.printf(
        "Withdrew workflow %s on %s: %s left",
        workflow, Text.plural(answered, "DataNode"), Text.plural(left, "expected block read"));
    return failed ? ExitCode.FAILED : ExitCode.OK;
  }
}
