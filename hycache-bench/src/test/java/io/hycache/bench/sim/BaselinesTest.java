// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.PartitionRule;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.policy.Replay;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Admission in front of LRU: the gates, what they write, and what the best one knows. */
class BaselinesTest {
  private static final DiskTime DISK = DiskTime.DEFAULT;

  private static Candidate candidate(int id) {
    return new Candidate(new CacheKey("trace", id), 1, Candidate.Trigger.READ_MISS, 0);
  }

  private static boolean isOutgrown(Trace trace, int before, int at) {
    long written = trace.isWrite(at) ? trace.requestBytes(at) : 0;
    return trace.sizeBytes(at) - written > trace.sizeBytes(before);
  }

  private static String admitted(Admission.Gate gate, int... objects) {
    StringBuilder answers = new StringBuilder();
    for (int at = 0; at < objects.length; at++) {
      answers.append(gate.admits(candidate(objects[at]), at) ? '+' : '-');
    }
    return answers.toString();
  }

  @Test
  void rejectX_namesInTheHistory_areAdmittedAfterXRejects() {
    assertEquals("-+-++", admitted(Admission.rejectX(1, 9), 1, 1, 2, 1, 2));
    assertEquals("--+-", admitted(Admission.rejectX(2, 9), 1, 1, 1, 2));
    // The history holds two names; 3 pushes out 1, although 1 was seen again.
    assertEquals("--+--+", admitted(Admission.rejectX(1, 2), 1, 2, 1, 3, 1, 3));
  }

  @Test
  void coinFlip_share_isTheProbabilityAndAMoreLikelyCoinAdmitsTheSame() {
    Admission.Gate rare = Admission.coinFlip(0.2, 7);
    Admission.Gate often = Admission.coinFlip(0.5, 7);
    int rarely = 0;
    int often1 = 0;
    int onlyRare = 0;
    for (int at = 0; at < 100_000; at++) {
      boolean r = rare.admits(candidate(1), at);
      boolean o = often.admits(candidate(1), at);
      rarely += r ? 1 : 0;
      often1 += o ? 1 : 0;
      onlyRare += r && !o ? 1 : 0;
    }
    assertEquals(20_000, rarely, 600);
    assertEquals(50_000, often1, 600);
    assertEquals(0, onlyRare);
  }

  @Test
  void evictionAge_byHand_isFromTheLastUse() {
    Trace.Builder trace = new Trace.Builder("hand");
    for (String object : List.of("a", "b", "a", "c", "d")) {
      trace.add(object, 1, false, 1, null);
    }
    Trace built = trace.build();
    Admission all = new Admission((candidate, at) -> true, built.objects());
    new Simulation(built, DISK, 1).run("all", () -> all, 2, at -> {});
    // c at 3 evicts b of 1; d at 4 evicts a of 2.
    assertEquals(2, all.evictionAge());
  }

