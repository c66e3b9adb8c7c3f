// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.cost;

/**
 * Time that an HDD needs for its operations: one positioning each, and the transfer of the bytes.
 * The common currency in which blocks compete. Immutable.
 */
public final class DiskTime {
  /** 144 MB/s and 8 ms: a SATA disk of 7,200 rpm. */
  public static final DiskTime DEFAULT = new DiskTime(144_000_000, 0.008);

  /**
   * The default price of a byte written to SSD, as a part of the time to transfer it from an HDD.
   */
  public static final double DEFAULT_WRITE_PRICE = 0.05;

  private final double bytesPerSec;
  private final double seekSeconds;
  private final double writePrice;

  /**
   * @param bytesPerSec sequential transfer rate, &gt; 0
   * @param seekSeconds seek and rotation before each operation, &gt;= 0
   * @throws IllegalArgumentException naming the value that is out of range
   */
  public DiskTime(double bytesPerSec, double seekSeconds) {
    this(bytesPerSec, seekSeconds, DEFAULT_WRITE_PRICE);
  }

  private DiskTime(double bytesPerSec, double seekSeconds, double writePrice) {
    if (!(bytesPerSec > 0) || Double.isInfinite(bytesPerSec)) {
      throw new IllegalArgumentException(
          "HDD bandwidth: expected more than 0 bytes/s, found " + bytesPerSec);
    }
    if (!(seekSeconds >= 0) || Double.isInfinite(seekSeconds)) {
      throw new IllegalArgumentException("HDD seek: expected 0 s or more, found " + seekSeconds);
    }
    this.bytesPerSec = bytesPerSec;
    if (!(writePrice >= 0) || Double.isInfinite(writePrice)) {
      throw new IllegalArgumentException("write price: expected 0 or more, found " + writePrice);
    }
    this.seekSeconds = seekSeconds;
    this.writePrice = writePrice;
  }

  /** Seconds for one operation. */
  public double seconds(long bytes) {
    return seekSeconds + bytes / bytesPerSec;
  }

  /** Seconds for a number of operations with a total number of bytes. */
  public double seconds(long operations, long bytes) {
    return operations * seekSeconds + bytes / bytesPerSec;
  }

  /**
   * Seconds for requests of parts of a block, at most those for the block as a whole: parts that
   * lie so close come with the same readahead.
   *
   * @param requests may be a mean
   * @param bytes of all requests
   */
  public double secondsOfParts(double requests, long bytes, long blockBytes) {
    return Math.min(requests * seekSeconds + bytes / bytesPerSec, seconds(blockBytes));
  }

  /**
   * The same disk with another price of SSD writes.
   *
   * @param price of a byte written to SSD, as a part of the time to transfer it from the HDD, &gt;=
   *     0
   * @throws IllegalArgumentException if the price is out of range
   */
  public DiskTime withWritePrice(double price) {
    return new DiskTime(bytesPerSec, seekSeconds, price);
  }

  /** Price of a byte written to SSD, as a part of the time to transfer it from an HDD. */
  public double writePrice() {
    return writePrice;
  }

  /** The price of bytes written to SSD, in seconds of disk time. */
  public double secondsOfWrite(double bytes) {
    return writePrice * bytes / bytesPerSec;
  }

  /**
   * The part of {@link #secondsOfWrite} by which it exceeds the default price: what an operator
   * pays in disk time for fewer SSD writes.
   */
  public double secondsBeyondDefault(double bytes) {
    return Math.max(0, writePrice - DEFAULT_WRITE_PRICE) * bytes / bytesPerSec;
  }

  public double bytesPerSec() {
    return bytesPerSec;
  }

  public double seekSeconds() {
    return seekSeconds;
  }
}
