package io.hycache.core.stats;

/**
 * What one fast device of a DataNode looks like at a moment. An immutable value, as {@link
 * NodeStatus}.
 */
public final class DeviceStatus {
  /** Root directory. */
  public final String device;

  /**
   * False: sick, failed, not answering, or refused, for reasons in the DataNode's log; nothing new
   * goes there and nothing is served from it.
   */
  public final boolean usable;

  public final long capacityBytes;
  public final long freeBytes;
  public final long dirtyBytes;
  public final long ownerBytes;
  public final long cleanBytes;
  public final long checksumBytes;

  /** Bytes that users wrote in the last 24 hours. */
  public final long userWriteBytesPerDay;

  /** Bytes of clean copies made in the last 24 hours. */
  public final long promotionBytesPerDay;

  /** What is left of the write budget; {@code Long.MAX_VALUE} without one. */
  public final long writeBudgetLeftBytes;

  public DeviceStatus(
      String device,
      boolean usable,
      long capacityBytes,
      long freeBytes,
      long dirtyBytes,
      long ownerBytes,
      long cleanBytes,
      long checksumBytes,
      long userWriteBytesPerDay,
      long promotionBytesPerDay,
      long writeBudgetLeftBytes) {
    this.device = device;
    this.usable = usable;
    this.capacityBytes = capacityBytes;
    this.freeBytes = freeBytes;
    this.dirtyBytes = dirtyBytes;
    this.ownerBytes = ownerBytes;
    this.cleanBytes = cleanBytes;
    this.checksumBytes = checksumBytes;
    this.userWriteBytesPerDay = userWriteBytesPerDay;
    this.promotionBytesPerDay = promotionBytesPerDay;
    this.writeBudgetLeftBytes = writeBudgetLeftBytes;
  }
}
