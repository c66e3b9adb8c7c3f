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

/** Copies of one SSD that may be bad and wait to be verified. Bounded. Thread-safe. */
final class Suspects {
  /** Suspects that wait on an SSD; beyond it they are left to the turn of all copies. */
  static final int MOST_SUSPECTS = 4_096;

  /** A copy that may be bad, and where its data is suspicious. Immutable. */
  static final class Suspect {
    final BlockKey block;
    final long from;
    final long to;
    final boolean rangeOnly;

    /** A client that was sent its bytes closed its connection: it may have found them wrong. */
    final boolean hungUp;

    Suspect(BlockKey block, long from, long to, boolean rangeOnly, boolean hungUp) {
      this.block = block;
      this.from = from;
      this.to = to;
      this.rangeOnly = rangeOnly;
      this.hungUp = hungUp;
    }

    /** Both in one. */
    Suspect and(Suspect other) {
      return new Suspect(
          block,
          Math.min(from, other.from),
          Math.max(to, other.to),
          rangeOnly && other.rangeOnly,
          hungUp || other.hungUp);
    }
  }

  private final Counters counters;

  /** In the order in which suspicion arose first; what arises meanwhile is added to it. */
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
    if (suspectCount.get() >= MOST_SUSPECTS) {
      counters.increment(Counter.SUSPECTS_DROPPED);
    } else if (waiting.merge(suspect.block, suspect, Suspect::and) == suspect) {
      suspectCount.incrementAndGet();
      suspects.add(suspect.block);
    }
  }

  boolean isEmpty() {
    return suspects.isEmpty();
  }

  /** The next one; null if there is none. */
  @Nullable Suspect poll() {
    for (BlockKey block = suspects.poll(); block != null; block = suspects.poll()) {
      Suspect suspect = waiting.remove(block);
      if (suspect != null) {
        suspectCount.decrementAndGet();
        return suspect;
      }
    }
    return null;
  }
}
