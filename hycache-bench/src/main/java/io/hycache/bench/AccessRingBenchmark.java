// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench;

import io.hycache.core.engine.AccessRecorder;
import io.hycache.core.engine.AccessRing;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;

/**
 * What recording one access costs a read, by one and by two threads, while another thread takes the
 * records out of the ring. The planner pauses between two drains, because reads come at thousands a
 * second; here they come at tens of millions, and a ring that is drained every 10 ms would drop
 * most of them. A dropped record is cheaper than a kept one, so the draining thread never pauses,
 * {@code dropped} counts what it lost in an iteration, and a run that lost more than 5 % fails. It
 * needs a core for each recording thread and one for the draining thread.
 *
 * <pre>{@code
 * mvn -q -B package -DskipTests
 * java -jar hycache-bench/target/hycache-bench.jar jmh AccessRingBenchmark -prof gc
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = "-Xmx512m")
public class AccessRingBenchmark {
  private static final double MAX_DROPPED = 0.05;

  /** Records that the ring had no room for. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Drops {
    private LongSupplier counted = () -> 0;

    @Setup(Level.Trial)
    public void of(AccessRingBenchmark benchmark) {
      counted = benchmark::newDrops;
    }

    /** Read after each iteration by each thread; summed up over them. */
    public long dropped() {
      return counted.getAsLong();
    }
  }

  private final Counters counters = new Counters();
  private final AccessRing ring = new AccessRing(1 << 16);
  private final AccessRecorder recorder = new AccessRecorder(counters, ring);
  private final Thread consumer = new Thread(this::drain, "consumer");
  private volatile boolean draining;

  /** Those that {@link Drops} were given. */
  private long givenDrops;

  // The counters at the end of the warm-up.
  private long warmUpRecords;
  private long warmUpDrops;

  private void drain() {
    while (draining) {
      if (ring.drain((pool, blockId, bytes) -> {}) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  private synchronized long newDrops() {
    long before = givenDrops;
    givenDrops = counters.get(Counter.EVENTS_DROPPED);
    return givenDrops - before;
  }

  @Setup(Level.Trial)
  public void start() {
    draining = true;
    consumer.setDaemon(true);
    consumer.start();
  }

  @TearDown(Level.Iteration)
  public void after(IterationParams iteration) {
    if (iteration.getType() == IterationType.WARMUP) {
      warmUpRecords = counters.get(Counter.BLOCKS_READ_FAST);
      warmUpDrops = counters.get(Counter.EVENTS_DROPPED);
    }
  }

  /**
   * Ends the run.
   *
   * @throws IllegalStateException if too many records were dropped for the figure to count
   */
  @TearDown(Level.Trial)
  public void stop() throws InterruptedException {
    draining = false;
    consumer.join();
    long records = counters.get(Counter.BLOCKS_READ_FAST) - warmUpRecords;
    long dropped = counters.get(Counter.EVENTS_DROPPED) - warmUpDrops;
    if (dropped > MAX_DROPPED * records) {
      throw new IllegalStateException(
          "expected at most 5 % of the records to be dropped, found "
              + dropped
              + " of "
              + records
              + ". Fix: run it on a machine with a core for each thread and one more");
    }
  }

  @Benchmark
  @Threads(1)
  public void oneThread(Drops drops) {
    recorder.record(0, 1_073_741_825L, 65_536, true);
  }

  @Benchmark
  @Threads(2)
  public void twoThreads(Drops drops) {
    recorder.record(0, 1_073_741_825L, 65_536, true);
  }
}
