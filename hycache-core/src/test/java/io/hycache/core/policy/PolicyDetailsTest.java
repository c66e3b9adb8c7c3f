// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static io.hycache.core.policy.CachePolicyContract.access;
import static io.hycache.core.policy.CachePolicyContract.block;
import static io.hycache.core.policy.CachePolicyContract.candidate;
import static io.hycache.core.policy.CachePolicyContract.order;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The characteristic behaviour of each policy, on a few blocks by hand. */
class PolicyDetailsTest {

  private static void admit(CachePolicy policy, long... ids) {
    for (long id : ids) {
      policy.onAdmitted(block(id), 10, id);
    }
  }

  private static void read(CachePolicy policy, long... ids) {
    for (long id : ids) {
      access(policy, block(id), 10, 100 + id);
    }
  }

  /** Reads a non-resident block and carries the decision out. */
  private static List<CacheKey> miss(CachePolicy policy, long id, long free, long capacity) {
    access(policy, block(id), 10, 200 + id);
    Decision decision = policy.decide(candidate(id, 10, 0), free, capacity);
    if (decision.isAdmit()) {
      decision.victims().forEach(policy::onRemoved);
      policy.onAdmitted(block(id), 10, 200 + id);
    }
    return decision.victims();
  }

  @Test
  void clock_readBlock_getsAnotherRound() {
    CachePolicy policy = new ClockPolicy();
    admit(policy, 1, 2, 3);
    read(policy, 1);

    assertEquals(List.of(block(2)), miss(policy, 4, 0, 30));
    assertEquals(List.of(block(3)), miss(policy, 5, 0, 30));
    assertEquals(List.of(block(1)), miss(policy, 6, 0, 30), "its bit was cleared on the way");
  }

  @Test
  void sieve_sparedBlock_keepsItsPlaceAndTheHandGoesOn() {
    CachePolicy policy = new SievePolicy();
    admit(policy, 1, 2, 3);
    read(policy, 1);

    assertEquals(List.of(block(2)), miss(policy, 4, 0, 30));
    assertEquals(List.of(block(3)), miss(policy, 5, 0, 30));
    assertEquals(List.of(block(4)), miss(policy, 6, 0, 30), "not 1: the hand is past it");
  }

  @Test
  void s3Fifo_readOnceInTheSmallQueue_leaves_andEntersMainWhenItComesBack() {
    CachePolicy policy = new S3FifoPolicy();
    admit(policy, 1, 2, 3);
    read(policy, 1, 1);

    assertEquals(List.of(block(2)), miss(policy, 4, 0, 30), "1 was read twice: on to main");
    assertEquals(List.of(block(3)), miss(policy, 2, 0, 30), "2 is remembered: to main");
    assertEquals(List.of(block(4)), miss(policy, 5, 0, 30));
    assertEquals(List.of(block(5)), miss(policy, 6, 0, 30), "the small queue gives first");
  }

  @Test
  void s3Fifo_rememberedBlocksWithoutBytes_areBounded() {
    CachePolicy policy = new S3FifoPolicy();
    int blocks = 200_000;
    for (int id = 1; id <= blocks; id++) {
      policy.onAdmitted(block(id), 0, id);
    }
    policy.onAdmitted(block(0), 1, blocks);
    Decision all = policy.decide(candidate(-1, 1, 0), 0, 10);
    assertEquals(blocks + 1, all.victims().size());
    all.victims().forEach(policy::onRemoved);

    policy.onAdmitted(block(blocks), 0, blocks);
    policy.onAdmitted(block(1), 0, blocks);
    assertEquals(List.of(block(1), block(blocks)), order(policy), "the last one is remembered");
  }

  @Test
  void s3Fifo_rememberedBlockThatIsDeleted_isNewWhenItComesBack() {
    CachePolicy policy = new S3FifoPolicy();
    admit(policy, 1, 2, 3);
    read(policy, 1, 1);
    assertEquals(List.of(block(2)), miss(policy, 4, 0, 30));
    policy.onDeleted(block(2));
    assertEquals(List.of(block(3)), miss(policy, 2, 0, 30));
    assertEquals(List.of(block(4)), miss(policy, 5, 0, 30));
    assertEquals(List.of(block(2)), miss(policy, 6, 0, 30), "it is in the small queue");
  }

