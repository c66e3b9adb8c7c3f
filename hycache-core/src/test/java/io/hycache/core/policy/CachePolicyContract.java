// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of a {@link CachePolicy} that is defined by an order of its residents: {@link
 * PolicyModel} defines the same order in a straightforward way. The contract of all policies is in
 * {@link EveryPolicyTest}.
 */
abstract class CachePolicyContract {

  /** A new policy without residents. */
  abstract CachePolicy create();

  /** The same policy, written for clarity instead of speed. */
  abstract PolicyModel model();

  @Test
  void onAdmitted_newBlocks_areResidents() {
    CachePolicy policy = create();
    policy.onAdmitted(block(1), 10, 1);
    policy.onAdmitted(block(2), 10, 2);

    assertEquals(2, policy.residents());
    assertEquals(List.of(block(1), block(2)), order(policy));
  }

  @Test
  void onAdmitted_changedSize_staysOneResidentWithTheNewSize() {
    CachePolicy policy = create();
    policy.onAdmitted(block(1), 10, 1);
    policy.onAdmitted(block(2), 10, 2);
    policy.onAdmitted(block(1), 40, 3);

    assertEquals(2, policy.residents());
    assertEquals(List.of(block(1)), policy.decide(candidate(3, 40, 1), 0, 50).victims());
  }

  @Test
  void onRemoved_unknownBlock_isIgnored() {
    CachePolicy policy = create();
    policy.onAdmitted(block(1), 10, 1);
    policy.onRemoved(block(2));

    assertEquals(1, policy.residents());
  }

  @Test
  void onRemoved_resident_isNoVictimAnyMore() {
    CachePolicy policy = create();
    policy.onAdmitted(block(1), 10, 1);
    policy.onAdmitted(block(2), 10, 2);
    policy.onRemoved(block(1));
    policy.onRemoved(block(1));

    assertEquals(List.of(block(2)), order(policy));
    assertEquals(List.of(block(2)), policy.decide(candidate(3, 5, 1), 0, 20).victims());
  }

  @Test
  void onAccess_blockThatIsNotResident_isNotTracked() {
    CachePolicy policy = create();
    access(policy, block(1), 10, 1);

    assertEquals(0, policy.residents());
    assertFalse(policy.evictionOrder().iterator().hasNext());
  }

  @Test
  void decide_fitsExactly_admitsWithoutVictims() {
    CachePolicy policy = create();
    policy.onAdmitted(block(1), 10, 1);

    Decision decision = policy.decide(candidate(2, 90, 1), 90, 100);

    assertTrue(decision.isAdmit());
    assertEquals(List.of(), decision.victims());
  }

  @Test
  void decide_largerThanCapacity_isTooLarge() {
    Decision decision = create().decide(candidate(1, 101, 5), 100, 100);

    assertFalse(decision.isAdmit());
    assertEquals(Reason.TOO_LARGE, decision.reason());
  }

  @Test
  void decide_emptyBlock_admits() {
    assertTrue(create().decide(candidate(1, 0, 1), 0, 0).isAdmit());
  }

  @Test
  void decide_allResidentsTooSmall_isNoRoomAndEvictsNothing() {
    CachePolicy policy = create();
    policy.onAdmitted(block(1), 10, 1);
    policy.onAdmitted(block(2), 10, 2);

    Decision decision = policy.decide(candidate(3, 50, 1), 20, 100);

    assertFalse(decision.isAdmit());
    assertEquals(Reason.NO_ROOM, decision.reason());
    assertEquals(List.of(), decision.victims());
  }

  @Test
  void decide_candidateIsResident_bypasses() {
    CachePolicy policy = create();
    policy.onAdmitted(block(1), 10, 1);

    Decision decision = policy.decide(candidate(1, 10, 1), 0, 10);

    assertFalse(decision.isAdmit());
    assertEquals(Reason.ON_SSD_CLEAN, decision.reason());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void randomEvents_sameAnswersAsTheModel(long seed) {
    Random random = new Random(seed);
    long capacityBytes = 400;
    CachePolicy policy = create();
    PolicyModel model = model();
    Map<CacheKey, Long> sizes = new HashMap<>();
    for (int step = 0; step < 5000; step++) {
      String where = "seed=" + seed + " step=" + step;
      CacheKey block = block(random.nextInt(40));
      long size = random.nextInt(50);
      switch (random.nextInt(6)) {
        case 0:
        case 1:
          access(policy, block, size, step);
          model.onAccess(block);
          break;
        case 2:
          policy.onAdmitted(block, size, step);
          model.onAdmitted(block, size);
          sizes.put(block, size);
          break;
        case 3:
          policy.onRemoved(block);
          model.onRemoved(block);
          sizes.remove(block);
          break;
        case 4:
          long references = random.nextInt(4);
          policy.onReferences(block, references);
          model.onReferences(block, references);
          break;
        default:
          Candidate candidate =
              new Candidate(
                  block,
                  random.nextInt(20) == 0 ? capacityBytes + 1 : random.nextInt(120),
                  random.nextInt(3) == 0 ? Candidate.Trigger.HINT : Candidate.Trigger.READ_MISS,
                  random.nextInt(5));
          long free = random.nextInt(60);
          Decision decision = policy.decide(candidate, free, capacityBytes);
          assertEquals(
              model.decide(candidate, free, capacityBytes).toString(), decision.toString(), where);
          assertEquals(
              decision.toString(),
              policy.decide(candidate, free, capacityBytes).toString(),
              "deciding changes nothing: " + where);
          assertVictimsAreEnoughAndNotTooMany(decision, candidate, free, sizes, where);
          if (decision.isAdmit() && random.nextBoolean()) {
            for (CacheKey victim : decision.victims()) {
              policy.onRemoved(victim);
              model.onRemoved(victim);
              sizes.remove(victim);
            }
            policy.onAdmitted(block, candidate.sizeBytes(), step);
            model.onAdmitted(block, candidate.sizeBytes());
            sizes.put(block, candidate.sizeBytes());
          }
      }
      assertEquals(sizes.size(), policy.residents(), where);
      assertEquals(model.evictionOrder(), order(policy), where);
    }
  }

  private static void assertVictimsAreEnoughAndNotTooMany(
      Decision decision, Candidate candidate, long free, Map<CacheKey, Long> sizes, String where) {
    long room = free;
    for (int i = 0; i < decision.victims().size(); i++) {
      assertTrue(room < candidate.sizeBytes(), "one victim too many: " + where);
      Long size = sizes.get(decision.victims().get(i));
      room += size == null ? -1_000_000 : size;
    }
    if (decision.isAdmit()) {
      assertTrue(room >= candidate.sizeBytes(), "victims do not make enough room: " + where);
    }
  }

  static CacheKey block(long id) {
    return new CacheKey("BP-1", id);
  }

  /** A read miss with later references. */
  static Candidate candidate(long id, long sizeBytes, long referencesAfterFetch) {
    return new Candidate(block(id), sizeBytes, Candidate.Trigger.READ_MISS, referencesAfterFetch);
  }

  /** An access to a whole block. */
  static void access(CachePolicy policy, CacheKey block, long sizeBytes, long nowNanos) {
    Access access = new Access().set(block, sizeBytes, sizeBytes, nowNanos);
    policy.onAccess(access);
    // A policy that keeps the object instead of its values fails.
    access.set(new CacheKey("none", -1), -1, -1, -1);
  }

  static List<CacheKey> order(CachePolicy policy) {
    List<CacheKey> order = new ArrayList<>();
    policy.evictionOrder().forEach(order::add);
    return order;
  }
}
