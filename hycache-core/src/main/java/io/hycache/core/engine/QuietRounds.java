// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

/**
 * Counts rounds of the planner in which nothing happened, so that a DataNode with nothing to do is
 * left alone: after some of them rounds are rarer, and after more of them rarer still, until the
 * next read or event. Owned by the planner's thread.
 */
final class QuietRounds {
  /** Ticks between two rounds while nothing but writes goes on: 0.3 seconds by default. */
  static final int TICKS_WHILE_WRITING = 3;

  /** Rounds in a row without work after which rounds are rarer: two seconds by default. */
  static final int MIN_QUIET_ROUNDS = 20;

  /** Ticks between two rounds from then on: a second by default. */
  static final int TICKS_WHILE_QUIET = 10;

  /** Rounds in a row without work after which the DataNode is idle: half a minute by default. */
  static final int MIN_IDLE_ROUNDS = MIN_QUIET_ROUNDS + 30;

  /** Ticks between two rounds from then on: five seconds by default. */
  static final int TICKS_WHILE_IDLE = 50;

  private int inARow;
  private boolean onlyWriting;

  /**
   * Counts a round.
   *
   * @param worked whether it handled anything, or work goes on that it watches
   * @param writing true while replicas are being written: events wake the planner anyway, so rounds
   *     may be rare
   */
  void count(boolean worked, boolean writing) {
    inARow = worked || writing ? 0 : Math.min(inARow + 1, MIN_IDLE_ROUNDS);
    onlyWriting = writing && !worked;
  }

  /** Ticks until the next round unless something happens before; 0 if rounds are not to be rare. */
  int ticks() {
    if (onlyWriting) {
      return TICKS_WHILE_WRITING;
    }
    return inARow < MIN_QUIET_ROUNDS
        ? 0
        : inARow < MIN_IDLE_ROUNDS ? TICKS_WHILE_QUIET : TICKS_WHILE_IDLE;
  }
}
