// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.client.DataNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.client.ResolvedManifest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A resolved manifest and, unless it was a dry run, the DataNodes' answers; and how both are shown.
 */
final class Submission {
  private final ResolvedManifest resolved;
  private final boolean dryRun;
  private final Map<DataNode, NodeAnswer<Optional<HintReceipt>>> answers = new HashMap<>();

  /**
   * @param answers null for a dry run
   */
  Submission(ResolvedManifest resolved, @Nullable List<NodeAnswer<Optional<HintReceipt>>> answers) {
    this.resolved = resolved;
    this.dryRun = answers == null;
    if (answers != null) {
      answers.forEach(a -> this.answers.put(a.node(), a));
    }
  }

  /**
   * {@link ExitCode#FAILED} if a DataNode could not be asked, did not take all, or none has the
   * plugin.
   */
  int exitCode() {
    boolean down = resolved.unavailable().stream().anyMatch(a -> !HyCacheClient.isNotActive(a));
    boolean refused = resolved.nodes().stream().anyMatch(hints -> !isTaken(hints));
    boolean nowhere = !resolved.isHintable() || resolved.unreachableBlocks() > 0;
    return down || refused || nowhere ? ExitCode.FAILED : ExitCode.OK;
  }

  /** True if the DataNode took all of its hints, or was not asked because this is a dry run. */
  private boolean isTaken(ResolvedManifest.NodeHints hints) {
    NodeAnswer<Optional<HintReceipt>> answer = answers.get(hints.node());
    return answer == null || (answer.isAnswered() && accepted(answer) == hints.references());
  }

  private static int accepted(NodeAnswer<Optional<HintReceipt>> answer) {
    return answer.value().map(HintReceipt::accepted).orElse(0);
  }

  void print(Console console) {
    console.printf(
        "%s workflow %s, ttl %s: %s, %s, %s, %s",
        dryRun ? "Would submit" : "Submitted",
        resolved.workflow(),
        Text.duration(resolved.ttl()),
        Text.plural(resolved.files(), "file"),
        Text.plural(resolved.blocks(), "block"),
        Text.bytes(resolved.bytes()),
        Text.plural(resolved.references(), "block read"));
    Table table =
        dryRun
            ? new Table("DATANODE", ">BLOCKS", ">BYTES", ">READS", ">SSD ROOM", ">FITS")
            : new Table("DATANODE", ">BLOCKS", ">BYTES", "?>READS", ">SSD ROOM", ">FITS", ">TAKEN");
    for (ResolvedManifest.NodeHints hints : resolved.nodes()) {
      NodeAnswer<Optional<HintReceipt>> answer = answers.get(hints.node());
      String taken = answer == null || !answer.isAnswered() ? "-" : Text.count(accepted(answer));
      String name = hints.node().name();
      String blocks = Text.count(hints.blocks());
      String bytes = Text.bytes(hints.bytes());
      String reads = Text.count(hints.references());
      String room = known(hints.roomBytes(), Text::bytes);
      String fits = known(hints.fittingBytes(), fit -> Text.share(fit, hints.bytes()));
      if (dryRun) {
        table.row(name, blocks, bytes, reads, room, fits);
      } else {
        table.row(name, blocks, bytes, reads, room, fits, taken);
      }
    }
    console.print(table);
  }

  private static String known(OptionalLong figure, LongFunction<String> text) {
    return figure.isPresent() ? text.apply(figure.getAsLong()) : "?";
  }

  private static void putIfKnown(ObjectNode node, String key, OptionalLong figure) {
    if (figure.isPresent()) {
      node.put(key, figure.getAsLong());
    } else {
      node.putNull(key);
    }
  }

  void printJson(Console console) {
    ObjectNode root = Json.object();
    root.put("workflow", resolved.workflow());
    root.put("ttlSeconds", resolved.ttl().toSeconds());
    root.put("dryRun", dryRun);
    root.put("files", resolved.files());
    root.put("blocks", resolved.blocks());
    root.put("bytes", resolved.bytes());
    root.put("reads", resolved.references());
    root.put("unreachableBlocks", resolved.unreachableBlocks());
    ArrayNode nodes = root.putArray("dataNodes");
    for (ResolvedManifest.NodeHints hints : resolved.nodes()) {
      ObjectNode node = nodes.addObject();
      node.put("dataNode", hints.node().name());
      node.put("blocks", hints.blocks());
      node.put("bytes", hints.bytes());
      node.put("reads", hints.references());
      putIfKnown(node, "roomBytes", hints.roomBytes());
      putIfKnown(node, "fittingBytes", hints.fittingBytes());
      NodeAnswer<Optional<HintReceipt>> answer = answers.get(hints.node());
      if (answer != null && answer.isAnswered()) {
        node.put("accepted", accepted(answer));
        ArrayNode limits = node.putArray("limits");
        answer.value().ifPresent(r -> put(node, limits, r));
      } else if (answer != null) {
        node.put("error", answer.failureText());
      }
    }
    for (NodeAnswer<NodeStatus> answer : resolved.unavailable()) {
      nodes.addObject().put("dataNode", answer.node().name()).put("error", answer.failureText());
    }
    Json.put(root, "notes", resolved.notes());
    Json.print(console, root);
  }

  private static void put(ObjectNode node, ArrayNode limits, HintReceipt receipt) {
    receipt.limits().forEach(limit -> limits.add(limit.name()));
    node.put("ttlSeconds", Duration.ofMillis(receipt.ttlMillis()).toSeconds());
  }

  /** What the reader should know besides the numbers. */
  void warn(Console console) {
    resolved.notes().forEach(console::warn);
    for (NodeAnswer<NodeStatus> answer : resolved.unavailable()) {
      console.warn("DataNode " + answer.node() + ": not asked: " + answer.failureText());
    }
    for (ResolvedManifest.NodeHints hints : resolved.nodes()) {
      NodeAnswer<Optional<HintReceipt>> answer = answers.get(hints.node());
      if (answer == null) {
        continue;
      }
      if (!answer.isAnswered()) {
        console.warn("DataNode " + hints.node() + ": accepted no hints: " + answer.failureText());
      } else if (accepted(answer) < hints.references()) {
        console.warn(
            "DataNode "
                + hints.node()
                + ": accepted "
                + Text.count(accepted(answer))
                + " of "
                + Text.count(hints.references())
                + " block reads"
                + because(answer.value()));
      } else {
        answer
            .value()
            .filter(receipt -> !receipt.isWhole())
            .ifPresent(
                receipt ->
                    console.warn(
                        "DataNode "
                            + hints.node()
                            + ": the hints live for "
                            + Text.duration(Duration.ofMillis(receipt.ttlMillis()))
                            + because(Optional.of(receipt))));
      }
    }
    if (resolved.unreachableBlocks() > 0) {
      console.warn(
          Text.plural(resolved.unreachableBlocks(), "block")
              + " not hinted: no DataNode with a replica answered");
    }
    if (!resolved.isHintable()) {
      console.warn("no DataNode with HyCache answered: nothing is hinted");
    } else if (resolved.blocks() == 0) {
      console.warn("there are no blocks to hint at these paths: nothing is hinted");
    }
  }

  private static String because(Optional<HintReceipt> receipt) {
    List<String> texts = new ArrayList<>();
    receipt.ifPresent(r -> r.limits().forEach(limit -> texts.add(limit.text())));
    return texts.isEmpty()
        ? ": the limit is hycache.hints.max-blocks"
        : ": " + String.join("; ", texts);
  }
}
