package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;
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
  abstract E entry(BlockKey block, long tick);

  /** The entry of a block, or null. */
  final @Nullable E find(BlockKey block) {
    return known.get(block);
  }

  final E entryOf(BlockKey block) {
    E entry = known.get(block);
    if (entry == null) {
      entry = entry(block, tick());
      known.add(entry);
    }
    return entry;
  }

  /** The next logical time; unique. */
  final long tick() {
    return ++ticks;
  }

  final void forgetIfIdle(E entry) {
    if (entry.isIdle()) {
      known.remove(entry.block);
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
    all.sort(Comparator.comparingLong(block -> block.firstSeen));
    for (KnownBlock each : all) {
      if (each.references > 0) {
        heir.onReferences(each.block, each.references);
      }
      if (each.announcedNextUse() != KnownBlock.NEVER) {
        heir.onNextUse(each.block, each.announcedNextUse());
      }
      if (each.resident) {
        heir.onAdmitted(each.block, each.sizeBytes, nowNanos);
      }
    }
  }

  @Override
  public final int warm(BlockKey[] blocks, int count) {
    return known.warm(blocks, count);
  }
}
