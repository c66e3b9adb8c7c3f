// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static io.hycache.core.policy.CachePolicyContract.block;
import static io.hycache.core.policy.CachePolicyContract.candidate;
import static io.hycache.core.policy.CachePolicyContract.order;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Candidate.Trigger;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The policy that follows the best of several. */
class AdaptivePolicyTest {
  private static final long SIZE = 1_000_000;
  private static final int UNHINTED = 7;
  private static final List<String> HINT_USERS =
      List.of("heuristic", "hinted-reuse", "pro-rata", "belady-size");

  private final AdaptivePolicy policy = new AdaptivePolicy(DiskTime.DEFAULT, 1, "lru");
  private final Replay replay = new Replay(policy, 10 * SIZE);
  private long now;

  private boolean read(long id) {
    return replay.access(block(id), SIZE, SIZE, false, 0, ++now);
  }

  private double diskSeconds() {
    return replay.totals().diskSeconds(DiskTime.DEFAULT);
  }

  @Test
  void loopLargerThanTheCache_leaderIsNotLru() {
    assertEquals("hit-value", new AdaptivePolicy(DiskTime.DEFAULT, 1).follows());
    for (int round = 0; round < 20; round++) {
      for (long id = 0; id < 15; id++) {
        read(id);
      }
    }
    assertFalse(policy.follows().equals("lru"), policy.follows());
    assertTrue(replay.totals().hits > 100, "lru has none: " + replay.totals().hits);
  }

  @Test
  void randomReads_ofAnySkew_neverMuchDearerThanLru() {
    for (int seed = 1; seed <= 5; seed++) {
      Random random = new Random(seed);
      AdaptivePolicy adaptive = new AdaptivePolicy(DiskTime.DEFAULT, 1);
      Replay ours = new Replay(adaptive, 10 * SIZE);
      Replay lrus = new Replay(new LruPolicy(), 10 * SIZE);
      int objects = 20 + random.nextInt(60);
      for (int at = 0; at < 5_000; at++) {
        long id = (long) (objects * Math.pow(random.nextDouble(), seed));
        // Every hint is wrong: it names a block that is read at some other time, or never.
        long hinted = random.nextInt(2 * objects);
        adaptive.onReferences(block(hinted), 1);
        adaptive.onNextUse(block(hinted), at + 1L + random.nextInt(50));
        ours.access(block(id), SIZE, SIZE, false, 1, at);
        lrus.access(block(id), SIZE, SIZE, false, 0, at);
      }
      double most = 1.03 * lrus.totals().diskSeconds(DiskTime.DEFAULT);
      double is = ours.totals().diskSeconds(DiskTime.DEFAULT);
      assertTrue(is <= most, "seed=" + seed + " " + is + " > " + most);
    }
  }

  @Test
  void hints_thatAreRight_areUsed() {
    int[] sequence = new Random(7).ints(3_000, 0, 60).toArray();
    Replay lrus = new Replay(new LruPolicy(), 10 * SIZE);
    for (int at = 0; at < sequence.length; at++) {
      int next = at + 1;
      while (next < sequence.length && sequence[next] != sequence[at]) {
        next++;
      }
      boolean again = next < sequence.length;
      policy.onReferences(block(sequence[at]), again ? 1 : 0);
      policy.onNextUse(block(sequence[at]), again ? next : Long.MAX_VALUE);
      replay.access(block(sequence[at]), SIZE, SIZE, false, again ? 1 : 0, at);
      lrus.access(block(sequence[at]), SIZE, SIZE, false, 0, at);
    }
    assertTrue(HINT_USERS.contains(policy.follows()), policy.follows());
    double lru = lrus.totals().diskSeconds(DiskTime.DEFAULT);
    assertTrue(diskSeconds() < 0.9 * lru, diskSeconds() + " against " + lru);
  }

  @Test
  void hintedBlock_firstHint_isFetched() {
    read(1);
    policy.onReferences(block(5), 2);
    policy.onNextUse(block(5), 100);

    assertTrue(policy.decide(hinted(5), 9 * SIZE, 10 * SIZE).isAdmit());
  }

