// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.cost;

import io.hycache.core.model.CacheKey;

/**
 * Estimates the hit ratio of an LRU cache for all sizes at once, from a sample of the blocks.
 *
 * <p>Idea: the {@link ReuseDistances} of the accesses are counted by segments of the cache. An
 * access hits in every cache that is at least as large as its distance.
 *
 * <p>Complexity: O(log n) per sampled access, O(1) for others. Memory: that of {@link
 * ReuseDistances}.
 *
 * <p>Error: with n sampled blocks of similar size, the standard error of the hit ratio is about 1 /
 * sqrt(n) ({@link #standardError}); a few very large blocks increase it.
 *
 * <p>Source: C. Waldspurger, N. Park, A. Garthwaite, I. Ahmad, "Efficient MRC construction with
 * SHARDS" (FAST'15). It replaces the ghost lists of OP-FCL (FAST'12), section 4.
 */
public final class GhostCurve {
  private final long segmentBytes;
  private final double[] hits;
  private final ReuseDistances distances;

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
    this.distances = new ReuseDistances(mostBlocks);
  }

  /** Records an access to a block of this size. */
  public void access(CacheKey key, long bytes) {
    allAccesses++;
    if (!distances.samples(key)) {
      return;
    }
    accesses += distances.weight();
    count(distances.of(key, bytes));
    distances.use(key, bytes);
  }

  /** Counts a hit in every cache of at least this size. */
  private void count(double distance) {
    double segment = Math.ceil(distance / segmentBytes);
    if (segment < hits.length) {
      hits[(int) Math.max(1, segment)] += distances.weight();
    }
  }

  /**
   * Counts a hit for a block that proved worth its space, without an access: the block does not
   * become more recent. Once for each access; ignores blocks never accessed.
   */
  public void earned(CacheKey key) {
    if (distances.mark(key)) {
      count(distances.of(key));
    }
  }

  /** Removes a block that no longer exists. */
  public void forget(CacheKey key) {
    distances.forget(key);
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
    return distances.standardError();
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
