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

/**
 * Chooses which holders of a block are asked to prefetch it. Not thread-safe.
 *
 * <p>A holder that has the block on SSD already comes first: it costs nothing. Next comes a holder
 * on the host of the readers, if that is known: HDFS sorts it ahead of all others for them. Else
 * the choice is greedy: blocks in the order of their first use, each to those of its holders that
 * have the fewest bytes so far, the first by name among equals. O(blocks x replicas). With every
 * block on every node no node ends up with more than one block above another; with replicas spread
 * by the NameNode the result is close to that, and two submissions of one manifest ask the same
 * nodes.
 *
 * <p>What the NameNode sorts first is no guide. For a reader on no DataNode's host it shuffles
 * holders of equal distance anew in each answer, and a scheduler takes any holder's host that is
 * free. So a plain client reads the chosen one of n replicas with a probability of 1/n, whatever is
 * chosen here, and balance, which spreads the fetches over most heads and SSDs, decides. {@code
 * HyCacheFileSystem} turns to the chosen holder. For all others the remaining holders watch the
 * block, and report a read of it to the chosen ones, see {@code WatchedReads}.
 */
final class BlockBalancer {
  private final int replicas;
  private final Predicate<DataNode> available;
  private final Map<BlockKey, Set<String>> onSsd;
  private final Predicate<DataNode> atReaders;
  private final Map<DataNode, Long> bytes = new HashMap<>();

  /**
   * @param replicas holders asked for each block, &gt; 0
   * @param available DataNodes that can be asked at all
   * @param onSsd UUIDs of DataNodes that have a block on SSD
   * @param atReaders DataNodes on the host of the readers
   */
  BlockBalancer(
      int replicas,
      Predicate<DataNode> available,
      Map<BlockKey, Set<String>> onSsd,
      Predicate<DataNode> atReaders) {
    this.atReaders = atReaders;
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
            .thenComparing(n -> !atReaders.test(n))
            .thenComparingLong(n -> bytes.getOrDefault(n, 0L))
            .thenComparing(Comparator.naturalOrder()));
    List<DataNode> chosen = List.copyOf(holders.subList(0, Math.min(replicas, holders.size())));
    chosen.forEach(n -> bytes.merge(n, block.lengthBytes, Long::sum));
    return chosen;
  }
}
