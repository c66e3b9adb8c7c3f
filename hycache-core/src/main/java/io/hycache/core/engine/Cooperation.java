// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.Neighbours;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.table.BlockEntry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a block that is read on the SSD of one DataNode, unless several DataNodes read it often.
 *
 * <p>Before a block is promoted because of reads, the neighbours are asked whether they hold it on
 * SSD; when they answer, the block is considered again. A block that a neighbour holds is promoted
 * only if it was read often enough here. Hinted blocks are promoted without asking: the hint names
 * the DataNode. Owned by the planner's thread; bounded.
 */
final class Cooperation {
  /** How long an answer is valid. */
  private static final long ANSWER_VALID_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Blocks with an answer or a question under way; more are promoted without asking. */
  private static final int MAX_BLOCKS = 10_000;

  private final Counters counters;
  private final PlannerEvents events;
  private int hotReads;
  private @Nullable Neighbours neighbours;

  /** An answer, or a question without one yet. */
  private static final class Known {
    final boolean elsewhere;
    final boolean waiting;
    final long nanos;

    Known(boolean elsewhere, boolean waiting, long nanos) {
      this.elsewhere = elsewhere;
      this.waiting = waiting;
      this.nanos = nanos;
    }
  }

  private final Map<BlockKey, Known> known = new LinkedHashMap<>();

  /**
   * @param events receives the neighbours' answers
   */
  Cooperation(int hotReads, Counters counters, PlannerEvents events) {
    this.hotReads = hotReads;
    this.counters = counters;
    this.events = events;
  }

  void join(Neighbours others) {
    neighbours = others;
  }

  void reconfigure(int reads) {
    hotReads = reads;
  }

  /** Whether a block that was read may be promoted now. If not, its reason says why. */
  boolean allows(BlockEntry entry, long now) {
    Neighbours others = neighbours;
    if (others == null || entry.reads() >= hotReads) {
      return true;
    }
    BlockKey key = entry.key();
    Known answer = known.get(key);
    if (answer == null || now - answer.nanos > ANSWER_VALID_NANOS) {
      if (known.size() >= MAX_BLOCKS) {
        return true;
      }
      known.put(key, new Known(false, true, now));
      entry.setReason(Reason.ASKING_OTHERS);
      others.ask(key, elsewhere -> events.neighboursAnswered(key, elsewhere));
      return false;
    }
    if (answer.waiting) {
      entry.setReason(Reason.ASKING_OTHERS);
      return false;
    }
    if (answer.elsewhere) {
      entry.setReason(Reason.ON_OTHER_SSD);
      counters.increment(Counter.PROMOTIONS_LEFT_TO_OTHERS);
      return false;
    }
    return true;
  }

  void answered(BlockKey key, boolean elsewhere, long now) {
    known.remove(key);
    known.put(key, new Known(elsewhere, false, now));
  }

  /** Forgets answers that are no longer valid. */
  void maintain(long now) {
    var oldest = known.values().iterator();
    while (oldest.hasNext() && now - oldest.next().nanos > ANSWER_VALID_NANOS) {
      oldest.remove();
    }
  }
}
