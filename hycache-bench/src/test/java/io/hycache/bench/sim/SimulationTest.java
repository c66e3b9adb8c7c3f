// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.PartitionRule;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.cost.Partition;
import io.hycache.core.policy.Policies;
import io.hycache.core.policy.Replay;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulator against definitions, against itself, and what its policies promise each other. */
class SimulationTest {
  private static final DiskTime DISK = DiskTime.DEFAULT;
  private static final int TRACES = 1000;

  private static Simulation.Result run(String policy, Trace trace, long capacity) {
    return new Simulation(trace, DISK, 1).run(policy, capacity, at -> {});
  }

  private static double diskSeconds(String policy, Trace trace, long capacity) {
    return run(policy, trace, capacity).totals.diskSeconds(DISK);
  }

  private static List<Definition.Access> randomTrace(Random random) {
    int objects = 1 + random.nextInt(12);
    long[] sizes = random.longs(objects, 1, 1 + random.nextInt(40) + 1).toArray();
    List<Definition.Access> accesses = new ArrayList<>();
    int length = 1 + random.nextInt(80);
    for (int at = 0; at < length; at++) {
      int object = random.nextInt(objects);
      long request =
          random.nextInt(3) == 0 ? 1 + random.nextInt((int) sizes[object]) : sizes[object];
      accesses.add(new Definition.Access(object, sizes[object], random.nextInt(4) == 0, request));
    }
    return accesses;
  }

