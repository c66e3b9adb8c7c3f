// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.core.spi.FastDevice;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.DeviceStatus.Figure;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.ShadowSize;
import io.hycache.hdfs.client.DataNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.rpc.ReadableJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** Shows the state of the DataNodes. */
final class StatusCommand implements Command {
  /** Cell of a figure that is not known: 0 would be taken for an SSD without dirty replicas. */
  private static final String UNKNOWN = "?";

  /** The columns of {@code status}, in order. */
  private static final List<Column<NodeAnswer<NodeStatus>>> COLUMNS =
      List.of(
          Column.of("DATANODE", "", answer -> answer.node().name()),
          column("MODE", "", s -> s.passThrough() ? "pass-through" : s.mode()),
          column("POLICY", "hycache.policy, and the policy that it follows", NodeStatus::policy),
          counted(
              ">SSD",
              "space of the SSDs for HyCache, with those out of use",
              s -> Text.bytes(s.capacityBytes())),
          counted(
              ">USED",
              "of it, by dirty, clean and pinned replicas and by checksum files",
              s -> Text.bytes(usedBytes(s))),
          counted(
              ">DIRTY",
              "replicas whose only copy on the DataNode is on SSD; above hycache.demote.low of the\n"
                  + "SSDs they move to DISK",
              s -> Text.bytes(s.dirtyBytes())),
          counted(
              ">CLEAN",
              "copies of the data of replicas that are on DISK",
              s -> Text.bytes(s.cleanBytes())),
          column(
              ">DIRECTIVES",
              "bytes that cache directives pin, of those they may, and the number of advertised\n"
                  + "blocks, if there are any; none: directives are left to HDFS",
              s -> pins(s)),
          counted(
              ">FREE",
              "free space of the SSDs for HyCache; clean copies make way for more",
              s -> Text.bytes(s.freeBytes())),
          column(
              ">HITS",
              "share of the bytes read that came from SSD, since the DataNode's start",
              s ->
                  Text.share(
                      count(s, Counter.BYTES_READ_FAST),
                      count(s, Counter.BYTES_READ_FAST) + count(s, Counter.BYTES_READ_SLOW))),
          column(
              ">FROM SSD",
              "bytes read from SSD since the DataNode's start",
              s -> Text.bytes(count(s, Counter.BYTES_READ_FAST))),
          column(
              ">FROM DISK",
              "bytes read from DISK since then",
              s -> Text.bytes(count(s, Counter.BYTES_READ_SLOW))),
          column(
              ">WRITTEN/READ",
              "bytes of copies written to SSD, as a share of the bytes read from SSD; above 110 %:\n"
                  + "they wear the SSDs more than they serve reads",
              s ->
                  Text.share(
                      s.ssdBytesWrittenPer100Read(),
                      count(s, Counter.BYTES_READ_FAST) == 0 ? 0 : 100)),
          column(
              ">IN 24H",
              "size of the distinct blocks read or written in the last 24 hours",
              s -> shadow(s, () -> Text.bytes(s.figure(NodeFigure.WORKING_SET_DAY_BYTES)))),
          column(
              ">AT 1/2,1,2",
              "estimated share of the reads that an LRU cache of half, the present and twice\n"
                  + "the size of the SSDs would serve; see advise",
              s -> shadow(s, () -> shares(s))),
          counted(
              ">QUEUED",
              "moves between SSD and DISK that are queued or under way",
              s -> Text.count(s.movesQueued())),
          counted(
              ">HINTS",
              "expected block reads that running workflows have left",
              s -> Text.count(s.hintsLeft())),
          column(
              ">MEMBERS",
              "DataNodes that it shares the directory of what is on SSD with, itself\n"
                  + "included; none: it has no part in it",
              s -> s.directoryMembers() == 0 ? "none" : Text.count(s.directoryMembers())),
          column(
              "PARTITION",
              "hycache.partition, with the present shares unless it is shared",
              NodeStatus::partition));

