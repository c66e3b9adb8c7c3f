// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.QuietLog;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards every call from HDFS into HyCache: an exception is caught, counted and logged, ever more
 * rarely while it repeats, and the caller falls back to plain HDFS. After a number of consecutive
 * failures the guard trips: HyCache is not called again until the DataNode restarts. Thread-safe;
 * the success path costs two volatile reads.
 */
final class Guard {
  private static final Logger LOG = LoggerFactory.getLogger(Guard.class);

  /** A call without a result. */
  interface Task {
    void run() throws Exception;
  }

  private final int limit;
  private final Counters counters;
  private final AtomicInteger inARow = new AtomicInteger();
  private final QuietLog log = new QuietLog(LOG);
  private final AtomicBoolean trippedOnce = new AtomicBoolean();
  private volatile boolean tripped;
  private volatile Runnable onTrip = () -> {};

  /**
   * @param limit consecutive failures after which the guard trips, &gt;= 1
   */
  Guard(int limit, Counters counters) {
    this.limit = limit;
    this.counters = counters;
  }

  /**
   * Sets the listener that is called once when the guard trips, immediately if it has. It must
   * neither throw nor block. Must be called once.
   */
  synchronized void onTrip(Runnable listener) {
    if (tripped) {
      listener.run();
    } else {
      onTrip = listener;
    }
  }

  /** Returns true once the guard has tripped. */
  boolean tripped() {
    return tripped;
  }

  /** Calls HyCache; returns {@code plain} if the call fails or the guard has tripped. */
  <T> T call(String operation, T plain, Callable<T> action) {
    if (tripped) {
      return plain;
    }
    try {
      T answer = action.call();
      if (inARow.get() != 0) {
        inARow.set(0);
      }
      return answer;
    } catch (Throwable e) { // an Error as well must not end a thread of HDFS
      failed(operation, e);
      return plain;
    }
  }

  void run(String operation, Task action) {
    call(
        operation,
        Boolean.TRUE,
        () -> {
          action.run();
          return Boolean.TRUE;
        });
  }

  /** Counts and records a failure that was caught elsewhere. */
  void failed(String operation, Throwable e) {
    counters.increment(Counter.FAILURES);
    counted(operation, e);
  }

  /** Records a failure that was caught and counted elsewhere. */
  void counted(String operation, Throwable e) {
    boolean unused =
        log.warn(e, "HyCache failed, falling back to plain HDFS: operation={}", operation);
    if (inARow.incrementAndGet() >= limit) {
      trip("failuresInARow=" + limit + " lastOperation=" + operation);
    }
  }

  /** Enters pass-through until the DataNode restarts. */
  void trip(String why) {
    if (!trippedOnce.compareAndSet(false, true)) {
      return;
    }
    Runnable listener;
    synchronized (this) {
      tripped = true;
      listener = onTrip;
    }
    try {
      LOG.error(
          "HyCache is in PASS-THROUGH: the DataNode runs as plain HDFS until it is restarted: {}",
          why);
    } finally {
      listener.run();
    }
  }
}