  @Test
  void arc_rememberedBlockThatIsDeleted_isNewWhenItComesBack() {
    CachePolicy policy = new ArcPolicy();
    admit(policy, 1, 2, 3);
    read(policy, 1);
    assertEquals(List.of(block(2)), miss(policy, 10, 0, 30));
    policy.onDeleted(block(2));
    assertEquals(List.of(block(3)), miss(policy, 2, 0, 30));
    assertEquals(List.of(block(10), block(2), block(1)), order(policy));
  }

  @Test
  void lirs_rememberedBlockThatIsDeleted_isNewWhenItComesBack() {
    CachePolicy policy = new LirsPolicy();
    for (long id = 1; id <= 10; id++) {
      miss(policy, id, 110 - 10 * id, 100);
    }
    assertEquals(List.of(block(10)), miss(policy, 11, 0, 100));
    policy.onDeleted(block(10));
    assertEquals(List.of(block(11)), miss(policy, 10, 0, 100));
    assertEquals(block(10), order(policy).get(0), "it passes through the queue");
  }

  @Test
  void arc_blockReadTwice_outlivesAScan() {
    CachePolicy policy = new ArcPolicy();
    admit(policy, 1, 2, 3);
    read(policy, 1);

    for (long id = 10; id < 30; id++) {
      miss(policy, id, 0, 30);
    }
    assertEquals(1, order(policy).stream().filter(block(1)::equals).count());
  }

