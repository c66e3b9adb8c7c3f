// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.stats.HintedBlock;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/*
 * {v, pools: [pool...],
 *  hinted: [[pool index, id, length, expected, from SSD, from DISK, elsewhere, was on SSD, fetchedAgoMillis,
 *            readAgoMillis, reason]...]}
 *
 * An age of -1: never.
 */
/** Answer to {@code explain}: what became of the hints for some blocks, in their order. */
final class ExplainAnswer {
  /** Blocks of one page, about 80 KB. A client must not rely on it: an empty page is the last. */
  static final int PAGE_BLOCKS = 1000;

  private ExplainAnswer() {}

  static BytesValue encode(List<HintedBlock> blocks) {
    BlockPools pools = new BlockPools();
    ArrayNode rows = JsonMessage.array();
    for (HintedBlock b : blocks) {
      pools
          .addBlock(rows.addArray(), b.block)
          .add(b.lengthBytes)
          .add(b.expected)
          .add(b.fromSsd)
          .add(b.fromDisk)
          .add(b.elsewhere)
          .add(b.wasOnSsd)
          .add(b.fetchedAgoMillis)
          .add(b.readAgoMillis)
          .add(b.reason.name());
    }
    ObjectNode root = JsonMessage.create();
    pools.put(root);
    root.set("hinted", rows);
    return JsonMessage.encode(root);
  }

  static List<HintedBlock> decode(BytesValue answer) throws RefusedException {
    JsonNode root = JsonMessage.decode(answer);
    BlockPools pools = BlockPools.read(root);
    List<HintedBlock> out = new ArrayList<>();
    for (JsonNode row : JsonFields.rows(root, "hinted", 11)) {
      out.add(
          new HintedBlock(
              pools.block(row),
              JsonFields.number(row.get(2), "length", 0, Long.MAX_VALUE),
              JsonFields.count(row.get(3), "expected"),
              JsonFields.count(row.get(4), "from SSD"),
              JsonFields.count(row.get(5), "from DISK"),
              JsonFields.count(row.get(6), "elsewhere"),
              JsonFields.flag(row.get(7), "was on SSD"),
              JsonFields.number(row.get(8), "fetchedAgoMillis", -1, Long.MAX_VALUE),
              JsonFields.number(row.get(9), "readAgoMillis", -1, Long.MAX_VALUE),
              LocateAnswer.reason(row.get(10))));
    }
    return out;
  }
}
