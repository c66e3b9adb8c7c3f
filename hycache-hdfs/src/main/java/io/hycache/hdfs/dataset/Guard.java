package io.hycache.hdfs.dataset;

import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands around every call from HDFS into our code: an exception of ours is caught, counted and
 * logged at most once in {@value #LOG_EVERY_SECONDS} seconds, and the caller goes on as plain HDFS.
 * After a number of failures in a row the guard trips: from then on our code is not called at all
 * until the DataNode restarts. Thread-safe; the good case costs two volatile reads.
 */
final class Guard {
  private static final Logger LOG = LoggerFactory.getLogger(Guard.class);
  private static final int LOG_EVERY_SECONDS = 10;

  /** Work without a result. */
  interface Task {
    void run() throws Exception;
  }

  private final int limit;
  private final Counters counters;
  private final AtomicInteger inARow = new AtomicInteger();
  private final AtomicLong loggedNanos =
      new AtomicLong(System.nanoTime() - LOG_EVERY_SECONDS * 1_000_000_000L);
  private final AtomicBoolean trippedOnce = new AtomicBoolean();
  private volatile boolean tripped;
  private volatile Runnable onTrip = () -> {};

  /**
   * @param limit failures in a row after which the guard trips, &gt;= 1
   */
  Guard(int limit, Counters counters) {
    this.limit = limit;
    this.counters = counters;
  }

  /** Called once when the guard trips, at once if it has; must not throw or wait. Set it once. */
  synchronized void onTrip(Runnable listener) {
    if (tripped) {
      listener.run();
    } else {
      onTrip = listener;
    }
  }

  /** True once the plugin has stepped aside. */
  boolean tripped() {
    return tripped;
  }

  /** Our answer, or {@code plain} if we failed or have stepped aside. */
  <T> T call(String operation, T plain, Callable<T> ours) {
    if (tripped) {
      return plain;
    }
    try {
      T answer = ours.call();
      if (inARow.get() != 0) {
        inARow.set(0);
      }
      return answer;
    } catch (Throwable e) { // an Error, too, would end a thread of HDFS that plain HDFS would not
      failed(operation, e);
      return plain;
    }
  }

  void run(String operation, Task ours) {
    call(
        operation,
        Boolean.TRUE,
        () -> {
          ours.run();
          return Boolean.TRUE;
        });
  }

  /** Counts a failure that was caught elsewhere. */
  void failed(String operation, Throwable e) {
    counters.increment(Counter.FAILURES);
    counted(operation, e);
  }

  /** Takes note of a failure that was caught and counted elsewhere. */
  void counted(String operation, Throwable e) {
    long now = System.nanoTime();
    long last = loggedNanos.get();
    if (now - last >= LOG_EVERY_SECONDS * 1_000_000_000L && loggedNanos.compareAndSet(last, now)) {
      LOG.warn("HyCache failed, plain HDFS goes on: operation={}", operation, e);
    }
    if (inARow.incrementAndGet() >= limit) {
      trip("failuresInARow=" + limit + " lastOperation=" + operation);
    }
  }

  /** Steps aside for good. */
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
