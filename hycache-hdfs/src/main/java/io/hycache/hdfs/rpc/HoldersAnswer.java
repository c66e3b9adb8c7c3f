// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/*
 * {v, holders: [[UUID of a DataNode...] or null...]}
 */
/**
 * Answer to {@code holders}: for each block, in the order of the request, the UUIDs of the
 * DataNodes that have it on SSD; empty if the directory has no record of it.
 */
final class HoldersAnswer {
  private HoldersAnswer() {}

  static BytesValue encode(List<Optional<Set<String>>> holders) {
    ObjectNode root = JsonMessage.create();
    ArrayNode rows = root.putArray("holders");
    for (Optional<Set<String>> of : holders) {
      if (of.isPresent()) {
        of.get().forEach(rows.addArray()::add);
      } else {
        rows.addNull();
      }
    }
    return JsonMessage.encode(root);
  }

  /**
   * Decodes an answer.
   *
   * @param asked number of blocks in the request
   * @throws RefusedException if the answer is malformed or has another number of blocks
   */
  static List<Optional<Set<String>>> decode(BytesValue answer, int asked) throws RefusedException {
    List<Optional<Set<String>>> out = new ArrayList<>();
    for (JsonNode row : JsonFields.list(JsonMessage.decode(answer), "holders")) {
      if (row.isNull()) {
        out.add(Optional.empty());
        continue;
      }
      Set<String> holders = new HashSet<>();
      for (JsonNode uuid : row) {
        holders.add(JsonFields.text(uuid, "holders", JsonFields.MAX_NAME_CHARS));
      }
      out.add(Optional.of(holders));
    }
    if (out.size() != asked) {
      throw JsonFields.malformed("holders", asked + " answers", out.size());
    }
    return out;
  }
}
