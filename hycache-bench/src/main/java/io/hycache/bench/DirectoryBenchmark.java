// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench;

import io.hycache.core.directory.Change;
import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.RecordJournal;
import io.hycache.core.directory.View;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
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
 * Batches of operations a second on a node that has all shards and no replicas: no network. Every
 * iteration begins with the same number of records; creates and appends add to them.
 *
 * <pre>{@code
 * mvn -q -B package -DskipTests
 * java -jar hycache-bench/target/hycache-bench.jar jmh io.hycache.bench.DirectoryBenchmark -prof gc
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms3g", "-Xmx3g"})
public class DirectoryBenchmark {
  private static final Member SELF = new Member("n0", "n0:9867");
  private static final byte[] RECORD = new byte[32];
  private static final int BATCHES = 1024;

  @Param({"1", "64"})
  int batch = 1;

  @Param({"10000", "100000", "1000000"})
  int records = 10_000;

  private DirectoryNode node = newNode();
  private final List<List<Operation>> gets = new ArrayList<>();
  private long number;

  private static DirectoryNode newNode() {
    DirectoryNode node =
        new DirectoryNode(
            SELF.id(),
            1,
            Long.MAX_VALUE / 2,
            new NoPeers(),
            RecordJournal.NONE,
            System::currentTimeMillis);
    node.learn(new View(System.currentTimeMillis(), List.of(SELF)));
    return node;
  }

  @Setup(Level.Iteration)
  public void fill() {
    node = newNode();
    for (number = 0; number < records; number++) {
      List<Outcome> unused = run(List.of(Operation.put(name(number), RECORD, 0)));
    }
    Random random = new Random(1);
    gets.clear();
    for (int i = 0; i < BATCHES; i++) {
      List<Operation> some = new ArrayList<>();
      for (int j = 0; j < batch; j++) {
        some.add(Operation.get(name(random.nextInt(records))));
      }
      gets.add(some);
    }
  }

  private static String name(long number) {
    return "/f/n0-0/" + number;
  }

  private List<Outcome> run(List<Operation> operations) {
    return node.run("", 0, operations).join();
  }

  /** Records that are there. */
  @Benchmark
  public List<Outcome> get() {
    return run(gets.get((int) (number++ % BATCHES)));
  }

  /** Compare-and-swap of records that are not there. */
  @Benchmark
  public List<Outcome> create() {
    List<Operation> some = new ArrayList<>(batch);
    for (int i = 0; i < batch; i++) {
      some.add(Operation.cas(name(number++), 0, RECORD).withToken(number));
    }
    return run(some);
  }

  /** Entries to one record. */
  @Benchmark
  public List<Outcome> append() {
    List<Operation> some = new ArrayList<>(batch);
    for (int i = 0; i < batch; i++) {
      some.add(Operation.append("/shared/" + number / 1_000_000, RECORD).withToken(++number));
    }
    return run(some);
  }

  /** There is no other node. */
  private static final class NoPeers implements Peers {
    private static <T> CompletableFuture<T> noOtherNode() {
      return CompletableFuture.failedFuture(new IllegalStateException("no other node"));
    }

    @Override
    public CompletableFuture<List<Outcome>> run(
        Member to, String publisher, long epoch, List<Operation> operations) {
      return noOtherNode();
    }

    @Override
    public CompletableFuture<List<String>> replicate(
        Member to, String from, boolean missed, List<Change> changes) {
      return noOtherNode();
    }

    @Override
    public CompletableFuture<Pulled> pull(
        Member to, View view, BitSet takeOver, BitSet shards, String at) {
      return noOtherNode();
    }

    @Override
    public CompletableFuture<View> view(Member of) {
      return noOtherNode();
    }
  }
}
