// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static io.hycache.core.policy.CachePolicyContract.access;
import static io.hycache.core.policy.CachePolicyContract.block;
import static io.hycache.core.policy.CachePolicyContract.candidate;
import static io.hycache.core.policy.CachePolicyContract.order;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of every {@link CachePolicy}, run for all built-in policies. */
class EveryPolicyTest {

  static Stream<String> names() {
    return Policies.names().stream();
  }

  /** Makes a block valuable by the criteria of all policies. */
  private static void want(CachePolicy policy, CacheKey block, long sizeBytes, long now) {
    policy.onReferences(block, 9);
    policy.onNextUse(block, now + 1);
    access(policy, block, sizeBytes, now);
    access(policy, block, sizeBytes, now);
  }

  @ParameterizedTest
  @MethodSource("names")
  void onAdmitted_newBlocks_areResidents(String name) {
    CachePolicy policy = Policies.create(name);
    policy.onAdmitted(block(1), 10, 1);
    policy.onAdmitted(block(2), 10, 2);
    policy.onAdmitted(block(2), 12, 3);
    policy.onRemoved(block(7));

    assertEquals(2, policy.residents());
    assertEquals(new HashSet<>(List.of(block(1), block(2))), new HashSet<>(order(policy)));
  }

  @ParameterizedTest
  @MethodSource("names")
  void onRemoved_resident_isNoVictimAnyMore(String name) {
    CachePolicy policy = Policies.create(name);
    policy.onAdmitted(block(1), 10, 1);
    policy.onAdmitted(block(2), 10, 2);
    policy.onRemoved(block(1));
    policy.onRemoved(block(1));
    want(policy, block(3), 5, 3);

    assertEquals(List.of(block(2)), order(policy));
    Decision decision = policy.decide(candidate(3, 5, 9), 0, 20);
    assertEquals(decision.isAdmit() ? List.of(block(2)) : List.of(), decision.victims());
  }

  @ParameterizedTest
  @MethodSource("names")
  void onAccess_blockThatIsNotResident_isNoResident(String name) {
    CachePolicy policy = Policies.create(name);
    access(policy, block(1), 10, 1);

    assertEquals(0, policy.residents());
    assertFalse(policy.evictionOrder().iterator().hasNext());
  }

  @ParameterizedTest
  @MethodSource("names")
  void decide_plainCases_asAgreed(String name) {
    CachePolicy policy = Policies.create(name);
    policy.onAdmitted(block(1), 10, 1);
    want(policy, block(2), 90, 2);

    Decision fits = policy.decide(candidate(2, 90, 9), 90, 100);
    assertTrue(fits.isAdmit(), fits.toString());
    assertEquals(List.of(), fits.victims());
    assertEquals(Reason.ON_SSD_CLEAN, policy.decide(candidate(1, 10, 9), 0, 100).reason());
    assertEquals(Reason.TOO_LARGE, policy.decide(candidate(3, 101, 9), 100, 100).reason());
    want(policy, block(4), 50, 3);
    Decision noRoom = policy.decide(candidate(4, 50, 9), 20, 100);
    assertFalse(noRoom.isAdmit());
    assertEquals(List.of(), noRoom.victims());
  }

  @ParameterizedTest
  @MethodSource("names")
  void randomEvents_answersCanBeCarriedOut(String name) {
    for (long seed = 1; seed <= 10; seed++) {
      new Run(name, seed).go();
    }
  }

  /** Caffeine makes random choices in W-TinyLFU, so its runs differ. */
  static Stream<String> repeatableNames() {
    return names().filter(name -> !name.equals("w-tinylfu"));
  }

  @ParameterizedTest
  @MethodSource("repeatableNames")
  void warm_changesNothing(String name) {
    assertEquals(replayed(name, 0), replayed(name, Replay.AHEAD));
  }

  private static String replayed(String name, int warmed) {
    CachePolicy policy = Policies.create(name);
    Replay replay = new Replay(policy, 400);
    Random random = new Random(1);
    CacheKey[] soon = new CacheKey[Replay.AHEAD];
    for (int at = 0; at < 5000; at++) {
      int turn = at % soon.length;
      if (turn == 0) {
        for (int i = 0; i < soon.length; i++) {
          soon[i] = block(random.nextInt(60));
        }
        replay.warm(soon, warmed);
      }
      long size = 1 + soon[turn].id() % 7 * 10;
      long references = (soon[turn].id() + at) % 4;
      policy.onReferences(soon[turn], references);
      policy.onNextUse(soon[turn], references == 0 ? Long.MAX_VALUE : at + 10 * soon[turn].id());
      replay.access(soon[turn], size, size, at % 5 == 0, references, at);
    }
    Replay.Totals totals = replay.totals();
    return totals.hits
        + " "
        + totals.evictedBytes
        + " "
        + totals.hddOperations
        + " "
        + order(policy);
  }

