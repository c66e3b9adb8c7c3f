// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.cost;

import io.hycache.core.model.CacheKey;

/**
 * Re-tunes the split of the fast tier once per period from the observed reads and writes: OP-FCL's
 * partition resizer.
 *
 * <p>Idea: ghost lists of reads and writes yield hit curves. At the end of a period the split with
 * the lowest {@link HybridCost} is searched, and the borders move towards it by at most one segment
 * per period, so that a short burst does not evict what was gathered over a long time.
 *
 * <p>Long scans are excluded ({@link SequentialDetector}): they fit no possible size of the tier,
 * and their many reads would take space from writes without a benefit.
 *
 * <p>HDFS never overwrites a block. A DataNode's write space saves HDD work for blocks that are
 * read or deleted while they are still in it; those count as write hits, once for each write: reads
 * count for the read space.
 *
 * <p>O(log n) per access, O(segments^2) per period; memory of two {@link GhostCurve}s. Not
 * thread-safe.
 *
 * <p>Source: Oh, Choi, Lee, Noh (FAST'12), section 4 and Algorithm 1.
 */
public final class Partitioner {
  /**
   * Number of segments in a DataNode and in its simulation: a border moves by at most one per
   * period.
   */
  public static final int SEGMENTS = 32;

  private static final int MAX_SAMPLED_BLOCKS = 16_384;
  private static final double MIN_ACCESSES_PER_SEARCH = 100;
  private static final int MIN_SCAN_BLOCKS = 64;

  /**
   * Largest gap of ids within a scan; ids in between belong to other DataNodes' blocks and other
   * writers.
   */
  private static final int MAX_SKIPPED_IDS = 32;

  private final FlashModel flash;
  private final DiskTime disk;
  private final int segments;
  private final GhostCurve reads;
  private final GhostCurve writes;

  /** Detects scans by block ids: blocks written consecutively are read consecutively by a scan. */
  private final SequentialDetector scans = new SequentialDetector(MIN_SCAN_BLOCKS, MAX_SKIPPED_IDS);

  private Partition current;
  private Partition goal;

  /**
   * @param capacityBytes of the fast tier, &gt; 0
   * @param start the current split
   * @param segments number of segments in the search, &gt; 1
   */
  public Partitioner(
      FlashModel flash, DiskTime disk, long capacityBytes, Partition start, int segments) {
    this.flash = flash;
    this.disk = disk;
    this.segments = segments;
    long segmentBytes = Math.max(1, capacityBytes / segments);
    this.reads = new GhostCurve(segmentBytes, segments, MAX_SAMPLED_BLOCKS);
    this.writes = new GhostCurve(segmentBytes, segments, MAX_SAMPLED_BLOCKS);
    this.current = start;
    this.goal = start;
  }

  /**
   * Records a read. A read of a scan counts as a hit of the write space but not for the read space.
   */
  public void read(CacheKey key, long bytes) {
    if (!scans.request(key.id(), 1)) {
      reads.access(key, bytes);
    }
    writes.earned(key);
  }

  public void deleted(CacheKey key) {
    reads.forget(key);
    writes.earned(key);
    writes.forget(key);
  }

  public void written(CacheKey key, long bytes) {
    writes.access(key, bytes);
  }

  /** Ends a period. Returns the split for the next one. */
  public Partition next() {
    double all = reads.accesses() + writes.accesses();
    if (all >= MIN_ACCESSES_PER_SEARCH) {
      goal =
          new HybridCost(
                  flash, disk, reads.curve(), writes.curve(), reads.accesses() / all, segments)
              .best();
    }
    current = current.towards(goal);
    reads.age();
    writes.age();
    return current;
  }

  /** The current split. */
  public Partition current() {
    return current;
  }

  /** The split that the borders move towards. */
  public Partition goal() {
    return goal;
  }
}
