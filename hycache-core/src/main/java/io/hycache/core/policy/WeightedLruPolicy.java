// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import com.google.common.collect.Iterables;
import io.hycache.core.model.CacheKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * LRU in classes: checksum files (metadata) outlive data of the same age.
 *
 * <p>Idea: a block enters with the weight of its class; a read restores that weight and makes the
 * block the most recent of its weight. The victim is the least recent block of weight 0; while
 * there is none, all weights decrease by 1. This takes no walk: the weights are a ring of lists,
 * and the list that represents 0 advances.
 *
 * <p>Classes by name ({@link #onClass}): {@code checksums} and {@code metadata} have weight 3; a
 * whole number from 0 to 9 is a weight itself; all others, and blocks without a class, have weight
 * 1.
 *
 * <p>Complexity: O(1) per event, O(1) amortized per victim.
 *
 * <p>Memory: about 90 bytes per resident plus its key, about 60 per block with a class other than
 * weight 1.
 *
 * <p>Source: Ungureanu et al., "HydraFS: a high-throughput file system for the HYDRAstor
 * content-addressable storage system" (FAST'10), section 4.3 (resource management, cache).
 */
final class WeightedLruPolicy extends SweepPolicy {
  private static final int DATA_WEIGHT = 1;
  private static final int METADATA_WEIGHT = 3;
  private static final int MAX_WEIGHT = 9;

  /** The list of weight w is at index (zero + w) modulo the length. */
  private final List<ResidentList> ring = new ArrayList<>();

  private final Map<CacheKey, Integer> weights = new HashMap<>();
  private int zero;

  WeightedLruPolicy() {
    for (int i = 0; i <= MAX_WEIGHT; i++) {
      ring.add(new ResidentList());
    }
  }

  @Override
  public void onClass(CacheKey key, String name) {
    int weight = weightOf(name);
    if (weight == DATA_WEIGHT) {
      weights.remove(key);
    } else {
      weights.put(key, weight);
    }
  }

  private static int weightOf(String name) {
    if (name.equals("checksums") || name.equals("metadata")) {
      return METADATA_WEIGHT;
    }
    boolean digit = name.length() == 1 && name.charAt(0) >= '0' && name.charAt(0) <= '9';
    return digit ? name.charAt(0) - '0' : DATA_WEIGHT;
  }

  private ResidentList ofWeight(int weight) {
    return ring.get((zero + weight) % ring.size());
  }

  @Override
  void insert(Resident resident) {
    ofWeight(weights.getOrDefault(resident.key, DATA_WEIGHT)).addLast(resident);
  }

  @Override
  void touch(Resident resident) {
    forget(resident);
    insert(resident);
  }

  @Override
  @Nullable Resident condemn() {
    for (int lowered = 0; lowered <= MAX_WEIGHT; lowered++) {
      Resident victim = ofWeight(0).pollFirst();
      if (victim != null) {
        return victim;
      }
      zero = (zero + 1) % ring.size();
    }
    return null;
  }

  @Override
  void forgetGhost(CacheKey key) {
    weights.remove(key);
  }

  @Override
  Iterable<Resident> order() {
    List<ResidentList> byWeight = new ArrayList<>();
    for (int weight = 0; weight <= MAX_WEIGHT; weight++) {
      byWeight.add(ofWeight(weight));
    }
    return Iterables.concat(byWeight);
  }
}