  @Test
  void blocksWithoutHints_leaderWithHintsLeavesTheCacheEmpty_haveTheFreeRoom() {
    read(0);
    policy.onReferences(block(100), 3); // of another workflow
    assertTrue(HINT_USERS.contains(policy.follows()), policy.follows());
    for (long id = 1; id <= 9; id++) {
      assertFalse(read(id));
    }
    assertTrue(read(1));

    assertFalse(read(10));
    assertFalse(order(policy).contains(block(10)), "no room is left");
    assertTrue(read(2));

    policy.onReferences(block(101), 5);
    assertEquals(List.of(block(3)), policy.decide(hinted(101, 5), 0, 10 * SIZE).victims());
  }

  @Test
  void blocksWithoutHints_leaderWithHintsUsesTheCache_areBypassed() {
    read(0);
    for (long id = 100; id < 103; id++) {
      policy.onReferences(block(id), 3);
      assertTrue(policy.decide(hinted(id, 3), 9 * SIZE, 10 * SIZE).isAdmit());
      policy.onAdmitted(block(id), SIZE, ++now);
    }
    read(1);
    assertFalse(order(policy).contains(block(1)));
  }

  @Test
  void lastAnnouncedRead_isNotFetchedIntoRoomThatIsLeft() {
    read(0);
    policy.onReferences(block(1), 1);
    policy.onReferences(block(2), 1);
    policy.onReferences(block(1), 0); // by the read that follows
    read(1);
    assertFalse(order(policy).contains(block(1)));

    read(1); // not announced
    assertTrue(order(policy).contains(block(1)));
  }

  @Test
  void hintedBlock_afterHintsDidHarm_isBypassedWithTheReason() {
    // A loop that fits, and hints of blocks that are never read.
    for (int at = 0; at < 3_000; at++) {
      hintOfABlockThatIsNeverRead(1_000L + at);
      read(at % 10);
    }
    assertFalse(HINT_USERS.contains(policy.follows()), policy.follows());
    policy.onReferences(block(5_000), 5);
    policy.onNextUse(block(5_000), now + 2);
    assertEquals(Reason.HINTS_NOT_USED, policy.decide(hinted(5_000), 0, 10 * SIZE).reason());
  }

  private void hintOfABlockThatIsNeverRead(long id) {
    policy.onReferences(block(id), 5);
    policy.onNextUse(block(id), now + 2);
    boolean unused = policy.decide(hinted(id), 10 * SIZE - replay.usedBytes(), 10 * SIZE).isAdmit();
  }

  private static Candidate hinted(long id) {
    return hinted(id, 1);
  }

  private static Candidate hinted(long id, long referencesAfterFetch) {
    return new Candidate(block(id), SIZE, Trigger.HINT, referencesAfterFetch);
  }

  @Test
  void residentsBeforeTheFirstDecision_areHeldByAllContenders() {
    for (long id = 1; id <= 10; id++) {
      policy.onAdmitted(block(id), SIZE, id);
    }
    policy.onAccess(new Access().set(block(3), SIZE, SIZE, 11));
    Decision decision = policy.decide(candidate(20, SIZE, 0), 0, 10 * SIZE);

    assertEquals(1, decision.victims().size());
    assertEquals(10, policy.residents());
    assertEquals(10, order(policy).size());
  }

  @Test
  void blockWrittenToTheSsd_isHeldByTheLeader() {
    read(1);
    policy.onAdmitted(block(2), SIZE, ++now);
    for (long id = 3; id <= 10; id++) {
      policy.onAdmitted(block(id), SIZE, ++now);
    }
    assertEquals(List.of(block(1)), policy.decide(candidate(11, SIZE, 0), 0, 10 * SIZE).victims());
  }

  @Test
  void decide_blockThatWasReadBefore_answersTheSameAgain() {
    for (long id = 0; id < 40; id++) {
      read(id % 13);
    }
    policy.onAccess(new Access().set(block(77), SIZE, SIZE, ++now));
    policy.onAccess(new Access().set(block(78), SIZE, SIZE, ++now));
    Candidate late = candidate(77, SIZE, 0);
    Decision first = policy.decide(late, 0, 10 * SIZE);

    assertEquals(first.toString(), policy.decide(late, 0, 10 * SIZE).toString());
  }

