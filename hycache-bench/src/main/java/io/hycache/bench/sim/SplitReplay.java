// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.config.PartitionRule;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.cost.FlashModel;
import io.hycache.core.cost.Partition;
import io.hycache.core.cost.Partitioner;
import io.hycache.core.model.CacheKey;
import io.hycache.core.policy.Replay;
import io.hycache.core.spi.CachePolicy;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An SSD that is one cache, or, split by a {@link PartitionRule}, two: one for what was read and
 * one for what was written, each with a policy of its own, and a part that stays free (OP-FCL,
 * FAST'12). A write takes its object out of the read cache; a read finds it in either.
 */
final class SplitReplay {
  private final long capacityBytes;
  private final Replay reads;
  private final Replay writes;
  private final @Nullable Partitioner partitioner;
  private final int period;
  private Partition split;

  /**
   * @param policies makes one without residents
   * @param period accesses between two steps of the borders, &gt; 0
   */
  SplitReplay(
      Supplier<CachePolicy> policies,
      PartitionRule rule,
      long capacityBytes,
      DiskTime disk,
      int period) {
    this.capacityBytes = capacityBytes;
    this.period = period;
    double read = rule.isAuto() ? 0.5 : rule.readShare();
    double write =
        rule.isAuto() ? 0.5 - 1.0 / Partitioner.SEGMENTS : rule.isShared() ? 0 : rule.writeShare();
    this.split = Partition.of(read, write, Partitioner.SEGMENTS);
    this.reads = new Replay(policies.get(), part(read));
    this.writes = rule.isShared() ? reads : new Replay(policies.get(), part(write));
    this.partitioner =
        rule.isAuto() && capacityBytes >= Partitioner.SEGMENTS
            ? new Partitioner(FlashModel.STREAMED, disk, capacityBytes, split, Partitioner.SEGMENTS)
            : null;
  }

  private long part(double share) {
    return share >= 1 ? capacityBytes : (long) (capacityBytes * share);
  }

  /** See {@link Replay#warm}; of two caches none knows which accesses will be its own. */
  void warm(CacheKey[] objects, int count) {
    if (reads == writes) {
      reads.warm(objects, count);
    }
  }

  /** See {@link Replay#access}. */
  boolean access(
      CacheKey object,
      long sizeBytes,
      long requestBytes,
      boolean write,
      long referencesLeft,
      long at) {
    if (reads == writes) {
      return reads.access(object, sizeBytes, requestBytes, write, referencesLeft, at);
    }
    step(object, sizeBytes, write, at);
    boolean written = writes.isResident((int) object.id());
    if (write
        && !written
        && reads.handOver(object)
        && requestBytes < sizeBytes
        && sizeBytes <= writes.capacityBytes()) {
      // What the request leaves as it was is copied over, not read from the HDD.
      writes.preload(object, sizeBytes, at);
      writes.setCapacityBytes(writes.capacityBytes());
    }
    Replay space = write || written ? writes : reads;
    return space.access(object, sizeBytes, requestBytes, write, referencesLeft, at);
  }

  private void step(CacheKey object, long sizeBytes, boolean write, long at) {
    if (partitioner == null) {
      return;
    }
    if (write) {
      partitioner.written(object, sizeBytes);
    } else {
      partitioner.read(object, sizeBytes);
    }
    if ((at + 1) % period == 0) {
      split = partitioner.next();
      reads.setCapacityBytes(part(split.readShare()));
      writes.setCapacityBytes(part(split.writeShare()));
    }
  }

  /** Where the borders are; with one cache all is for reads. */
  Partition split() {
    return split;
  }

  long usedBytes() {
    return reads == writes ? reads.usedBytes() : reads.usedBytes() + writes.usedBytes();
  }

  void flush() {
    reads.flush();
    if (writes != reads) {
      writes.flush();
    }
  }

  Replay.Totals totals() {
    if (reads == writes) {
      return reads.totals();
    }
    Replay.Totals sum = new Replay.Totals();
    sum.add(reads.totals());
    sum.add(writes.totals());
    return sum;
  }
}
