package io.hycache.core.cost;

/**
 * What an HDD needs for its operations: a positioning for each, and the transfer of the bytes. The
 * one currency in which blocks compete. Immutable.
 */
public final class DiskTime {
  /** 144 MB/s and 8 ms: a SATA disk of 7,200 rpm. */
  public static final DiskTime DEFAULT = new DiskTime(144_000_000, 0.008);

  private final double bytesPerSec;
  private final double seekSeconds;

  /**
   * @param bytesPerSec rate of a sequential transfer, &gt; 0
   * @param seekSeconds seek and rotation before each operation, &gt;= 0
   * @throws IllegalArgumentException naming the value that is out of range
   */
  public DiskTime(double bytesPerSec, double seekSeconds) {
    if (!(bytesPerSec > 0) || Double.isInfinite(bytesPerSec)) {
      throw new IllegalArgumentException("HDD bandwidth=" + bytesPerSec + " bytes/s; allowed: > 0");
    }
    if (!(seekSeconds >= 0) || Double.isInfinite(seekSeconds)) {
      throw new IllegalArgumentException("HDD seek=" + seekSeconds + " s; allowed: >= 0");
    }
    this.bytesPerSec = bytesPerSec;
    this.seekSeconds = seekSeconds;
  }

  /** Seconds of one operation. */
  public double seconds(long bytes) {
    return seekSeconds + bytes / bytesPerSec;
  }

  /** Seconds of some operations with some bytes in all. */
  public double seconds(long operations, long bytes) {
    return operations * seekSeconds + bytes / bytesPerSec;
  }

  public double bytesPerSec() {
    return bytesPerSec;
  }

  public double seekSeconds() {
    return seekSeconds;
  }
}