  @Test
  void deletedBlocks_leaveAllSimulations() {
    for (long id = 0; id < 10; id++) {
      read(id);
    }
    for (long id = 0; id < 10; id++) {
      policy.onDeleted(block(id));
    }
    assertEquals(0, policy.residents());
    assertEquals(0, policy.simulatedBlocks());
  }

  @Test
  void deletedBlock_isForgottenByTheContenders() {
    Contest contest = new Contest(DiskTime.DEFAULT, 1, "hit-density", policy, new KnownHints());
    HitDensityPolicy leader = (HitDensityPolicy) contest.leader().policy;
    contest.begin(10 * SIZE, List.of(), now);
    assertTrue(contest.access(new Access().set(block(1), SIZE, SIZE, ++now), 0));
    assertEquals(1, leader.remembered());
    contest.deleted(block(1));
    assertEquals(0, leader.remembered());
  }

  @Test
  void replayedReads_countForTheOrderAlone() {
    read(1);
    policy.onAdmitted(block(7), SIZE, ++now);
    for (int i = 0; i < 16; i++) {
      policy.onAccess(new Access().set(block(7), SIZE, SIZE, now));
    }
    assertEquals(2, policy.residents());
    assertEquals(
        List.of(block(1)), policy.decide(candidate(8, 9 * SIZE, 0), 8 * SIZE, 10 * SIZE).victims());
  }

  @Test
  void hintOfASingleRead_isLeftToReadAhead() {
    read(1);
    policy.onReferences(block(5), 1);
    policy.onNextUse(block(5), 100);
    Candidate once = new Candidate(block(5), SIZE, Trigger.HINT, 0);

    assertEquals(Reason.NO_LATER_REFERENCE, policy.decide(once, 9 * SIZE, 10 * SIZE).reason());
  }

  @Test
  void capacityShrinks_victimsMakeRoom() {
    for (long id = 0; id < 10; id++) {
      read(id);
    }
    Decision decision = policy.decide(candidate(50, 2 * SIZE, 0), -3 * SIZE, 7 * SIZE);

    assertEquals(5, decision.victims().size());
  }

  /** The leader's cache has room for all four; writes take the space of one in the real cache. */
  @Test
  void lessRoomThanTheLeaderKnows_hintedBlocksDoNotTakeTurns() {
    policy.decide(candidate(50, SIZE, 0), 4 * SIZE, 4 * SIZE);
    for (long id = 1; id <= 4; id++) {
      policy.onReferences(block(id), 3);
    }
    for (long id = 1; id <= 3; id++) {
      assertTrue(policy.decide(hinted(id, 2), (4 - id) * SIZE, 4 * SIZE).isAdmit());
      policy.onAdmitted(block(id), SIZE, ++now);
    }
    for (int walk = 0; walk < 10; walk++) {
      assertEquals(Reason.NO_ROOM, policy.decide(hinted(4, 2), 0, 4 * SIZE).reason());
    }
    assertTrue(policy.decide(hinted(4, 2), SIZE, 4 * SIZE).isAdmit());
  }

  @Test
  void lessRoomThanTheLeaderKnows_blockThatWasReadReplacesTheOneThatLeavesFirst() {
    for (long id = 1; id <= 10; id++) {
      read(id);
    }
    policy.onRemoved(block(1));
    Access access = new Access().set(block(1), SIZE, SIZE, ++now);
    policy.onAccess(access);

    assertEquals(List.of(block(2)), policy.decide(candidate(1, SIZE, 0), 0, 10 * SIZE).victims());
  }

  /** Its fetch was to be paid by the read that the removal made impossible. */
  @Test
  void copyThatTheHostRemovesUnread_isNotChargedToTheLeader() {
    for (long id = 0; id < 5; id++) {
      read(id);
    }
    policy.onReferences(block(999), 1);
    for (int at = 0; at < 300; at++) {
      long id = 100L + at;
      policy.onReferences(block(id), 5);
      assertTrue(policy.decide(hinted(id), SIZE, 10 * SIZE).isAdmit(), "id=" + id);
      policy.onAdmitted(block(id), SIZE, ++now);
      policy.onRemoved(block(id));
      policy.onReferences(block(id), 0);
      read(at % 5);
      assertEquals("heuristic", policy.follows(), "id=" + id);
    }
  }

