// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time of the planner's current round: one value for all that the round decides. Owned by the
 * planner's thread.
 */
final class RoundClock {
  private final LongSupplier nanoClock;
  private long now;

  RoundClock(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Reads the clock for a new round. */
  void startRound() {
    now = nanoClock.getAsLong();
  }

  /** The time at which the current round began, in nanoseconds; 0 before the first round. */
  long now() {
    return now;
  }

  /** The same in milliseconds. */
  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(now);
  }
}
