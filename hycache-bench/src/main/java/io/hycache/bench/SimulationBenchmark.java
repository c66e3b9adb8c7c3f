// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench;

import io.hycache.bench.sim.Zipf;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.CacheKey;
import io.hycache.core.policy.Policies;
import io.hycache.core.policy.Replay;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.KnownSequence;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Accesses a second of a replay with skewed accesses to very many objects, a tenth of which fit;
 * and beside it what this machine's memory allows: an LRU of numbers in three arrays.
 *
 * <p>{@code java -jar hycache-bench/target/hycache-bench.jar jmh SimulationBenchmark}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "-Xms4g",
      "-Xmx4g",
      "-XX:+AlwaysPreTouch",
      "-XX:+UseParallelGC",
      "-XX:+UseTransparentHugePages"
    })
@Warmup(iterations = 2, time = 5)
@Measurement(iterations = 5, time = 5)
public class SimulationBenchmark {
  private static final int ACCESSES = 20_000_000;
  private static final long OBJECT_BYTES = 128 << 20;

  @Param({"lru", "lfu", "clock", "s3-fifo", "arc", "w-tinylfu", "heuristic", "lookahead", "belady"})
  String policy = "lru";

  @Param("1000000")
  int objects = 1_000_000;

  /**
   * That of the simulator's workloads, and a flatter one that finds less in the processor's caches.
   */
  @Param({"0.9", "0.67"})
  double skew = Zipf.SKEW;

  private CacheKey[] keys = new CacheKey[0];
  private int[] accesses = new int[0];
  private int[] next = new int[0];
  private int[] references = new int[0];

  @Setup
  public void prepare() {
    keys = new CacheKey[objects];
    for (int i = 0; i < objects; i++) {
      keys[i] = new CacheKey("bench", i);
    }
    Random random = new Random(1);
    Zipf zipf = new Zipf(objects, skew);
    List<Integer> names = IntStream.range(0, objects).boxed().collect(Collectors.toList());
    Collections.shuffle(names, random);
    accesses = new int[ACCESSES];
    references = new int[objects];
    for (int at = 0; at < ACCESSES; at++) {
      accesses[at] = names.get(zipf.draw(random));
      references[accesses[at]]++;
    }
    next = new int[ACCESSES];
    int[] seen = new int[objects];
    Arrays.fill(seen, ACCESSES);
    for (int at = ACCESSES - 1; at >= 0; at--) {
      next[at] = seen[accesses[at]];
      seen[accesses[at]] = at;
    }
  }

  /** The whole trace from an empty cache. */
  @Benchmark
  @OperationsPerInvocation(ACCESSES)
  public double replay() {
    CachePolicy made = Policies.create(policy, DiskTime.DEFAULT, 1);
    Replay replay = new Replay(made, OBJECT_BYTES * objects / 10);
    boolean future = Policies.needsFuture(policy);
    int[] left = future ? references.clone() : references;
    Ahead ahead = new Ahead();
    if (future) {
      made.onSequence(ahead);
    }
    CacheKey[] soon = new CacheKey[Replay.AHEAD];
    int[] later = new int[Replay.AHEAD];
    for (int begin = 0; begin < ACCESSES; begin += soon.length) {
      int count = Math.min(soon.length, ACCESSES - begin);
      for (int i = 0; i < count; i++) {
        int object = accesses[begin + i];
        soon[i] = keys[object];
        later[i] = future ? --left[object] : 0;
      }
      replay.warm(soon, count);
      for (int i = 0; i < count; i++) {
        int at = begin + i;
        if (future) {
          ahead.position = at;
          made.onReferences(soon[i], later[i]);
          made.onNextUse(soon[i], next[at] == ACCESSES ? Long.MAX_VALUE : next[at]);
        }
        replay.access(soon[i], OBJECT_BYTES, OBJECT_BYTES, false, later[i], at);
      }
    }
    return replay.totals().diskSeconds(DiskTime.DEFAULT);
  }

  /**
   * An LRU that gets the objects' places, so that it looks up nothing, weighs nothing, counts hits
   * only; the same whatever the policy.
   */
  @Benchmark
  @OperationsPerInvocation(ACCESSES)
  public long numbersOnly() {
    int end = objects;
    int[] previous = new int[objects + 1];
    int[] following = new int[objects + 1];
    boolean[] resident = new boolean[objects];
    previous[end] = end;
    following[end] = end;
    int free = objects / 10;
    long hits = 0;
    for (int at = 0; at < ACCESSES; at++) {
      int object = (int) keys[accesses[at]].id();
      if (resident[object]) {
        hits++;
        following[previous[object]] = following[object];
        previous[following[object]] = previous[object];
      } else {
        if (free > 0) {
          free--;
        } else {
          int victim = following[end];
          following[end] = following[victim];
          previous[following[end]] = end;
          resident[victim] = false;
        }
        resident[object] = true;
      }
      int last = previous[end];
      following[last] = object;
      previous[object] = last;
      following[object] = end;
      previous[end] = object;
    }
    return hits;
  }

  /** The accesses, for policies that know the future. */
  private final class Ahead implements KnownSequence {
    private int position;

    @Override
    public long length() {
      return ACCESSES;
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public CacheKey key(long at) {
      return keys[accesses[(int) at]];
    }

    @Override
    public long sizeBytes(long at) {
      return OBJECT_BYTES;
    }

    @Override
    public long requestBytes(long at) {
      return OBJECT_BYTES;
    }

    @Override
    public boolean isWrite(long at) {
      return false;
    }
  }
}
