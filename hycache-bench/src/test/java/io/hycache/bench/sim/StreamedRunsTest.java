// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.PartitionRule;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.policy.ForwardingPolicy;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.CachePolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A pass over the file gives what the trace in memory gives. */
class StreamedRunsTest {
  private static final int ACCESSES = 70_000;
  private static final List<String> CLASSES = List.of(" u1", " u2", " u3", " u4", "");

  @TempDir private Path dir = Path.of("");

  private final StringWriter err = new StringWriter();

  /**
   * Parts of objects, writes, some of them first, classes that change, also to none, and times;
   * longer than a batch.
   */
  private Path baleen() throws IOException {
    Random random = new Random(11);
    Zipf zipf = new Zipf(3000, 0.8);
    StringBuilder text =
        new StringBuilder("# block_id io_offset io_size op_time op_name user_name\n");
    for (int i = 0; i < ACCESSES; i++) {
      int block = zipf.draw(random);
      text.append(block)
          .append(' ')
          .append(random.nextInt(4) * 131072)
          .append(' ')
          .append(1 + random.nextInt(300_000))
          .append(' ')
          .append(1000 + i / 3)
          .append(random.nextInt(10) == 0 ? " 4" : " 2")
          .append(CLASSES.get(random.nextInt(CLASSES.size())))
          .append('\n');
    }
    return Files.writeString(dir.resolve("b.trace"), text);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void run_policiesWithoutAFuture_asInMemory(boolean chunks) throws Exception {
    Source source = new Source();
    source.trace = baleen();
    source.format = "baleen";
    source.cacheChunks = chunks;
    List<String> policies =
        List.of(
            "none", "lru", "lfu", "s3-fifo", "gdsf", "weighted-lru", "hystor", "random", "reuse");
    StreamedRuns runs = new StreamedRuns(source, new PrintWriter(err, true));
    List<Simulation.Result> streamed = runs.run(policies, List.of("3%", "50MB"), 2);

    Trace trace = source.read(note -> {});
    assertEquals(trace.length(), runs.accesses());
    assertEquals(trace.objects(), runs.objects());
    assertEquals(trace.footprintBytes(), runs.footprintBytes());
    assertEquals(2 * policies.size(), streamed.size());
    Simulation simulation =
        new Simulation(trace, source.disk(), source.seed).window(source.windowMillis());
    for (Simulation.Result result : streamed) {
      Simulation.Result wanted = simulation.run(result.policy, result.capacityBytes, at -> {});
      assertEquals(
          Report.json("t", List.of(wanted), source.disk(), PartitionRule.SHARED),
          Report.json("t", List.of(result), source.disk(), PartitionRule.SHARED));
    }
    assertEquals(50_000_000, streamed.get(1).capacityBytes);
    assertTrue(streamed.get(0).capacityBytes > 0);
  }

  /** Writes are not reported by a DataNode, so a writer's class is none. */
  @Test
  void classOf_writtenBeforeItIsRead_isThatOfTheFirstRead() throws Exception {
    Source source = new Source();
    source.trace =
        Files.writeString(
            dir.resolve("t.csv"),
            "object,size_bytes,op,class\na,9,W,loader\na,9,R,mapreduce\na,9,R,other\n"
                + "b,9,W,loader\nc,9,R,\nc,9,R,late\n");
    Trace trace = source.read(note -> {});
    assertEquals("mapreduce", trace.classOf(0));
    assertNull(trace.classOf(1));
    assertNull(trace.classOf(2));
  }

  /** Before that the policy must not know it, in memory as in a stream. */
  @Test
  void onClass_ofAWrittenObject_comesWithTheFirstRead() {
    Trace.Builder trace = new Trace.Builder("written");
    trace.add("a", 9, true, 9, "loader");
    trace.add("a", 9, true, 9, "loader");
    trace.add("a", 9, false, 9, "mapreduce");
    trace.add("a", 9, false, 9, "other");
    List<String> calls = new ArrayList<>();
    CachePolicy policy =
        new ForwardingPolicy() {
          private final CachePolicy lru = Policies.create("lru");

          @Override
          protected CachePolicy current() {
            return lru;
          }

          @Override
          public void onAccess(Access access) {
            calls.add(access.isWrite() ? "write" : "read");
            super.onAccess(access);
          }

          @Override
          public void onClass(CacheKey key, String name) {
            calls.add(name);
            super.onClass(key, name);
          }
        };
    new Simulation(trace.build(), DiskTime.DEFAULT, 1).run("lru", () -> policy, 100, at -> {});
    assertEquals(List.of("write", "write", "mapreduce", "read", "read"), calls);
  }

  @ParameterizedTest
  @CsvSource({
    "10, ''",
    "5, 'note: 2 accesses are earlier than the first, by 2h0.5s at most: their disk time counts in"
        + " its window, so that busy disks are too many. Fix: sort the trace by time, or leave"
        + " --stream out'"
  })
  void run_accessesEarlierThanTheFirst_areNoted(int thirdSecond, String note) throws Exception {
    Source source = new Source();
    source.trace =
        Files.writeString(
            dir.resolve("t.csv"),
            "object,size_bytes,op,time\na,9,R,7205.5\na,9,R,7205.5\na,9,R,"
                + (7200 + thirdSecond)
                + "\nb,9,R,"
                + (thirdSecond == 5 ? 5 : 7210)
                + "\n");
    new StreamedRuns(source, new PrintWriter(err, true)).run(List.of("none"), List.of("1MB"), 1);
    assertEquals(note, err.toString().strip());
  }

  @Test
  void run_timesThatBeginLate_areRefused() throws IOException {
    Source source = new Source();
    source.trace =
        Files.writeString(
            dir.resolve("t.csv"), "object,size_bytes,op,time\na,9,R,\na,9,R,\na,9,R,7\n");
    StreamedRuns runs = new StreamedRuns(source, new PrintWriter(err, true));
    String message =
        "t.csv: expected a time for the first access, or for none, found the first time after 2"
            + " accesses. Fix: give these a time, or leave them out";
    assertEquals(
        message,
        assertThrows(TraceException.class, () -> runs.run(List.of("none"), List.of("1MB"), 1))
            .getMessage());
    assertEquals(
        message, assertThrows(TraceException.class, () -> source.read(note -> {})).getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1MB", "1%"})
  void run_moreBytesThanTotalsHold_isRefused(String capacity) throws IOException {
    Source source = new Source();
    String line = "a," + (1L << 50) + ",R\n";
    source.trace =
        Files.writeString(dir.resolve("t.csv"), "object,size_bytes,op\n" + line.repeat(4096));
    StreamedRuns runs = new StreamedRuns(source, new PrintWriter(err, true));
    assertEquals(
        "t.csv: expected accesses to objects of less than 2^62 bytes in all, found more. Fix: a"
            + " part of the trace",
        assertThrows(TraceException.class, () -> runs.run(List.of("none"), List.of(capacity), 1))
            .getMessage());
  }

  @Test
  void run_policyThatNeedsTheFuture_isRefused() {
    StreamedRuns runs = new StreamedRuns(new Source(), new PrintWriter(err, true));
    assertEquals(
        "--stream: expected policies that need no future and are no baselines, found belady",
        assertThrows(
                IllegalArgumentException.class,
                () -> runs.run(List.of("lru", "belady"), List.of("1MB"), 1))
            .getMessage());
  }
}
