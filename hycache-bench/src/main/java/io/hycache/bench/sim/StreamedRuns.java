// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.cost.Partition;
import io.hycache.core.model.CacheKey;
import io.hycache.core.policy.Policies;
import io.hycache.core.policy.Replay;
import io.hycache.core.spi.CachePolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * All policies and capacities in one pass over a trace file that is never in memory: accesses are
 * read in batches, and each batch goes through all simulations before the next is read. For
 * policies that need no future. Results are those of {@link Simulation}, without occupancy, if no
 * access is earlier than the first: there windows begin, and a note says how many are.
 *
 * <p>Memory: a batch; 25 to 40 bytes an object; and for each simulation 8 to 12 bytes an object and
 * its policy. The number of accesses does not matter.
 */
final class StreamedRuns {
  private static final int BATCH = 1 << 16;
  private static final long PROGRESS_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** One policy with one capacity. */
  private final class Run {
    final String name;
    final long capacityBytes;
    final CachePolicy policy;
    final Replay replay;
    final DiskMeter meter = new DiskMeter(disk, windowMillis);
    final BitSet read = new BitSet();
    final CacheKey[] soon = new CacheKey[Replay.AHEAD];
    long nanos;

    Run(String name, long capacityBytes) {
      this.name = name;
      this.capacityBytes = capacityBytes;
      this.policy = Simulation.policy(name, disk, source.seed);
      this.replay = new Replay(policy, capacityBytes);
    }

    /** Simulates the batch. */
    void batch() {
      long began = System.nanoTime();
      for (int begin = 0; begin < count; begin += soon.length) {
        int ahead = Math.min(soon.length, count - begin);
        for (int i = 0; i < ahead; i++) {
          soon[i] = new CacheKey("trace", objects[begin + i]);
        }
        replay.warm(soon, ahead);
        for (int i = 0; i < ahead; i++) {
          step(begin + i, soon[i]);
        }
      }
      nanos += System.nanoTime() - began;
    }

    private void step(int i, CacheKey key) {
      if (!writes[i] && !read.get(objects[i])) {
        read.set(objects[i]);
        String className = classes[i];
        if (className != null) {
          policy.onClass(key, className);
        }
      }
      replay.access(key, sizes[i], requests[i], writes[i], 0, accesses + i);
      meter.after(
          sizes[i], requests[i], writes[i], continued[i], times[i] - firstMillis, replay.totals());
    }

    Simulation.Result result() {
      replay.flush();
      Replay.Totals totals = replay.totals();
      totals.hddOperations -= meter.mergedOperations();
      totals.moveOperations -= meter.mergedOperations();
      return new Simulation.Result(
          name,
          capacityBytes,
          totals,
          new long[0],
          new Partition[0],
          nanos / 1e9,
          timed ? meter.load(lastMillis - firstMillis) : null);
    }
  }

  private final Source source;
  private final DiskTime disk;
  private final long windowMillis;
  private final PrintWriter err;
  private final NameTable names = new NameTable();

  /** By object. */
  private long[] lastSizes = new long[1 << 10];

  /** Of this pass, see {@link TraceAccess#addMoved}. */
  private long movedBytes;

  private long accesses;
  private boolean timed;
  private long firstMillis;
  private long lastMillis;

  /** Accesses before {@link #firstMillis}, and the time of the earliest. */
  private long early;

  private long earliestMillis;

  // The batch.
  private int count;
  private final int[] objects = new int[BATCH];
  private final long[] sizes = new long[BATCH];
  private final long[] requests = new long[BATCH];
  private final boolean[] writes = new boolean[BATCH];
  private final boolean[] continued = new boolean[BATCH];
  private final long[] times = new long[BATCH];
  private final @Nullable String[] classes = new String[BATCH];

  private List<Run> runs = List.of();
  private long reportedAt = System.nanoTime();

  /**
   * @param err receives progress and notes
   */
  StreamedRuns(Source source, PrintWriter err) {
    this.source = source;
    this.disk = source.disk();
    this.windowMillis = source.windowMillis();
    this.err = err;
  }

  long accesses() {
    return accesses;
  }

  int objects() {
    return names.size();
  }

