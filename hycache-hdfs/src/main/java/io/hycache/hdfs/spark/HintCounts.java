// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.spark;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** What became of the queries of an application. Thread-safe; its text is one line. */
final class HintCounts {
  /** Submissions that a DataNode took. */
  final LongAdder hinted = new LongAdder();

  /** Submissions that replaced that of an earlier plan. */
  final LongAdder replaced = new LongAdder();

  /** Workflows withdrawn at the end of their query. */
  final LongAdder withdrawn = new LongAdder();

  /** Queries that had ended before they were hinted. */
  final LongAdder ended = new LongAdder();

  /** Queries that went unhinted because the queue was full. */
  final LongAdder queueFull = new LongAdder();

  /** Queries that went unhinted after failures in a row. */
  final LongAdder paused = new LongAdder();

  final LongAdder failed = new LongAdder();

  private final LongAdder handOvers = new LongAdder();
  private final LongAdder handOverNanos = new LongAdder();
  private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);

  /** Records a time that a thread of Spark spent on handing over. */
  void handedOver(long nanos) {
    handOvers.increment();
    handOverNanos.add(nanos);
    longestNanos.accumulate(nanos);
  }

  @Override
  public String toString() {
    return "hinted="
        + hinted
        + " replaced="
        + replaced
        + " withdrawn="
        + withdrawn
        + " ended="
        + ended
        + " queueFull="
        + queueFull
        + " paused="
        + paused
        + " failed="
        + failed
        + " handOvers="
        + handOvers
        + " handOverMicros="
        + handOverNanos.sum() / 1000
        + " longestMicros="
        + longestNanos.get() / 1000;
  }
}
