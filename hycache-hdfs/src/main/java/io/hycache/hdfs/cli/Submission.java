package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.client.DataNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.NodeAnswer;
import io.hycache.hdfs.client.SubmissionPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A plan and, unless it was a dry run, what the DataNodes said to it; and how both are shown. */
final class Submission {
  private final SubmissionPlan plan;
  private final boolean dryRun;
  private final Map<DataNode, NodeAnswer<Optional<HintReceipt>>> answers = new HashMap<>();

  /**
   * @param answers null for a dry run
   */
  Submission(SubmissionPlan plan, @Nullable List<NodeAnswer<Optional<HintReceipt>>> answers) {
    this.plan = plan;
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
    boolean down = plan.unavailable().stream().anyMatch(a -> !HyCacheClient.isNotActive(a));
    boolean refused = plan.parts().stream().anyMatch(part -> !isTaken(part));
    boolean nowhere = plan.parts().isEmpty() || plan.unreachableBlocks() > 0;
    return down || refused || nowhere ? ExitCode.FAILED : ExitCode.OK;
  }

  /** True if the DataNode took all of its part, or was not asked because this is a dry run. */
  private boolean isTaken(SubmissionPlan.Part part) {
    NodeAnswer<Optional<HintReceipt>> answer = answers.get(part.node());
    return answer == null || (answer.isAnswered() && accepted(answer) == part.steps());
  }

  private static int accepted(NodeAnswer<Optional<HintReceipt>> answer) {
    return answer.value().map(HintReceipt::accepted).orElse(0);
  }

  void print(Console console) {
    console.printf(
        "%s workflow %s, ttl %s: %s, %s, %s, %s",
        dryRun ? "Would submit" : "Submitted",
        plan.workflow(),
        Text.duration(plan.ttl()),
        Text.plural(plan.files(), "file"),
        Text.plural(plan.blocks(), "block"),
        Text.bytes(plan.bytes()),
        Text.plural(plan.steps(), "block read"));
    Table table =
        dryRun
            ? new Table("DATANODE", ">BLOCKS", ">BYTES", ">READS", ">SSD ROOM", ">FITS")
            : new Table("DATANODE", ">BLOCKS", ">BYTES", ">READS", ">SSD ROOM", ">FITS", ">TAKEN");
    for (SubmissionPlan.Part part : plan.parts()) {
      NodeAnswer<Optional<HintReceipt>> answer = answers.get(part.node());
      String taken = answer == null || !answer.isAnswered() ? "-" : Text.count(accepted(answer));
      String name = part.node().name();
      String blocks = Text.count(part.blocks());
      String bytes = Text.bytes(part.bytes());
      String reads = Text.count(part.steps());
      String room = Text.bytes(part.roomBytes());
      String fits = Text.share(part.fittingBytes(), part.bytes());
      if (dryRun) {
        table.row(name, blocks, bytes, reads, room, fits);
      } else {
        table.row(name, blocks, bytes, reads, room, fits, taken);
      }
    }
    if (!table.isEmpty()) {
      console.print(table.toString());
    }
  }

  void printJson(Console console) {
    ObjectNode root = Json.object();
    root.put("workflow", plan.workflow());
    root.put("ttlSeconds", plan.ttl().toSeconds());
    root.put("dryRun", dryRun);
    root.put("files", plan.files());
    root.put("blocks", plan.blocks());
    root.put("bytes", plan.bytes());
    root.put("reads", plan.steps());
    root.put("unreachableBlocks", plan.unreachableBlocks());
    ArrayNode nodes = root.putArray("dataNodes");
    for (SubmissionPlan.Part part : plan.parts()) {
      ObjectNode node = nodes.addObject();
      node.put("dataNode", part.node().name());
      node.put("blocks", part.blocks());
      node.put("bytes", part.bytes());
      node.put("reads", part.steps());
      node.put("roomBytes", part.roomBytes());
      node.put("fittingBytes", part.fittingBytes());
      NodeAnswer<Optional<HintReceipt>> answer = answers.get(part.node());
      if (answer != null && answer.isAnswered()) {
        node.put("accepted", accepted(answer));
        ArrayNode limits = node.putArray("limits");
        answer.value().ifPresent(r -> r.limits().forEach(limit -> limits.add(limit.name())));
      } else if (answer != null) {
        node.put("error", answer.failureText());
      }
    }
    for (NodeAnswer<NodeStatus> answer : plan.unavailable()) {
      nodes.addObject().put("dataNode", answer.node().name()).put("error", answer.failureText());
    }
    Json.put(root, "notes", plan.notes());
    Json.print(console, root);
  }

  /** What the reader should know besides the numbers. */
  void warn(Console console) {
    plan.notes().forEach(console::warn);
    for (NodeAnswer<NodeStatus> answer : plan.unavailable()) {
      console.warn("DataNode " + answer.node() + ": not asked: " + answer.failureText());
    }
    for (SubmissionPlan.Part part : plan.parts()) {
      NodeAnswer<Optional<HintReceipt>> answer = answers.get(part.node());
      if (answer == null) {
        continue;
      }
      if (!answer.isAnswered()) {
        console.warn("DataNode " + part.node() + ": took nothing: " + answer.failureText());
      } else if (accepted(answer) < part.steps()) {
        console.warn(
            "DataNode "
                + part.node()
                + ": took "
                + Text.count(accepted(answer))
                + " of "
                + Text.count(part.steps())
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
                            + part.node()
                            + ": the hints live for "
                            + Text.duration(Duration.ofMillis(receipt.ttlMillis()))
                            + because(Optional.of(receipt))));
      }
    }
    if (plan.unreachableBlocks() > 0) {
      console.warn(
          Text.plural(plan.unreachableBlocks(), "block")
              + " without a holder that could be asked: not hinted");
    }
    if (plan.parts().isEmpty()) {
      console.warn("no DataNode with HyCache answered: nothing is hinted");
    }
  }

  private static String because(Optional<HintReceipt> receipt) {
    List<String> texts = new ArrayList<>();
    receipt.ifPresent(r -> r.limits().forEach(limit -> texts.add(limit.text())));
    return texts.isEmpty()
        ? "; its bound is hycache.hints.max-blocks"
        : ": " + String.join("; ", texts);
  }
}
