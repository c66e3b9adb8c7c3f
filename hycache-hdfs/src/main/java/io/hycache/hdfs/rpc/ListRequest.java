// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/*
 * {v, at}
 */
/** Request of {@code list}: the position of a page; empty for the first. */
final class ListRequest {
  private ListRequest() {}

  static BytesValue encode(String at) {
    return JsonMessage.encode(JsonMessage.create().put("at", at));
  }

  static String decode(BytesValue request) throws RefusedException {
    return JsonFields.text(
        JsonMessage.decode(request).get("at"), "at", JsonFields.MAX_STRING_CHARS);
  }
}
