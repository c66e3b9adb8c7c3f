// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.CacheKey;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A policy that another can take over from at any time: it keeps everything announced about blocks
 * that are resident or will be used again, including what it does not use itself.
 */
abstract class Rule<E extends KnownBlock> implements CachePolicy, Warmable {
  private final BlockMap<E> known = new BlockMap<>();
  private long ticks;

  /** Creates the bookkeeping entry for a block seen for the first time. */
  abstract E entry(CacheKey key, long tick);

  /** The entry of a block, or null. */
  final @Nullable E find(CacheKey key) {
    return known.get(key);
  }

  final E entryOf(CacheKey key) {
    E entry = known.get(key);
    if (entry == null) {
      entry = entry(key, tick());
      known.add(entry);
    }
    return entry;
  }

  /** The next logical time; unique. */
  final long tick() {
    return ++ticks;
  }

  final void forgetIfIdle(E entry) {
    if (entry.isIdle() && known.get(entry.key) == entry) {
      known.remove(entry.key);
    }
  }

  /** Number of blocks with an entry. */
  final int knownBlocks() {
    return known.size();
  }

  /** Visits all entries in unspecified order. */
  final void forEachKnown(Consumer<? super KnownBlock> action) {
    known.forEach(action);
  }

  /**
   * Replays everything announced to this policy to its successor, in order of first mention. O(n
   * log n).
   */
  final void handOver(CachePolicy heir, long nowNanos) {
    List<KnownBlock> all = new ArrayList<>();
    forEachKnown(all::add);
    all.sort(Comparator.comparingLong(known -> known.firstSeen));
    for (KnownBlock each : all) {
      if (each.references > 0) {
        heir.onReferences(each.key, each.references);
      }
      if (each.announcedNextUse() != KnownBlock.NEVER) {
        heir.onNextUse(each.key, each.announcedNextUse());
      }
      if (each.resident) {
        heir.onAdmitted(each.key, each.sizeBytes, nowNanos);
      }
    }
  }

  @Override
  public int warm(CacheKey[] keys, int count) {
    return known.warm(keys, count);
  }
}
