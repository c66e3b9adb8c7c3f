// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.CacheKey;
import java.util.Arrays;

/**
 * A map from very many blocks to numbers, in two flat arrays: 16 bytes per slot, at most two thirds
 * used. A block is identified by a 64-bit hash; two blocks with the same hash, a chance of 1 in
 * 2^64, share a number. O(1), except growing and forgetting, which are O(n). Not thread-safe.
 */
final class SumTable {
  private static final int MIN_SLOTS = 1024;

  private long[] hashes = new long[MIN_SLOTS];
  private double[] sums = new double[MIN_SLOTS];
  private int size;

  /** Never 0, which marks a free slot. */
  private static long hashOf(CacheKey key) {
    long h = key.id() * 0x9E3779B97F4A7C15L + key.namespace().hashCode();
    h = (h ^ (h >>> 32)) * 0xD6E8FEB86659FD93L;
    h = (h ^ (h >>> 32)) * 0xD6E8FEB86659FD93L;
    h ^= h >>> 32;
    return h == 0 ? 1 : h;
  }

  private int slotOf(long hash) {
    int mask = hashes.length - 1;
    int slot = (int) hash & mask;
    while (hashes[slot] != 0 && hashes[slot] != hash) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** The sum of a block; 0 if it is not in the table. */
  double get(CacheKey key) {
    return sums[slotOf(hashOf(key))];
  }

  /** Adds to a block's sum and returns it. */
  double add(CacheKey key, double amount) {
    long hash = hashOf(key);
    int slot = slotOf(hash);
    if (hashes[slot] == 0) {
      if (3L * (size + 1) > 2L * hashes.length) {
        rebuild(hashes.length * 2, 0);
        slot = slotOf(hash);
      }
      hashes[slot] = hash;
      size++;
    }
    sums[slot] += amount;
    return sums[slot];
  }

  int size() {
    return size;
  }

  void scale(double by) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] *= by;
    }
  }

  /** Drops the lower half of the sums, including all that equal the median. */
  void forgetLowerHalf() {
    double[] taken = new double[size];
    int n = 0;
    for (int i = 0; i < hashes.length; i++) {
      if (hashes[i] != 0) {
        taken[n++] = sums[i];
      }
    }
    Arrays.sort(taken);
    rebuild(hashes.length, taken[n / 2]);
  }

  /** Keeps the sums greater than {@code above}. */
  private void rebuild(int slots, double above) {
    long[] oldHashes = hashes;
    double[] oldSums = sums;
    hashes = new long[slots];
    sums = new double[slots];
    size = 0;
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldHashes[i] != 0 && oldSums[i] > above) {
        int slot = slotOf(oldHashes[i]);
        hashes[slot] = oldHashes[i];
        sums[slot] = oldSums[i];
        size++;
      }
    }
  }
}
