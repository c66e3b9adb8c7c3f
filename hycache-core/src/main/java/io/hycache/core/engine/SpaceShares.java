// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.PartitionRule;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.cost.FlashModel;
import io.hycache.core.cost.Partition;
import io.hycache.core.cost.Partitioner;
import io.hycache.core.model.BlockKey;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The shares of the fast tier for reads, writes and a reserve: as configured, or adapted to the
 * load ({@link Partitioner}). The reserve is never less than the configured one. Owned by the
 * planner's thread; O(log n) an access when the shares adapt, otherwise O(1).
 */
final class SpaceShares {
  private HyCacheConfig config;
  private @Nullable Partitioner partitioner;
  private long capacityBytes;
  private long steppedNanos;

  SpaceShares(HyCacheConfig config) {
    this.config = config;
  }

  void reconfigure(HyCacheConfig next) {
    if (!next.partition().equals(config.partition())) {
      partitioner = null;
    }
    config = next;
  }

  void read(BlockKey block, long bytes) {
    if (partitioner != null) {
      partitioner.read(block, bytes);
    }
  }

  void written(BlockKey block, long bytes) {
    if (partitioner != null) {
      partitioner.written(block, bytes);
    }
  }

  void deleted(BlockKey block) {
    if (partitioner != null) {
      partitioner.deleted(block);
    }
  }

  /**
   * Adapts the shares when a period is over.
   *
   * @param fastBytes size of the tier
   * @param readBytes supplies the bytes that clean copies take, from which the shares start: so
   *     nothing is evicted because adapting begins
   */
  void maintain(long fastBytes, LongSupplier readBytes, long now) {
    if (!config.partition().isAuto() || fastBytes <= 0) {
      return;
    }
    if (partitioner == null || capacityBytes != fastBytes) {
      // The distances of the ghost lists refer to the size of the tier.
      Partition start =
          partitioner == null
              ? from((double) readBytes.getAsLong() / (double) fastBytes)
              : partitioner.current();
      partitioner =
          new Partitioner(
              FlashModel.STREAMED, DiskTime.DEFAULT, fastBytes, start, Partitioner.SEGMENTS);
      capacityBytes = fastBytes;
      steppedNanos = now;
    } else if (now - steppedNanos >= config.partitionPeriod().toNanos()) {
      steppedNanos = now;
      partitioner.next();
    }
  }

  /** The first shares: half for reads, or what they take if that is more; the rest for writes. */
  private Partition from(double reads) {
    double data = 1 - Math.max(config.reserveShare(), 1.0 / Partitioner.SEGMENTS);
    double read =
        Math.rint(Math.min(data, Math.max(data / 2, reads)) * Partitioner.SEGMENTS)
            / Partitioner.SEGMENTS;
    return Partition.of(read, data - read, Partitioner.SEGMENTS);
  }

  private double within(double share) {
    return Math.min(share, 1 - config.reserveShare());
  }

  /** Share of the SSD volumes that dirty replicas and writes in flight may take. */
  double write() {
    PartitionRule rule = config.partition();
    if (rule.isShared()) {
      return config.writeShare();
    }
    double share = partitioner == null ? rule.writeShare() : partitioner.current().writeShare();
    return Math.min(config.writeShare(), within(share));
  }

  /** Share of the tier that clean copies may take; 1 if they may take all that is free. */
  double read() {
    PartitionRule rule = config.partition();
    if (rule.isShared()) {
      return 1;
    }
    return within(partitioner == null ? rule.readShare() : partitioner.current().readShare());
  }

  /** The rule and its current shares, for operators. */
  @Override
  public String toString() {
    PartitionRule rule = config.partition();
    if (rule.isShared()) {
      return rule.toString();
    }
    return String.format(
        Locale.ROOT, "%s reads=%.3f writes=%.3f free=%.3f", rule, read(), write(), free());
  }

  private double free() {
    return Math.max(0, 1 - read() - write());
  }
}
