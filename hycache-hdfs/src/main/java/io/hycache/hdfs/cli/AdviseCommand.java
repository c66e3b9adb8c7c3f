// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.ShadowSize;
import io.hycache.hdfs.client.DataNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Shows which share of the reads SSDs of other sizes would serve. */
final class AdviseCommand implements Command {
  private static final String ASSUMES =
      "Assumed: an LRU cache on each DataNode that takes every block read or written, and\n"
          + "no hints. Reads of a day ago count half. +- is the standard error of sampling, for\n"
          + "blocks of similar size.";

  private static final List<Column<Estimate>> COLUMNS = columns();

  private static List<Column<Estimate>> columns() {
    List<Column<Estimate>> columns = new ArrayList<>();
    columns.add(Column.of("DATANODE", "", Estimate::name));
    columns.add(
        Column.of(
            ">SSD",
            "space of the SSDs for HyCache; without an SSD, about a quarter of IN 24H",
            e -> Text.bytes(e.ssdBytes())));
    for (ShadowSize size : ShadowSize.values()) {
      columns.add(
          Column.of(
              ">" + size.label(),
              size == ShadowSize.NOW
                  ? "share of the reads that this SSD would serve; in the other columns, one of\n"
                      + "1/4, 1/2, 2, 4, 8 times the size"
                  : "",
              e -> percent(e.readShare(size))));
    }
    columns.add(
        Column.of("?>+-", "standard error of these shares", e -> percent(e.standardError())));
    columns.add(
        Column.of(
            "?>IN 1H",
            "size of the distinct blocks read or written in the last hour",
            e -> Text.bytes(e.hourBytes())));
    columns.add(Column.of("?>IN 24H", "in the last 24 hours", e -> Text.bytes(e.dayBytes())));
    columns.add(Column.of("?>READS", "reads counted", e -> Text.count(e.reads())));
    columns.add(Column.of("?>FOR", "how long they have been counted", e -> duration(e.seconds())));
    return List.copyOf(columns);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** In whole days, hours, minutes or seconds: the largest of which there are two or more. */
  private static String duration(long seconds) {
    Duration all = Duration.ofSeconds(seconds);
    for (ChronoUnit unit : List.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES)) {
      if (all.compareTo(unit.getDuration().multipliedBy(2)) >= 0) {
        return Text.duration(all.truncatedTo(unit));
      }
    }
    return Text.duration(all);
  }

  @Override
  public String name() {
    return "advise";
  }

  @Override
  public String usage() {
    return "[PATH...] [--json]";
  }

  @Override
  public String summary() {
    return "show what SSDs of other sizes would serve";
  }

  @Override
  public String details() {
    return "  PATH        ask the DataNodes that hold blocks of these paths; without, all that are\n"
        + "              alive, of the NameNode (superusers) or its web server (others)\n"
        + "  --json      for scripts\n\n"
        + "From the reads that each DataNode counts while it runs (hycache.shadow.max-blocks);\n"
        + "no trace is needed. The exit code is 1 while no DataNode has counted reads.\n\n"
        + Column.help(COLUMNS)
        + "\n"
        + ASSUMES
        + "\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, IOException {
    Args parsed = Args.parse(args, List.of("--json"), List.of());
    HyCacheClient client = new HyCacheClient(conf, new ProgressLine(console, System::nanoTime));
    List<DataNode> asked =
        Audience.of(
            client, parsed.positionals(), "name a path that you may read: advise PATH", console);
    List<NodeAnswer<NodeStatus>> answers = client.status(asked);
    List<Estimate> estimates = estimates(answers);
    if (parsed.has("--json")) {
      printJson(console, answers, estimates);
    } else {
      print(console, estimates);
    }
    boolean failed = Answers.warnOfFailures(console, answers);
    warn(console, answers);
    return failed || estimates.isEmpty() ? ExitCode.FAILED : ExitCode.OK;
  }

