// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/*
 * pools: [pool...]; the rows of blocks begin with [index of the pool, block id...
 */
/** The block pools of one message, which its rows refer to by their index. Not thread-safe. */
final class BlockPools {
  /** Block pools in one message; a cluster has one for each of its name spaces. */
  static final int MAX_POOLS = 1000;

  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> indexes = new HashMap<>();

  /** Appends the pool's index and the block id to a row. */
  ArrayNode addBlock(ArrayNode row, BlockKey block) {
    Integer index = indexes.computeIfAbsent(block.pool(), pool -> names.size());
    if (Objects.requireNonNull(index) == names.size()) {
      names.add(block.pool());
    }
    return row.add(index).add(block.id());
  }

  /** Puts the list of pools into a message. */
  void put(ObjectNode root) {
    names.forEach(root.putArray("pools")::add);
  }

  static BlockPools read(JsonNode root) throws RefusedException {
    BlockPools out = new BlockPools();
    JsonNode pools = JsonFields.list(root, "pools");
    if (pools.size() > MAX_POOLS) {
      throw JsonFields.malformed("pools", "at most " + MAX_POOLS + " items", pools.size());
    }
    for (JsonNode pool : pools) {
      out.names.add(JsonFields.text(pool, "pools", JsonFields.MAX_NAME_CHARS));
    }
    return out;
  }

  /** Reads the block that {@link #addBlock} wrote. */
  BlockKey block(JsonNode row) throws RefusedException {
    int pool = (int) JsonFields.number(row.get(0), "pool index", 0, names.size() - 1L);
    return new BlockKey(names.get(pool), JsonFields.amount(row.get(1), "block id"));
  }
}
