package io.hycache.core.spi;

import java.util.Objects;

/** A probe of one fast device (an SSD volume or a cache directory). Immutable. */
public final class FastDevice {
  private final String id;
  private final long capacityBytes;
  private final long availableBytes;
  private final boolean holdsReplicas;

  /**
   * @param id stable while the DataNode runs
   * @param capacityBytes what HDFS may use of it, reserved space already taken off
   * @param availableBytes free for new bytes right now, in-flight writes already taken off
   * @param holdsReplicas true for an HDFS volume, false for a read-cache directory
   */
  public FastDevice(String id, long capacityBytes, long availableBytes, boolean holdsReplicas) {
    this.id = Objects.requireNonNull(id);
    this.capacityBytes = capacityBytes;
    this.availableBytes = availableBytes;
    this.holdsReplicas = holdsReplicas;
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
