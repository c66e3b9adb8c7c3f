// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.stats.Latencies;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the state of the node every few seconds, for metrics, which must not wait for the
 * planner. Owned by the planner's thread, except for {@link #published}. O(devices + queues +
 * buckets) every {@link Latencies#ROLL_NANOS}.
 */
final class StatusBoard {
  private final LiveConfig config;
  private final LivePolicy policy;
  private final SpaceShares shares;
  private final Inspection inspection;
  private final Latencies latencies;
  private final RoundClock clock;
  private Map<NodeFigure, Number> quantiles = Map.of();
  private long publishedNanos;
  private volatile @Nullable NodeStatus published;

  StatusBoard(
      LiveConfig config,
      LivePolicy policy,
      SpaceShares shares,
      Inspection inspection,
      Latencies latencies,
      RoundClock clock) {
    this.config = config;
    this.policy = policy;
    this.shares = shares;
    this.inspection = inspection;
    this.latencies = latencies;
    this.clock = clock;
  }

  /** The state as of the last look at the devices. */
  NodeStatus current() {
    return inspection
        .node(config.get(), policy.name(), shares.toString(), clock.now())
        .putAll(quantiles)
        .build();
  }

  /** Publishes the state if it is time to. */
  void maintain() {
    long now = clock.now();
    if (published == null || now - publishedNanos >= Latencies.ROLL_NANOS) {
      publishedNanos = now;
      quantiles = latencies.roll();
      published = current();
    }
  }

  /** The state as last published; null before the first round. Any thread. */
  @Nullable NodeStatus published() {
    return published;
  }
}
