// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import io.hycache.core.hint.WorkflowId;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/*
 * {v, workflow, user, from}
 */
/** Request of {@code explain}: a page of what became of a workflow's hints. Immutable. */
final class ExplainRequest {
  final String workflow;

  /** Owner of the workflow; empty: the caller. */
  final String user;

  /** Blocks of earlier pages. */
  final int from;

  ExplainRequest(String workflow, String user, int from) {
    this.workflow = workflow;
    this.user = user;
    this.from = from;
  }

  BytesValue encode() {
    return JsonMessage.encode(
        JsonMessage.create().put("workflow", workflow).put("user", user).put("from", from));
  }

  static ExplainRequest decode(BytesValue request) throws RefusedException {
    JsonNode root = JsonMessage.decode(request);
    return new ExplainRequest(
        JsonFields.name(root.get("workflow"), "workflow"),
        JsonFields.text(root.get("user"), "user", WorkflowId.MAX_USER_CHARS),
        JsonFields.count(root.get("from"), "from"));
  }
}