  /** Sweeping policies whose next victims do not depend on chance or on the candidate. */
  static Stream<String> sweepingNames() {
    return Stream.of("arc", "clock", "lirs", "sieve", "weighted-lru");
  }

  @ParameterizedTest
  @MethodSource("sweepingNames")
  void evictionOrder_isThatOfTheVictims(String name) {
    for (long seed = 1; seed <= 50; seed++) {
      new Run(name, seed).goAndEvictAll();
    }
  }

  /** Random events, with some of the decisions carried out. */
  private static final class Run {
    private static final long CAPACITY = 400;
    private final CachePolicy policy;
    private final Random random;
    private final String name;
    private final long seed;
    private final Map<CacheKey, Long> sizes = new HashMap<>();
    private long used;

    Run(String name, long seed) {
      this.name = name;
      this.seed = seed;
      this.policy = Policies.create(name);
      this.random = new Random(seed);
    }

    void go() {
      for (int step = 0; step < 3000; step++) {
        step(step);
        String where = name + " seed=" + seed + " step=" + step;
        assertEquals(sizes.size(), policy.residents(), where);
        List<CacheKey> order = order(policy);
        assertEquals(sizes.size(), order.size(), where);
        assertEquals(sizes.keySet(), new HashSet<>(order), where);
      }
    }

    void goAndEvictAll() {
      for (int step = 0; step < 1000; step++) {
        step(step);
      }
      List<CacheKey> order = order(policy);
      Decision all = policy.decide(candidate(1_000, used, 0), 0, CAPACITY);
      assertEquals(order, all.victims(), name + " seed=" + seed);
    }

    private void step(int step) {
      CacheKey block = block(random.nextInt(40));
      long size = 1L + random.nextInt(60);
      switch (random.nextInt(8)) {
        case 0:
          policy.onRemoved(block);
          removed(block);
          break;
        case 1:
          policy.onReferences(block, random.nextInt(4));
          break;
        case 2:
          policy.onNextUse(
              block, random.nextBoolean() ? Long.MAX_VALUE : step + 1L + random.nextInt(99));
          break;
        case 3:
          // A write to SSD, or a change of size.
          if (used + size - sizes.getOrDefault(block, 0L) <= CAPACITY) {
            policy.onAdmitted(block, size, step);
            admitted(block, size);
          }
          break;
        default:
          access(block, sizes.getOrDefault(block, size), step);
      }
    }

    private void access(CacheKey block, long size, int step) {
      long request = random.nextBoolean() ? random.nextInt((int) size + 1) : size;
      policy.onAccess(new Access().set(block, size, request, step));
      if (sizes.containsKey(block)) {
        return;
      }
      Candidate candidate =
          new Candidate(
              block,
              size,
              random.nextInt(4) == 0 ? Candidate.Trigger.HINT : Candidate.Trigger.READ_MISS,
              random.nextInt(5));
      Decision decision = policy.decide(candidate, CAPACITY - used, CAPACITY);
      String where = name + " seed=" + seed + " step=" + step + " " + decision;
      assertEquals(
          decision.toString(),
          policy.decide(candidate, CAPACITY - used, CAPACITY).toString(),
          "deciding twice: " + where);
      assertEquals(decision.victims().size(), new HashSet<>(decision.victims()).size(), where);
      long room = CAPACITY - used;
      for (CacheKey victim : decision.victims()) {
        assertTrue(room < size, "one victim too many: " + where);
        Long bytes = sizes.get(victim);
        assertTrue(bytes != null, "not resident: " + victim + " " + where);
        room += bytes == null ? 0 : bytes;
      }
      if (!decision.isAdmit()) {
        return;
      }
      assertTrue(room >= size, "victims do not make enough room: " + where);
      if (random.nextInt(4) > 0) {
        for (CacheKey victim : decision.victims()) {
          policy.onRemoved(victim);
          removed(victim);
        }
        policy.onAdmitted(block, size, step);
        admitted(block, size);
      }
    }

    private void removed(CacheKey block) {
      Long size = sizes.remove(block);
      used -= size == null ? 0 : size;
    }

    private void admitted(CacheKey block, long size) {
      Long before = sizes.put(block, size);
      used += size - (before == null ? 0 : before);
    }
  }
}
