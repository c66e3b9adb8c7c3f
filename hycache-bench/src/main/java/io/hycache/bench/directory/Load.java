// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Client threads in a closed loop: each does its next call when the last one has ended. Calls that
 * end in the measured time count for it.
 */
final class Load {
  private final Phase phase;
  private final List<Client> clients = new ArrayList<>();

  /**
   * CPU time of clients that ended, by their threads' ids: they may end early, with no room left.
   */
  private final Map<Long, Long> ended = new ConcurrentHashMap<>();

  private final class Client implements Runnable {
    private final Workload workload;
    private final long from;
    private final long to;
    private final Histogram latency = PhaseResult.newHistogram();
    private long measured;
    private long acknowledged;
    private long errors;
    private String error = "";

    Client(Workload workload, long from, long to) {
      this.workload = workload;
      this.from = from;
      this.to = to;
    }

    @Override
    public void run() {
      try {
        long begin = System.nanoTime();
        while (begin - to < 0) {
          List<String> failures = workload.step();
          long end = System.nanoTime();
          int done = phase.batch - failures.size();
          acknowledged += done;
          if (!failures.isEmpty()) {
            errors += failures.size();
            error = failures.get(0);
          }
          if (end - from >= 0 && end - to < 0) {
            measured += done;
            latency.recordValue(end - begin);
          }
          begin = end;
        }
      } catch (Exception e) {
        errors++;
        error = e.toString();
      }
      ended.put(
          Thread.currentThread().getId(),
          ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
    }
  }

  Load(Phase phase) {
    this.phase = phase;
  }

  /** Runs all to the end. */
  PhaseResult run(List<Workload> workloads) throws InterruptedException {
    long from = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(phase.warmupMillis);
    long to = from + TimeUnit.MILLISECONDS.toNanos(phase.millis);
    List<Thread> threads = new ArrayList<>();
    for (Workload workload : workloads) {
      Client client = new Client(workload, from, to);
      clients.add(client);
      threads.add(new Thread(client, "client-" + clients.size()));
    }
    threads.forEach(Thread::start);
    TimeUnit.NANOSECONDS.sleep(from - System.nanoTime());
    Map<Long, Long> before = cpuNanos();
    TimeUnit.NANOSECONDS.sleep(to - System.nanoTime());
    long cpu = 0;
    for (Map.Entry<Long, Long> thread : cpuNanos().entrySet()) {
      cpu += thread.getValue() - before.getOrDefault(thread.getKey(), 0L);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return result(cpu / 1e3);
  }

  /** Of all threads, by their ids. */
  private Map<Long, Long> cpuNanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Map<Long, Long> out = new HashMap<>();
    for (long id : threads.getAllThreadIds()) {
      out.put(id, Math.max(0, threads.getThreadCpuTime(id)));
    }
    out.putAll(ended);
    return out;
  }

  private PhaseResult result(double cpuMicros) {
    Histogram latency = PhaseResult.newHistogram();
    long measured = 0;
    long acknowledged = 0;
    long errors = 0;
    String error = "";
    for (Client client : clients) {
      latency.add(client.latency);
      measured += client.measured;
      acknowledged += client.acknowledged;
      errors += client.errors;
      error = error.isEmpty() ? client.error : error;
    }
    return new PhaseResult(
        measured * 1e3 / phase.millis,
        PhaseResult.encode(latency),
        cpuMicros,
        acknowledged,
        errors,
        error);
  }
}
