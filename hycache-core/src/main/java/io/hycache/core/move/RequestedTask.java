// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that runs on a timer, a while after it was requested. Requests until it begins are one, so
 * that what they are about is handled together, and a timer with nothing to do sleeps; a request
 * after it began is another. Thread-safe; a request never waits.
 */
public final class RequestedTask {
  private static final Logger LOG = LoggerFactory.getLogger(RequestedTask.class);

  private final ScheduledExecutorService timer;
  private final long delayMillis;
  private final Runnable task;
  private final AtomicBoolean due = new AtomicBoolean();

  /**
   * @param delayMillis from the first request to the task, &gt;= 0
   * @param task must not throw
   */
  public RequestedTask(ScheduledExecutorService timer, long delayMillis, Runnable task) {
    this.timer = timer;
    this.delayMillis = delayMillis;
    this.task = task;
  }

  /**
   * Has the task run. No effect once the timer was shut down, and while it can't create its thread.
   */
  public void request() {
    if (due.compareAndSet(false, true)) {
      boolean scheduled = false;
      try {
        ScheduledFuture<?> unused = timer.schedule(this::run, delayMillis, TimeUnit.MILLISECONDS);
        scheduled = true;
      } catch (RejectedExecutionException e) {
        LOG.debug("stopping", e);
      } catch (OutOfMemoryError e) {
        LOG.debug("no thread for a task; the next request tries again", e);
      } finally {
        if (!scheduled) {
          due.set(false);
        }
      }
    }
  }

  private void run() {
    due.set(false);
    task.run();
  }
}
