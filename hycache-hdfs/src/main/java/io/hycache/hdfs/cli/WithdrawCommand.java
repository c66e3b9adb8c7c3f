package io.hycache.hdfs.cli;

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
    return "WORKFLOW";
  }

  @Override
  public String summary() {
    return "make the DataNodes forget a workflow";
  }

  @Override
  public String details() {
    return "  WORKFLOW    its name: the manifest's \"workflow\", or the name of the list file\n\n"
        + "Only who submitted a workflow, or a superuser, may withdraw it. A workflow that is not\n"
        + "known is no error.\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, IOException {
    String workflow = Args.parse(args, List.of(), List.of()).only("WORKFLOW");
    HyCacheClient client = new HyCacheClient(conf, new ProgressLine(console, System::nanoTime));
    long left = 0;
    int answered = 0;
    boolean failed = false;
    for (NodeAnswer<Integer> answer : client.withdraw(workflow, client.liveNodes())) {
      if (answer.isAnswered()) {
        answered++;
        left += answer.value();
      } else {
        console.warn("DataNode " + answer.node() + ": " + answer.failureText());
        failed |= !HyCacheClient.isNotActive(answer);
      }
    }
    console.printf(
        "Withdrew workflow %s on %s: %s left",
        workflow, Text.plural(answered, "DataNode"), Text.plural(left, "expected block read"));
    return failed || answered == 0 ? ExitCode.FAILED : ExitCode.OK;
  }
}
