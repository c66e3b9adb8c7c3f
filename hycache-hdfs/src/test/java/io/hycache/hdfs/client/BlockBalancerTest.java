// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BlockBalancerTest {
  private static final long MIB = 1 << 20;
  private final List<DataNode> nodes = nodes(20);

  @Test
  void choose_randomHoldersAndSizes_isBalancedByBytes() {
    for (long seed = 1; seed <= 5; seed++) {
      Map<DataNode, Long> bytes = assign(seed, 1, 2000);
      long max = Collections.max(bytes.values());
      double mean = bytes.values().stream().mapToLong(b -> b).average().orElseThrow();
      assertTrue(max <= 1.02 * mean, "seed=" + seed + " max=" + max + " mean=" + mean);
    }
  }

  @Test
  void choose_sameBlocks_givesTheSameAnswer() {
    assertEquals(assign(3, 2, 500), assign(3, 2, 500));
  }

  @Test
  void choose_moreReplicasThanHolders_asksThemAll() {
    assertEquals(
        3,
        new BlockBalancer(9, n -> true, Map.of(), n -> false)
            .choose(block(1, 5, nodes.subList(0, 3)))
            .size());
  }

  @Test
  void choose_holderNotAvailable_isPassedOver() {
    DataNode down = nodes.get(0);
    BlockBalancer balancer = new BlockBalancer(1, n -> !n.equals(down), Map.of(), n -> false);
    for (int i = 0; i < 10; i++) {
      assertEquals(
          List.of(nodes.get(1)), balancer.choose(block(i, 5, List.of(down, nodes.get(1)))));
    }
    assertEquals(List.of(), balancer.choose(block(11, 5, List.of(down))));
  }

  @Test
  void choose_holderOnTheReadersHost_comesRightAfterThoseOnSsd() {
    DataNode near = nodes.get(2);
    BlockKey fast = new BlockKey("BP", 0);
    BlockBalancer balancer =
        new BlockBalancer(
            1, n -> true, Map.of(fast, Set.of(nodes.get(1).uuid())), n -> n.equals(near));
    assertEquals(List.of(nodes.get(1)), balancer.choose(block(0, 5, nodes.subList(0, 3))));
    for (int i = 1; i < 10; i++) {
      assertEquals(List.of(near), balancer.choose(block(i, 5, nodes.subList(0, 3))));
    }
    assertEquals(List.of(nodes.get(0)), balancer.choose(block(10, 5, nodes.subList(0, 2))));
  }

  private Map<DataNode, Long> assign(long seed, int replicas, int blocks) {
    Random random = new Random(seed);
    BlockBalancer balancer = new BlockBalancer(replicas, n -> true, Map.of(), n -> false);
    Map<DataNode, Long> bytes = new HashMap<>();
    for (int i = 0; i < blocks; i++) {
      List<DataNode> shuffled = new ArrayList<>(nodes);
      Collections.shuffle(shuffled, random);
      long length = random.nextInt(4) == 0 ? random.nextInt((int) (128 * MIB)) : 128 * MIB;
      List<DataNode> holders =
          shuffled.subList(0, 3).stream().sorted().collect(Collectors.toList());
      List<DataNode> chosen = balancer.choose(block(i, length, holders));
      assertEquals(replicas, chosen.size());
      assertTrue(holders.containsAll(chosen));
      chosen.forEach(n -> bytes.merge(n, length, Long::sum));
    }
    return bytes;
  }

  private static BlockReplicas block(long id, long length, List<DataNode> holders) {
    return new BlockReplicas(new BlockKey("BP", id), 0, length, false, null, holders);
  }

  private static List<DataNode> nodes(int count) {
    List<DataNode> out = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      out.add(new DataNode("uuid" + i, "host" + i + ":9866", "host" + i + ":9867"));
    }
    return out;
  }
}
