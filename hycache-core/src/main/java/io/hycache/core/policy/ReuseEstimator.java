// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.CacheKey;
import io.hycache.core.model.LatestEntries;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimates from earlier reads when a block will be read next, and with what certainty.
 *
 * <p>Idea: a block that was read before within the window is expected after about the mean of its
 * gaps, with certainty (reads - 1) / reads; from the eighth gap on, the mean favours recent gaps.
 * For a block that was never read, its class ({@code onClass}: a job, a directory) supplies the
 * estimate: the fraction of the class's first reads that were followed by another, and after how
 * long. A class is used from 32 first reads on. So a scan yields no estimate, but the first read of
 * a job that always rereads its files does.
 *
 * <p>Complexity: O(1). Memory: about 80 bytes per block in the window, about 100 per class and 100
 * per block with a class, of which the last 65,536 are known. The window is a number of blocks: the
 * most recently read ones.
 */
final class ReuseEstimator {
  private static final int SMOOTHED_GAPS = 8;
  private static final int MIN_FIRST_READS = 32;
  private static final int MIN_CERTAINTY_PERCENT = 5;
  private static final int MAX_CLASSIFIED_BLOCKS = 65_536;

  /** An estimate. */
  static final class Guess {
    final long afterNanos;
    final double certainty;

    Guess(long afterNanos, double certainty) {
      this.afterNanos = Math.max(1, afterNanos);
      this.certainty = certainty;
    }
  }

  /** An estimate made at the last read of a block. */
  static final class Memory {
    final long lastNanos;
    final Guess guess;

    Memory(long lastNanos, Guess guess) {
      this.lastNanos = lastNanos;
      this.guess = guess;
    }
  }

  /** The reads of a block in the window, as a node of the circular list of blocks by last read. */
  private static final class Reads extends BlockMap.Value {
    long lastNanos;
    double gapNanos;
    int count = 1;
    Reads previous = this;
    Reads next = this;

    Reads(CacheKey key, long lastNanos) {
      super(key);
      this.lastNanos = lastNanos;
    }

    void moveBefore(Reads other) {
      unlink();
      previous = other.previous;
      next = other;
      previous.next = this;
      other.previous = this;
    }

    void unlink() {
      previous.next = next;
      next.previous = previous;
    }
  }

  private static final class Group {
    double firstReads;
    double reuses;
    double gapNanos;
  }

  private final BlockMap<Reads> window = new BlockMap<>();

  /** {@code next} is the block whose last read is longest ago. */
  private final Reads ends = new Reads(new CacheKey("", 0), 0);

  /** The blocks that were classified last. */
  private final Map<CacheKey, Group> groupOf = LatestEntries.map(MAX_CLASSIFIED_BLOCKS);

  private final Map<String, Group> groups = new HashMap<>();

  void belongs(CacheKey key, String name) {
    groupOf.put(key, groups.computeIfAbsent(name, n -> new Group()));
  }

  /** Whether a read of the block is in the window. */
  boolean isKnown(CacheKey key) {
    return window.get(key) != null;
  }

  /**
   * Records a read.
   *
   * @param windowBlocks how many blocks may be remembered
   * @return the estimate of the next read; null if there is none
   */
  @Nullable Guess read(CacheKey key, long nowNanos, int windowBlocks) {
    Group group = groupOf.isEmpty() ? null : groupOf.get(key);
    Reads reads = window.get(key);
    if (reads == null) {
      reads = new Reads(key, nowNanos);
      window.add(reads);
      reads.moveBefore(ends);
      trim(windowBlocks);
      return group == null ? null : firstRead(group);
    }
    reads.moveBefore(ends);
    if (nowNanos <= reads.lastNanos) {
      // Reads that are passed on at once, all with one time, say nothing of gaps.
      return recall(reads, group);
    }
    long gap = nowNanos - reads.lastNanos;
    if (group != null && reads.count == 1) {
      group.reuses++;
      group.gapNanos +=
          (gap - group.gapNanos) / Math.min(group.reuses, SMOOTHED_GAPS * SMOOTHED_GAPS);
    }
    reads.gapNanos += (gap - reads.gapNanos) / Math.min(reads.count, SMOOTHED_GAPS);
    reads.count++;
    reads.lastNanos = nowNanos;
    return ofGaps(reads);
  }

  /** The estimate of the next read as of the last one; null if there is none. */
  @Nullable Memory recall(CacheKey key) {
    Reads reads = window.get(key);
    if (reads == null) {
      return null;
    }
    Guess guess = recall(reads, groupOf.get(key));
    return guess == null ? null : new Memory(reads.lastNanos, guess);
  }

  private static Guess ofGaps(Reads reads) {
    return new Guess((long) reads.gapNanos, (reads.count - 1.0) / reads.count);
  }

  private static @Nullable Guess recall(Reads reads, @Nullable Group group) {
    if (reads.count > 1) {
      return ofGaps(reads);
    }
    return group == null ? null : ofGroup(group);
  }

  private static @Nullable Guess firstRead(Group group) {
    group.firstReads++;
    return ofGroup(group);
  }

  private static @Nullable Guess ofGroup(Group group) {
    double certainty = group.reuses / group.firstReads;
    if (group.firstReads < MIN_FIRST_READS || certainty * 100 < MIN_CERTAINTY_PERCENT) {
      return null;
    }
    return new Guess((long) group.gapNanos, Math.min(1, certainty));
  }

  private void trim(int windowBlocks) {
    while (window.size() > windowBlocks) {
      Reads oldest = ends.next;
      oldest.unlink();
      window.remove(oldest.key);
    }
  }

  /** As {@link BlockMap#warm}. */
  int warm(CacheKey[] keys, int count) {
    return window.warm(keys, count);
  }
}
