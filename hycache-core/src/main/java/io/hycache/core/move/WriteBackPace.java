// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

/**
 * The pace at which the scrubber writes dirty replicas to a slow device.
 *
 * <p>Idea: as in the write-back area of Hystor (ICS'11), dirty blocks are written back ahead of
 * need, from a low watermark on, so that freeing SSD space later is only an unlink. While users
 * access the device, nothing is written to it below the high watermark, and little above, so that
 * the dirty share still shrinks. While they do not, the pace grows with the fill from a quarter of
 * the limit to the full limit. Hystor leaves the pace open; this one is ours. A pure function.
 */
public final class WriteBackPace {
  private static final double MIN_PACE_SHARE = 0.25;

  private final long bytesPerSec;
  private final long busyBytesPerSec;

  /**
   * @param bytesPerSec limit per device, &gt; 0
   * @param busyBytesPerSec limit per device while users access it, &gt; 0
   */
  public WriteBackPace(long bytesPerSec, long busyBytesPerSec) {
    this.bytesPerSec = bytesPerSec;
    this.busyBytesPerSec = busyBytesPerSec;
  }

  /**
   * Position of the dirty bytes between the watermarks: 0 at or below the low one, 1 at or above
   * the high one.
   */
  public static double fill(long dirtyBytes, long lowBytes, long highBytes) {
    if (dirtyBytes <= lowBytes) {
      return 0;
    }
    return dirtyBytes >= highBytes ? 1 : (double) (dirtyBytes - lowBytes) / (highBytes - lowBytes);
  }

  /** Whether to start writing another replica to a device now. */
  public boolean begins(double fill, boolean inUse) {
    return fill >= 1 || (fill > 0 && !inUse);
  }

  /** Bytes per second for a replica that is being written to a device, &gt; 0. */
  public long bytesPerSec(double fill, boolean inUse) {
    if (inUse) {
      return busyBytesPerSec;
    }
    return Math.max(busyBytesPerSec, (long) (bytesPerSec * Math.max(MIN_PACE_SHARE, fill)));
  }
}
