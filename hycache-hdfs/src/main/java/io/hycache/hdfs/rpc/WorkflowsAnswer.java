// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.hint.WorkflowProgress;
import io.hycache.core.hint.WorkflowStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.jspecify.annotations.Nullable;

/*
 * {v, workflows: [[left, ageMillis, expiresInMillis, receipt, see ReceiptRow]...],
 *  pinned: {number of a workflow, from 0: number of its blocks that are pinned...} of those with any,
 *  over: rows as in workflows, of those that have ended,
 *  progress: [[by, fromSsd, fromDisk, elsewhere, onSsd, overAgoMillis]...] of workflows, then of over;
 *      an empty row where it is not known}
 *
 * over and progress are left out by older versions, which pass over them, too.
 */
/** Answer to {@code workflows}: the workflows that have hints left, and those that ended last. */
final class WorkflowsAnswer {
  /** A list ends with the workflow that brings it to this size. */
  private static final int MAX_ROWS_BYTES = 8 << 20;

  /** A control character takes six bytes in JSON. */
  private static final int MAX_BYTES_PER_CHAR = 6;

  /** Bytes of a row without its names, at most. */
  private static final int ROW_BYTES = 200;

  private static final int PROGRESS_COLUMNS = 6;

  private WorkflowsAnswer() {}

  /**
   * Encodes the first of the workflows, those that are active first, up to {@link
   * JsonFields#MAX_ITEMS} and to a bounded size.
   */
  static BytesValue encode(List<WorkflowStatus> workflows) {
    ObjectNode root = JsonMessage.create();
    ArrayNode rows = root.putArray("workflows");
    ObjectNode pinned = root.objectNode();
    ArrayNode over = root.arrayNode();
    ArrayNode progress = root.arrayNode();
    long bytes = 0;
    List<WorkflowStatus> ordered = new ArrayList<>(workflows);
    ordered.sort(Comparator.comparing(WorkflowStatus::isOver));
    boolean known = false;
    for (WorkflowStatus w : ordered) {
      if (progress.size() >= JsonFields.MAX_ITEMS || bytes >= MAX_ROWS_BYTES) {
        break;
      }
      long nameChars = (long) w.id().user().length() + w.id().name().length();
      bytes += MAX_BYTES_PER_CHAR * nameChars + ROW_BYTES;
      if (w.pinnedBlocks > 0 && !w.isOver()) {
        pinned.put(String.valueOf(rows.size()), w.pinnedBlocks);
      }
      ArrayNode row = (w.isOver() ? over : rows).addArray();
      row.add(w.left).add(w.ageMillis).add(w.expiresInMillis);
      ReceiptRow.write(row.addArray(), w.receipt);
      write(progress.addArray(), w.progress);
      known |= w.progress != null;
    }
    if (!pinned.isEmpty()) {
      root.set("pinned", pinned);
    }
    if (!over.isEmpty()) {
      root.set("over", over);
    }
    if (known) {
      root.set("progress", progress);
    }
    return JsonMessage.encode(root);
  }

  private static void write(ArrayNode row, @Nullable WorkflowProgress p) {
    if (p != null) {
      row.add(p.by).add(p.fromSsd).add(p.fromDisk).add(p.elsewhere).add(p.onSsd);
      row.add(p.overAgoMillis);
    }
  }

  static List<WorkflowStatus> decode(BytesValue answer) throws RefusedException {
    List<WorkflowStatus> out = new ArrayList<>();
    JsonNode root = JsonMessage.decode(answer);
    for (JsonNode row : JsonFields.rows(root, "workflows", 4)) {
      JsonNode pinned = root.path("pinned").get(String.valueOf(out.size()));
      WorkflowStatus status = status(row, root, out.size());
      out.add(pinned == null ? status : status.withPinned(JsonFields.count(pinned, "pinned")));
    }
    if (root.has("over")) {
      for (JsonNode row : JsonFields.rows(root, "over", 4)) {
        WorkflowStatus status = status(row, root, out.size());
        if (status.isOver()) {
          out.add(status);
        } else {
          throw JsonFields.malformed("over", "progress of each", "none");
        }
      }
    }
    return out;
  }

  private static WorkflowStatus status(JsonNode row, JsonNode root, int number)
      throws RefusedException {
    return new WorkflowStatus(
            ReceiptRow.read(row.get(3)),
            JsonFields.count(row.get(0), "left"),
            JsonFields.number(row.get(1), "ageMillis", 0, Long.MAX_VALUE),
            JsonFields.number(row.get(2), "expiresInMillis", 0, Long.MAX_VALUE))
        .with(progress(root.path("progress").path(number)));
  }

  private static @Nullable WorkflowProgress progress(JsonNode row) throws RefusedException {
    if (!row.isArray() || row.size() < PROGRESS_COLUMNS) {
      return null;
    }
    return new WorkflowProgress(
        JsonFields.text(row.get(0), "by", JsonFields.MAX_NAME_CHARS),
        JsonFields.count(row.get(1), "fromSsd"),
        JsonFields.count(row.get(2), "fromDisk"),
        JsonFields.count(row.get(3), "elsewhere"),
        JsonFields.count(row.get(4), "onSsd"),
        JsonFields.number(row.get(5), "overAgoMillis", WorkflowProgress.ACTIVE, Long.MAX_VALUE));
  }
}
