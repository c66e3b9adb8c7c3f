// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.hint.WorkflowStatus;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/*
 * {v, workflows: [[left, ageMillis, expiresInMillis, receipt, see ReceiptRow]...],
 *  pinned: {number of a workflow, from 0: number of its blocks that are pinned...} of those with any}
 */
/** Answer to {@code workflows}: the workflows that have hints left. */
final class WorkflowsAnswer {
  /** A list ends with the workflow that brings it to this size. */
  private static final int MAX_ROWS_BYTES = 8 << 20;

  /** A control character takes six bytes in JSON. */
  private static final int MAX_BYTES_PER_CHAR = 6;

  /** Bytes of a row without its names, at most. */
  private static final int ROW_BYTES = 100;

  private WorkflowsAnswer() {}

  /**
   * Encodes the first of the workflows, up to {@link JsonFields#MAX_ITEMS} and to a bounded size.
   */
  static BytesValue encode(List<WorkflowStatus> workflows) {
    ObjectNode root = JsonMessage.create();
    ArrayNode rows = root.putArray("workflows");
    ObjectNode pinned = root.objectNode();
    long bytes = 0;
    for (WorkflowStatus w : workflows) {
      if (rows.size() >= JsonFields.MAX_ITEMS || bytes >= MAX_ROWS_BYTES) {
        break;
      }
      long nameChars = (long) w.id().user().length() + w.id().name().length();
      bytes += MAX_BYTES_PER_CHAR * nameChars + ROW_BYTES;
      if (w.pinnedBlocks > 0) {
        pinned.put(String.valueOf(rows.size()), w.pinnedBlocks);
      }
      ArrayNode row = rows.addArray().add(w.left).add(w.ageMillis).add(w.expiresInMillis);
      ReceiptRow.write(row.addArray(), w.receipt);
    }
    if (!pinned.isEmpty()) {
      root.set("pinned", pinned);
    }
    return JsonMessage.encode(root);
  }

  static List<WorkflowStatus> decode(BytesValue answer) throws RefusedException {
    List<WorkflowStatus> out = new ArrayList<>();
    JsonNode root = JsonMessage.decode(answer);
    for (JsonNode row : JsonFields.rows(root, "workflows", 4)) {
      JsonNode pinned = root.path("pinned").get(String.valueOf(out.size()));
      WorkflowStatus status =
          new WorkflowStatus(
              ReceiptRow.read(row.get(3)),
              JsonFields.count(row.get(0), "left"),
              JsonFields.number(row.get(1), "ageMillis", 0, Long.MAX_VALUE),
              JsonFields.number(row.get(2), "expiresInMillis", 0, Long.MAX_VALUE));
      out.add(pinned == null ? status : status.withPinned(JsonFields.count(pinned, "pinned")));
    }
    return out;
  }
}
