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
 * How the fast tier is split between reads, writes and a reserve: as configured, or as the load has
 * it ({@link Partitioner}). The configured reserve is the least in each case. Owned by the
 * planner's thread; O(log n) an access when it follows the load, otherwise nothing.
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
   * Moves the borders when a period is over.
   *
   * @param fastBytes size of the tier
   * @param readBytes asked for what clean copies take of it when this rule begins: nothing is
   *     evicted because it does
   */
  void maintain(long fastBytes, LongSupplier readBytes, long now) {
    if (!config.partition().isAuto() || fastBytes <= 0) {
      return;
    }
    if (partitioner == null || capacityBytes != fastBytes) {
      // With other devices the ghosts' distances mean something else.
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

  /** Half for reads, or more if they have more; the rest for writes. */
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

  /** For operators: the rule, and where its borders are. */
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
