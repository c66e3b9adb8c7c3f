package io.hycache.core.localdir;

import java.util.concurrent.TimeUnit;

/**
 * What a thread of a tree does after a round that threw: it rests, for twice as long each time, and
 * after a number of Errors in a row it gives up. Exceptions are of devices that may come back: it
 * goes on as before. Used by one thread.
 */
final class Setbacks {
  /** Errors in a row after which a thread gives up. */
  static final int MOST_ERRORS = 10;

  private static final long FIRST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long MOST_REST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private int inARow;
  private int errorsInARow;

  /** A round went well. */
  void over() {
    inARow = 0;
    errorsInARow = 0;
  }

  /** A round threw; returns true if it is the first of a row, and worth a line in the log. */
  boolean isFirst(Throwable failure) {
    inARow++;
    errorsInARow = failure instanceof Error ? errorsInARow + 1 : 0;
    return inARow == 1;
  }

  boolean givesUp() {
    return errorsInARow >= MOST_ERRORS;
  }

  /** How long to rest before the next round, besides what it rests anyway. */
  long restNanos() {
    return errorsInARow == 0
        ? 0
        : Math.min(MOST_REST_NANOS, FIRST_REST_NANOS << Math.min(errorsInARow - 1, 20));
  }
}
