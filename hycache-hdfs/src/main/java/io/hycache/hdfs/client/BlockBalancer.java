// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/*
 * A holder that has the block on SSD already is asked first: it costs nothing. Else greedy: blocks in the order of their first use, each to those of its holders that have the fewest
 * bytes so far, the first by name among equals. O(blocks x replicas). With every block on every node
 * no node ends up with more than one block above another; with replicas spread by the NameNode the
 * result is close to that, and two submissions of one manifest ask the same nodes.
 */
/** Chooses which holders of a block are asked to prefetch it. Not thread-safe. */
final class BlockBalancer {
  private final int replicas;
  private final Predicate<DataNode> available;
  private final Map<BlockKey, Set<String>> onSsd;
  private final Map<DataNode, Long> bytes = new HashMap<>();

  /**
   * @param replicas holders asked for each block, &gt; 0
   * @param available DataNodes that can be asked at all
   * @param onSsd UUIDs of DataNodes that have a block on SSD
   */
  BlockBalancer(int replicas, Predicate<DataNode> available, Map<BlockKey, Set<String>> onSsd) {
    this.onSsd = onSsd;
    this.replicas = replicas;
    this.available = available;
  }

  /** The holders to ask; empty if none is available. */
  List<DataNode> choose(BlockReplicas block) {
    Set<String> fast = onSsd.getOrDefault(block.block, Set.of());
    List<DataNode> holders = new ArrayList<>();
    for (DataNode holder : block.holders) {
      if (available.test(holder)) {
        holders.add(holder);
      }
    }
    holders.sort(
        Comparator.comparing((DataNode n) -> !fast.contains(n.uuid()))
            .thenComparingLong(n -> bytes.getOrDefault(n, 0L))
            .thenComparing(Comparator.naturalOrder()));
    List<DataNode> chosen = List.copyOf(holders.subList(0, Math.min(replicas, holders.size())));
    chosen.forEach(n -> bytes.merge(n, block.lengthBytes, Long::sum));
    return chosen;
  }
}
