// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.util.concurrent.TimeUnit;

/**
 * Backoff of a tree's thread after failed rounds: consecutive Errors double the pause, and after a
 * number of them the thread gives up. Exceptions come from devices that may recover and cause no
 * extra pause. Used by one thread.
 */
final class Setbacks {
  /** Consecutive Errors after which a thread gives up. */
  static final int MAX_CONSECUTIVE_ERRORS = 10;

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private int inARow;
  private int errorsInARow;

  /** Records a successful round. */
  void over() {
    inARow = 0;
    errorsInARow = 0;
  }

  /** Records a failed round; returns true for the first of a series, which is worth logging. */
  boolean isFirst(Throwable failure) {
    inARow++;
    errorsInARow = failure instanceof Error ? errorsInARow + 1 : 0;
    return inARow == 1;
  }

  boolean givesUp() {
    return errorsInARow >= MAX_CONSECUTIVE_ERRORS;
  }

  /** Extra pause before the next round. */
  long restNanos() {
    return errorsInARow == 0
        ? 0
        : Math.min(MAX_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(errorsInARow - 1, 20));
  }
}
