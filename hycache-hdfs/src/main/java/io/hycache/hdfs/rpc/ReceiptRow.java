// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.WorkflowId;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * [user, workflow, accepted, refused, ttlMillis, name of a limit...]
 */
/** A receipt as an array within a message. */
final class ReceiptRow {
  /** Columns before the limits. */
  private static final int FIXED_COLUMNS = 5;

  private ReceiptRow() {}

  static void write(ArrayNode row, HintReceipt receipt) {
    row.add(receipt.workflow().user())
        .add(receipt.workflow().name())
        .add(receipt.accepted())
        .add(receipt.refused())
        .add(receipt.ttlMillis());
    receipt.limits().forEach(limit -> row.add(limit.name()));
  }

  /** Reads a receipt; limits that only a later version knows are left out. */
  static HintReceipt read(@Nullable JsonNode row) throws RefusedException {
    if (row == null || !row.isArray() || row.size() < FIXED_COLUMNS) {
      throw JsonFields.malformed(
          "receipt",
          "an array of " + FIXED_COLUMNS + " or more values",
          row == null || !row.isArray() ? "none" : row.size());
    }
    Set<HintReceipt.Limit> limits = EnumSet.noneOf(HintReceipt.Limit.class);
    for (int i = FIXED_COLUMNS; i < row.size(); i++) {
      String name = JsonFields.text(row.get(i), "receipt", JsonFields.MAX_NAME_CHARS);
      for (HintReceipt.Limit limit : HintReceipt.Limit.values()) {
        if (limit.name().equals(name)) {
          limits.add(limit);
        }
      }
    }
    return new HintReceipt(
        workflow(row),
        JsonFields.count(row.get(2), "accepted"),
        JsonFields.count(row.get(3), "refused"),
        JsonFields.number(row.get(4), "ttlMillis", 1, Long.MAX_VALUE),
        limits);
  }

  private static WorkflowId workflow(JsonNode row) throws RefusedException {
    try {
      return new WorkflowId(
          JsonFields.text(row.get(0), "receipt", WorkflowId.MAX_USER_CHARS),
          JsonFields.text(row.get(1), "receipt", WorkflowId.MAX_NAME_CHARS));
    } catch (IllegalArgumentException e) {
      throw JsonFields.malformed("receipt", "a workflow's name", "another: " + e.getMessage());
    }
  }
}
