// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import io.hycache.core.spi.BlockMover.Throttle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The throttle of a copy that ends one byte after the expected size. Otherwise a copy of a file
 * that keeps growing might never end; the surplus byte shows that the file has grown.
 */
final class SizedThrottle implements Throttle {
  private final long sizeBytes;
  private final Throttle pace;
  private final AtomicLong copied = new AtomicLong();

  SizedThrottle(long sizeBytes, Throttle pace) {
    this.sizeBytes = sizeBytes;
    this.pace = pace;
  }

  @Override
  public void take(long bytes) throws InterruptedException {
    pace.take(bytes);
    copied.addAndGet(bytes);
  }

  @Override
  public int chunkBytes(int mostBytes) {
    // A chunk of 0 bytes copies nothing, which ends the copy.
    long left = sizeBytes + 1 - copied.get();
    return left <= 0 ? 0 : pace.chunkBytes((int) Math.min(mostBytes, left));
  }
}
