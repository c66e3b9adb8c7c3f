// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.model.Reason;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.LastDecision;
import io.hycache.hdfs.client.FilePlaces;
import io.hycache.hdfs.client.FilePlaces.BlockPlaces;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** Where a file's blocks are, and why; as {@code explain} what was decided last, with figures. */
final class LocateCommand implements Command {
  private final boolean explain;

  LocateCommand(boolean explain) {
    this.explain = explain;
  }

  @Override
  public String name() {
    return explain ? "explain" : "locate";
  }

  @Override
  public String usage() {
    return explain
        ? "PATH [--json] | --workflow NAME [PATH...] [--user USER] [--json]"
        : "PATH [--json]";
  }

  @Override
  public String summary() {
    return explain
        ? "show which rule decided last about a file's blocks, with figures"
        : "show where a file's blocks are, and why not on SSD";
  }

  @Override
  public String details() {
    String options =
        "  PATH        a file, directory or glob that you may read\n"
            + "  --json      for scripts\n\n";
    if (explain) {
      return options
          + "  WHY         the block is, or is not, on SSD; in mode observe, where mode active would\n"
          + "              have it, since when and why\n"
          + "  DECIDED     how long ago something was decided about it last, and what asked for\n"
          + "              that: a read that missed, a hint, or another block that needed the"
          + " room;\n"
          + "              - if nothing was, or too long ago\n"
          + "  RULE        hycache.policy at that time\n"
          + "  FIGURES     what it had before it; gain and cost where it compares them\n\n"
          + WorkflowExplanation.DETAILS;
    }
    return options
        + "  STORAGE     of the replica: DISK or SSD; DISK+SSD with a copy on SSD too\n"
        + "  STATE       dirty: the DataNode's only copy is on SSD; pinned: a storage policy or a\n"
        + "              cache directive keeps it on SSD; clean: a copy of a replica on DISK;\n"
        + "              checksums: its checksum file only\n"
        + "  LEFT        expected reads that running workflows have left\n"
        + "  READS       since the DataNode's start, of a block on SSD also before it; an eighth of\n"
        + "              the block counts as one, and so do four smaller reads\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, IOException {
    Args parsed =
        Args.parse(
            args,
            List.of("--json"),
            explain ? List.of(WorkflowExplanation.WORKFLOW, WorkflowExplanation.USER) : List.of());
    String workflow = parsed.value(WorkflowExplanation.WORKFLOW);
    if (workflow == null && parsed.value(WorkflowExplanation.USER) != null) {
      throw new UsageException("--user: expected with --workflow, found without");
    }
    String path = workflow == null ? parsed.only("PATH") : "";
    HyCacheClient client = new HyCacheClient(conf, new ProgressLine(console, System::nanoTime));
    if (workflow != null) {
      return WorkflowExplanation.run(client, workflow, parsed, console);
    }
    List<FilePlaces> files = client.locate(path);
    if (parsed.has("--json")) {
      printJson(console, files);
    } else {
      files.forEach(file -> print(console, file, explain ? explained(file) : located(file)));
    }
    Map<String, NodeAnswer<BlockStatus>> failures = new TreeMap<>();
    boolean failed = false;
    for (FilePlaces file : files) {
      file.notes().forEach(console::warn);
      for (BlockPlaces block : file.blocks()) {
        for (NodeAnswer<BlockStatus> replica : block.replicas()) {
          if (!replica.isAnswered()) {
            failures.put(replica.node().name(), replica);
            failed |= !HyCacheClient.isNotActive(replica);
          }
        }
      }
    }
    failures.forEach((node, a) -> console.warn("DataNode " + node + ": " + a.failureText()));
    return failed ? ExitCode.FAILED : ExitCode.OK;
  }

  private static void print(Console console, FilePlaces file, Table table) {
    long bytes = file.blocks().stream().mapToLong(BlockPlaces::lengthBytes).sum();
    console.printf(
        "%s: %s, %s", file.path(), Text.plural(file.blocks().size(), "block"), Text.bytes(bytes));
    console.print(table);
  }