  /** The columns of {@code status --devices}, in order. */
  private static final List<Column<DeviceRow>> DEVICE_COLUMNS =
      List.of(
          Column.of("DATANODE", "", row -> row.node),
          Column.of(
              "SSD",
              "its directory; before it the storage type, if that is not SSD",
              row -> row.name()),
          Column.of(
              "STATE",
              "ok; or out: sick, failed, not answering, or not allowed (the DataNode's log\n"
                  + "says why), and not used until it is well",
              row -> row.device.isUsable() ? "ok" : "out"),
          bytes(">SIZE", "what HyCache may use of it", Figure.CAPACITY_BYTES),
          bytes(">DIRTY", "", Figure.DIRTY_BYTES),
          bytes(
              ">PINNED",
              "by storage policies such as ALL_SSD, or moved there by HDFS's balancer; pins of\n"
                  + "directives are in DIRTY and CLEAN",
              Figure.OWNER_BYTES),
          bytes(">CLEAN", "copies of the data of replicas that are on DISK", Figure.CLEAN_BYTES),
          bytes(
              ">CHECKSUMS",
              "copies of checksum files of replicas that are on DISK",
              Figure.CHECKSUM_BYTES),
          bytes(">FREE", "", Figure.FREE_BYTES),
          bytes(">WRITTEN", "by users in the last 24 hours", Figure.USER_WRITE_BYTES_PER_DAY),
          bytes(
              ">PROMOTED",
              "clean copies made in the last 24 hours",
              Figure.PROMOTION_BYTES_PER_DAY),
          Column.of(
              ">BUDGET",
              "what is left of hycache.ssd.write-budget",
              row ->
                  !row.device.hasWriteBudget()
                      ? "none"
                      : row.counted
                          ? Text.bytes(
                              Math.max(0, row.device.figure(Figure.WRITE_BUDGET_LEFT_BYTES)))
                          : UNKNOWN));

  /** The columns that are shown on every terminal. */
  private static final Set<String> NARROW =
      Set.of("DATANODE", "MODE", "SSD", "USED", "DIRTY", "HITS");

  private static final Set<String> NARROW_DEVICES =
      Set.of("DATANODE", "SSD", "STATE", "SIZE", "FREE");

  /** A device and the name of its DataNode. Immutable. */
  private static final class DeviceRow {
    final String node;
    final DeviceStatus device;
    final boolean counted;

    DeviceRow(String node, DeviceStatus device, boolean counted) {
      this.node = node;
      this.device = device;
      this.counted = counted;
    }

    /**
     * The directory, with its storage type as in {@code dfs.datanode.data.dir} unless it is SSD.
     */
    String name() {
      return device.storageType().equals(FastDevice.SSD)
          ? device.device()
          : "[" + device.storageType() + "]" + device.device();
    }
  }

  private static Column<NodeAnswer<NodeStatus>> column(
      String title, String help, Function<NodeStatus, String> cell) {
    return Column.of(title, help, answer -> cell.apply(answer.value()));
  }

  /** A column of a figure that only the planner knows. */
  private static Column<NodeAnswer<NodeStatus>> counted(
      String title, String help, Function<NodeStatus, String> cell) {
    return column(title, help, s -> s.isCounted() ? cell.apply(s) : UNKNOWN);
  }

  private static Column<DeviceRow> bytes(String title, String help, Figure figure) {
    return Column.of(
        title, help, row -> row.counted ? Text.bytes(row.device.figure(figure)) : UNKNOWN);
  }

  static long usedBytes(NodeStatus s) {
    return s.dirtyBytes() + s.ownerBytes() + s.cleanBytes() + s.checksumBytes();
  }

  /** A cell about the shadow working set; {@code -} without reads in it. */
  private static String shadow(NodeStatus s, Supplier<String> cell) {
    return s.figure(NodeFigure.SHADOW_READS) == 0 ? "-" : cell.get();
  }

