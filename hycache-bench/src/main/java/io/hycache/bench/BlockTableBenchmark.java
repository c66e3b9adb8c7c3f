// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Replica;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import io.hycache.core.table.HeatLog;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a look-up, an update and a scan of a DataNode's table take, and its heat written and read
 * again, in memory.
 *
 * <pre>{@code
 * mvn -q -B package -DskipTests
 * java -jar hycache-bench/target/hycache-bench.jar jmh BlockTableBenchmark
 * java -jar hycache-bench/target/hycache-bench.jar jmh BlockTableBenchmark.scan -p blocks=10000000
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms6g", "-Xmx6g"})
public class BlockTableBenchmark {
  private static final String POOL = "BP-1";
  private static final String DEVICE = "/ssd";
  private static final long FIRST_BLOCK = 1_073_741_825L;
  private static final long BLOCK_BYTES = 128 << 20;
  private static final int KEYS = 1 << 16;

  @Param({"10000", "100000", "1000000", "10000000"})
  int blocks = 10_000;

  private BlockTable table = new BlockTable();
  private final BlockKey[] keys = new BlockKey[KEYS];
  private byte[] log = {};
  private int at;

  @Setup
  public void fill() {
    table = new BlockTable();
    for (long id = 0; id < blocks; id++) {
      table.put(replica(id), Home.DISK, null);
    }
    Random random = new Random(1);
    for (int i = 0; i < KEYS; i++) {
      keys[i] = new BlockKey(POOL, FIRST_BLOCK + random.nextInt(blocks));
    }
    log = snapshot();
  }

  private static Replica replica(long id) {
    return new Replica(new BlockKey(POOL, FIRST_BLOCK + id), 1001, BLOCK_BYTES);
  }

  private BlockKey next() {
    return keys[at++ & (KEYS - 1)];
  }

  /** One of 65,536 known blocks in random order. */
  @Benchmark
  public @Nullable BlockEntry get() {
    return table.get(next());
  }

  /** A clean copy made, or dropped. */
  @Benchmark
  public @Nullable BlockEntry update() {
    BlockEntry entry = table.get(next());
    if (entry != null) {
      table.setCleanData(entry, !entry.cleanData(), DEVICE);
    }
    return entry;
  }

  /** A block forgotten and entered again. */
  @Benchmark
  public BlockEntry removeAndPut() {
    BlockKey key = next();
    table.remove(key);
    return table.put(new Replica(key, 1001, BLOCK_BYTES), Home.DISK, null);
  }

  /** All blocks. */
  @Benchmark
  public long scan() {
    long reads = 0;
    for (BlockEntry entry : table.entries()) {
      reads += entry.reads();
    }
    return reads;
  }

  /** The heat of all blocks, coldest first. */
  @Benchmark
  public byte[] snapshot() {
    List<HeatLog.Row> rows = new ArrayList<>(table.size());
    for (BlockEntry entry : table.entries()) {
      rows.add(new HeatLog.Row(entry.key(), 1001, BLOCK_BYTES, entry.reads()));
    }
    Collections.reverse(rows);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(HeatLog.header());
    out.writeBytes(HeatLog.rows(rows));
    return out.toByteArray();
  }

  /** The same read again. */
  @Benchmark
  public int load() {
    return HeatLog.read(new ByteArrayInputStream(log)).rows().size();
  }
}
