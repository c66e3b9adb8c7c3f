package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A policy that another may follow in the middle: it keeps all that it was told of blocks that are
 * resident or will be used again, whether it weighs that itself or not.
 */
abstract class Rule<E extends KnownBlock> implements CachePolicy, Warmable {
  private final BlockMap<E> known = new BlockMap<>();
  private long ticks;

  /** What is to be known of a block that nothing was known of. */
  abstract E entry(BlockKey block, long tick);

  /** What is known of a block, or null. */
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

  /** Later than all that was; each value is given out once. */
  final long tick() {
    return ++ticks;
  }

  final void forgetIfIdle(E entry) {
    if (entry.isIdle()) {
      known.remove(entry.block);
    }
  }

  /** Number of blocks that memory is held for. */
  final int knownBlocks() {
    return known.size();
  }

  /** All that is known, in no order that means anything. */
  final void forEachKnown(Consumer<? super KnownBlock> action) {
    known.forEach(action);
  }

  /** Tells the heir all that this one was told, in the order of first mention. O(n log n). */
  final void handOver(CachePolicy heir, long nowNanos) {
    List<KnownBlock> all = new ArrayList<>();
    forEachKnown(all::add);
    all.sort(Comparator.comparingLong(block -> block.firstSeen));
    for (KnownBlock each : all) {
      if (each.references > 0) {
        heir.onReferences(each.block, each.references);
      }
      if (each.toldNextUse() != KnownBlock.NEVER) {
        heir.onNextUse(each.block, each.toldNextUse());
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
