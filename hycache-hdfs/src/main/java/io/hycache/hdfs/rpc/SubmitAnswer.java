// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.hint.HintReceipt;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.jspecify.annotations.Nullable;

/*
 * {v} before the last chunk, then {v, receipt: see ReceiptRow}
 */
/** Answer to {@code submitHints}: with the last chunk, the receipt of the submission. */
final class SubmitAnswer {
  private SubmitAnswer() {}

  /**
   * Encodes an answer.
   *
   * @param receipt null before the last chunk
   */
  static BytesValue encode(@Nullable HintReceipt receipt) {
    ObjectNode root = JsonMessage.create();
    if (receipt != null) {
      ReceiptRow.write(root.putArray("receipt"), receipt);
    }
    return JsonMessage.encode(root);
  }

  /** Decodes an answer; null before the last chunk. */
  static @Nullable HintReceipt decode(BytesValue answer) throws RefusedException {
    JsonNode row = JsonMessage.decode(answer).get("receipt");
    return row == null ? null : ReceiptRow.read(row);
  }
}
