// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import io.hycache.core.spi.FastDevice;
import java.util.EnumMap;
import java.util.Map;

/** State of one fast device of a DataNode at one moment. Immutable. */
public final class DeviceStatus {
  /** The numbers of a device, in the order of the wire form and of JSON. */
  public enum Figure {
    /** Space that HyCache may use. */
    CAPACITY_BYTES("capacityBytes"),

    FREE_BYTES("freeBytes"),

    /** See {@link NodeStatus.Figure#DIRTY_BYTES}. */
    DIRTY_BYTES("dirtyBytes"),

    /** See {@link NodeStatus.Figure#OWNER_BYTES}. */
    OWNER_BYTES("ownerBytes"),

    /** See {@link NodeStatus.Figure#CLEAN_BYTES}. */
    CLEAN_BYTES("cleanBytes"),

    /** See {@link NodeStatus.Figure#CHECKSUM_BYTES}. */
    CHECKSUM_BYTES("checksumBytes"),

    /** Bytes that users wrote in the last 24 hours. */
    USER_WRITE_BYTES_PER_DAY("userWriteBytesPerDay"),

    /** Bytes of clean copies made in the last 24 hours. */
    PROMOTION_BYTES_PER_DAY("promotionBytesPerDay"),

    /** Remainder of the write budget; {@code Long.MAX_VALUE} without a budget. */
    WRITE_BUDGET_LEFT_BYTES("writeBudgetLeftBytes");

    private final String key;

    Figure(String key) {
      this.key = key;
    }

    /** Its name in messages and in JSON. */
    public String key() {
      return key;
    }
  }

  private final String device;
  private final boolean usable;
  private final String storageType;
  private final Map<Figure, Long> figures;

  private DeviceStatus(Builder builder) {
    this.device = builder.device;
    this.usable = builder.usable;
    this.storageType = builder.storageType;
    this.figures = new EnumMap<>(builder.figures);
  }

  /** Collects the values of a status; numbers are 0 unless others are put. Not thread-safe. */
  public static final class Builder {
    private final String device;
    private final boolean usable;
    private String storageType = FastDevice.SSD;
    private final EnumMap<Figure, Long> figures = new EnumMap<>(Figure.class);

    private Builder(String device, boolean usable) {
      this.device = device;
      this.usable = usable;
    }

    public Builder put(Figure figure, long number) {
      figures.put(figure, number);
      return this;
    }

    /** Sets the storage type of its tier; it is {@link FastDevice#SSD} otherwise. */
    public Builder storageType(String name) {
      storageType = name;
      return this;
    }

    public DeviceStatus build() {
      return new DeviceStatus(this);
    }
  }

  /**
   * Starts the status of a device.
   *
   * @param device root directory
   */
  public static Builder builder(String device, boolean usable) {
    return new Builder(device, usable);
  }

  /** Its root directory. */
  public String device() {
    return device;
  }

  /**
   * False if the device is sick, failed, not answering or refused, for reasons in the DataNode's
   * log: nothing is written to it and nothing is served from it.
   */
  public boolean isUsable() {
    return usable;
  }

  /** Name of the storage type of its tier. */
  public String storageType() {
    return storageType;
  }

  /** One number. */
  public long figure(Figure figure) {
    return figures.getOrDefault(figure, 0L);
  }

  /** Whether writes to the device are bounded by a budget. */
  public boolean hasWriteBudget() {
    return figure(Figure.WRITE_BUDGET_LEFT_BYTES) != Long.MAX_VALUE;
  }
}