  private static Table located(FilePlaces file) {
    Table table =
        new Table(
            "?BLOCK",
            ">OFFSET",
            ">LENGTH",
            "DATANODE",
            "STORAGE",
            "STATE",
            "?>LEFT",
            "?>READS",
            "*WHY");
    for (BlockPlaces block : file.blocks()) {
      for (NodeAnswer<BlockStatus> replica : block.replicas()) {
        String name = "blk_" + block.blockId();
        String length = Text.bytes(block.lengthBytes());
        if (replica.isAnswered()) {
          BlockStatus s = replica.value();
          table.row(
              name,
              block.offset(),
              length,
              replica.node(),
              s.cleanData ? s.storage + "+" + s.copyType : s.storage,
              state(s),
              Text.count(s.referencesLeft),
              Text.count(s.reads),
              why(s));
        } else {
          table.row(name, block.offset(), length, replica.node(), "?", "?", "-", "-", "not known");
        }
      }
    }
    return table;
  }

  private static Table explained(FilePlaces file) {
    Table table = new Table("?BLOCK", "DATANODE", "*WHY", "DECIDED", "?RULE", "*FIGURES");
    for (BlockPlaces block : file.blocks()) {
      for (NodeAnswer<BlockStatus> replica : block.replicas()) {
        String name = "blk_" + block.blockId();
        if (!replica.isAnswered()) {
          table.row(name, replica.node(), "not known", "-", "-", "-");
          continue;
        }
        BlockStatus s = replica.value();
        LastDecision d = s.decision;
        table.row(
            name,
            replica.node(),
            why(s),
            d == null ? "-" : decided(d),
            d == null ? "-" : d.policy,
            d == null ? "-" : figures(d));
      }
    }
    return table;
  }

  private static String why(BlockStatus s) {
    return ObservedText.why(s, Instant.now(), ZoneId.systemDefault());
  }

  private static String decided(LastDecision d) {
    return String.format(Locale.ROOT, "%.1f s ago, %s", d.agoMillis / 1e3, by(d.trigger));
  }

  private static String by(String trigger) {
    switch (trigger) {
      case "DIRECTIVE":
        return "cache directive";
      case "MADE_WAY":
        return "another needed room";
      case "HINT":
        return "hint";
      case "READ_AHEAD":
        return "fetched ahead";
      default:
        return "read";
    }
  }

  private static String figures(LastDecision d) {
    StringBuilder text = new StringBuilder();
    if (d.weighing != null) {
      text.append(
          String.format(
              Locale.ROOT,
              "gain %.4g, cost %.4g %s; ",
              d.weighing.gain(),
              d.weighing.cost(),
              d.weighing.unit()));
    }
    return text.append(Text.bytes(d.wantedBytes))
        .append(" wanted, ")
        .append(Text.bytes(d.freeBytes))
        .append(" free, ")
        .append(Text.plural(d.victims, "victim"))
        .append(", ")
        .append(Text.plural(d.references, "expected read"))
        .append(" after it")
        .toString();
  }

  private static String state(BlockStatus s) {
    if (s.reason == Reason.ON_SSD_OWNER || s.reason == Reason.PINNED) {
      return "pinned";
    }
    if (s.dirty) {
      return "dirty";
    }
    if (s.cleanData) {
      return "clean";
    }
    return s.cleanChecksums ? "checksums" : "-";
  }

  private static void printJson(Console console, List<FilePlaces> files) {
    ObjectNode root = Json.object();
    ArrayNode fileNodes = root.putArray("files");
    for (FilePlaces file : files) {
      ObjectNode fileNode = fileNodes.addObject().put("path", file.path());
      ArrayNode blocks = fileNode.putArray("blocks");
      for (BlockPlaces block : file.blocks()) {
        ObjectNode blockNode = blocks.addObject();
        blockNode.put("pool", block.pool());
        blockNode.put("blockId", block.blockId());
        blockNode.put("offset", block.offset());
        blockNode.put("lengthBytes", block.lengthBytes());
        ArrayNode replicas = blockNode.putArray("replicas");
        for (NodeAnswer<BlockStatus> replica : block.replicas()) {
          ObjectNode node = replicas.addObject().put("dataNode", replica.node().name());
          if (replica.isAnswered()) {
            Json.put(node, replica.value());
          } else {
            node.put("error", replica.failureText());
          }
        }
      }
      Json.put(fileNode, "notes", file.notes());
    }
    Json.print(console, root);
  }
}