  // ---- more blocks than the contenders simulate -------------------------------------------------

  /** A policy with a cache of so many blocks, which were written in the order of their ids. */
  private static final class Large {
    final AdaptivePolicy policy = new AdaptivePolicy(DiskTime.DEFAULT, 1, "lru");
    final Replay replay;
    long now;

    Large(int blocks) {
      this(blocks, blocks);
    }

    Large(int blocks, int capacityBlocks) {
      long capacity = capacityBlocks * SIZE;
      replay = new Replay(policy, capacity);
      for (long id = 0; id < blocks; id++) {
        replay.preload(block(id), SIZE, ++now);
      }
      Decision none = policy.decide(candidate(999_999, capacity + 1, 0), 0, capacity);
      assertEquals(Reason.TOO_LARGE, none.reason());
    }

    boolean read(long id) {
      return replay.access(block(id), SIZE, SIZE, false, 0, ++now);
    }

    List<CacheKey> firstVictims(int count) {
      return order(policy).subList(0, count);
    }
  }

  @Test
  void firstLeader_followsFromThePriceOfWrites() {
    assertEquals("hit-value", new AdaptivePolicy(DiskTime.DEFAULT, 1).follows());
    assertEquals("lirs", new AdaptivePolicy(DiskTime.DEFAULT.withWritePrice(0), 1).follows());
  }

  @Test
  void blocksUpToTheLimit_areAllSimulated() {
    Large cache = new Large(Contest.MAX_BLOCKS);

    assertEquals(1, cache.policy.rate());
    assertEquals(UNHINTED * Contest.MAX_BLOCKS, cache.policy.simulatedBlocks());
  }

  @Test
  void moreBlocks_aSampleIsSimulated_andTheOrderStays() {
    Large cache = new Large(Contest.MAX_BLOCKS, Contest.MAX_BLOCKS + 2);
    assertEquals(1, cache.policy.rate());
    assertFalse(cache.read(Contest.MAX_BLOCKS));
    assertFalse(cache.read(Contest.MAX_BLOCKS + 1));

    assertEquals(0.25, cache.policy.rate(), 0.125);
    assertEquals(Contest.MAX_BLOCKS + 2, cache.policy.residents());
    List<CacheKey> order = order(cache.policy);
    for (int id = 0; id < Contest.MAX_BLOCKS + 2; id++) {
      assertEquals(block(id), order.get(id));
    }
  }

  @Test
  void blocksArrive_rateIsHalved_simulatedBlocksStayBounded() {
    AdaptivePolicy large = new AdaptivePolicy(DiskTime.DEFAULT, 1);
    Replay reads = new Replay(large, 100_000 * SIZE);
    double rate = 1;
    for (int id = 0; id < 110_000; id++) {
      reads.access(block(id), SIZE, SIZE, false, 0, id);
      if (large.rate() < 1) {
        assertTrue(large.simulatedBlocks() <= UNHINTED * Contest.MAX_SAMPLED_BLOCKS, "id=" + id);
        assertTrue(rate == 1 || large.rate() == rate || large.rate() == rate / 2, "id=" + id);
      }
      rate = large.rate();
    }
    assertEquals(100_000, large.residents());
    assertEquals(1.0 / 64, rate);
  }

  @Test
  void manyResidentsBeforeTheFirstDecision_aSampleIsSimulated() {
    for (int id = 0; id < 100_000; id++) {
      policy.onAdmitted(block(id), SIZE, id);
    }
    Decision decision = policy.decide(candidate(200_000, 2 * SIZE, 0), 0, 100_000 * SIZE);

    assertEquals(List.of(block(0), block(1)), decision.victims());
    assertTrue(policy.simulatedBlocks() <= UNHINTED * Contest.MAX_SAMPLED_BLOCKS);
  }

  @Test
  void leaderChanges_victimsAreInTheOrderOfTheirLastReads() {
    Large cache = new Large(20_000);
    for (long id = 0; id < 10_000; id++) {
      assertTrue(cache.read(id));
    }
    assertFalse(HINT_USERS.contains(cache.policy.follows()), cache.policy.follows());
    cache.policy.onReferences(block(77_777), 2);
    cache.policy.onNextUse(block(77_777), cache.now + 5);

    assertEquals("heuristic", cache.policy.follows());
    assertEquals(List.of(block(10_000), block(10_001)), cache.firstVictims(2));
    assertEquals(20_000, order(cache.policy).size());
    Decision decision = cache.policy.decide(hinted(77_777), 0, 20_000 * SIZE);
    assertEquals(List.of(block(10_000)), decision.victims());
  }

