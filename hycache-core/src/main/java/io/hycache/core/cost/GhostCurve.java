// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.cost;

import io.hycache.core.model.CacheKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Estimates the hit ratio of an LRU cache for all sizes at once, from a sample of the blocks.
 *
 * <p>Idea: an access hits in an LRU cache of S bytes exactly if the distinct blocks read since the
 * last access to its block, including the block itself, occupy at most S bytes. That distance is
 * counted for a spatial sample of the blocks (by hash, so that either all accesses of a block are
 * included or none) and divided by the sampling rate. Distances are computed with a Fenwick tree
 * over the times of last access.
 *
 * <p>Complexity: O(log n) per sampled access, O(1) for others. Memory: about 130 bytes per sampled
 * block, up to a given number of blocks; the rate is halved when there are more.
 *
 * <p>Error: with n sampled blocks of similar size, the standard error of the hit ratio is about 1 /
 * sqrt(n) ({@link #standardError}); a few very large blocks increase it.
 *
 * <p>Source: C. Waldspurger, N. Park, A. Garthwaite, I. Ahmad, "Efficient MRC construction with
 * SHARDS" (FAST'15), Algorithm 1, with the decreasing rate of the fixed-size variant. It replaces
 * the ghost lists of OP-FCL (FAST'12), section 4.
 */
public final class GhostCurve {
  private static final int RATE_BITS = 24;
  private static final int MIN_TIMES = 1024;

  private static final class Seen {
    int time;
    long bytes;

    Seen(int time, long bytes) {
      this.time = time;
      this.bytes = bytes;
    }
  }

  private final long segmentBytes;
  private final double[] hits;
  private final int mostBlocks;
  private final Map<CacheKey, Seen> seen = new HashMap<>();
  private int threshold = 1 << RATE_BITS;

  /** Fenwick tree over times: the bytes of the block whose last access was at that time. */
  private long[] tree = new long[MIN_TIMES + 1];

  private int now;

  /** Accesses to sampled blocks, scaled by the inverse of the rate. */
  private double accesses;

  /** All accesses, sampled or not. */
  private double allAccesses;

  /**
   * @param segmentBytes size of a segment, &gt; 0
   * @param segments number of segments, &gt; 0
   * @param mostBlocks maximum number of sampled blocks, &gt; 0
   */
  public GhostCurve(long segmentBytes, int segments, int mostBlocks) {
    if (segmentBytes <= 0 || segments <= 0 || mostBlocks <= 0) {
      throw new IllegalArgumentException(
          "expected values above 0, found segmentBytes="
              + segmentBytes
              + " segments="
              + segments
              + " mostBlocks="
              + mostBlocks);
    }
    this.segmentBytes = segmentBytes;
    this.hits = new double[segments + 1];
    this.mostBlocks = mostBlocks;
  }

  private static int hash(CacheKey key) {
    long h = key.hashCode() * 0x9E3779B97F4A7C15L;
    return (int) (h >>> (Long.SIZE - RATE_BITS));
  }

  private double rate() {
    return (double) threshold / (1 << RATE_BITS);
  }

  /** Records an access to a block of this size. */
  public void access(CacheKey key, long bytes) {
    allAccesses++;
    if (hash(key) >= threshold) {
      return;
    }
    double weight = 1 / rate();
    accesses += weight;
    if (now + 1 >= tree.length) {
      compact();
    }
    Seen last = seen.get(key);
    now++;
    if (last == null) {
      seen.put(key, new Seen(now, bytes));
      add(now, bytes);
      if (seen.size() > mostBlocks) {
        threshold /= 2;
        seen.keySet().removeIf(other -> hash(other) >= threshold);
        compact();
      }
      return;
    }
    count(last, bytes, weight);
    add(last.time, -last.bytes);
    last.time = now;
    last.bytes = bytes;
    add(now, bytes);
  }

  /**
   * Counts a hit, with this weight, in every cache that is large enough to hold the block since its
   * last access.
   */
  private void count(Seen last, long bytes, double weight) {
    double distance = (sum(now) - sum(last.time)) / rate() + bytes;
    double segment = Math.ceil(distance / segmentBytes);
    if (segment < hits.length) {
      hits[(int) Math.max(1, segment)] += weight;
    }
  }

  /**
   * Counts a hit for a block that proved worth its space, without an access: the block does not
   * become more recent. Ignores blocks never accessed.
   */
  public void earned(CacheKey key) {
    Seen last = seen.get(key);
    if (last != null) {
      count(last, last.bytes, 1 / rate());
    }
  }

  /** Removes a block that no longer exists. */
  public void forget(CacheKey key) {
    Seen last = seen.remove(key);
    if (last != null) {
      add(last.time, -last.bytes);
    }
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

  /** The curve since the start, with older accesses discounted by {@link #age}. O(segments). */
  public HitCurve curve() {
    double[] ratios = new double[hits.length];
    // A sample with too few of the hottest blocks counts too few accesses. The missing ones are
    // added at the shortest distances (SHARDS-adj, section 3.2 of the source).
    double sum = allAccesses - accesses;
    for (int i = 1; i < hits.length; i++) {
      sum += hits[i];
      double ratio = allAccesses == 0 ? 0 : Math.max(0, Math.min(1, sum / allAccesses));
      ratios[i] = Math.max(ratios[i - 1], ratio);
    }
    return new HitCurve(ratios);
  }

  /** Number of accesses, halved by each {@link #age}. */
  public double accesses() {
    return allAccesses;
  }

  /** Standard error of a hit ratio, for blocks of similar size; 0 while all blocks are sampled. */
  public double standardError() {
    return threshold == 1 << RATE_BITS ? 0 : 1 / Math.sqrt(Math.max(1, seen.size()));
  }

  /** Halves the weight of everything counted so far. */
  public void age() {
    accesses /= 2;
    allAccesses /= 2;
    for (int i = 0; i < hits.length; i++) {
      hits[i] /= 2;
    }
  }
}