  @Test
  void episodes_randomTraces_scoreAsTheirDefinitionSays() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      Trace.Builder builder = new Trace.Builder("random");
      int length = 1 + random.nextInt(40);
      long[] sizes = random.longs(5, 1, 1000).toArray();
      for (int at = 0; at < length; at++) {
        int object = random.nextInt(5);
        long request =
            random.nextBoolean() ? sizes[object] : 1 + random.nextInt((int) sizes[object]);
        builder.add("o" + object, sizes[object], random.nextInt(4) == 0, request, null);
        sizes[object] += random.nextInt(8) == 0 ? random.nextInt(200) : 0;
      }
      Trace trace = builder.build();
      int age = 1 + random.nextInt(12);
      Episodes episodes = new Episodes(trace, DISK, trace.nextUses(), age);
      double bytes = 0;
      for (int at = 0; at < length; at++) {
        boolean covers = trace.isWrite(at) && trace.requestBytes(at) == trace.sizeBytes(at);
        double whole = DISK.seconds(trace.sizeBytes(at));
        double saved = DISK.seconds(trace.requestBytes(at)) - (covers ? 0 : whole);
        boolean dirty = trace.isWrite(at);
        long written = trace.sizeBytes(at);
        int last = at;
        for (int later = at + 1; later < length && later - last <= age; later++) {
          if (trace.object(later) == trace.object(at)) {
            if (isOutgrown(trace, last, later)) {
              break;
            }
            saved += DISK.seconds(trace.requestBytes(later));
            dirty |= trace.isWrite(later);
            written += trace.isWrite(later) ? trace.requestBytes(later) : 0;
            last = later;
          }
        }
        double wanted = (saved - (dirty ? whole : 0)) / written;
        double higher = wanted == 0 ? 1 : episodes.score(at) / wanted;
        assertEquals(1, higher, 1.01 * Episodes.SPREAD, "seed=" + seed);
        int before = at - 1;
        while (before >= 0 && trace.object(before) != trace.object(at)) {
          before--;
        }
        boolean first = before < 0 || at - before > age || isOutgrown(trace, before, at);
        bytes += first ? written : 0;
      }
      assertEquals(bytes, episodes.bytesFrom(Float.NEGATIVE_INFINITY), "seed=" + seed);
    }
  }

  @Test
  void offline_allFits_isOneRun() {
    Trace trace = Workloads.make("zipf", 100, 5000, 1);
    Baselines baselines = new Baselines(trace, DISK, 1, new Simulation(trace, DISK, 1), null);
    var unused = baselines.run("offline", 2 * trace.footprintBytes(), at -> {});
    assertEquals(1, baselines.runs());
  }

  /** A plan has 4 bytes an access and 4 an object; about 100 are tried. */
  @Test
  void offline_manyAges_areReportedAndNotKept() {
    Trace trace = Workloads.make("zipf", 20_000, 50_000, 1);
    Simulation simulation = new Simulation(trace, DISK, 1);
    List<Integer> progress = new ArrayList<>();
    List<Long> used = new ArrayList<>();
    var unused =
        simulation.run(
            "offline",
            trace.footprintBytes() / 100,
            at -> {
              progress.add(at);
              System.gc();
              used.add(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            });
    assertTrue(progress.size() > 10, progress.toString());
    assertEquals(progress.stream().sorted().collect(Collectors.toList()), progress);
    assertEquals(trace.length(), progress.get(progress.size() - 1));
    long grown = used.get(used.size() - 2) - used.get(0);
    assertTrue(grown < 3_000_000, grown + " bytes in " + progress.size() + " ages");
  }

  @ParameterizedTest
  @CsvSource({
    "rejectx, zipf, 25MB/access, 0.99",
    "rejectx, zipf, 8MB/access, 0.99",
    "coinflip, zipf, 25MB/access, 0.99",
    "coinflip, zipf, 8MB/access, 0.99",
    "offline, mixed-sizes, 1MB/access, 0.9",
    "offline, mixed-sizes, 500KB/access, 0.9"
  })
  void writeRate_tuned_comesCloseAndIsKept(
      String policy, String workload, String rate, double least) {
    Trace trace = Workloads.make(workload, 1000, 30_000, 2);
    long capacity = trace.footprintBytes() / 20;
    Replay.Totals totals =
        new Simulation(trace, DISK, 1)
            .writeRate(new WriteRate(rate))
            .run(policy, capacity, at -> {})
            .totals;
    double target = Units.bytes("", rate.substring(0, rate.indexOf('/'))) * 30_000.0;
    double share = totals.ssdWrittenBytes / target;
    assertTrue(share >= least && share <= 1.01, "share=" + share);
  }

  @ParameterizedTest
  @CsvSource({"zipf", "scan-polluted", "mixed-sizes", "loop"})
  void offline_atEqualWriteRate_savesMoreThanTheOthers(String workload) {
    for (long seed = 1; seed <= 3; seed++) {
      Trace trace = Workloads.make(workload, 500, 20_000, seed);
      long capacity = trace.footprintBytes() / 20;
      Simulation simulation = new Simulation(trace, DISK, 1).writeRate(new WriteRate("rejectx"));
      double rejectX = simulation.run("rejectx:1", capacity, at -> {}).totals.diskSeconds(DISK);
      double coin = simulation.run("coinflip", capacity, at -> {}).totals.diskSeconds(DISK);
      double offline = simulation.run("offline", capacity, at -> {}).totals.diskSeconds(DISK);
      String where = trace.name() + " " + offline + " " + rejectX + " " + coin;
      assertTrue(offline < rejectX, where);
      assertTrue(offline < coin, where);
    }
  }

  /** All episodes are worth the same, and LRU keeps none of them until they are used again. */
  @ParameterizedTest
  @CsvSource({"round-robin, 100, 5000", "writes, 500, 10000", "loop, 500, 10000"})
  void offline_moreThanFits_admitsAPartAndSavesMoreThanTheOthers(
      String workload, int objects, int accesses) {
    Trace trace = Workloads.make(workload, objects, accesses, 1);
    long capacity = trace.footprintBytes() / 20;
    for (String rate : List.of("", "rejectx")) {
      Simulation simulation =
          new Simulation(trace, DISK, 1).writeRate(rate.isEmpty() ? null : new WriteRate(rate));
      double offline = simulation.run("offline", capacity, at -> {}).totals.diskSeconds(DISK);
      for (String policy : List.of("none", "lru", "rejectx", "coinflip")) {
        double other = simulation.run(policy, capacity, at -> {}).totals.diskSeconds(DISK);
        assertTrue(offline < 0.96 * other, rate + " " + policy + " " + offline + " " + other);
      }
    }
  }

  /** x is read and written, which costs as much as without an SSD; y is worth its fetch. */
  @Test
  void offline_episodesThatAreWritten_leaveTheBytesToTheOthers() {
    Trace.Builder builder = new Trace.Builder("written");
    long size = 100_000_000;
    for (int i = 0; i < 200; i++) {
      builder.add("x" + i, size, false, size, null);
      builder.add("x" + i, size, true, size, null);
      builder.add("y" + i, size, false, size, null);
      builder.add("y" + i, size, false, size * 9 / 10, null);
    }
    Trace trace = builder.build();
    Simulation simulation = new Simulation(trace, DISK, 1).writeRate(new WriteRate("50MB/access"));
    double none = simulation.run("none", 5 * size, at -> {}).totals.diskSeconds(DISK);
    double coin = simulation.run("coinflip", 5 * size, at -> {}).totals.diskSeconds(DISK);
    Replay.Totals offline = simulation.run("offline", 5 * size, at -> {}).totals;
    assertTrue(coin < none, coin + " " + none);
    assertEquals(none - 200 * DISK.seconds(size * 9 / 10), offline.diskSeconds(DISK), 1e-6);
    assertEquals(200 * size, offline.ssdWrittenBytes);
  }

  @Test
  void writeRate_belowWhatRejectXWritesAtLeast_isSaid() {
    Trace.Builder builder = new Trace.Builder("thrice");
    for (int i = 0; i < 1200; i++) {
      builder.add("o" + i / 3, 100, false, 100, null);
    }
    Trace trace = builder.build();
    Simulation simulation = new Simulation(trace, DISK, 1).writeRate(new WriteRate("1B/access"));
    Simulation.Result rejectX = simulation.run("rejectx", 200, at -> {});
    assertTrue(rejectX.overRate);
    assertEquals(40_000, rejectX.totals.ssdWrittenBytes);
    assertEquals("rejects=1 history=1", rejectX.admission);
    assertTrue(Report.table(List.of(rejectX), DISK).contains("history=1), over the write rate"));
    String json = Report.json(trace, List.of(rejectX), DISK, PartitionRule.SHARED);
    assertTrue(json.contains("\"over_write_rate\" : true"), json);
    for (String policy : List.of("coinflip", "offline")) {
      Simulation.Result other = simulation.run(policy, 200, at -> {});
      assertTrue(!other.overRate && other.totals.ssdWrittenBytes <= 1.01 * 1200, policy);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "rejectx:0, rejectx:X with X of 1 or more",
    "coinflip:1.5, coinflip:P with P of 0 to 1"
  })
  void parameter_thatWouldStandForAnother_isRefused(String policy, String expected) {
    assertEquals(
        "--policy: expected " + expected + ", found " + policy,
        assertThrows(IllegalArgumentException.class, () -> Runs.policies("lru," + policy))
            .getMessage());
  }

  @Test
  void writeRate_withAProbability_isRefused() {
    Trace trace = Workloads.make("zipf", 10, 100, 1);
    Simulation simulation = new Simulation(trace, DISK, 1).writeRate(new WriteRate("1MB/access"));
    assertEquals(
        "--write-rate: expected coinflip without a probability, which the rate decides, found"
            + " coinflip:0.3",
        assertThrows(
                IllegalArgumentException.class, () -> simulation.run("coinflip:0.3", 100, at -> {}))
            .getMessage());
  }

  @Test
  void writeRate_mistakes_sayWhatIsExpected() {
    Trace trace = Workloads.make("zipf", 10, 100, 1);
    Simulation simulation = new Simulation(trace, DISK, 1).writeRate(new WriteRate("1MB/s"));
    assertEquals(
        "--write-rate: expected BYTES/access or a policy, because the trace has no times, found"
            + " 1MB/s",
        assertThrows(
                IllegalArgumentException.class, () -> simulation.run("coinflip", 100, at -> {}))
            .getMessage());
    Trace.Builder atOnce = new Trace.Builder("once");
    atOnce.add("a", 9, false, 9, null, 5, false);
    atOnce.add("b", 9, false, 9, null, 5, false);
    assertEquals(
        "--write-rate: expected BYTES/access or a policy, because the trace has no two accesses at"
            + " different times, found 1MB/s",
        assertThrows(
                IllegalArgumentException.class,
                () -> new WriteRate("1MB/s").bytes(atOnce.build(), simulation, 100))
            .getMessage());
    String refused =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> new WriteRate("best")).getMessage());
    assertTrue(refused.startsWith("--write-rate: expected lru, "), refused);
    Simulation split =
        new Simulation(
            trace, DISK, 1, PartitionRule.parse("--partition", "0.5:0.5"), 1, HintQuality.PERFECT);
    assertEquals(
        "--partition: expected shared with --policy rejectx, found 0.5:0.5",
        assertThrows(IllegalArgumentException.class, () -> split.run("rejectx", 100, at -> {}))
            .getMessage());
  }
}