  @Test
  void leaderChanges_knownHintsAreFollowed() {
    Large cache = new Large(20_000);
    for (long id = 20_000; id < 20_100; id++) {
      cache.policy.onReferences(block(id), 3);
      cache.policy.onNextUse(block(id), cache.now + 1_000);
    }
    // A resident that is used again soon is not the first to leave.
    cache.policy.onReferences(block(0), 3);
    cache.policy.onNextUse(block(0), cache.now + 1);

    assertEquals(List.of(block(1), block(2)), cache.firstVictims(2));
    for (long id = 20_000; id < 20_100; id++) {
      assertTrue(cache.policy.decide(hinted(id), 0, 20_000 * SIZE).isAdmit());
    }
  }

  @Test
  void oneHintThatIsUsedUp_doesNotKeepTheLead() {
    Large cache = new Large(20_000);
    cache.policy.onReferences(block(77_777), 1);
    assertEquals("heuristic", cache.policy.follows());
    cache.policy.onReferences(block(77_777), 0);
    int hits = 0;
    for (long id = 30_000; id < 32_000; id++) {
      assertFalse(cache.read(id));
      hits += cache.read(id) ? 1 : 0;
    }
    assertFalse(HINT_USERS.contains(cache.policy.follows()), cache.policy.follows());
    assertTrue(hits > 1_800, "read again at once: " + hits + " of 2000 from SSD");
  }

  @Test
  void deletedBlocks_leaveTheSample() {
    Large cache = new Large(20_000);
    for (long id = 0; id < 20_000; id++) {
      cache.policy.onDeleted(block(id));
    }
    assertEquals(0, cache.policy.residents());
    assertEquals(0, cache.policy.simulatedBlocks());
    assertEquals(List.of(), order(cache.policy));
  }

  @Test
  void blocksEvictedByTheHost_leaveTheOrder() {
    Large cache = new Large(20_000);
    for (long id = 0; id < 20_000; id += 2) {
      cache.policy.onRemoved(block(id));
    }
    assertEquals(10_000, cache.policy.residents());
    assertEquals(List.of(block(1), block(3)), cache.firstVictims(2));
  }

  @Test
  void capacityShrinks_sampledToo() {
    Large cache = new Large(20_000);
    assertTrue(cache.read(19_999));
    cache.replay.setCapacityBytes(1_000 * SIZE);
    assertFalse(cache.read(50_000));

    assertEquals(1_000, cache.policy.residents());
    assertTrue(
        cache.policy.simulatedBlocks() <= UNHINTED * 1_000 / 2,
        "" + cache.policy.simulatedBlocks());
  }

  @Test
  void loopLargerThanALargeCache_leaderIsNotLru() {
    Large cache = new Large(20_000);
    for (int round = 0; round < 12; round++) {
      for (long id = 0; id < 24_000; id++) {
        cache.read(id);
      }
    }
    assertFalse(cache.policy.follows().equals("lru"), cache.policy.follows());
    long hits = cache.replay.totals().hits;
    assertTrue(hits > 60_000, "lru has fewer than 20,000: " + hits);
  }

  // ---- a flood of small blocks
  // -------------------------------------------------------------------

  private static final long FLOOD = 300_000;

  /** Small blocks fill a cache and are deleted. Their ids are less than {@link #FLOOD}. */
  private static void flood(AdaptivePolicy policy, Replay replay) {
    replay.access(block(0), 1, 1, false, 0, 0);
    long sizeBytes = (replay.capacityBytes() - replay.usedBytes()) / FLOOD;
    for (int id = 1; id < FLOOD; id++) {
      replay.preload(block(id), sizeBytes, 0);
    }
    for (int id = 0; id < FLOOD; id++) {
      replay.handOver(block(id));
      policy.onDeleted(block(id));
    }
    assertEquals(1.0 / 256, policy.rate());
    assertEquals(0, policy.simulatedBlocks());
  }

