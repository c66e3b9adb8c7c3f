package io.hycache.bench;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.BlockKey;
import io.hycache.core.policy.Policies;
import io.hycache.core.policy.Replay;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.KnownSequence;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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
 * Accesses a second of a replay with skewed accesses to very many objects, a tenth of which fit.
 *
 * <p>{@code java -jar hycache-bench/target/hycache-bench.jar jmh SimulationBenchmark}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 5)
@Measurement(iterations = 5, time = 5)
public class SimulationBenchmark {
  private static final int ACCESSES = 4_000_000;
  private static final long SIZE = 128 << 20;

  @Param({"lru", "lfu", "clock", "s3-fifo", "arc", "w-tinylfu", "heuristic", "lookahead", "belady"})
  String policy = "lru";

  @Param("1000000")
  int objects = 1_000_000;

  private BlockKey[] keys = new BlockKey[0];
  private int[] accesses = new int[0];
  private int[] next = new int[0];
  private int[] references = new int[0];

  /** Draws the accesses: object k about in proportion to k^(-2/3). */
  @Setup
  public void prepare() {
    keys = new BlockKey[objects];
    for (int i = 0; i < objects; i++) {
      keys[i] = new BlockKey("bench", i);
    }
    Random random = new Random(1);
    int[] names = random.ints(objects, 0, objects).toArray();
    accesses = new int[ACCESSES];
    references = new int[objects];
    for (int at = 0; at < ACCESSES; at++) {
      double d = random.nextDouble();
      accesses[at] = names[(int) (objects * d * d * d)];
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
    Replay replay = new Replay(made, SIZE * objects / 10);
    boolean future = Policies.needsFuture(policy);
    int[] left = future ? references.clone() : references;
    Ahead ahead = new Ahead();
    if (future) {
      made.onSequence(ahead);
    }
    for (int at = 0; at < ACCESSES; at++) {
      int object = accesses[at];
      long later = 0;
      if (future) {
        ahead.position = at;
        later = --left[object];
        made.onReferences(keys[object], later);
        made.onNextUse(keys[object], next[at] == ACCESSES ? Long.MAX_VALUE : next[at]);
      }
      replay.access(keys[object], SIZE, SIZE, false, later, at);
    }
    return replay.totals().diskSeconds(DiskTime.DEFAULT);
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
    public BlockKey block(long at) {
      return keys[accesses[(int) at]];
    }

    @Override
    public long sizeBytes(long at) {
      return SIZE;
    }

    @Override
    public long requestBytes(long at) {
      return SIZE;
    }

    @Override
    public boolean isWrite(long at) {
      return false;
    }
  }
}
