// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.HintedBlock;
import io.hycache.hdfs.client.DataNode;
import io.hycache.hdfs.client.FilePlaces;
import io.hycache.hdfs.client.FilePlaces.BlockPlaces;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code explain --workflow}: what became of each hinted block. */
final class WorkflowExplanation {
  static final String WORKFLOW = "--workflow";
  static final String USER = "--user";

  static final String DETAILS =
      "  --workflow NAME  what became of each block that this workflow hinted, while it is active\n"
          + "              and for an hour after; PATHs name DataNodes to ask, and files in the"
          + " table\n"
          + "  --user USER the workflow of another user; for administrators\n\n"
          + "  EXPECTED    reads; SSD, DISK: those seen here, by where the block was; OTHER:"
          + " those\n"
          + "              that other DataNodes saw and reported\n"
          + "  FETCHED     how long ago a copy was made for these hints; \"was there\": before"
          + " them\n";

  private WorkflowExplanation() {}

  static int run(HyCacheClient client, String workflow, Args parsed, Console console)
      throws IOException {
    List<DataNode> asked =
        Audience.of(
            client,
            parsed.positionals(),
            "name a path that you may read: explain --workflow WORKFLOW PATH",
            console);
    String user = parsed.value(USER);
    List<NodeAnswer<List<HintedBlock>>> answers =
        client.explain(workflow, user == null ? "" : user, asked);
    Map<BlockKey, String> files = new HashMap<>();
    for (String path : parsed.positionals()) {
      for (FilePlaces file : client.locate(path)) {
        for (BlockPlaces block : file.blocks()) {
          files.put(
              new BlockKey(block.pool(), block.blockId()), file.path() + "+" + block.offset());
        }
      }
    }
    if (parsed.has("--json")) {
      Answers.printJson(
          console,
          answers,
          (node, blocks) -> {
            ArrayNode array = node.putArray("hinted");
            blocks.forEach(b -> put(array.addObject(), b, files));
          });
    } else {
      print(console, workflow, answers, files);
    }
    boolean failed = Answers.warnOfFailures(console, answers);
    if (answers.stream().anyMatch(NodeAnswer::isAnswered)
        && answers.stream().allMatch(a -> !a.isAnswered() || a.value().isEmpty())) {
      console.warn("no DataNode has hints of a workflow " + workflow);
      return ExitCode.FAILED;
    }
    return failed ? ExitCode.FAILED : ExitCode.OK;
  }

  private static void print(
      Console console,
      String workflow,
      List<NodeAnswer<List<HintedBlock>>> answers,
      Map<BlockKey, String> files) {
    Table table =
        new Table(
            "DATANODE",
            "BLOCK",
            "?>LENGTH",
            ">EXPECTED",
            ">SSD",
            ">DISK",
            ">OTHER",
            "?FETCHED",
            "*WHY",
            files.isEmpty() ? "" : "?FILE+OFFSET");
    long blocks = 0;
    long expected = 0;
    long ssd = 0;
    long disk = 0;
    long other = 0;
    for (NodeAnswer<List<HintedBlock>> answer : answers) {
      if (!answer.isAnswered()) {
        continue;
      }
      for (HintedBlock b : answer.value()) {
        blocks++;
        expected += b.expected;
        ssd += b.fromSsd;
        disk += b.fromDisk;
        other += b.elsewhere;
        table.row(
            answer.node().name(),
            "blk_" + b.block.id(),
            Text.bytes(b.lengthBytes),
            Text.count(b.expected),
            Text.count(b.fromSsd),
            Text.count(b.fromDisk),
            Text.count(b.elsewhere),
            fetched(b),
            b.reason.text(),
            files.getOrDefault(b.block, ""));
      }
    }
    if (table.isEmpty()) {
      return;
    }
    console.printf(
        "Workflow %s: %s, %s of %s: %s from SSD, %s from DISK, %s on other DataNodes",
        workflow,
        Text.plural(blocks, "block"),
        Text.count(ssd + disk + other),
        Text.plural(expected, "expected block read"),
        Text.count(ssd),
        Text.count(disk),
        Text.count(other));
    console.print(table);
  }

  private static String fetched(HintedBlock b) {
    if (b.wasOnSsd) {
      return "was there";
    }
    return b.fetchedAgoMillis == HintedBlock.NEVER
        ? "-"
        : Text.duration(Duration.ofSeconds(b.fetchedAgoMillis / 1000)) + " ago";
  }

  private static void put(ObjectNode node, HintedBlock b, Map<BlockKey, String> files) {
    node.put("pool", b.block.pool());
    node.put("blockId", b.block.id());
    if (files.containsKey(b.block)) {
      node.put("file", files.get(b.block));
    }
    node.put("lengthBytes", b.lengthBytes);
    node.put("expected", b.expected);
    node.put("fromSsd", b.fromSsd);
    node.put("fromDisk", b.fromDisk);
    node.put("elsewhere", b.elsewhere);
    node.put("wasOnSsd", b.wasOnSsd);
    node.put("fetchedAgoMillis", b.fetchedAgoMillis);
    node.put("readAgoMillis", b.readAgoMillis);
    node.put("reason", b.reason.name());
    node.put("why", b.reason.text());
  }
}
