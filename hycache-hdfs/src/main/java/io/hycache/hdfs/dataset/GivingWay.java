// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.spi.BlockMover.Throttle;

/** Throttle of a copy from or to a DISK volume that yields to the volume's users between chunks. */
final class GivingWay implements Throttle {
  private final Throttle pace;
  private final DiskUse use;

  GivingWay(Throttle pace, DiskUse use) {
    this.pace = pace;
    this.use = use;
  }

  @Override
  public void take(long bytes) throws InterruptedException {
    pace.take(bytes);
    use.giveWay();
  }

  @Override
  public int chunkBytes(int mostBytes) {
    return pace.chunkBytes(mostBytes);
  }
}
