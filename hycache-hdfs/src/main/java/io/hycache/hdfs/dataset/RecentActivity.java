// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.move.MoveLog;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.QuietLog;
import io.hycache.core.stats.TrafficHistory;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the DataNode's pages show of the past: minutes of reads, moves. Thread-safe. */
final class RecentActivity {
  private static final Logger LOG = LoggerFactory.getLogger(RecentActivity.class);

  final MoveLog moves = new MoveLog(System::nanoTime);
  final TrafficHistory traffic;
  private final Counters counters;
  private final QuietLog log = new QuietLog(LOG);

  RecentActivity(Counters counters) {
    this.counters = counters;
    this.traffic = new TrafficHistory(counters, System.nanoTime());
  }

  /** Keeps what is counted in each minute, on a timer that ends with the node. Call once. */
  void start(ScheduledExecutorService timer) {
    ScheduledFuture<?> unused =
        timer.scheduleAtFixedRate(() -> traffic.sample(System.nanoTime()), 1, 1, TimeUnit.MINUTES);
  }

  /** Counts a failure of the pages that was logged elsewhere. */
  void countPageFailure() {
    counters.increment(Counter.FAILURES);
  }

  /** Counts and logs a failure of the pages, which affects nothing else. */
  void pageFailed(Throwable why) {
    countPageFailure();
    boolean unused = log.warn(why, "HyCache's web page failed; caching continues");
  }
}
