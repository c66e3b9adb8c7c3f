// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a move, as an event for the planner. Allocated before the move begins, because a
 * move that fails for lack of memory must still be reported. Filled by one mover thread, then
 * passed to the planner once.
 */
final class MoveReport implements Runnable {
  private final LongConsumer done;
  private final Consumer<Throwable> failed;
  private long value;
  private @Nullable Throwable why;

  /**
   * @param done receives the result of a move that succeeded
   * @param failed receives the cause of a move that failed
   */
  MoveReport(LongConsumer done, Consumer<Throwable> failed) {
    this.done = done;
    this.failed = failed;
  }

  MoveReport with(long result) {
    value = result;
    return this;
  }

  MoveReport with(Throwable cause) {
    why = cause;
    return this;
  }

  @Override
  public void run() {
    if (why == null) {
      done.accept(value);
    } else {
      failed.accept(why);
    }
  }
}
