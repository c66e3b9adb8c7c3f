// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.model.Residency;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.jspecify.annotations.Nullable;

/*
 * {v, pools: [pool...], rows: [[pool index, id, UUID of the DataNode, residency, bytes]...], next}
 */
/** Answer to {@code list}: one page of the blocks on SSD. */
final class ListAnswer {
  private ListAnswer() {}

  static BytesValue encode(BlockDirectory.Page page) {
    BlockPools pools = new BlockPools();
    ArrayNode rows = JsonMessage.array();
    for (BlockOnSsd one : page.blocks()) {
      pools
          .addBlock(rows.addArray(), one.block())
          .add(one.datanode())
          .add(one.residency().name())
          .add(one.sizeBytes());
    }
    ObjectNode root = JsonMessage.create();
    pools.put(root);
    root.set("rows", rows);
    root.put("next", page.next());
    return JsonMessage.encode(root);
  }

  /** Decodes a page; rows with a residency that only a later version knows are left out. */
  static BlockDirectory.Page decode(BytesValue answer) throws RefusedException {
    JsonNode root = JsonMessage.decode(answer);
    BlockPools pools = BlockPools.read(root);
    List<BlockOnSsd> out = new ArrayList<>();
    for (JsonNode row : JsonFields.rows(root, "rows", 5)) {
      Residency residency = residency(row.get(3));
      if (residency != null) {
        out.add(
            new BlockOnSsd(
                pools.block(row),
                JsonFields.text(row.get(2), "datanode", JsonFields.MAX_NAME_CHARS),
                residency,
                JsonFields.number(row.get(4), "bytes", 0, Long.MAX_VALUE)));
      }
    }
    return new BlockDirectory.Page(
        out, JsonFields.text(root.get("next"), "next", JsonFields.MAX_STRING_CHARS));
  }

  private static @Nullable Residency residency(@Nullable JsonNode node) throws RefusedException {
    String name = JsonFields.text(node, "residency", JsonFields.MAX_NAME_CHARS);
    for (Residency residency : Residency.values()) {
      if (residency.name().equals(name)) {
        return residency;
      }
    }
    return null;
  }
}
