// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench;

import io.hycache.core.model.Access;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.CachePolicy;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a policy takes with a million resident blocks on a full fast tier.
 *
 * <ul>
 *   <li>{@code decide}: a decision that names one victim;
 *   <li>{@code replace}: the same, carried out: the victim leaves and the candidate takes its
 *       place;
 *   <li>{@code access}: a read of a random resident, half of which are hinted;
 *   <li>{@code references}: a change of the references left to a random resident.
 * </ul>
 *
 * <p>Against the number of residents: {@code jmh PolicyDecisionBenchmark.replace -p
 * policy=lru,heuristic,lookahead -p n=1000,10000,100000,1000000,10000000 -jvmArgsAppend -Xmx14g -rf
 * json}, then {@code plot-jmh}.
 *
 * <pre>{@code
 * mvn -q -B package -DskipTests
 * java -jar hycache-bench/target/hycache-bench.jar jmh PolicyDecisionBenchmark -prof gc -rf json
 * }</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = "-Xmx2g")
public class PolicyDecisionBenchmark {
  private static final long BLOCK_BYTES = 128L << 20;
  private static final long SEED = 42;

  @Param({"lru", "lfu", "heuristic"})
  public String policy = "lru";

  @Param("1000000")
  public int n;

  private CachePolicy cache = Policies.create("lru");
  private BlockKey[] keys = new BlockKey[0];

  /** Indexes of blocks in random order, so that reads do not follow the memory layout. */
  private int[] order = new int[0];

  private final Access access = new Access();
  private Candidate candidate = candidate(0);
  private int position;
  private long nextId;
  private long now;

  @Setup(Level.Trial)
  public void fill() {
    Random random = new Random(SEED);
    cache = Policies.create(policy);
    keys = new BlockKey[n];
    order = new int[n];
    for (int i = 0; i < n; i++) {
      keys[i] = new BlockKey("BP-1", 1_073_741_825L + i);
      order[i] = i;
      cache.onAdmitted(keys[i], BLOCK_BYTES, ++now);
      if (i % 2 != 0) {
        cache.onReferences(keys[i], 1L + random.nextInt(8));
        cache.onNextUse(keys[i], n * 10L + random.nextInt(n));
      }
    }
    for (int i = n - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int swapped = order[i];
      order[i] = order[other];
      order[other] = swapped;
    }
    for (int i : order) {
      if (random.nextBoolean()) {
        cache.onAccess(access.set(keys[i], BLOCK_BYTES, BLOCK_BYTES, ++now));
      }
    }
    position = 0;
    nextId = 2_000_000_000L;
    candidate = candidate(nextId);
    cache.onNextUse(candidate.key(), now + 1);
  }

  @Benchmark
  public Decision decide() {
    return cache.decide(candidate, 0, n * BLOCK_BYTES);
  }

  @Benchmark
  public Decision replace() {
    Candidate fetched = candidate(++nextId);
    cache.onNextUse(fetched.key(), now + 2);
    Decision decision = cache.decide(fetched, 0, n * BLOCK_BYTES);
    if (decision.victims().size() != 1) {
      throw new IllegalStateException("not one victim: " + decision);
    }
    cache.onRemoved(decision.victims().get(0));
    cache.onAdmitted(fetched.key(), BLOCK_BYTES, ++now);
    // So that there is always one that is worth less than the next candidate.
    cache.onNextUse(fetched.key(), Long.MAX_VALUE);
    return decision;
  }

  @Benchmark
  public void access() {
    cache.onAccess(access.set(keys[nextIndex()], BLOCK_BYTES, BLOCK_BYTES, ++now));
  }

  @Benchmark
  public void references() {
    int index = nextIndex();
    cache.onReferences(keys[index], (index + now++) & 7);
  }

  private int nextIndex() {
    position = position + 1 == n ? 0 : position + 1;
    return order[position];
  }

  private static Candidate candidate(long id) {
    return new Candidate(new BlockKey("BP-1", id), BLOCK_BYTES, Candidate.Trigger.READ_MISS, 4);
  }
}