  /** The estimates of the DataNodes that have one. */
  static List<Estimate> estimates(List<NodeAnswer<NodeStatus>> answers) {
    List<Estimate> estimates = new ArrayList<>();
    for (NodeAnswer<NodeStatus> answer : answers) {
      if (answer.isAnswered()) {
        Estimate estimate = new Estimate(answer.node().name(), answer.value());
        if (estimate.hasReads()) {
          estimates.add(estimate);
        }
      }
    }
    return estimates;
  }

  /** Warns of what the estimates are not; DataNodes with the same text have one line. */
  static void warn(Console console, List<NodeAnswer<NodeStatus>> answers) {
    Map<String, List<String>> nodes = new LinkedHashMap<>();
    List<Estimate> young = new ArrayList<>();
    for (NodeAnswer<NodeStatus> answer : answers) {
      if (!answer.isAnswered()) {
        continue;
      }
      Estimate estimate = new Estimate(answer.node().name(), answer.value());
      if (!estimate.hasReads()) {
        add(
            nodes,
            "no estimate: no reads since its start, hycache.shadow.max-blocks is 0, or an older"
                + " version",
            estimate);
        continue;
      }
      if (answer.value().isCounted() && answer.value().capacityBytes() == 0) {
        add(nodes, "no SSD: size 1 stands for one as large as column SSD has", estimate);
      }
      if (estimate.seconds() < Duration.ofDays(1).toSeconds()) {
        young.add(estimate);
      }
    }
    if (!young.isEmpty()) {
      long shortest = young.stream().mapToLong(Estimate::seconds).min().orElse(0);
      String text =
          "reads counted for less than a day ("
              + duration(shortest)
              + " at the shortest): what is read again after longer is not in the estimate";
      young.forEach(estimate -> add(nodes, text, estimate));
    }
    Answers.warn(console, "", nodes);
  }

  private static void add(Map<String, List<String>> nodes, String text, Estimate estimate) {
    nodes.computeIfAbsent(text, key -> new ArrayList<>()).add(estimate.name());
  }

  static void print(Console console, List<Estimate> estimates) {
    if (estimates.isEmpty()) {
      return;
    }
    boolean many = estimates.size() > StatusSummary.FEW && !console.isWide();
    List<Estimate> rows = new ArrayList<>(many ? List.of() : estimates);
    Estimate all = new Estimate("all", estimates);
    if (estimates.size() > 1) {
      rows.add(all);
    }
    console.print("Share of the reads that SSDs of 1/4 to 8 times the size would serve:");
    console.print(Column.table(COLUMNS, rows));
    if (many) {
      console.printf("%s. A line for each: --wide", Text.plural(estimates.size(), "DataNode"));
    }
    console.print("");
    Table sizes = new Table("SIZE", ">SSD", ">READS FROM IT", ">+-", ">BYTES FROM IT");
    for (ShadowSize size : ShadowSize.values()) {
      sizes.row(
          size.label(),
          Text.bytes(size.of(all.ssdBytes())),
          percent(all.readShare(size)),
          percent(all.standardError()),
          percent(all.byteShare(size)));
    }
    console.print(sizes);
    console.print("");
    console.print(ASSUMES);
  }

  static void printJson(
      Console console, List<NodeAnswer<NodeStatus>> answers, List<Estimate> estimates) {
    ObjectNode root = Json.object().put("assumed", ASSUMES.replace('\n', ' '));
    ArrayNode nodes = root.putArray("dataNodes");
    for (NodeAnswer<NodeStatus> answer : answers) {
      ObjectNode node = nodes.addObject().put("dataNode", answer.node().name());
      if (answer.isAnswered()) {
        new Estimate(answer.node().name(), answer.value()).put(node);
      } else {
        node.put("error", answer.failureText());
      }
    }
    if (!estimates.isEmpty()) {
      new Estimate("all", estimates).put(root.putObject("all"));
    }
    Json.print(console, root);
  }
}
