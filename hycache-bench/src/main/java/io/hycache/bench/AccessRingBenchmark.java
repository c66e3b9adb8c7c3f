// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench;

import io.hycache.core.engine.AccessRecorder;
import io.hycache.core.engine.AccessRing;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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

/**
 * What recording one access costs a read, by one and by two threads, while another thread drains
 * the ring as the planner does, but without the planner's own work. Drops are printed: a dropped
 * record is cheaper than a kept one, so a figure counts only with few of them.
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
  /** The planner's pause between two drains. */
  private static final long DRAIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Counters counters = new Counters();
  private final AccessRing ring = new AccessRing(1 << 16);
  private final AccessRecorder recorder = new AccessRecorder(counters, ring);
  private final Thread consumer = new Thread(this::drain, "consumer");
  private volatile boolean draining;

  private void drain() {
    while (draining) {
      ring.drain((pool, blockId, bytes) -> {});
      LockSupport.parkNanos(DRAIN_PAUSE_NANOS);
    }
  }

  @Setup(Level.Trial)
  public void start() {
    draining = true;
    consumer.setDaemon(true);
    consumer.start();
  }

  @TearDown(Level.Trial)
  public void stop() throws InterruptedException {
    draining = false;
    consumer.join();
    System.out.println(
        "records="
            + counters.get(Counter.BLOCKS_READ_FAST)
            + " dropped="
            + counters.get(Counter.EVENTS_DROPPED));
  }

  @Benchmark
  @Threads(1)
  public void oneThread() {
    recorder.record(0, 1_073_741_825L, 65_536, true);
  }

  @Benchmark
  @Threads(2)
  public void twoThreads() {
    recorder.record(0, 1_073_741_825L, 65_536, true);
  }
}
