// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Bounded queue of copies of one SSD that may be bad. Thread-safe. */
final class Suspects {
  /** Maximum of queued suspects per SSD; further ones are left to the routine pass. */
  static final int MAX_SUSPECTS = 4_096;

  /** A copy that may be bad, and the suspicious bytes. Immutable. */
  static final class Suspect {
    final BlockKey block;
    final SentBytes bytes;
    final boolean rangeOnly;

    /**
     * True if a client closed its connection after it was sent the bytes: it may have found a wrong
     * checksum.
     */
    final boolean hungUp;

    Suspect(BlockKey block, SentBytes bytes, boolean rangeOnly, boolean hungUp) {
      this.block = block;
      this.bytes = bytes;
      this.rangeOnly = rangeOnly;
      this.hungUp = hungUp;
    }

    /** Returns the union of two suspicions of the same block. */
    Suspect and(Suspect other) {
      return new Suspect(
          block, bytes.and(other.bytes), rangeOnly && other.rangeOnly, hungUp || other.hungUp);
    }
  }

  private final Counters counters;

  /** In order of the first suspicion; later ones of the same block are merged into it. */
  private final Queue<BlockKey> suspects = new ConcurrentLinkedQueue<>();

  private final Map<BlockKey, Suspect> waiting = new ConcurrentHashMap<>();
  private final AtomicInteger suspectCount = new AtomicInteger();

  Suspects(Counters counters) {
    this.counters = counters;
  }

  void add(Suspect suspect) {
    if (waiting.computeIfPresent(suspect.block, (block, known) -> known.and(suspect)) != null) {
      return;
    }
    if (suspectCount.get() >= MAX_SUSPECTS) {
      counters.increment(Counter.SUSPECTS_DROPPED);
    } else if (waiting.merge(suspect.block, suspect, Suspect::and) == suspect) {
      suspectCount.incrementAndGet();
      suspects.add(suspect.block);
    }
  }

  /** Removes and returns the suspicion of a block; null if there is none. */
  @Nullable Suspect take(BlockKey block) {
    Suspect suspect = waiting.remove(block);
    if (suspect != null) {
      suspectCount.decrementAndGet();
    }
    return suspect;
  }

  boolean isEmpty() {
    return suspects.isEmpty();
  }

  /** Returns the next suspect, or null if there is none. */
  @Nullable Suspect poll() {
    for (BlockKey block = suspects.poll(); block != null; block = suspects.poll()) {
      Suspect suspect = take(block);
      if (suspect != null) {
        return suspect;
      }
    }
    return null;
  }
}
