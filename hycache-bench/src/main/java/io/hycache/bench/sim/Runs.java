// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.policy.Policies;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Runs policies with capacities, as many at a time as there are threads, and reports progress. */
final class Runs {
  private static final long PROGRESS_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Trace trace;
  private final Simulation simulation;
  private final int threads;
  private final PrintWriter progress;

  Runs(Trace trace, Simulation simulation, int threads, PrintWriter progress) {
    this.trace = trace;
    this.simulation = simulation;
    this.threads = threads;
    this.progress = progress;
  }

  /** Refuses the name of no policy. */
  static void check(String option, String policy) {
    if (policy.equals(Simulation.NONE)) {
      return;
    }
    if (Baselines.isName(policy)) {
      Baselines.check(option, policy);
      return;
    }
    try {
      var unused = Policies.create(policy);
    } catch (IllegalArgumentException e) {
      String why = String.valueOf(e.getMessage());
      throw new IllegalArgumentException(option + why.substring(why.indexOf(':')), e);
    }
  }

  /** Names of {@code --policy}: a list, or {@code all}. */
  static List<String> policies(String text) {
    List<String> names = new ArrayList<>();
    for (String name : Units.list(text)) {
      if (name.equals("all")) {
        names.add(Simulation.NONE);
        names.addAll(Policies.names());
      } else {
        check("--policy", name);
        names.add(name);
      }
    }
    if (names.isEmpty()) {
      throw new IllegalArgumentException(
          "--policy: expected names such as lru,heuristic, or all, found none");
    }
    return names;
  }

  /**
   * Runs all pairs, policy by policy; results in that order.
   *
   * @throws IllegalArgumentException if a simulation refuses its options
   */
  List<Simulation.Result> run(List<String> policies, List<Long> capacities)
      throws InterruptedException {
    policies.forEach(simulation::prepare);
    AtomicLong done = new AtomicLong();
    AtomicLong reportedAt = new AtomicLong(System.nanoTime());
    long all = (long) trace.length() * policies.size() * capacities.size();
    List<Callable<Simulation.Result>> runs = new ArrayList<>();
    for (String policy : policies) {
      for (long capacity : capacities) {
        runs.add(
            () -> {
              long[] before = {0};
              return simulation.run(
                  policy,
                  capacity,
                  at -> {
                    long sum = done.addAndGet(at - before[0]);
                    before[0] = at;
                    report(sum, all, reportedAt);
                  });
            });
      }
    }
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Simulation.Result> results = new ArrayList<>();
      for (Future<Simulation.Result> result : pool.invokeAll(runs)) {
        results.add(result.get());
      }
      return results;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IllegalArgumentException) {
        throw new IllegalArgumentException(e.getCause().getMessage(), e);
      }
      throw new IllegalStateException("a simulation failed: " + e.getCause(), e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private void report(long done, long all, AtomicLong reportedAt) {
    long now = System.nanoTime();
    long last = reportedAt.get();
    if (now - last > PROGRESS_INTERVAL_NANOS && reportedAt.compareAndSet(last, now)) {
      progress.println(
          String.format(
              Locale.ROOT, "%3d %% of %,d accesses in all", done * 100 / Math.max(1, all), all));
      progress.flush();
    }
  }
}
