// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

/**
 * Counts rounds of the planner in which nothing happened, so that a DataNode with nothing to do is
 * left alone: after some of them rounds are rarer, until the next read or event. Owned by the
 * planner's thread.
 */
final class QuietRounds {
  /** Rounds in a row without work after which rounds are rarer: two seconds by default. */
  static final int MIN_QUIET_ROUNDS = 20;

  /** Ticks between two rounds from then on. */
  static final int TICKS_WHILE_QUIET = 10;

  private int inARow;

  /**
   * Counts a round.
   *
   * @param worked whether it handled anything, or work goes on that it watches
   */
  void count(boolean worked) {
    inARow = worked ? 0 : Math.min(inARow + 1, MIN_QUIET_ROUNDS);
  }

  /** True while rounds are to be rare. */
  boolean isQuiet() {
    return inARow >= MIN_QUIET_ROUNDS;
  }
}