  private static String shares(NodeStatus s) {
    return Stream.of(ShadowSize.HALF, ShadowSize.NOW, ShadowSize.TWICE)
        .map(size -> Text.count(Math.round(100 * s.share(size.readShare()))))
        .collect(Collectors.joining(", ", "", " %"));
  }

  private static String pins(NodeStatus s) {
    long capacity = s.figure(NodeFigure.PIN_CAPACITY_BYTES);
    if (capacity == 0) {
      return "none";
    }
    long advertised = s.figure(NodeFigure.ADVERTISED_BLOCKS);
    return Text.bytes(s.figure(NodeFigure.PINNED_BYTES))
        + " of "
        + Text.bytes(capacity)
        + (advertised == 0 ? "" : ", " + Text.count(advertised) + " adv.");
  }

  static long count(NodeStatus s, Counter counter) {
    return s.counters().getOrDefault(counter.label(), 0L);
  }

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
        + "Of more than ten DataNodes, those that differ from most are shown, and how; with --wide\n"
        + "a line for each. A ? is not known; a warning says why.\n\n"
        + Column.help(COLUMNS)
        + ObservedText.DETAILS
        + "\nWith --devices:\n"
        + Column.help(DEVICE_COLUMNS);
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, IOException {
    Args parsed = Args.parse(args, List.of("--json", "--devices"), List.of());
    HyCacheClient client = new HyCacheClient(conf, new ProgressLine(console, System::nanoTime));
    List<DataNode> asked =
        Audience.of(
            client, parsed.positionals(), "name a path that you may read: status PATH", console);
    List<NodeAnswer<NodeStatus>> answers = client.status(asked);
    if (parsed.has("--json")) {
      Answers.printJson(console, answers, ReadableJson::put);
    } else if (parsed.has("--devices")) {
      printDevices(console, answers);
    } else {
      print(console, answers);
      console.print(ObservedText.days(answers));
    }
    boolean failed = Answers.warnOfFailures(console, answers);
    Map<String, List<String>> warnings = new LinkedHashMap<>();
    for (NodeAnswer<NodeStatus> answer : answers) {
      if (!answer.isAnswered()) {
        continue;
      }
      List<String> texts = new ArrayList<>(answer.value().warnings());
      if (!answer.value().directoryTrouble().isEmpty()) {
        texts.add("directory: " + answer.value().directoryTrouble());
      }
      if (!answer.value().isCounted()) {
        texts.add(notCounted(answer.value()));
      }
      for (String text : texts) {
        warnings.computeIfAbsent(text, t -> new ArrayList<>()).add(answer.node().name());
      }
    }
    Answers.warn(answers.size() > StatusSummary.FEW ? console : console.wide(), "", warnings);
    return failed ? ExitCode.FAILED : ExitCode.OK;
  }

  /** Warns that figures are not known. */
  static String notCounted(NodeStatus s) {
    return "what is on the SSDs is not known, and dirty replicas may be there: " + s.notCounted();
  }

  static void print(Console console, List<NodeAnswer<NodeStatus>> answers) {
    StatusSummary summary = new StatusSummary(answers);
    console.print(summary.cluster());
    if (summary.isLarge() && !console.isWide()) {
      summary.printDifferences(console);
      return;
    }
    List<NodeAnswer<NodeStatus>> rows = new ArrayList<>(answers);
    rows.removeIf(answer -> !answer.isAnswered());
    console.print(Column.table(COLUMNS, rows, NARROW));
  }

  static void printDevices(Console console, List<NodeAnswer<NodeStatus>> answers) {
    List<DeviceRow> rows = new ArrayList<>();
    for (NodeAnswer<NodeStatus> answer : answers) {
      if (answer.isAnswered()) {
        String node = answer.node().name();
        boolean counted = answer.value().isCounted();
        answer.value().devices().forEach(one -> rows.add(new DeviceRow(node, one, counted)));
      }
    }
    console.print(Column.table(DEVICE_COLUMNS, rows, NARROW_DEVICES));
  }
}
