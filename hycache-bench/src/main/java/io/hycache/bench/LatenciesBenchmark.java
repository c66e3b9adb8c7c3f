// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench;

import io.hycache.core.stats.Latencies;
import io.hycache.core.stats.Latencies.Operation;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What timing a read costs it, its two calls of the clock included, by one and by four threads; and
 * what the quantiles cost the planner, every five seconds.
 *
 * <pre>{@code
 * mvn -q -B package -DskipTests
 * java -jar hycache-bench/target/hycache-bench.jar jmh LatenciesBenchmark -prof gc
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = "-Xmx512m")
public class LatenciesBenchmark {
  private final Latencies latencies = new Latencies(System::nanoTime);

  private void time() {
    latencies.ended(Operation.SSD_READ, latencies.begin());
  }

  @Benchmark
  @Threads(1)
  public void oneThread() {
    time();
  }

  @Benchmark
  @Threads(4)
  public void fourThreads() {
    time();
  }

  @Benchmark
  @Threads(1)
  public Map<?, ?> quantiles() {
    return latencies.roll();
  }
}
