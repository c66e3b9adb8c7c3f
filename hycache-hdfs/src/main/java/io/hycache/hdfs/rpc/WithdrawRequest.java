// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import io.hycache.core.hint.WorkflowId;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/*
 * {v, workflow, user}
 */
/** Request of {@code withdraw}: the workflow whose hints are dropped. Immutable. */
final class WithdrawRequest {
  final String workflow;

  /** Owner of the workflow; empty: the caller. */
  final String user;

  WithdrawRequest(String workflow, String user) {
    this.workflow = workflow;
    this.user = user;
  }

  BytesValue encode() {
    return JsonMessage.encode(JsonMessage.create().put("workflow", workflow).put("user", user));
  }

  static WithdrawRequest decode(BytesValue request) throws RefusedException {
    JsonNode root = JsonMessage.decode(request);
    return new WithdrawRequest(
        JsonFields.name(root.get("workflow"), "workflow"),
        JsonFields.text(root.get("user"), "user", WorkflowId.MAX_USER_CHARS));
  }
}
