// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a thread that submits hints. Stateless. */
final class LastTask {
  private static final Logger LOG = LoggerFactory.getLogger(LastTask.class);

  /** Most that {@link #thenShutDown} waits. */
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(1);

  private LastTask() {}

  /**
   * Shuts an executor down after a last task, which is left out if there was none before it; waits
   * a second at most. Idempotent.
   *
   * @param withdraw withdraws what has been submitted
   */
  static void thenShutDown(ThreadPoolExecutor executor, Runnable withdraw) {
    try {
      if (!executor.isShutdown() && executor.getTaskCount() > 0) {
        executor.submit(withdraw).get(MAX_NANOS, TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException
        | TimeoutException
        | RejectedExecutionException
        | OutOfMemoryError e) { // the last if no thread can be started
      LOG.debug("not withdrawn: the hints end with their TTL", e);
    } finally {
      executor.shutdownNow();
    }
  }
}