  /** Sum of the objects' last sizes. */
  long footprintBytes() {
    return Arrays.stream(lastSizes, 0, names.size()).sum();
  }

  /**
   * Runs all pairs, policy by policy; results in that order.
   *
   * @param capacities in bytes, or percents of the footprint, which takes a pass of its own
   */
  List<Simulation.Result> run(List<String> policies, List<String> capacities, int threads)
      throws IOException, InterruptedException {
    for (String policy : policies) {
      if (Policies.needsFuture(policy) || Baselines.isName(policy)) {
        throw new IllegalArgumentException(
            "--stream: expected policies that need no future and are no baselines, found "
                + policy);
      }
    }
    if (capacities.stream().anyMatch(capacity -> capacity.endsWith("%"))) {
      if (source.trace != null) {
        Source.checkReadTwice(source.trace, "--stream and --capacity n%");
      }
      var unused = source.stream(note -> {}, access -> size(access));
      movedBytes = 0;
    }
    long footprint = footprintBytes();
    runs = new ArrayList<>();
    for (String policy : policies) {
      for (String capacity : capacities) {
        runs.add(new Run(policy, Units.capacity("--capacity", capacity, footprint)));
      }
    }
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      var unused =
          source.stream(
              note -> err.println("note: " + note),
              access -> {
                take(access);
                if (count == BATCH) {
                  simulate(pool);
                }
              });
      simulate(pool);
    } finally {
      pool.shutdownNow();
    }
    Source.checkNotEmpty(accesses);
    if (early > 0) {
      err.println(
          String.format(
              Locale.ROOT,
              "note: %,d accesses are earlier than the first, by %s at most: their disk time counts"
                  + " in its window, so that busy disks are too many. Fix: sort the trace by time,"
                  + " or leave --stream out",
              early,
              TimeOrder.text(firstMillis - earliestMillis)));
      err.flush();
    }
    List<Simulation.Result> results = new ArrayList<>();
    runs.forEach(run -> results.add(run.result()));
    return results;
  }

  private int size(TraceAccess access) {
    movedBytes = TraceAccess.addMoved(source.name(), movedBytes, access.sizeBytes);
    int object = names.number(access.object);
    if (object >= lastSizes.length) {
      lastSizes = Arrays.copyOf(lastSizes, object + object / 2);
    }
    lastSizes[object] = access.sizeBytes;
    return object;
  }

  private void take(TraceAccess access) {
    if (accesses + count == 0) {
      timed = access.timeMillis >= 0;
      firstMillis = Math.max(0, access.timeMillis);
      lastMillis = firstMillis;
      earliestMillis = firstMillis;
    }
    if (access.timeMillis >= 0 && !timed) {
      throw TraceException.timesBeginLate(source.name(), accesses + count);
    }
    if (access.timeMillis >= 0 && access.timeMillis < firstMillis) {
      early++;
      earliestMillis = Math.min(earliestMillis, access.timeMillis);
    }
    objects[count] = size(access);
    sizes[count] = access.sizeBytes;
    requests[count] = access.requestBytes;
    writes[count] = access.write;
    continued[count] = access.continues;
    times[count] =
        !timed ? 0 : access.timeMillis < 0 ? lastMillis : Math.max(firstMillis, access.timeMillis);
    if (times[count] > lastMillis) {
      lastMillis = times[count];
      DiskMeter.check(lastMillis - firstMillis, windowMillis);
    }
    classes[count] = access.className;
    count++;
  }

  /** Passes the batch through all simulations. */
  private void simulate(ExecutorService pool) throws IOException {
    try {
      List<Callable<Boolean>> batches = new ArrayList<>();
      for (Run run : runs) {
        batches.add(
            () -> {
              run.batch();
              return true;
            });
      }
      for (Future<Boolean> each : pool.invokeAll(batches)) {
        var unused = each.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a simulation failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    accesses += count;
    count = 0;
    long now = System.nanoTime();
    if (now - reportedAt > PROGRESS_INTERVAL_NANOS) {
      reportedAt = now;
      err.println(String.format(Locale.ROOT, "%,d accesses", accesses));
      err.flush();
    }
  }
}
