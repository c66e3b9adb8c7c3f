// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench;

import io.hycache.core.engine.AccessRecorder;
import io.hycache.core.engine.AccessRing;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;

/**
 * What recording one access costs a read, by one and by two threads, while another thread takes the
 * records out of the ring. A DataNode's reads come at thousands a second; a loop makes tens of
 * millions, more than any thread can take out, and a dropped record is cheaper than a kept one. So
 * an invocation is a burst, which waits, outside of the time that counts, until the ring has room
 * for it. {@code dropped} counts the records of an iteration that were lost all the same; a run
 * that lost more than 5 % fails.
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
  private static final int SLOTS = 1 << 16;

  /** Records of one invocation. */
  private static final int BURST = 1 << 13;

  /** Until the next look whether there are records, or room: a small part of a burst. */
  private static final long PAUSE_NANOS = 20_000;

  /** Waits for room, and counts the records that found none. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Drops {
    private LongSupplier counted = () -> 0;

    @Setup(Level.Trial)
    public void of(AccessRingBenchmark benchmark) {
      counted = benchmark::newDrops;
    }

    @Setup(Level.Invocation)
    public void waitForRoom(AccessRingBenchmark benchmark) {
      benchmark.waitForRoom();
    }

    /** Read after each iteration by each thread; summed up over them. */
    public long dropped() {
      return counted.getAsLong();
    }
  }

  private final Counters counters = new Counters();
  private final AccessRing ring = new AccessRing(SLOTS);
  private final AccessRecorder recorder = new AccessRecorder(counters, ring);
  private final Thread consumer = new Thread(this::drain, "consumer");
  private volatile boolean draining;
  private volatile long taken;

  /** Records in the ring at which bursts of all threads still fit. */
  private long room;

  /** Those that {@link Drops} were given. */
  private long givenDrops;

  // The counters at the end of the warm-up.
  private long warmUpRecords;
  private long warmUpDrops;

  private void drain() {
    long sum = 0;
    while (draining) {
      int drained = ring.drain((pool, blockId, bytes) -> {});
      sum += drained;
      taken = sum;
      if (drained == 0) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void waitForRoom() {
    while (counters.get(Counter.BLOCKS_READ_FAST) - counters.get(Counter.EVENTS_DROPPED) - taken
        > room) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void burst() {
    for (int i = 0; i < BURST; i++) {
      recorder.record(0, 1_073_741_825L, 65_536, true);
    }
  }

  private synchronized long newDrops() {
    long before = givenDrops;
    givenDrops = counters.get(Counter.EVENTS_DROPPED);
    return givenDrops - before;
  }

  @Setup(Level.Trial)
  public void start(BenchmarkParams params) {
    room = Math.max(0, SLOTS - (long) BURST * params.getThreads());
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
              + ". Fix: fewer threads, whose bursts fit the ring together");
    }
  }

  @Benchmark
  @Threads(1)
  @OperationsPerInvocation(BURST)
  public void oneThread(Drops drops) {
    burst();
  }

  @Benchmark
  @Threads(2)
  @OperationsPerInvocation(BURST)
  public void twoThreads(Drops drops) {
    burst();
  }
}
