package io.hycache.hdfs.cli;

import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.client.DataNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** How the DataNodes are doing. */
final class StatusCommand implements Command {

  @Override
  public String name() {
    return "status";
  }

  @Override
  public String usage() {
    return "[PATH...] [--devices] [--json]";
  }

  @Override
  public String summary() {
    return "show how the DataNodes are doing";
  }

  @Override
  public String details() {
    return "  PATH        ask the DataNodes that hold blocks of these paths; without, all that are\n"
        + "              alive, of the NameNode (superusers) or its web server (others)\n"
        + "  --devices   a line for each SSD\n"
        + "  --json      for scripts: everything, with all counters\n\n"
        + "  SSD         space of the SSDs for HyCache\n"
        + "  USED        of it, by dirty, clean and pinned replicas and by checksum files\n"
        + "  DIRTY       replicas whose only copy is on SSD; they drift to DISK\n"
        + "  CLEAN       copies of replicas that are on DISK\n"
        + "  HITS        share of the bytes read that came from SSD, since the DataNode's start\n"
        + "  QUEUED      moves between SSD and DISK that wait\n"
        + "  HINTS       expected block reads that running workflows have left\n"
        + "  MEMBERS     DataNodes that it shares the directory of what is on SSD with, itself\n"
        + "              included; none: it has no part in it\n\n"
        + "With --devices:\n"
        + "  STATE       ok; or out: sick, failed, not answering, or not allowed (the DataNode's log\n"
        + "              says why), and not used until it is well\n"
        + "  WRITTEN     by users in the last 24 hours\n"
        + "  PROMOTED    clean copies made in the last 24 hours\n"
        + "  BUDGET      what is left of hycache.ssd.write-budget\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, IOException {
    Args parsed = Args.parse(args, List.of("--json", "--devices"), List.of());
    HyCacheClient client = new HyCacheClient(conf, new ProgressLine(console, System::nanoTime));
    List<DataNode> asked =
        Audience.of(client, parsed.positionals(), "name a path that you may read: status PATH");
    List<NodeAnswer<NodeStatus>> answers = client.status(asked);
    if (parsed.has("--json")) {
      Answers.printJson(console, answers, Json::put);
    } else if (parsed.has("--devices")) {
      printDevices(console, answers);
    } else {
      print(console, answers);
    }
    boolean failed = Answers.warnOfFailures(console, answers);
    for (NodeAnswer<NodeStatus> answer : answers) {
      if (answer.isAnswered() && !answer.value().directoryTrouble.isEmpty()) {
        console.warn(answer.node().name() + ": directory: " + answer.value().directoryTrouble);
      }
    }
    if (answers.isEmpty()) {
      console.warn("no DataNode to ask");
    }
    return failed ? ExitCode.FAILED : ExitCode.OK;
  }

  static void print(Console console, List<NodeAnswer<NodeStatus>> answers) {
    Table table =
        new Table(
            "DATANODE",
            "MODE",
            "POLICY",
            ">SSD",
            ">USED",
            ">DIRTY",
            ">CLEAN",
            ">FREE",
            ">HITS",
            ">FROM SSD",
            ">FROM DISK",
            ">QUEUED",
            ">HINTS",
            ">MEMBERS",
            "PARTITION");
    for (NodeAnswer<NodeStatus> answer : answers) {
      if (!answer.isAnswered()) {
        continue;
      }
      NodeStatus s = answer.value();
      long fast = s.counters.getOrDefault(Counter.BYTES_READ_FAST.label(), 0L);
      long slow = s.counters.getOrDefault(Counter.BYTES_READ_SLOW.label(), 0L);
      table.row(
          answer.node().name(),
          s.passThrough ? "pass-through" : s.mode,
          s.policy,
          Text.bytes(s.capacityBytes),
          Text.bytes(s.dirtyBytes + s.ownerBytes + s.cleanBytes + s.checksumBytes),
          Text.bytes(s.dirtyBytes),
          Text.bytes(s.cleanBytes),
          Text.bytes(s.freeBytes),
          Text.share(fast, fast + slow),
          Text.bytes(fast),
          Text.bytes(slow),
          Text.count(s.movesQueued),
          Text.count(s.hintsLeft),
          s.directoryMembers == 0 ? "none" : Text.count(s.directoryMembers),
          s.partition);
    }
    if (!table.isEmpty()) {
      console.print(table.toString());
    }
  }

  static void printDevices(Console console, List<NodeAnswer<NodeStatus>> answers) {
    Table table =
        new Table(
            "DATANODE",
            "SSD",
            "STATE",
            ">SIZE",
            ">DIRTY",
            ">PINNED",
            ">CLEAN",
            ">FREE",
            ">WRITTEN",
            ">PROMOTED",
            ">BUDGET");
    for (NodeAnswer<NodeStatus> answer : answers) {
      if (!answer.isAnswered()) {
        continue;
      }
      for (DeviceStatus d : answer.value().devices) {
        table.row(
            answer.node().name(),
            d.device,
            d.usable ? "ok" : "out",
            Text.bytes(d.capacityBytes),
            Text.bytes(d.dirtyBytes),
            Text.bytes(d.ownerBytes),
            Text.bytes(d.cleanBytes + d.checksumBytes),
            Text.bytes(d.freeBytes),
            Text.bytes(d.userWriteBytesPerDay),
            Text.bytes(d.promotionBytesPerDay),
            d.writeBudgetLeftBytes == Long.MAX_VALUE
                ? "none"
                : Text.bytes(Math.max(0, d.writeBudgetLeftBytes)));
      }
    }
    if (!table.isEmpty()) {
      console.print(table.toString());
    }
  }
}
