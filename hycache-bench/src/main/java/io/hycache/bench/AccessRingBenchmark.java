package io.hycache.bench;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.Host;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * What recording one access costs a read: two counters and a slot of the ring, by one and by two
 * threads, while the planner drains. The blocks are unknown to the planner, so that it does nothing
 * but drain. Producers outrun it: the share of records dropped is printed, a dropped record costs
 * no CAS.
 *
 * <pre>{@code
 * mvn -q -B -pl hycache-core,hycache-bench package -DskipTests
 * java -jar hycache-bench/target/hycache-bench.jar AccessRingBenchmark -prof gc -rf json
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = "-Xmx512m")
public class AccessRingBenchmark {
  /** Has no device and moves nothing. */
  private static final class Nothing implements Host, BlockMover {
    @Override
    public List<FastDevice> devices() {
      return List.of();
    }

    @Override
    public @Nullable Replica finalized(BlockKey block) {
      return null;
    }

    @Override
    public boolean exists(BlockKey block) {
      return false;
    }

    @Override
    public long promote(Replica replica, Part part, String device, Throttle throttle) {
      return 0;
    }

    @Override
    public boolean demote(Replica replica, boolean keepClean, Throttle throttle) {
      return false;
    }

    @Override
    public void evict(BlockKey block, Part part) {}
  }

  private @Nullable HyCacheEngine engine;
  private Counters counters = new Counters();
  private int pool;

  @Setup(Level.Trial)
  public void start() {
    Nothing nothing = new Nothing();
    counters = new Counters();
    HyCacheEngine started =
        new HyCacheEngine(
            HyCacheConfig.builder().policy("lru").build(),
            Policies.create("lru"),
            nothing,
            nothing,
            counters,
            e -> {
              throw new IllegalStateException("planner failed", e);
            });
    pool = started.poolNumber("BP-1");
    started.start();
    engine = started;
  }

  @TearDown(Level.Trial)
  public void stop() {
    HyCacheEngine started = engine;
    if (started != null) {
      started.close();
    }
    long all = counters.get(Counter.BLOCKS_READ_FAST);
    long dropped = counters.get(Counter.EVENTS_DROPPED);
    System.out.println("records=" + all + " dropped=" + dropped);
  }

  private void record() {
    HyCacheEngine started = engine;
    if (started == null) {
      throw new IllegalStateException("not set up");
    }
    started.onRead(pool, 1_073_741_825L, 0, 65_536, true);
  }

  @Benchmark
  @Threads(1)
  public void oneThread() {
    record();
  }

  @Benchmark
  @Threads(2)
  public void twoThreads() {
    record();
  }
}
