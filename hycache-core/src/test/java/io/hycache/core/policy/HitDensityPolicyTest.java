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

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The policy that ranks blocks by what their next read saves for the space until then. */
class HitDensityPolicyTest {
  private static final long SIZE = 1_000_000;

  private HitDensityPolicy policy = new HitDensityPolicy(DiskTime.DEFAULT);
  private Replay replay = new Replay(policy, 10 * SIZE);
  private long now;

  private void withPrice(double price) {
    policy = new HitDensityPolicy(DiskTime.DEFAULT.withWritePrice(price));
    replay = new Replay(policy, 10 * SIZE);
  }

  private boolean read(long id, long size) {
    return replay.access(block(id), size, size, false, 0, ++now);
  }

  private void loop(int blocks, int rounds) {
    for (int round = 0; round < rounds; round++) {
      for (long id = 0; id < blocks; id++) {
        read(id, SIZE);
      }
    }
  }

  @Test
  void loopLargerThanTheCache_keepsPartOfIt() {
    loop(100, 100);
    long before = replay.totals().hits;
    loop(100, 10);
    long hits = replay.totals().hits - before;
    assertTrue(hits > 60, "10 of 100 fit; LRU has no hits: " + hits + " in 10 rounds");
  }

  @Test
  void scanBetweenReads_isNotFetched_onceItIsKnown() {
    long next = 1_000;
    for (int at = 0; at < 20_000; at++) {
      read(at % 2 == 0 ? at / 2 % 8 : next++, SIZE);
    }
    for (long id = 0; id < 8; id++) {
      assertTrue(order(policy).contains(block(id)), "read every 16 accesses: " + id);
    }
    long written = replay.totals().ssdWrittenBytes;
    for (int at = 0; at < 1_000; at++) {
      assertFalse(read(next++, SIZE));
    }
    assertEquals(written, replay.totals().ssdWrittenBytes, "no block of a scan is read again");
  }

  @ParameterizedTest
  @CsvSource({"0.05, 0.2", "0.2, 0.5", "0.5, 2"})
  void writes_areTheFewer_theMoreTheyCost(double low, double high) {
    long[] written = new long[2];
    for (int i = 0; i < 2; i++) {
      withPrice(i == 0 ? low : high);
      Random random = new Random(5);
      for (int at = 0; at < 30_000; at++) {
        read((long) (200 * Math.pow(random.nextDouble(), 3)), SIZE);
      }
      written[i] = replay.totals().ssdWrittenBytes;
    }
    assertTrue(
        written[1] < written[0], written[1] + " at " + high + ", " + written[0] + " at " + low);
  }

  @Test
  void blocksThatLeft_areForgotten_beyondTheWindow() {
    for (long id = 0; id < 3L * HitDensityPolicy.MIN_OTHERS; id++) {
      read(id, SIZE);
    }
    int most = HitDensityPolicy.MIN_OTHERS + 32 + 10;
    assertTrue(policy.remembered() <= most, policy.remembered() + " > " + most);
    assertTrue(policy.remembered() >= HitDensityPolicy.MIN_OTHERS, "" + policy.remembered());
  }

  @Test
  void blocksThatAreEvicted_areForgotten_beyondTheWindow() {
    replay = new Replay(policy, 100 * SIZE);
    for (long id = 0; id < 4L * HitDensityPolicy.MIN_OTHERS; id++) {
      read(id, SIZE);
      read(id % 300, SIZE);
    }
    assertEquals(policy.residents(), order(policy).size());
    replay.setCapacityBytes(0);
    assertEquals(0, policy.residents());
    assertEquals(HitDensityPolicy.MIN_OTHERS, policy.remembered());
  }

  @Test
  void deletedBlock_isForgottenAtOnce() {
    read(1, SIZE);
    assertEquals(1, policy.remembered());
    policy.onDeleted(block(1));
    policy.onDeleted(block(2));
    assertEquals(0, policy.remembered());
    assertEquals(0, policy.residents());
    assertEquals(0, order(policy).size());
  }

