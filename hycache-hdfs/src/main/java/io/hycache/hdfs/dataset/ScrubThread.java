// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.move.Supervisor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread of the scrubber, which makes one step at a time and ends after some seconds without one.
 * Thread-safe.
 */
final class ScrubThread {
  private static final Logger LOG = LoggerFactory.getLogger(ScrubThread.class);
  private static final int KEEP_ALIVE_SECONDS = 10;

  /** Work of about a second. */
  interface Step {
    void run() throws InterruptedException;
  }

  private final Supervisor.Part part;
  private final AtomicBoolean running = new AtomicBoolean();
  private final ThreadPoolExecutor thread;

  /**
   * @param part counts failures and successes of steps
   */
  ScrubThread(String name, Supervisor.Part part) {
    this.part = part;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            KEEP_ALIVE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(1),
            Daemons.named(name));
    this.thread.allowCoreThreadTimeOut(true);
  }

  /** Begins a step unless one is in progress or the thread is closed. Never blocks. */
  void begin(Step step) {
    if (!running.compareAndSet(false, true)) {
      return;
    }
    boolean begun = false;
    try {
      thread.execute(
          () -> {
            try {
              step.run();
              part.succeeded();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            } catch (Throwable e) {
              part.failed(e);
            } finally {
              running.set(false);
            }
          });
      begun = true;
    } catch (RejectedExecutionException e) {
      LOG.debug("stopping", e);
    } finally {
      if (!begun) { // also if no thread could be started
        running.set(false);
      }
    }
  }

  /** Interrupts the step in progress; no other begins. */
  void close() {
    thread.shutdownNow();
  }
}
