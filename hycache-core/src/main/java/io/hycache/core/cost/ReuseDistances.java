// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.cost;

import io.hycache.core.model.CacheKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Estimates reuse distances from a sample of the blocks: for an access, the bytes of the distinct
 * blocks used since the last use of its block, the block itself included. An LRU cache serves the
 * access exactly if it holds that many bytes.
 *
 * <p>Idea: the blocks are sampled by hash, so that either all uses of a block are included or none,
 * and the distance among them is divided by the sampling rate. Distances are computed with a
 * Fenwick tree over the times of last use.
 *
 * <p>Complexity: O(log n) per use of a sampled block, O(1) for others. Memory: about 130 bytes per
 * sampled block, up to a given number of blocks; the rate is halved when there are more. Not
 * thread-safe.
 *
 * <p>Source: C. Waldspurger, N. Park, A. Garthwaite, I. Ahmad, "Efficient MRC construction with
 * SHARDS" (FAST'15), Algorithm 1, with the decreasing rate of the fixed-size variant.
 */
final class ReuseDistances {
  /** The distance of a block that was not used before. */
  static final double NEVER = Double.POSITIVE_INFINITY;

  private static final int RATE_BITS = 24;
  private static final int MIN_TIMES = 1024;

  private static final class Seen {
    int time;
    int second;
    long bytes;
    boolean marked;
  }

  private final int mostBlocks;
  private final Map<CacheKey, Seen> seen = new HashMap<>();
  private int threshold = 1 << RATE_BITS;

  /** Fenwick tree over times: the bytes of the block whose last use was at that time. */
  private long[] tree = new long[MIN_TIMES + 1];

  private int now;

  /**
   * @param mostBlocks maximum number of sampled blocks, &gt; 0
   */
  ReuseDistances(int mostBlocks) {
    this.mostBlocks = mostBlocks;
  }

  private static int hash(CacheKey key) {
    long h = key.hashCode() * 0x9E3779B97F4A7C15L;
    return (int) (h >>> (Long.SIZE - RATE_BITS));
  }

  /** Whether the block is in the sample; the methods below expect one that is. */
  boolean samples(CacheKey key) {
    return hash(key) < threshold;
  }

  private double rate() {
    return (double) threshold / (1 << RATE_BITS);
  }

  /** Blocks for which one in the sample stands: the inverse of the rate, 1 or more. */
  double weight() {
    return 1 / rate();
  }

  /** Bytes that a cache must hold to serve an access to the block now, or {@link #NEVER}. */
  double of(CacheKey key, long bytes) {
    Seen last = seen.get(key);
    return last == null ? NEVER : (sum(now) - sum(last.time)) / rate() + bytes;
  }

  /** As {@link #of(CacheKey, long)}, with the size at the block's last use. */
  double of(CacheKey key) {
    Seen last = seen.get(key);
    return last == null ? NEVER : of(key, last.bytes);
  }

  /** Makes the block the one that was used last. */
  void use(CacheKey key, long bytes) {
    use(key, bytes, 0);
  }

  /**
   * As {@link #use(CacheKey, long)}.
   *
   * @param second time of the use, for {@link #usedBytes}
   */
  void use(CacheKey key, long bytes, int second) {
    if (now + 1 >= tree.length) {
      compact();
    }
    Seen last = seen.get(key);
    if (last == null) {
      last = new Seen();
      seen.put(key, last);
    } else {
      add(last.time, -last.bytes);
    }
    last.time = ++now;
    last.second = second;
    last.bytes = bytes;
    last.marked = false;
    add(now, bytes);
    if (seen.size() > mostBlocks) {
      threshold /= 2;
      seen.keySet().removeIf(other -> !samples(other));
      compact();
    }
  }

  /** Marks the last use of a block. Returns false if it is marked already, or there was none. */
  boolean mark(CacheKey key) {
    Seen last = seen.get(key);
    if (last == null || last.marked) {
      return false;
    }
    last.marked = true;
    return true;
  }

  /** Removes a block that no longer exists. */
  void forget(CacheKey key) {
    Seen last = seen.remove(key);
    if (last != null) {
      add(last.time, -last.bytes);
    }
  }

  /** Bytes of the distinct blocks used at this second or later. O(n). */
  double usedBytes(int sinceSecond) {
    long bytes = 0;
    for (Seen one : seen.values()) {
      bytes += one.second >= sinceSecond ? one.bytes : 0;
    }
    return bytes / rate();
  }

  /** Number of blocks in the sample. */
  int blocks() {
    return seen.size();
  }

  /**
   * Standard error of a share of accesses, for blocks of similar size; 0 while all blocks are
   * sampled.
   */
  double standardError() {
    return threshold == 1 << RATE_BITS ? 0 : 1 / Math.sqrt(Math.max(1, seen.size()));
  }

  private void add(int time, long bytes) {
    for (int i = time; i < tree.length; i += i & -i) {
      tree[i] += bytes;
    }
  }

  private long sum(int time) {
    long sum = 0;
    for (int i = time; i > 0; i -= i & -i) {
      sum += tree[i];
    }
    return sum;
  }

  /** Renumbers the times without gaps. */
  private void compact() {
    Seen[] all = seen.values().toArray(new Seen[0]);
    Arrays.sort(all, (a, b) -> Integer.compare(a.time, b.time));
    tree = new long[Math.max(MIN_TIMES, all.length * 2) + 1];
    now = 0;
    for (Seen one : all) {
      one.time = ++now;
      add(now, one.bytes);
    }
  }
}
