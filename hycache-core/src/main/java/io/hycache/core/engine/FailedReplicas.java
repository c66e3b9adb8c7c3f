// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.LatestEntries;
import io.hycache.core.model.Replica;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Replicas of which moves failed since the last one that did not, and how long each rests: a
 * replica whose copies fail again and again, such as one that is corrupt, would wear the SSD. The
 * latest failures are remembered, up to a bound; a replica that is forgotten costs one more
 * attempt. O(1); owned by the planner's thread.
 */
final class FailedReplicas {
  /** Pause after the first failure. */
  static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** The pause doubles so often while moves of the same replica fail: to an hour and more. */
  private static final int MAX_DOUBLINGS = 7;

  static final long LONGEST_PAUSE_NANOS = FIRST_PAUSE_NANOS << MAX_DOUBLINGS;

  private static final int MAX_REPLICAS = 10_000;

  private static final class Failed {
    int times;
    long untilNanos;
  }

  private final Map<Replica, Failed> replicas = LatestEntries.map(MAX_REPLICAS);

  /** A move failed. Returns the time at which the pause ends. */
  long failed(Replica replica, long nowNanos) {
    Failed failed = replicas.computeIfAbsent(replica, none -> new Failed());
    failed.untilNanos = nowNanos + (FIRST_PAUSE_NANOS << Math.min(failed.times, MAX_DOUBLINGS));
    failed.times++;
    return failed.untilNanos;
  }

  void succeeded(Replica replica) {
    replicas.remove(replica);
  }

  /** True during the pause after a failure. */
  boolean rests(Replica replica, long nowNanos) {
    Failed failed = replicas.get(replica);
    return failed != null && nowNanos - failed.untilNanos < 0;
  }
}
