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
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Candidate.Trigger;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The policy that follows the best of several. */
class AdaptivePolicyTest {
  private static final long SIZE = 1_000_000;
  private static final List<String> HINT_USERS = List.of("hinted-reuse", "pro-rata", "belady-size");

  private final AdaptivePolicy policy = new AdaptivePolicy(DiskTime.DEFAULT, 1);
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
    assertEquals("lru", policy.leader());
    for (int round = 0; round < 20; round++) {
      for (long id = 0; id < 15; id++) {
        read(id);
      }
    }
    assertFalse(policy.leader().equals("lru"), policy.leader());
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
    assertTrue(HINT_USERS.contains(policy.leader()), policy.leader());
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
  void hintedBlock_afterHintsDidHarm_isBypassedWithTheReason() {
    // A loop that fits, and hints of blocks that are never read.
    for (int at = 0; at < 3_000; at++) {
      long never = 1_000L + at;
      policy.onReferences(block(never), 5);
      policy.onNextUse(block(never), now + 2);
      boolean unused =
          policy.decide(hinted(never), 10 * SIZE - replay.usedBytes(), 10 * SIZE).isAdmit();
      read(at % 10);
    }
    assertFalse(HINT_USERS.contains(policy.leader()), policy.leader());
    policy.onReferences(block(5_000), 5);
    policy.onNextUse(block(5_000), now + 2);
    assertEquals(Reason.HINTS_NOT_USED, policy.decide(hinted(5_000), 0, 10 * SIZE).reason());
  }

  private static Candidate hinted(long id) {
    return new Candidate(block(id), SIZE, Trigger.HINT, 1);
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
}
