// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.cost;

/**
 * Cost of a page access with a flash cache in front of an HDD, as a function of the split of the
 * flash: a share u holds data, the rest is over-provisioned space for garbage collection; of the
 * data, a share r is for reads, the rest for writes.
 *
 * <pre>
 *   C_HR(u, r) = H_R C_FR + (1 - H_R) (C_DR + C_PW(u))          H_R: hit ratio of reads in u r S
 *   C_HW(u, r) = H_W C_PW(u) + (1 - H_W) (C_PW(u) + C_FR + C_DW) H_W: of writes in u (1 - r) S
 *   C(u, r)    = IO_R C_HR + IO_W C_HW                            IO_R + IO_W = 1
 * </pre>
 *
 * <p>Choice where the source is silent: a write miss displaces a dirty page, which is read from
 * flash and written to the HDD. Immutable; each call is O(1).
 *
 * <p>Source: Oh, Choi, Lee, Noh (FAST'12), section 3; see {@link FlashModel}.
 */
public final class HybridCost {
  private final FlashModel flash;
  private final DiskTime disk;
  private final HitCurve reads;
  private final HitCurve writes;
  private final double readShare;
  private final int segments;

  /**
   * @param reads hit ratio of reads, by segments of read space
   * @param writes hit ratio of writes, by segments of write space
   * @param readShare IO_R, 0 to 1
   * @param segments number of segments of the whole flash, &gt; 0
   */
  public HybridCost(
      FlashModel flash,
      DiskTime disk,
      HitCurve reads,
      HitCurve writes,
      double readShare,
      int segments) {
    if (!(readShare >= 0 && readShare <= 1) || segments <= 0) {
      throw new IllegalArgumentException(
          "expected a readShare of 0 to 1 and more than 0 segments, found readShare="
              + readShare
              + " segments="
              + segments);
    }
    this.flash = flash;
    this.disk = disk;
    this.reads = reads;
    this.writes = writes;
    this.readShare = readShare;
    this.segments = segments;
  }

  private double diskSeconds() {
    return disk.seconds(flash.pageBytes());
  }

  /** C_HR, in seconds. */
  public double readSeconds(double u, double r) {
    return readSeconds(u, r, flash.writePageSeconds(u));
  }

  private double readSeconds(double u, double r, double write) {
    double hits = reads.at(u * r * segments);
    return hits * flash.readPageSeconds() + (1 - hits) * (diskSeconds() + write);
  }

  /** C_HW, in seconds. */
  public double writeSeconds(double u, double r) {
    return writeSeconds(u, r, flash.writePageSeconds(u));
  }

  private double writeSeconds(double u, double r, double write) {
    double hits = writes.at(u * (1 - r) * segments);
    return hits * write + (1 - hits) * (write + flash.readPageSeconds() + diskSeconds());
  }

  /** C(u, r), in seconds per access. */
  public double seconds(double u, double r) {
    return seconds(u, r, flash.writePageSeconds(u));
  }

  /**
   * @param write C_PW(u), the most expensive term to compute
   */
  private double seconds(double u, double r, double write) {
    return readShare * readSeconds(u, r, write) + (1 - readShare) * writeSeconds(u, r, write);
  }

  /**
   * The split with the lowest cost, by exhaustive search in steps of one segment. O(segments^2).
   */
  public Partition best() {
    Partition best = new Partition(1, segments, 0, Double.POSITIVE_INFINITY);
    // At least one segment stays free, so that u is below 1.
    for (int data = 1; data < segments; data++) {
      double u = (double) data / segments;
      double write = flash.writePageSeconds(u);
      for (int read = 0; read <= data; read++) {
        double cost = seconds(u, (double) read / data, write);
        if (cost < best.seconds()) {
          best = new Partition(data, segments, read, cost);
        }
      }
    }
    return best;
  }
}
