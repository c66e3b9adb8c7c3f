// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WatchedReads;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.model.BlockKey;
import io.hycache.core.spi.Neighbours;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holders of a block tell each other of reads: a read here of a block that is hinted to another
 * DataNode is reported to it, and what others report uses up references here. A report can use up
 * references, and nothing else. Owned by the planner's thread; bounded as {@link WatchedReads}.
 */
final class ReadReports {
  private final WatchedReads watched;
  private final HintPacer hints;
  private final HintHistory history;
  private final Counters counters;
  private final RoundClock clock;
  private @Nullable Neighbours neighbours;

  ReadReports(
      HyCacheConfig config,
      HintPacer hints,
      HintHistory history,
      Counters counters,
      RoundClock clock) {
    this.watched = new WatchedReads(config.hintMaxReferences(), config.hintLimits());
    this.hints = hints;
    this.history = history;
    this.counters = counters;
    this.clock = clock;
  }

  void join(Neighbours others) {
    neighbours = others;
  }

  void reconfigure(HyCacheConfig next) {
    watched.limit(next.hintLimits());
  }

  void submit(Hints submitted, String user, boolean exempt) {
    watched.submit(submitted, user, exempt, clock.millis());
  }

  void withdraw(WorkflowId workflow) {
    watched.withdraw(workflow);
  }

  /** Forgets workflows whose TTL is over. */
  void expire() {
    watched.expire(clock.millis());
  }

  /** Bytes of a block were read here. */
  void onRead(BlockKey block, long lengthBytes, long bytes) {
    List<String> hinted = watched.onRead(block, lengthBytes, bytes);
    Neighbours others = neighbours;
    if (hinted.isEmpty() || others == null) {
      return;
    }
    boolean taken = others.reportRead(block, hinted);
    counters.increment(taken ? Counter.HINTED_READS_REPORTED : Counter.HINTED_READS_UNREPORTED);
  }

  /** Other DataNodes report full reads. */
  void readElsewhere(List<BlockKey> blocks) {
    for (BlockKey block : blocks) {
      if (hints.onReadElsewhere(block)) {
        counters.increment(Counter.HINTS_READ_ELSEWHERE);
        history.readElsewhere(block);
      }
    }
  }
}
