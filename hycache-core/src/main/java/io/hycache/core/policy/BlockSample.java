// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.CacheKey;

/**
 * A sample of all blocks, chosen by hash: a block is in it always or never, until the rate changes.
 * The hash is independent of that of {@link BlockMap}. O(1); not thread-safe.
 *
 * <p>Source: C. Waldspurger, N. Park, A. Garthwaite, I. Ahmad, "Efficient MRC construction with
 * SHARDS" (FAST'15), section 3.
 */
final class BlockSample {
  private static final int RATE_BITS = 30;

  private int threshold = 1 << RATE_BITS;

  private static int hash(CacheKey key) {
    int h = key.hashCode() * 0x9E3779B9;
    h = (h ^ (h >>> 16)) * 0x85EBCA6B;
    return (h ^ (h >>> 13)) & ((1 << RATE_BITS) - 1);
  }

  boolean has(CacheKey key) {
    return hash(key) < threshold;
  }

  /** Copies those of some blocks that are in it; returns how many. */
  int pick(CacheKey[] from, int count, CacheKey[] into) {
    int picked = 0;
    for (int i = 0; i < count; i++) {
      if (has(from[i])) {
        into[picked++] = from[i];
      }
    }
    return picked;
  }

  /** Takes all blocks in again. */
  void reset() {
    threshold = 1 << RATE_BITS;
  }

  /** Whether all blocks are in it. */
  boolean isAll() {
    return threshold == 1 << RATE_BITS;
  }

  /** Part of all blocks that is in it, above 0 to 1. */
  double rate() {
    return (double) threshold / (1 << RATE_BITS);
  }

  boolean canBeHalved() {
    return threshold > 1;
  }

  /** Halves the rate: about half of the blocks leave. Not below 1 in 2^30. */
  void halve() {
    threshold = Math.max(1, threshold / 2);
  }
}
