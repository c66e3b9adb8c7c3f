// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalInt;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/*
 * {v, found, left}
 */
/** Answer to {@code withdraw}: the steps that were left; empty if there was no such workflow. */
final class WithdrawAnswer {
  private WithdrawAnswer() {}

  static BytesValue encode(OptionalInt left) {
    return JsonMessage.encode(
        JsonMessage.create().put("found", left.isPresent()).put("left", left.orElse(0)));
  }

  static OptionalInt decode(BytesValue answer) throws RefusedException {
    JsonNode root = JsonMessage.decode(answer);
    int left = JsonFields.count(root.get("left"), "left");
    return JsonFields.flag(root.get("found"), "found") ? OptionalInt.of(left) : OptionalInt.empty();
  }
}
