// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.cost;

/**
 * Detects long sequential reads by position: a read that begins where the last one ended, or
 * shortly after, continues its run, and a long run is sequential. One instance per stream;
 * positions and lengths are in the same unit. O(1), 40 bytes. Not thread-safe.
 *
 * <p>Source: OP-FCL (FAST'12), section 4.1: sequential I/O bypasses the cache.
 */
public final class SequentialDetector {
  private final long threshold;
  private final long mostSkipped;
  private long end = -1;
  private long run;

  /**
   * @param threshold length from which a run is sequential, &gt; 0
   * @param mostSkipped largest gap between two requests of a run, &gt;= 0
   */
  public SequentialDetector(long threshold, long mostSkipped) {
    this.threshold = threshold;
    this.mostSkipped = mostSkipped;
  }

  /**
   * Records a request.
   *
   * @param position where it begins, &gt;= 0
   * @return whether it belongs to a sequential run
   */
  public boolean request(long position, long length) {
    boolean goesOn = end >= 0 && position >= end && position - end <= mostSkipped;
    run = goesOn ? run + length : length;
    end = position + length;
    return run >= threshold;
  }
}
