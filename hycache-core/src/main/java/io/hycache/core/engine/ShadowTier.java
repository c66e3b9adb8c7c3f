// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.cost.WorkingSet;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.ShadowSize;
import io.hycache.core.table.BlockEntry;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a {@link WorkingSet} of the reads of this DataNode, and publishes what SSDs of several
 * sizes would serve. Replicas that a storage policy keeps on SSD are left out.
 *
 * <p>It begins anew after an exception or Error in the middle of a change, which is counted as a
 * failure of the planner. Owned by the planner's thread, except for {@link #published}. O(log n) a
 * read; O(n) every {@value #PUBLISH_SECONDS} seconds with reads, n being the sampled blocks.
 */
final class ShadowTier {
  private static final int PUBLISH_SECONDS = 10;
  private static final long PUBLISH_NANOS = TimeUnit.SECONDS.toNanos(PUBLISH_SECONDS);
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final long DAY_NANOS = TimeUnit.DAYS.toNanos(1);

  /** On a DataNode without an SSD, the present size stands for this part of a day's blocks. */
  private static final int DAY_FRACTION = 4;

  private static final double SHARE_DIGITS = 10_000;

  private final FastSpace space;
  private final RoundClock clock;
  private int mostBlocks;
  private @Nullable WorkingSet set;
  private long publishedNanos = Long.MIN_VALUE;
  private volatile Map<NodeFigure, Number> published = Map.of();

  /**
   * @param mostBlocks blocks in a sample at most; 0: nothing is counted
   */
  ShadowTier(int mostBlocks, FastSpace space, RoundClock clock) {
    this.mostBlocks = mostBlocks;
    this.space = space;
    this.clock = clock;
  }

  void reconfigure(int blocks) {
    if (blocks != mostBlocks) {
      mostBlocks = blocks;
      set = null;
      published = Map.of();
    }
  }

  /** A change of the working set. */
  private interface Change {
    void apply(WorkingSet to);
  }

  private void change(Change change) {
    if (mostBlocks == 0) {
      return;
    }
    WorkingSet current = set == null ? new WorkingSet(mostBlocks, clock.now()) : set;
    set = null; // until the change is complete
    change.apply(current);
    set = current;
  }

  /**
   * A block was read.
   *
   * @param access whether the read completes an access
   */
  void read(BlockEntry entry, BlockKey key, long bytes, boolean access) {
    if (entry.home() != Home.SSD_OWNER) {
      change(to -> to.read(key, entry.sizeBytes(), bytes, access, clock.now()));
    }
  }

  /** A new replica was written, to SSD or to DISK. */
  void written(BlockKey block, long bytes) {
    change(to -> to.written(block, bytes, clock.now()));
  }

  void deleted(BlockKey block) {
    if (set != null) {
      change(to -> to.deleted(block));
    }
  }

  /** Publishes the figures if it is time to. */
  void maintain() {
    if (isDue()) {
      publish();
    }
  }

  private boolean isDue() {
    return publishedNanos == Long.MIN_VALUE || clock.now() - publishedNanos >= PUBLISH_NANOS;
  }

  /** The figures, computed anew only if those published are none or no longer recent. */
  Map<NodeFigure, Number> recent() {
    return published.isEmpty() || isDue() ? publish() : published;
  }

  /** Computes the figures and publishes them. */
  Map<NodeFigure, Number> publish() {
    publishedNanos = clock.now();
    if (set != null) {
      published = figures(set, clock.now());
    }
    return published;
  }

  /** The figures of the last {@link #publish}; empty before the first read. Any thread. */
  Map<NodeFigure, Number> published() {
    return published;
  }

  private Map<NodeFigure, Number> figures(WorkingSet of, long now) {
    EnumMap<NodeFigure, Number> figures = new EnumMap<>(NodeFigure.class);
    long day = (long) of.usedBytes(DAY_NANOS, now);
    long present = space.capacityBytes();
    long size = present > 0 ? present : Long.highestOneBit(day / DAY_FRACTION);
    figures.put(
        NodeFigure.SHADOW_SECONDS, Math.max(1, TimeUnit.NANOSECONDS.toSeconds(of.ageNanos(now))));
    figures.put(NodeFigure.SHADOW_READS, Math.round(of.reads()));
    figures.put(NodeFigure.SHADOW_READ_BYTES, Math.round(of.readBytes()));
    figures.put(NodeFigure.SHADOW_STANDARD_ERROR, rounded(of.standardError()));
    figures.put(NodeFigure.SHADOW_SSD_BYTES, size);
    figures.put(NodeFigure.WORKING_SET_HOUR_BYTES, (long) of.usedBytes(HOUR_NANOS, now));
    figures.put(NodeFigure.WORKING_SET_DAY_BYTES, day);
    for (ShadowSize each : ShadowSize.values()) {
      figures.put(each.readShare(), rounded(of.readShare(each.of(size))));
      figures.put(each.byteShare(), rounded(of.byteShare(each.of(size))));
    }
    return Collections.unmodifiableMap(figures);
  }

  private static double rounded(double share) {
    return Math.rint(share * SHARE_DIGITS) / SHARE_DIGITS;
  }
}
