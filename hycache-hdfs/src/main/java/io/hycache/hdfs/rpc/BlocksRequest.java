// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/*
 * {v, pools: [pool...], blocks: [[pool index, id, token identifier, token password]...]}
 */
/** Request of {@code locate}: blocks, with the tokens to read them. */
final class BlocksRequest {
  private BlocksRequest() {}

  static BytesValue encode(List<BlockKey> blocks, BlockTokens tokens) {
    BlockPools pools = new BlockPools();
    ArrayNode rows = JsonMessage.array();
    for (BlockKey block : blocks) {
      TokenBlock.of(block, tokens).addToken(pools.addBlock(rows.addArray(), block));
    }
    ObjectNode root = JsonMessage.create();
    pools.put(root);
    root.set("blocks", rows);
    return JsonMessage.encode(root);
  }

  static List<TokenBlock> decode(BytesValue request) throws RefusedException {
    JsonNode root = JsonMessage.decode(request);
    BlockPools pools = BlockPools.read(root);
    List<TokenBlock> blocks = new ArrayList<>();
    for (JsonNode row : JsonFields.rows(root, "blocks", 4)) {
      blocks.add(TokenBlock.read(pools, row, 2));
    }
    return blocks;
  }
}