  @Test
  void floodIsOver_allBlocksAreSimulatedAgain() {
    AdaptivePolicy adaptive = new AdaptivePolicy(DiskTime.DEFAULT, 1);
    Replay reads = new Replay(adaptive, 1_000 * SIZE);
    flood(adaptive, reads);
    for (int at = 0; at < 2 * Contest.MAX_ACCESSES_OF_FEW; at++) {
      boolean hit = reads.access(block(FLOOD + at % 900), SIZE, SIZE, false, 0, ++now);
      assertEquals(at >= 900, hit, "at=" + at);
    }
    assertEquals(1, adaptive.rate());
    assertEquals(UNHINTED * 900, adaptive.simulatedBlocks());
  }

  @Test
  void floodIsOver_manyResidents_theSampleIsLargerAgain_andTheOrderStays() {
    AdaptivePolicy adaptive = new AdaptivePolicy(DiskTime.DEFAULT, 1);
    Replay reads = new Replay(adaptive, 20_000 * SIZE);
    flood(adaptive, reads);
    for (int id = 0; id < 20_000; id++) {
      reads.preload(block(FLOOD + id), SIZE, ++now);
    }
    adaptive.onReferences(block(1), 2);
    assertTrue(reads.access(block(FLOOD), SIZE, SIZE, false, 0, ++now));
    List<CacheKey> before = order(adaptive);
    int contenders = UNHINTED + HINT_USERS.size();
    assertTrue(adaptive.simulatedBlocks() < contenders * Contest.MIN_SAMPLED_BLOCKS);
    for (int at = 0; at < Contest.MAX_ACCESSES_OF_FEW; at++) {
      assertTrue(reads.access(block(FLOOD), SIZE, SIZE, false, 0, ++now));
    }
    assertEquals(1.0 / 16, adaptive.rate());
    assertEquals(20_000 / 16.0, adaptive.simulatedBlocks() / (double) contenders, 200);
    assertEquals(before, order(adaptive));
  }

  /** A loop that fits, and hints of blocks that are never read. */
  @Test
  void floodIsOver_hintsThatAreWrong_areFoundOutAgain() {
    flood(policy, replay);
    for (int at = 0; at < Contest.MAX_ACCESSES_OF_FEW + 3_000; at++) {
      if (at > Contest.MAX_ACCESSES_OF_FEW) {
        hintOfABlockThatIsNeverRead(FLOOD + at);
      }
      read(at % 10);
    }
    assertFalse(HINT_USERS.contains(policy.follows()), policy.follows());
  }

  @Test
  void hintsThatAreRight_areUsedBySamplesToo() {
    int[] sequence = new Random(7).ints(240_000, 0, 60_000).toArray();
    int[] next = new int[sequence.length];
    int[] seen = new int[60_000];
    Arrays.fill(seen, Integer.MAX_VALUE);
    for (int at = sequence.length - 1; at >= 0; at--) {
      next[at] = seen[sequence[at]];
      seen[sequence[at]] = at;
    }
    AdaptivePolicy adaptive = new AdaptivePolicy(DiskTime.DEFAULT, 1);
    Replay ours = new Replay(adaptive, 20_000 * SIZE);
    Replay lrus = new Replay(new LruPolicy(), 20_000 * SIZE);
    for (int at = 0; at < sequence.length; at++) {
      boolean again = next[at] != Integer.MAX_VALUE;
      adaptive.onReferences(block(sequence[at]), again ? 1 : 0);
      adaptive.onNextUse(block(sequence[at]), again ? next[at] : Long.MAX_VALUE);
      ours.access(block(sequence[at]), SIZE, SIZE, false, again ? 1 : 0, at);
      lrus.access(block(sequence[at]), SIZE, SIZE, false, 0, at);
    }
    assertTrue(adaptive.rate() < 1);
    assertTrue(HINT_USERS.contains(adaptive.follows()), adaptive.follows());
    double lru = lrus.totals().diskSeconds(DiskTime.DEFAULT);
    double is = ours.totals().diskSeconds(DiskTime.DEFAULT);
    assertTrue(is < 0.9 * lru, is + " against " + lru);
  }
}