  @Test
  void sizes_thatAreZeroOrHuge_doNotDisturb() {
    for (int round = 0; round < 300; round++) {
      read(1, 0);
      read(2, Long.MAX_VALUE);
      read(3, SIZE);
      read(4, 10 * SIZE);
    }
    assertEquals(policy.residents(), order(policy).size());
    assertFalse(order(policy).contains(block(2)));
    assertTrue(replay.totals().hits > 0);
  }

  /** Had it looked at all residents, it would have found that they do not make enough room. */
  @Test
  void blockThatIsNotWorthItsFirstVictims_isRefusedWithoutALookAtTheOthers() {
    for (String order : List.of("hit-density", "hit-value")) {
      CachePolicy ranks = Policies.create(order);
      Replay reads = new Replay(ranks, 10 * SIZE);
      for (int at = 0; at < 5_000; at++) {
        reads.access(block(at % 10), SIZE, SIZE, false, 0, at);
        reads.access(block(100 + at), 8 * SIZE, 8 * SIZE, false, 0, at);
      }
      assertEquals(10, ranks.residents(), order);
      Candidate scanned = candidate(99_999, 11 * SIZE, 0);
      assertEquals(Reason.COST_NOT_BELOW_GAIN, ranks.decide(scanned, 0, 20 * SIZE).reason(), order);
    }
  }

  /** Bytes that a scan of 10,000 blocks brings to a cache whose 5,000 blocks were read before. */
  private static long writtenByAScan(String name, int replayedReads) {
    CachePolicy ranks = Policies.create(name);
    Replay reads = new Replay(ranks, 5_000 * SIZE);
    for (int id = 0; id < 5_000; id++) {
      reads.preload(block(id), SIZE, 1);
      for (int read = 0; read < (id % 10 < 7 ? replayedReads : 0); read++) {
        ranks.onAccess(new Access().set(block(id), SIZE, SIZE, 1));
      }
    }
    for (int at = 0; at < 10_000; at++) {
      reads.access(block(5_000 + at), SIZE, SIZE, false, 0, 2 + at);
    }
    return reads.totals().ssdWrittenBytes;
  }

  @ParameterizedTest
  @ValueSource(strings = {"hit-density", "hit-value"})
  void readsBeforeARestart_doNotMakeAScanWorthAFetch(String name) {
    long most = writtenByAScan(name, 0);
    assertTrue(writtenByAScan(name, 16) <= most);
  }

  /** On a DataNode, all reads of a round have the same time. */
  @Test
  void readOfTheBlockAdmittedLast_atTheTimeOfAnotherRead_isNotReplayed() {
    policy.onAdmitted(block(1), SIZE, 5);
    access(policy, block(1), SIZE, 5);
    assertEquals(0, policy.gap(block(1)), "replayed");
    access(policy, block(2), SIZE, 10);
    access(policy, block(3), SIZE, 10);
    access(policy, block(1), SIZE, 10);
    assertEquals(3, policy.gap(block(1)));
  }

  @Test
  void readAtTheTimeOfAnotherBlocksAdmission_isNotReplayed() {
    access(policy, block(1), SIZE, 5);
    policy.onAdmitted(block(2), SIZE, 10);
    access(policy, block(1), SIZE, 10);
    assertEquals(1, policy.gap(block(1)));
  }

  @Test
  void hint_isNotUsed() {
    assertEquals(
        Reason.HINTS_NOT_USED,
        policy.decide(new Candidate(block(1), 10, Candidate.Trigger.HINT, 3), 100, 100).reason());
  }

  @Test
  void blockNeverRead_isJudgedAsOneThatWasReadOnce() {
    assertTrue(policy.decide(candidate(9, 10, 0), 100, 100).isAdmit());
    assertEquals(0, policy.remembered());
  }
}
