// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.PartitionRule;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.policy.Replay;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a policy is notified of when hints are not perfect, and what the policies make of it. */
class ImperfectHintsTest {
  /** Writes down what it is notified of. */
  private static final class Notes implements CachePolicy {
    final List<String> seen = new ArrayList<>();

    @Override
    public void onNextUse(CacheKey key, long atNanos) {
      seen.add(key.id() + "@" + (atNanos == Long.MAX_VALUE ? "never" : atNanos));
    }

    @Override
    public void onAccess(Access access) {}

    @Override
    public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {}

    @Override
    public void onRemoved(CacheKey key) {}

    @Override
    public Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
      return Decision.bypass(Reason.MODE_OFF);
    }

    @Override
    public Iterable<CacheKey> evictionOrder() {
      return List.of();
    }

    @Override
    public int residents() {
      return 0;
    }
  }

  private static Trace trace(String objects) {
    Trace.Builder trace = new Trace.Builder("letters");
    objects.chars().forEach(c -> trace.add("o" + c, 10, false, 10, null));
    return trace.build();
  }

  /** What is notified before each access, one string per access. */
  private static List<String> notified(String objects, String quality) {
    Trace trace = trace(objects);
    Notes notes = new Notes();
    ImperfectHints hints =
        new ImperfectHints(trace, HintQuality.parse("--hints", quality), trace.nextUses(), notes);
    List<String> byAccess = new ArrayList<>();
    for (int at = 0; at < trace.length(); at++) {
      hints.before(at);
      byAccess.add(String.join(" ", notes.seen));
      notes.seen.clear();
    }
    return byAccess;
  }

  @Test
  void nothingWrong_eachAccessBringsTheNextUse() {
    // a b a c a: objects 0 1 0 2 0
    assertEquals(
        List.of("0@2", "", "0@4 0@4", "", "0@never"), notified("abaca", "wrong=0%,seed=1"));
  }

  @Test
  void late_arrivesAfterItsTime_andIsNotUsedUp() {
    // The use at 2 becomes known at 3, after the read; the hint stays.
    assertEquals(List.of("", "", "", "0@2", "0@never"), notified("abacad", "late=3").subList(0, 5));
  }

  @Test
  void chunk_namesAllReadsOfTheManifestAtItsStart() {
    assertEquals(
        List.of("0@0 1@1 0@never", "1@never", "0@2 2@3 0@never", "2@never"),
        notified("abac", "chunk=2"));
  }

  @Test
  void ttl_withdrawsWhatWasNotUsedUp() {
    assertEquals(
        List.of("0@4", "1@2", "0@never 1@3 1@3"), notified("abbba", "ttl=2").subList(0, 3));
  }

  @Test
  void allWrong_someOtherObjectIsNamed() {
    String objects = "abcdefghij".repeat(200);
    long right = 0;
    long all = 0;
    List<String> notified = notified(objects, "wrong=100%");
    for (int at = 0; at < notified.size() - 10; at++) {
      int object = at % 10;
      all++;
      right += notified.get(at).contains(object + "@" + (at + 10)) ? 1 : 0;
    }
    assertEquals(0, right, "of " + all);
  }

  @Test
  void part_hintsOfAnObjectAreAllThereOrNone() {
    String objects = "abcdefghijklmnopqrst".repeat(5);
    List<String> notified = notified(objects, "part=50%");
    int hinted = 0;
    for (int object = 0; object < 20; object++) {
      int hints = 0;
      for (int round = 0; round < 4; round++) {
        hints += notified.get(round * 20 + object).isEmpty() ? 0 : 1;
      }
      assertTrue(hints == 0 || hints == 4, "object=" + object + " hints=" + hints);
      hinted += hints / 4;
    }
    assertTrue(hinted > 3 && hinted < 17, "hinted=" + hinted);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "wrong",
        "wrong=10",
        "wrong=101%",
        "wrong=10%,wrong=20%",
        "late=0",
        "late=x",
        "late=2147483648",
        "shuffle=1073741824",
        "ttl=5%",
        "a=1"
      })
  void parse_badValue_saysWhatIsExpected(String value) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> HintQuality.parse("--hints", value));
    assertTrue(String.valueOf(e.getMessage()).startsWith("--hints: expected perfect"));
  }

  @Test
  void counts_farBeyondTheTrace_doNotOverflow() {
    assertEquals(List.of("", "", ""), notified("aba", "late=2147483647"));
    assertEquals(List.of("0@2", "", "0@never"), notified("aba", "ttl=2147483646"));
    assertEquals(
        List.of("0@0 1@1 0@0 0@2", "1@never", "0@never"), notified("aba", "chunk=2147483647"));
    String shuffled = notified("aba", "shuffle=1000000000").get(0);
    assertTrue(shuffled.matches("0@[12]"), shuffled);
  }

  private static String totals(Trace trace, String hints) {
    Replay.Totals totals =
        new Simulation(
                trace,
                DiskTime.DEFAULT,
                1,
                PartitionRule.SHARED,
                1,
                HintQuality.parse("--hints", hints))
            .run("heuristic", 10, at -> {})
            .totals;
    return totals.hits + " hits, " + totals.hddOperations + " operations, " + totals.hddBytes;
  }

  @Test
  void perfect_allReferencesCount_asInOneManifestAndNotWithSingleHints() {
    Trace trace = trace("baaaab");
    // b and three more reads of a: a is worth three fetches, b one.
    assertEquals("3 hits, 3 operations, 30", totals(trace, "perfect"));
    assertEquals("3 hits, 3 operations, 30", totals(trace, "wrong=0%,chunk=1000"));
    // One hint for a, one for b: a does not get its place.
    assertEquals("1 hits, 5 operations, 50", totals(trace, "wrong=0%"));
  }

  private static double diskSeconds(Trace trace, String policy, String hints, long capacity) {
    return new Simulation(
            trace,
            DiskTime.DEFAULT,
            1,
            PartitionRule.SHARED,
            1,
            HintQuality.parse("--hints", hints))
        .run(policy, capacity, at -> {})
        .totals
        .diskSeconds(DiskTime.DEFAULT);
  }

  /** The bounds are those of the project's promise, for three workloads each. */
  @ParameterizedTest
  @CsvSource({
    "perfect, 0.95",
    "none, 1.0",
    "wrong=10%, 1.0",
    "'wrong=10%,chunk=1000', 1.0",
    "late=100, 1.02",
    "shuffle=100, 1.0",
    "part=50%, 1.0",
    "wrong=100%, 1.05"
  })
  void adaptive_withAnyHints_isNotDearerThanLru(String hints, double most) {
    for (String workload : List.of("zipf-drift", "scan-polluted", "loop")) {
      Trace trace = Workloads.make(workload, 500, 10_000, 1);
      long capacity = trace.footprintBytes() / 20;
      double lru = diskSeconds(trace, "lru", hints, capacity);
      double ratio = diskSeconds(trace, "adaptive", hints, capacity) / lru;
      assertTrue(ratio <= most, String.format(Locale.ROOT, "%s %s %.3f", workload, hints, ratio));
    }
  }

  /** An SSD with room for all that is read again, where LRU misses nothing but first reads. */
  @ParameterizedTest
  @ValueSource(strings = {"perfect", "none", "wrong=10%", "late=100", "part=50%", "wrong=100%"})
  void adaptive_dailyWorkflowsThatFit_anyHints_fillsTheSsdAsLruDoes(String hints) {
    Trace trace = Workloads.make("daily", 300, 12_000, 1);
    long capacity = trace.footprintBytes() / 4;
    double lru = diskSeconds(trace, "lru", hints, capacity);
    double ratio = diskSeconds(trace, "adaptive", hints, capacity) / lru;
    assertTrue(ratio <= 1.02, String.format(Locale.ROOT, "%s %.3f", hints, ratio));
  }
}