  @Test
  void lirs_loopLargerThanTheCache_keepsPartOfIt() {
    CachePolicy policy = new LirsPolicy();
    for (long id = 0; id < 10; id++) {
      miss(policy, id, Math.max(0, 80 - 10 * id), 80);
    }
    int hits = 0;
    for (int round = 0; round < 20; round++) {
      for (long id = 0; id < 10; id++) {
        if (order(policy).contains(block(id))) {
          hits++;
          read(policy, id);
        } else {
          miss(policy, id, 0, 80);
        }
      }
    }
    assertEquals(140, hits, "7 of 10 in each round; LRU would have none");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 128",
    "512, 128",
    "513, 64",
    "1024, 64",
    "2048, 32",
    "4096, 16",
    "32768, 2",
    "65536, 1",
    "65537, 1",
    "134217728, 1"
  })
  void inverseBitmap_smallRequests_weighMost(long bytes, int wanted) {
    assertEquals(wanted, HystorPolicy.inverseBitmap(bytes));
  }

  @Test
  void hystor_smallRequests_pushOutLargeOnes() {
    CachePolicy policy = new HystorPolicy();
    admit(policy, 1, 2);
    access(policy, block(1), 1 << 20, 1);
    policy.onAccess(new Access().set(block(2), 1 << 20, 4096, 2));

    policy.onAccess(new Access().set(block(3), 10, 512, 3));
    assertEquals(List.of(block(1)), policy.decide(candidate(3, 10, 0), 0, 20).victims());
    access(policy, block(4), 1 << 20, 4);
    assertEquals(Reason.COST_NOT_BELOW_GAIN, policy.decide(candidate(4, 10, 0), 0, 20).reason());
  }

  @Test
  void hystor_accessOfSeveralRequests_weighsAsTheyDo() {
    CachePolicy policy = new HystorPolicy();
    admit(policy, 1);
    policy.onAccess(new Access().set(block(1), 1 << 20, 1024, 1));
    policy.onAccess(new Access().set(block(2), 1 << 20, 8192, 2));
    assertFalse(policy.decide(candidate(2, 10, 0), 0, 10).isAdmit(), "8 to 64");
    policy.onAccess(new Access().set(block(3), 1 << 20, 8192, 3).ofRequests(4));
    assertTrue(policy.decide(candidate(3, 10, 0), 0, 10).isAdmit(), "4 x 32 to 64");
  }

  @Test
  void weightedLru_checksums_outliveDataReadAsLongAgo() {
    CachePolicy policy = new WeightedLruPolicy();
    policy.onClass(block(1), "checksums");
    admit(policy, 1, 2, 3);

    assertEquals(
        List.of(block(2)),
        miss(policy, 4, 0, 30),
        "all weights decreased by 1: two blocks of weight 1 left");
    assertEquals(List.of(block(3)), miss(policy, 5, 0, 30));
    assertEquals(List.of(block(4)), miss(policy, 6, 0, 30), "4 and 5 are down to 0, 1 to 1");
    assertEquals(List.of(block(5)), miss(policy, 7, 0, 30));
    assertEquals(List.of(block(1)), miss(policy, 8, 0, 30), "the least recent of weight 0");
  }

  @Test
  void gdsf_smallBlocks_stayLonger() {
    CachePolicy policy = new GdsfPolicy();
    policy.onAdmitted(block(1), 5, 1);
    policy.onAdmitted(block(2), 20, 2);

    assertEquals(List.of(block(2)), policy.decide(candidate(3, 10, 0), 0, 40).victims());
  }

  @Test
  void belady_victimUsedNoLaterThanTheCandidate_bypasses() {
    CachePolicy policy = new BeladyPolicy();
    policy.onNextUse(block(1), 50);
    policy.onNextUse(block(2), 60);
    admit(policy, 1, 2);

    policy.onNextUse(block(3), 55);
    assertEquals(List.of(block(2)), policy.decide(candidate(3, 10, 1), 0, 20).victims());
    policy.onNextUse(block(3), 60);
    assertEquals(Reason.COST_NOT_BELOW_GAIN, policy.decide(candidate(3, 10, 1), 0, 20).reason());
    policy.onNextUse(block(3), Long.MAX_VALUE);
    assertEquals(Reason.NO_LATER_REFERENCE, policy.decide(candidate(3, 10, 0), 20, 40).reason());
  }

  @Test
  void proRata_victimNeededLater_costsPartOfItsSaving() {
    CachePolicy policy = new ProRataPolicy(DiskTime.DEFAULT, null);
    access(policy, block(9), 10, 0);
    policy.onNextUse(block(1), 100);
    policy.onNextUse(block(2), 20);
    policy.onAdmitted(block(1), 10, 0);
    policy.onAdmitted(block(2), 10, 0);

    policy.onNextUse(block(3), 50);
    assertEquals(
        List.of(block(1)),
        policy.decide(candidate(3, 10, 1), 0, 20).victims(),
        "half of 1's time has passed by then");
    policy.onNextUse(block(3), 100);
    assertEquals(Reason.COST_NOT_BELOW_GAIN, policy.decide(candidate(3, 10, 1), 0, 20).reason());
  }

  @Test
  void proRata_hintedBlockThatIsReadOnce_isLeftToReadAhead() {
    CachePolicy policy = new ProRataPolicy(DiskTime.DEFAULT, null);
    policy.onReferences(block(1), 1);
    policy.onNextUse(block(1), 100);
    Candidate once = new Candidate(block(1), 10, Candidate.Trigger.HINT, 0);
    Candidate twice = new Candidate(block(1), 10, Candidate.Trigger.HINT, 1);

    assertEquals(Reason.NO_LATER_REFERENCE, policy.decide(once, 20, 20).reason());
    assertTrue(policy.decide(twice, 20, 20).isAdmit());
  }

  /** Three rounds of the same blocks: what is read first must not push out what was read. */
  @Test
  void proRata_hintWithAsManyLaterReferencesAsTheVictim_isBypassed() {
    CachePolicy policy = new ProRataPolicy(DiskTime.DEFAULT, null);
    policy.onReferences(block(1), 2);
    policy.onNextUse(block(1), 1_000);
    policy.onAdmitted(block(1), 10, 0);
    policy.onReferences(block(2), 3);
    policy.onNextUse(block(2), 10);
    Candidate asMany = new Candidate(block(2), 10, Candidate.Trigger.HINT, 2);
    Candidate more = new Candidate(block(2), 10, Candidate.Trigger.HINT, 3);

    assertEquals(Reason.COST_NOT_BELOW_GAIN, policy.decide(asMany, 0, 10).reason());
    assertEquals(List.of(block(1)), policy.decide(more, 0, 10).victims());
  }

  @Test
  void proRata_unnecessaryVictim_isGivenBack() {
    CachePolicy policy = new ProRataPolicy(DiskTime.DEFAULT, null);
    policy.onNextUse(block(1), 900);
    policy.onNextUse(block(2), 1000);
    policy.onAdmitted(block(1), 10, 0);
    policy.onAdmitted(block(2), 1000, 0);

    policy.onNextUse(block(3), 10);
    assertEquals(
        List.of(block(2)),
        policy.decide(candidate(3, 900, 1), 0, 1010).victims(),
        "2 alone makes the room");
  }

  @Test
  void reuse_scan_pushesNothingOut() {
    CachePolicy policy = new ProRataPolicy(DiskTime.DEFAULT, new ReuseEstimator());
    for (int round = 0; round < 3; round++) {
      for (long id = 1; id <= 3; id++) {
        access(policy, block(id), 10, round * 10L + id);
        if (round == 0) {
          policy.onAdmitted(block(id), 10, id);
        }
      }
    }
    for (long id = 100; id < 200; id++) {
      assertEquals(List.of(), miss(policy, id, 0, 30));
    }
    assertEquals(3, policy.residents());
  }

  @Test
  void reuse_classThatIsAlwaysReadAgain_isFetchedAtFirstTouch() {
    CachePolicy policy = new ProRataPolicy(DiskTime.DEFAULT, new ReuseEstimator());
    long now = 0;
    for (long id = 0; id < 40; id++) {
      policy.onClass(block(id), "/jobs/daily");
      access(policy, block(id), 10, ++now);
      access(policy, block(id), 10, ++now);
    }
    policy.onAdmitted(block(500), 10, now);

    policy.onClass(block(41), "/jobs/daily");
    assertEquals(List.of(block(500)), miss(policy, 41, 0, 10), "500 was never read again");
    policy.onClass(block(42), "/once");
    assertEquals(List.of(), miss(policy, 42, 0, 10));
  }

  /** The reads of a round of the planner all have its time. */
  @Test
  void reuse_readTwiceAtOneTime_keepsItsEstimate() {
    CachePolicy policy = new ProRataPolicy(DiskTime.DEFAULT, new ReuseEstimator());
    policy.onAdmitted(block(1), 10, 1);
    policy.onAdmitted(block(2), 10, 1);
    access(policy, block(1), 10, 10);
    access(policy, block(1), 10, 20);
    access(policy, block(1), 10, 20);
    access(policy, block(2), 10, 25);
    assertEquals(List.of(block(2), block(1)), order(policy));
  }

  /** A DataNode asks others first whether the block is on SSD there. */
  @Test
  void reuse_decisionAfterReadsOfOtherBlocks_estimatesAgain() {
    CachePolicy policy = new ProRataPolicy(DiskTime.DEFAULT, new ReuseEstimator());
    policy.onAdmitted(block(9), 10, 1);
    access(policy, block(1), 10, 10);
    access(policy, block(1), 10, 20);
    access(policy, block(2), 10, 25);
    access(policy, block(2), 10, 26);
    Candidate late = new Candidate(block(1), 10, Candidate.Trigger.READ_MISS, 0);
    assertEquals(List.of(block(9)), policy.decide(late, 0, 10).victims());
    Candidate unknown = new Candidate(block(3), 10, Candidate.Trigger.READ_MISS, 0);
    assertEquals(Reason.NO_LATER_REFERENCE, policy.decide(unknown, 0, 10).reason());
  }

  @Test
  void proRata_estimateThatHasPassedBesideAnAnnouncement_isNoCertainty() {
    ProRataPolicy policy = new ProRataPolicy(DiskTime.DEFAULT, new ReuseEstimator());
    policy.onAdmitted(block(1), 10, 1);
    access(policy, block(1), 10, 10);
    access(policy, block(1), 10, 20);
    policy.onNextUse(block(1), 1_000_000);
    for (long id = 50; id < 60; id++) {
      policy.onNextUse(block(id), 40);
    }
    for (long at = 1_000; at < 2_000; at += 10) {
      access(policy, block(99), 10, at);
    }
    assertTrue(policy.trust() < 1, () -> "trust: " + policy.trust());
    policy.onNextUse(block(1), 900_000);
    float certainty = requireNonNull(policy.find(block(1))).certainty;
    assertTrue(certainty > 0 && certainty <= 1, () -> "certainty: " + certainty);
  }

  @Test
  void wTinyLfu_order_hasAllResidentsOnce() {
    CachePolicy policy = Policies.create("w-tinylfu");
    Set<CacheKey> all = new HashSet<>();
    for (long id = 1; id <= 300; id++) {
      access(policy, block(id), 10, id);
      policy.onAdmitted(block(id), 10, id);
      all.add(block(id));
    }
    List<CacheKey> order = order(policy);
    assertEquals(300, order.size());
    assertEquals(all, new HashSet<>(order));
  }
}
