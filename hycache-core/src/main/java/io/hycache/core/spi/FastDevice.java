package io.hycache.core.spi;

import java.util.Objects;

/** A probe of one fast device (an SSD volume or a cache directory). Immutable. */
public final class FastDevice {
  private final String id;
  private final long capacityBytes;
  private final long availableBytes;
  private final boolean holdsReplicas;
  private final long unitBytes;

  /** One whose file system gives space in bytes. */
  public FastDevice(String id, long capacityBytes, long availableBytes, boolean holdsReplicas) {
    this(id, capacityBytes, availableBytes, holdsReplicas, 1);
  }

  /**
   * @param id stable while the DataNode runs
   * @param capacityBytes what HDFS may use of it, reserved space already taken off
   * @param availableBytes free for new bytes right now, in-flight writes already taken off
   * @param holdsReplicas true for an HDFS volume, false for a read-cache directory
   * @param unitBytes its file system gives space in multiples of this, &gt; 0
   */
  public FastDevice(
      String id, long capacityBytes, long availableBytes, boolean holdsReplicas, long unitBytes) {
    this.id = Objects.requireNonNull(id);
    this.capacityBytes = capacityBytes;
    this.availableBytes = availableBytes;
    this.holdsReplicas = holdsReplicas;
    this.unitBytes = unitBytes;
  }

  /** What a file of a length takes on it. */
  public long allocatedBytes(long lengthBytes) {
    return allocatedBytes(lengthBytes, unitBytes);
  }

  /** What a file of a length takes where space is given in multiples of a unit. */
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
}
