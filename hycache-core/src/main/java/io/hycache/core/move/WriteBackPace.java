package io.hycache.core.move;

/**
 * How fast the scrubber writes dirty replicas to a slow device.
 *
 * <p>Idea (the write-back area of Hystor, ICS'11: dirty blocks are written back ahead of need, from
 * a low watermark on): making room on SSD then is an unlink. While users use the device, nothing is
 * written to it below the high watermark, and little above, so that it still drains; while they
 * don't, the pace grows with the fill, from a quarter of what is allowed to all of it. Hystor
 * leaves the pace open; this is ours. Pure.
 */
public final class WriteBackPace {
  private static final double LEAST = 0.25;

  private final long bytesPerSec;
  private final long busyBytesPerSec;

  /**
   * @param bytesPerSec most per device, &gt; 0
   * @param busyBytesPerSec most per device while users use it, &gt; 0
   */
  public WriteBackPace(long bytesPerSec, long busyBytesPerSec) {
    this.bytesPerSec = bytesPerSec;
    this.busyBytesPerSec = busyBytesPerSec;
  }

  /** Where dirty bytes stand between the watermarks: 0 at the low one or below, 1 at the high. */
  public static double fill(long dirtyBytes, long lowBytes, long highBytes) {
    if (dirtyBytes <= lowBytes) {
      return 0;
    }
    return dirtyBytes >= highBytes ? 1 : (double) (dirtyBytes - lowBytes) / (highBytes - lowBytes);
  }

  /** Shall another replica be written to a device now? */
  public boolean begins(double fill, boolean inUse) {
    return fill >= 1 || (fill > 0 && !inUse);
  }

  /** Bytes per second that a replica on its way to a device gets, &gt; 0. */
  public long bytesPerSec(double fill, boolean inUse) {
    if (inUse) {
      return busyBytesPerSec;
    }
    return Math.max(busyBytesPerSec, (long) (bytesPerSec * Math.max(LEAST, fill)));
  }
}
