// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.spi;

import java.util.Objects;

/**
 * A snapshot of one fast device: a volume of a fast tier, or a cache directory. Tiers are numbered
 * from the fastest, 0. Immutable.
 */
public final class FastDevice {
  /** The storage type of a device that is not said to be of another. */
  public static final String SSD = "SSD";

  private final String id;
  private final long capacityBytes;
  private final long availableBytes;
  private final boolean holdsReplicas;
  private final long unitBytes;
  private final int tier;
  private final String storageType;

  /** A device whose file system allocates space in bytes. */
  public FastDevice(String id, long capacityBytes, long availableBytes, boolean holdsReplicas) {
    this(id, capacityBytes, availableBytes, holdsReplicas, 1);
  }

  /**
   * @param id stable while the DataNode runs
   * @param capacityBytes space that HDFS may use, without reserved space
   * @param availableBytes space free for new bytes now, without in-flight writes
   * @param holdsReplicas true for an HDFS volume, false for a read-cache directory
   * @param unitBytes the file system's allocation unit, &gt; 0
   */
  public FastDevice(
      String id, long capacityBytes, long availableBytes, boolean holdsReplicas, long unitBytes) {
    this(id, capacityBytes, availableBytes, holdsReplicas, unitBytes, 0, SSD);
  }

  private FastDevice(
      String id,
      long capacityBytes,
      long availableBytes,
      boolean holdsReplicas,
      long unitBytes,
      int tier,
      String storageType) {
    this.id = Objects.requireNonNull(id);
    this.capacityBytes = capacityBytes;
    this.availableBytes = availableBytes;
    this.holdsReplicas = holdsReplicas;
    this.unitBytes = unitBytes;
    this.tier = tier;
    this.storageType = Objects.requireNonNull(storageType);
  }

  /**
   * The same device as one of another tier; it is one of tier 0, {@link #SSD}, at first.
   *
   * @param tier &gt;= 0
   * @param storageType name of the tier's storage type
   */
  public FastDevice ofTier(int tier, String storageType) {
    return new FastDevice(
        id, capacityBytes, availableBytes, holdsReplicas, unitBytes, tier, storageType);
  }

  /** Space that a file of this length takes on the device, in bytes. */
  public long allocatedBytes(long lengthBytes) {
    return allocatedBytes(lengthBytes, unitBytes);
  }

  /**
   * Space that a file of this length takes where space is allocated in multiples of a unit, in
   * bytes.
   */
  public static long allocatedBytes(long lengthBytes, long unitBytes) {
    return (lengthBytes + unitBytes - 1) / unitBytes * unitBytes;
  }

  public String id() {
    return id;
  }

  public long capacityBytes() {
    return capacityBytes;
  }

  public long availableBytes() {
    return availableBytes;
  }

  public boolean holdsReplicas() {
    return holdsReplicas;
  }

  /** The file system's allocation unit, &gt; 0. */
  public long unitBytes() {
    return unitBytes;
  }

  /** Number of its tier, from 0, the fastest. */
  public int tier() {
    return tier;
  }

  /** Name of the storage type of its tier. */
  public String storageType() {
    return storageType;
  }
}
