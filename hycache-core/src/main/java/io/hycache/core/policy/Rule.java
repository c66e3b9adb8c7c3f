package io.hycache.core.policy;

import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** A policy that another may follow in the middle: it knows all that the other has to be told. */
interface Rule extends CachePolicy, Warmable {
  /** All that is known, in no order that means anything. */
  void forEachKnown(Consumer<? super KnownBlock> action);

  /** Tells the heir all that this one was told, in the order of first mention. O(n log n). */
  default void handOver(CachePolicy heir, long nowNanos) {
    List<KnownBlock> all = new ArrayList<>();
    forEachKnown(all::add);
    all.sort(Comparator.comparingLong(known -> known.firstSeen));
    for (KnownBlock known : all) {
      if (known.references > 0) {
        heir.onReferences(known.block, known.references);
      }
      if (known.toldNextUse() != KnownBlock.NEVER) {
        heir.onNextUse(known.block, known.toldNextUse());
      }
      if (known.resident) {
        heir.onAdmitted(known.block, known.sizeBytes, nowNanos);
      }
    }
  }
}