  private static Trace traceOf(List<Definition.Access> accesses) {
    Trace.Builder trace = new Trace.Builder("random");
    for (Definition.Access a : accesses) {
      trace.add("o" + a.object, a.size, a.write, a.request, null);
    }
    return trace.build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"lru", "lfu", "fifo", "gdsf", "belady", "heuristic"})
  void run_randomTraces_asTheDefinitionSays(String policy) {
    for (int seed = 0; seed < TRACES; seed++) {
      Random random = new Random(seed);
      List<Definition.Access> accesses = randomTrace(random);
      long capacity = random.nextInt(120);
      String where = policy + " seed=" + seed + " capacity=" + capacity + " " + accesses;

      Replay.Totals totals = run(policy, traceOf(accesses), capacity).totals;
      Definition wanted = new Definition(policy, capacity, accesses).run();

      assertEquals(wanted.hits, totals.hits, "hits " + where);
      assertEquals(wanted.hitBytes, totals.hitBytes, "hit bytes " + where);
      assertEquals(wanted.missBytes, totals.missBytes, "miss bytes " + where);
      assertEquals(wanted.admittedBytes, totals.admittedBytes, "admitted " + where);
      assertEquals(wanted.evictedBytes, totals.evictedBytes, "evicted " + where);
      assertEquals(wanted.ssdBytes, totals.ssdWrittenBytes, "written to SSD " + where);
      assertEquals(wanted.operations, totals.hddOperations, "operations " + where);
      assertEquals(wanted.diskBytes, totals.hddBytes, "HDD bytes " + where);
      assertEquals(wanted.moveOperations, totals.moveOperations, "move operations " + where);
      assertEquals(wanted.moveBytes, totals.moveBytes, "move bytes " + where);
    }
  }

  /**
   * Sizes whose fractions have equal sums that no binary fraction holds: 1/10 + 1/5 and 3/10, three
   * times 1/7 and 3/7, 1/6 + 1/3 and 1/2; and long traces, in which sums are long.
   */
  @ParameterizedTest
  @CsvSource({
    "10 10 10 10, 40",
    "10 5 10 20, 40",
    "7 7 14 21 3, 40",
    "6 3 2 12 18, 30",
    "100000000 300000000 700000000, 1500000000",
    "1000003 2000006 999983, 3000000"
  })
  void run_gdsfSumsOfFractions_tiesAreTies(String sizes, long capacity) {
    long[] bytes = Stream.of(sizes.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      int objects = 3 * bytes.length;
      List<Definition.Access> accesses = new ArrayList<>();
      for (int at = 0; at < 400; at++) {
        int object = random.nextInt(1 + random.nextInt(objects));
        long size = bytes[object % bytes.length];
        accesses.add(new Definition.Access(object, size, false, size));
      }
      Definition wanted = new Definition("gdsf", capacity, accesses).run();
      Replay.Totals totals = run("gdsf", traceOf(accesses), capacity).totals;
      String where = "seed=" + seed + " " + sizes;
      assertEquals(wanted.hits, totals.hits, where);
      assertEquals(wanted.hitBytes, totals.hitBytes, where);
      assertEquals(wanted.evictedBytes, totals.evictedBytes, where);
    }
  }

  @Test
  void run_byHand_costsWhatItMust() {
    Trace trace =
        traceOf(
            List.of(
                new Definition.Access(0, 100, false, 100), // fetched: one read of 100
                new Definition.Access(0, 100, true, 10), // hit, dirty
                new Definition.Access(1, 60, true, 60), // covers: no read; 0 goes: a write of 100
                new Definition.Access(2, 200, false, 30))); // too large: one read of 30

    Replay.Totals totals = run("lru", trace, 120).totals;

    assertEquals(4, totals.accesses);
    assertEquals(1, totals.hits);
    assertEquals(10, totals.hitBytes);
    assertEquals(4, totals.hddOperations, "read 0, write 0, read of 2, flush of 1");
    assertEquals(100 + 100 + 30 + 60, totals.hddBytes);
    assertEquals(3, totals.moveOperations, "read 0, move 0, read of 2");
    assertEquals(100 + 100 + 30, totals.moveBytes);
    assertEquals(100 + 10 + 60, totals.ssdWrittenBytes);
    assertEquals(
        4 * DISK.seekSeconds() + 290 / DISK.bytesPerSec(), totals.diskSeconds(DISK), 1e-12);
  }

  /** There are 200 points of the occupancy. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 100, 199, 200, 201, 1000})
  void run_anyLength_occupancyHasNoGaps(int length) {
    List<Definition.Access> accesses = new ArrayList<>();
    for (int at = 0; at < length; at++) {
      accesses.add(new Definition.Access(0, 10, false, 10));
    }
    for (long bytes : run("lru", traceOf(accesses), 20).occupancy) {
      assertEquals(10, bytes);
    }
  }

  static Stream<String> policies() {
    return Policies.names().stream();
  }

  @ParameterizedTest
  @MethodSource("policies")
  void run_anyPolicy_neverHoldsMoreThanTheCapacity(String policy) {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      Trace trace = traceOf(randomTrace(random));
      long capacity = 1L + random.nextInt(120);
      Simulation.Result result = run(policy, trace, capacity);
      String where = policy + " seed=" + seed;

      for (long bytes : result.occupancy) {
        assertTrue(bytes >= 0 && bytes <= capacity, where);
      }
      assertEquals(trace.length(), result.totals.hits + result.totals.misses, where);
    }
  }

  @ParameterizedTest
  @CsvSource({"lru", "heuristic", "lookahead", "reuse", "s3-fifo", "random"})
  void run_twice_sameResult(String policy) {
    Trace trace = Workloads.make("mixed-sizes", 200, 3000, 3);
    long capacity = trace.footprintBytes() / 10;

    assertEquals(
        Report.json(trace, List.of(run(policy, trace, capacity)), DISK, PartitionRule.SHARED),
        Report.json(trace, List.of(run(policy, trace, capacity)), DISK, PartitionRule.SHARED));
  }

  @ParameterizedTest
  @CsvSource({
    "round-robin",
    "loop",
    "scan-polluted",
    "zipf",
    "zipf-drift",
    "mixed-sizes",
    "writes"
  })
  void lookahead_anyWorkload_neverCostlierThanTheHeuristic(String workload) {
    for (long seed = 1; seed <= 3; seed++) {
      Trace trace = Workloads.make(workload, 300, 6000, seed);
      for (int percent : new int[] {1, 5, 20}) {
        long capacity = trace.footprintBytes() * percent / 100;
        double heuristic = diskSeconds("heuristic", trace, capacity);
        double lookahead = diskSeconds("lookahead", trace, capacity);
        assertTrue(
            lookahead <= heuristic * 1.002,
            trace.name() + " " + percent + " %: " + lookahead + " > " + heuristic);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"scan-polluted", "zipf"})
  void reuse_withoutHints_beatsLruOnDiskTimeAndSsdWrites(String workload) {
    for (long seed = 1; seed <= 3; seed++) {
      Trace trace = Workloads.make(workload, 1000, 50_000, seed);
      for (int percent : new int[] {1, 5, 10}) {
        long capacity = trace.footprintBytes() * percent / 100;
        Replay.Totals lru = run("lru", trace, capacity).totals;
        Replay.Totals reuse = run("reuse", trace, capacity).totals;
        String where = trace.name() + " " + percent + " %";
        assertTrue(reuse.diskSeconds(DISK) < lru.diskSeconds(DISK), where);
        assertTrue(reuse.ssdWrittenBytes < lru.ssdWrittenBytes, where);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void adaptive_writesCostNothing_blocksInUseDrift_costsWhatS3FifoDoes(int percent) {
    DiskTime free = DISK.withWritePrice(0);
    Trace trace = Workloads.make("zipf-drift", 2000, 40_000, 1);
    Simulation unhinted =
        new Simulation(
            trace, free, 1, PartitionRule.SHARED, 1, HintQuality.parse("--hints", "none"));
    long capacity = trace.footprintBytes() * percent / 100;
    double s3Fifo = unhinted.run("s3-fifo", capacity, at -> {}).totals.diskSeconds(free);
    double adaptive = unhinted.run("adaptive", capacity, at -> {}).totals.diskSeconds(free);
    assertTrue(adaptive <= 1.01 * s3Fifo, adaptive + " > " + s3Fifo);
  }

  private static Simulation split(Trace trace, String rule, int period) {
    return new Simulation(
        trace,
        DiskTime.DEFAULT,
        1,
        PartitionRule.parse("--partition", rule),
        period,
        HintQuality.PERFECT);
  }

  @Test
  void partition_byHand_writesAndReadsHaveTheirOwnPlaces() {
    // 4 objects of 100 bytes fit, 2 for each; w is written, then read: it is found where it was
    // written.
    Trace.Builder trace = new Trace.Builder("hand");
    trace.add("w", 100, true, 100, null);
    for (String object : List.of("a", "b", "c", "a", "w")) {
      trace.add(object, 100, false, 100, null);
    }
    // Leaves the read cache and enters the other one; what is not overwritten is not read again.
    trace.add("a", 100, true, 40, null);
    trace.add("a", 100, false, 100, null);
    Simulation.Result split = split(trace.build(), "0.5:0.5", 1).run("lru", 400, at -> {});

    // w, a, b, c (evicts a), a again (evicts b) miss; w, the write to a and its read hit.
    assertEquals(5, split.totals.misses);
    assertEquals(3, split.totals.hits);
    // Four fetches of a, b, c, a; at the end w and a are written.
    assertEquals(6, split.totals.hddOperations);
    assertEquals(600, split.totals.hddBytes);
    assertEquals(5 * 100 + 40, split.totals.ssdWrittenBytes);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void partition_workloadTurnsToWrites_followsAndBeatsWhatIsRightForAHalf(long seed) {
    Trace trace = Workloads.make("turning", 2000, 40_000, seed);
    long capacity = trace.footprintBytes() / 10;
    Simulation.Result auto = split(trace, "auto", 400).run("lru", capacity, at -> {});
    Partition middle = auto.splits[auto.splits.length / 2 - 1];
    Partition end = auto.splits[auto.splits.length - 1];

    assertTrue(middle.readShare() > 2 * middle.writeShare(), "seed=" + seed + " " + middle);
    assertTrue(end.writeShare() > 2 * end.readShare(), "seed=" + seed + " " + end);
    double took = auto.totals.diskSeconds(DISK);
    for (Partition kept : List.of(middle, end)) {
      String rule = kept.readShare() + ":" + kept.writeShare();
      double fixed = split(trace, rule, 1).run("lru", capacity, at -> {}).totals.diskSeconds(DISK);
      assertTrue(took < fixed, "seed=" + seed + " rule=" + rule + " " + took + " " + fixed);
    }
  }

  @Test
  void partition_withTheFutureKnown_isRefused() {
    Trace trace = Workloads.make("turning", 20, 200, 1);
    assertThrows(
        IllegalArgumentException.class,
        () -> split(trace, "auto", 10).run("lookahead", 1_000_000_000, at -> {}));
  }
}
