// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.model.Residency;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.client.DataNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.client.SsdUse;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** What is on the SSDs of the whole cluster, of the directory. */
final class TopCommand implements Command {

  @Override
  public String name() {
    return "top";
  }

  @Override
  public String usage() {
    return "[PATH...] [--json]";
  }

  @Override
  public String summary() {
    return "show what is on the SSDs of all DataNodes, the fullest first";
  }

  @Override
  public String details() {
    return "  PATH        find the directory through the DataNodes that hold blocks of these paths;\n"
        + "              without, through all that are alive, of the NameNode (superusers) or its web\n"
        + "              server (others; only administrators get an answer)\n"
        + "  --json      for scripts\n\n"
        + "  BLOCKS      on SSD\n"
        + "  DIRTY, CLEAN   as in locate, bytes of data; those that cache directives pin included\n"
        + "  PINNED      bytes of data that storage policies, or moves by HDFS's balancer, keep on\n"
        + "              SSD\n"
        + "  DIRECTIVES  bytes that cache directives pin, of DIRTY, PINNED and CLEAN; ? if the\n"
        + "              DataNode does not answer\n"
        + "  TWICE       bytes of blocks on more than one SSD, all but one copy of each\n\n"
        + "The answer is the directory's, which may be some seconds old.\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, IOException {
    Args parsed = Args.parse(args, List.of("--json"), List.of());
    HyCacheClient client = new HyCacheClient(conf, new ProgressLine(console, System::nanoTime));
    List<DataNode> known =
        Audience.of(
            client, parsed.positionals(), "name a path that you may read: top PATH", console);
    SsdUse use = client.ssdUse(known);
    Map<String, String> names = new HashMap<>();
    Map<String, Long> pins = new HashMap<>();
    List<NodeAnswer<NodeStatus>> answers = client.status(known);
    for (NodeAnswer<NodeStatus> answer : answers) {
      String uuid = uuid(answer);
      names.put(uuid, answer.node().name());
      if (answer.isAnswered()) {
        pins.put(uuid, answer.value().figure(NodeFigure.PINNED_BYTES));
      }
    }
    List<String> order = use.dataNodes();
    order.sort(Comparator.comparingLong((String uuid) -> -total(use, uuid)));
    if (parsed.has("--json")) {
      printJson(console, use, order, names, pins);
    } else {
      print(console, use, order, names, pins);
    }
    return Answers.warnOfFailures(console, answers) ? ExitCode.FAILED : ExitCode.OK;
  }

  /**
   * Returns the UUID of the answer, if it has one: DataNodes that the NameNode's web server listed
   * come without.
   */
  private static String uuid(NodeAnswer<NodeStatus> answer) {
    String own = answer.isAnswered() ? answer.value().text(NodeFigure.DATANODE_UUID) : "";
    return own.isEmpty() ? answer.node().uuid() : own;
  }

  private static long total(SsdUse use, String uuid) {
    long sum = 0;
    for (Residency residency : Residency.values()) {
      sum += use.bytes(uuid, residency);
    }
    return sum;
  }

  private static void print(
      Console console,
      SsdUse use,
      List<String> order,
      Map<String, String> names,
      Map<String, Long> pins) {
    Table table =
        new Table("DATANODE", ">BLOCKS", ">DIRTY", ">PINNED", ">CLEAN", ">ALL", "?>DIRECTIVES");
    for (String uuid : order) {
      Long pinned = pins.get(uuid);
      table.row(
          names.getOrDefault(uuid, uuid),
          use.blocks(uuid),
          Text.bytes(use.bytes(uuid, Residency.DIRTY)),
          Text.bytes(use.bytes(uuid, Residency.OWNER)),
          Text.bytes(use.bytes(uuid, Residency.CLEAN)),
          Text.bytes(total(use, uuid)),
          pinned == null ? "?" : Text.bytes(pinned));
    }
    console.print(table);
    console.printf(
        "all: %s, of which %s twice", Text.bytes(use.bytes()), Text.bytes(use.duplicateBytes()));
  }

  private static void printJson(
      Console console,
      SsdUse use,
      List<String> order,
      Map<String, String> names,
      Map<String, Long> pins) {
    ObjectNode root = Json.object();
    root.put("bytes", use.bytes()).put("duplicateBytes", use.duplicateBytes());
    ArrayNode nodes = root.putArray("dataNodes");
    for (String uuid : order) {
      nodes
          .addObject()
          .put("dataNode", names.getOrDefault(uuid, uuid))
          .put("blocks", use.blocks(uuid))
          .put("dirtyBytes", use.bytes(uuid, Residency.DIRTY))
          .put("pinnedBytes", use.bytes(uuid, Residency.OWNER))
          .put("cleanBytes", use.bytes(uuid, Residency.CLEAN))
          .put("directiveBytes", pins.get(uuid));
    }
    Json.print(console, root);
  }
}
