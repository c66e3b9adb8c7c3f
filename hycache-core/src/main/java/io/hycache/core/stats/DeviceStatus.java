// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import io.hycache.core.spi.FastDevice;
import java.util.EnumMap;
import java.util.Map;

/** State of one fast device of a DataNode at one moment. Immutable. */
public final class DeviceStatus {
  /** The numbers of a device, in the order of the wire form, of JSON and of the metrics. */
  public enum Figure {
    /** Of a device out of use, as it was when it was in use; 0 if it never was. */
    CAPACITY_BYTES("capacityBytes", "Space that HyCache may use"),

    FREE_BYTES("freeBytes", "Free space"),

    DIRTY_BYTES(
        "dirtyBytes", "Replicas whose only copy on the DataNode is there, placed there by HyCache"),

    OWNER_BYTES(
        "ownerBytes", "Replicas that a storage policy, or a move of HDFS's balancer, keeps there"),

    CLEAN_BYTES("cleanBytes", "Copies of the data of replicas that are on DISK"),

    CHECKSUM_BYTES("checksumBytes", "Copies of checksum files of replicas that are on DISK"),

    USER_WRITE_BYTES_PER_DAY(
        "userWriteBytesPerDay", "Bytes that users wrote to it in the last 24 hours"),

    PROMOTION_BYTES_PER_DAY(
        "promotionBytesPerDay", "Bytes of clean copies made on it in the last 24 hours"),

    /** Not a metric without a budget: then it is {@code Long.MAX_VALUE}. */
    WRITE_BUDGET_LEFT_BYTES(
        "writeBudgetLeftBytes",
        "Remainder of hycache.ssd.write-budget; at a fifth of it promotions end, at 0 and below new"
            + " replicas go to DISK"),

    /** 0 without a budget. Not in the rows of the wire form, whose length is fixed. */
    WRITE_BUDGET_BYTES(
        "writeBudgetBytes", "Bytes that hycache.ssd.write-budget allows a day; 0: no budget");

    private final String key;
    private final String help;

    Figure(String key, String help) {
      this.key = key;
      this.help = help;
    }

    /** Its name in messages and in JSON. */
    public String key() {
      return key;
    }

    /** Its name as a metric. */
    public String metric() {
      return Character.toUpperCase(key.charAt(0)) + key.substring(1);
    }

    /** What the metrics say of it, without line breaks. */
    public String help() {
      return help;
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

  /** Whether a number says anything of this device: without a write budget, two do not. */
  public boolean has(Figure figure) {
    return hasWriteBudget()
        || (figure != Figure.WRITE_BUDGET_LEFT_BYTES && figure != Figure.WRITE_BUDGET_BYTES);
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
