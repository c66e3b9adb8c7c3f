// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.move.RateLimit;
import io.hycache.core.spi.BlockMover;

/** Limits the rate of scrub reads and counts their bytes. For one verification. */
final class ScrubThrottle implements BlockMover.Throttle {
  private final RateLimit limit;
  final DiskUse use;
  private final boolean ofDisk;
  long bytes;

  /**
   * @param ofDisk the reads are from DISK and yield to its users
   */
  ScrubThrottle(RateLimit limit, DiskUse use, boolean ofDisk) {
    this.limit = limit;
    this.use = use;
    this.ofDisk = ofDisk;
  }

  @Override
  public void take(long taken) throws InterruptedException {
    bytes += taken;
    limit.take(taken);
    if (ofDisk) {
      use.giveWay();
    }
  }
}
