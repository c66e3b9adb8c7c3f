// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.spark;

import com.google.common.annotations.VisibleForTesting;
import io.hycache.hdfs.client.FileWorkflows.FileRead;
import io.hycache.hdfs.client.FileWorkflows.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workflows of one Spark application's queries: a query is hinted when it starts, again if its
 * plan has changed, and withdrawn when it has ended.
 *
 * <p>Callers only hand over the number of a query. One daemon thread, which ends when there is
 * nothing to do, looks at plans and asks file systems. Its queue is bounded: if it is full, the
 * query goes unhinted, and is counted. The end of a query needs no room in the queue: the thread
 * looks at what has ended before each task. After {@link #MAX_FAILURES} failures in a row nothing
 * is submitted for {@link #PAUSE_NANOS}. Whatever fails is counted and logged once; the query goes
 * on as without hints. What is not withdrawn ends with its TTL.
 *
 * <p>Thread-safe; handing over is O(1) and waits for nothing.
 */
final class QueryHints {
  private static final Logger LOG = LoggerFactory.getLogger(QueryHints.class);

  /** Files of one query that are hinted; tasks read the others later. */
  static final int MAX_FILES = 10_000;

  /** Tasks that wait for the thread. */
  static final int MAX_QUEUED = 100;

  /** Queries whose workflow can be withdrawn, the latest ones; the others end with their TTL. */
  private static final int MAX_QUERIES = 1000;

  static final int MAX_FAILURES = 3;
  static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The plans of the running queries. */
  interface Plans {
    /** Returns null if the query has ended. */
    @Nullable PlannedScans of(long query);
  }

  /** As {@link io.hycache.hdfs.client.FileWorkflows}. */
  interface Workflows {
    Outcome submit(String name, List<FileRead> reads, BooleanSupplier isNeeded) throws IOException;

    void withdraw(String name) throws IOException;
  }

  private final String application;
  private final Plans plans;
  private final Workflows workflows;
  private final LongSupplier nanoTime;
  private final ThreadPoolExecutor executor;
  private final HintCounts counts = new HintCounts();

  /** Queries that the thread will look at. */
  private final Set<Long> queued = ConcurrentHashMap.newKeySet();

  /** Queries with scans whose files are not known yet. */
  private final Set<Long> waiting = ConcurrentHashMap.newKeySet();

  /** The query that the thread looks at, and those that it has hinted or will look at again. */
  private final Set<Long> known = ConcurrentHashMap.newKeySet();

  /** Queries that have ended, queued or known, until they are neither. */
  private final Set<Long> ended = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  private final AtomicBoolean failed = new AtomicBoolean();
  private final AtomicBoolean full = new AtomicBoolean();

  /**
   * Of what is hinted, the queries of which nothing ever could be: nothing is to be withdrawn. Used
   * by the executor's thread only, as the three below.
   */
  private final Set<Long> unhintable = new HashSet<>();

  /** What is hinted, by query. The oldest go if Spark does not say that queries have ended. */
  private final Map<Long, List<PlannedScans.Scan>> hinted =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, List<PlannedScans.Scan>> eldest) {
          if (size() <= MAX_QUERIES) {
            return false;
          }
          unhintable.remove(eldest.getKey());
          if (!waiting.contains(eldest.getKey())) {
            known.remove(eldest.getKey());
          }
          return true;
        }
      };

  private int failuresInARow;
  private long pausedSinceNanos;

  /**
   * @param application its id, the beginning of the names of workflows
   */
  QueryHints(String application, Plans plans, Workflows workflows, LongSupplier nanoTime) {
    this.application = application;
    this.plans = plans;
    this.workflows = workflows;
    this.nanoTime = nanoTime;
    this.executor =
        new ThreadPoolExecutor(
            1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_QUEUED), QueryHints::daemon) {
          @Override
          protected void beforeExecute(Thread thread, Runnable task) {
            withdrawWhatHasEnded();
          }

          @Override
          protected void terminated() {
            LOG.info("Hints of the queries of {}: {}", application, counts);
          }
        };
    executor.allowCoreThreadTimeOut(true);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "hycache-query-hints");
    thread.setDaemon(true);
    return thread;
  }

  HintCounts counts() {
    return counts;
  }

  /** Name of a query's workflow. */
  String nameOf(long query) {
    return application + "_query_" + query;
  }

  /** Has a query looked at that has started, or has another plan now. */
  void look(long query) {
    if (!executor.isShutdown() && queued.add(query) && !handOver(() -> lookNow(query))) {
      queued.remove(query);
      counts.queueFull.increment();
      if (full.compareAndSet(false, true)) {
        LOG.warn(
            "More than {} queries wait for their hints; those beyond run without: query={}",
            MAX_QUEUED,
            query);
      }
    }
  }

  /** As {@link #look}, if files of the query were not known yet. */
  void lookIfWaiting(long query) {
    if (waiting.contains(query)) {
      look(query);
    }
  }

  /** Withdraws what is hinted of a query. */
  void ended(long query) {
    if (queued.contains(query) || known.contains(query)) {
      ended.add(query);
      wake();
    }
  }

  /** Withdraws everything, and takes nothing more. Does not wait. */
  void close() {
    closed = true;
    wake();
    executor.shutdown();
  }

  /** Has the thread see what has ended: with the next task, if there is one, else with this. */
  private void wake() {
    if (executor.getQueue().isEmpty()) {
      boolean unused = handOver(() -> {});
    }
  }

  private boolean handOver(Runnable task) {
    try {
      execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  @VisibleForTesting
  void execute(Runnable task) {
    executor.execute(task);
  }

  @VisibleForTesting
  boolean awaitEnd(long time, TimeUnit unit) throws InterruptedException {
    return executor.awaitTermination(time, unit);
  }

  // ---- the executor's thread

  private boolean isNeeded(long query) {
    return !closed && !ended.contains(query);
  }

  private void countIfEnded(long query) {
    if (ended.contains(query)) {
      counts.ended.increment();
    }
  }

  private boolean isPaused() {
    return failuresInARow >= MAX_FAILURES && nanoTime.getAsLong() - pausedSinceNanos < PAUSE_NANOS;
  }

  private void withdrawWhatHasEnded() {
    if (closed) {
      List.copyOf(hinted.keySet()).forEach(this::withdraw);
    }
    for (Iterator<Long> queries = ended.iterator(); queries.hasNext(); ) {
      long query = queries.next();
      withdraw(query);
      if (!queued.contains(query)) { // else it is not to be hinted when its turn comes
        queries.remove();
      }
    }
  }

  private void lookNow(long query) {
    known.add(query);
    queued.remove(query);
    if (!isNeeded(query)) {
      countIfEnded(query);
    } else {
      hint(query);
    }
    if (!hinted.containsKey(query) && !waiting.contains(query)) {
      known.remove(query);
    }
  }

  private void hint(long query) {
    if (isPaused()) {
      counts.paused.increment();
      return;
    }
    try {
      PlannedScans planned = plans.of(query);
      if (planned == null) {
        waiting.remove(query);
        counts.ended.increment();
        return;
      }
      if (planned.isWaiting()) {
        waiting.add(query);
      } else {
        waiting.remove(query);
      }
      List<PlannedScans.Scan> before = hinted.getOrDefault(query, List.of());
      if (planned.differsFrom(before)) {
        boolean again = !unhintable.remove(query) && !before.isEmpty();
        submit(query, planned.ahead(), again);
      }
    } catch (Throwable e) { // whatever it is, the query goes on
      submitFailed(query, e);
    }
  }

  /**
   * @param again whether the hints of the query's plan before are replaced. They stay until then,
   *     so that what DataNodes have read ahead for scans of both plans stays, too.
   */
  private void submit(long query, List<PlannedScans.Scan> scans, boolean again) throws Exception {
    hinted.put(query, scans);
    if (again) {
      counts.replaced.increment();
    }
    List<FileRead> reads = new ArrayList<>();
    for (PlannedScans.Scan scan : scans) {
      if (reads.size() == MAX_FILES || !isNeeded(query)) {
        break;
      }
      for (FileRead read : scan.files()) {
        if (reads.size() < MAX_FILES) {
          reads.add(read);
        }
      }
    }
    if (reads.isEmpty() || !isNeeded(query)) {
      if (again) {
        withdrawHints(query);
      }
      hinted.remove(query);
      countIfEnded(query);
      return;
    }
    switch (workflows.submit(nameOf(query), reads, () -> isNeeded(query))) {
      case TAKEN:
        failuresInARow = 0;
        counts.hinted.increment();
        break;
      case NOTHING: // says nothing about the DataNodes
        if (!again) { // else a DataNode may still have hints of the plan before
          unhintable.add(query);
        }
        countIfEnded(query);
        break;
    }
  }

  /**
   * Failures in a row pause the hints; a DataNode that can't be asked to withdraw some does not.
   */
  private void submitFailed(long query, Throwable why) {
    failuresInARow++;
    pausedSinceNanos = nanoTime.getAsLong();
    failed("submit", query, why);
  }

  private void withdraw(long query) {
    waiting.remove(query);
    known.remove(query);
    boolean isHintable = !unhintable.remove(query);
    if (hinted.remove(query) != null && isHintable && withdrawHints(query)) {
      counts.withdrawn.increment();
    }
  }

  /** Returns false if that failed; one DataNode without an answer costs the others nothing. */
  private boolean withdrawHints(long query) {
    try {
      workflows.withdraw(nameOf(query));
      return true;
    } catch (Throwable e) {
      failed("withdraw", query, e);
      return false;
    }
  }

  private void failed(String what, long query, Throwable why) {
    counts.failed.increment();
    if (failed.compareAndSet(false, true)) {
      LOG.warn(
          "Could not {} the hints of query {}; the query itself goes on, further failures are"
              + " logged at DEBUG: {}",
          what,
          query,
          why.toString());
    } else {
      LOG.debug("could not {} hints: query={}", what, query, why);
    }
  }
}
