// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeuristicPolicyTest extends CachePolicyContract {
  @Override
  CachePolicy create() {
    return new HeuristicPolicy();
  }

  @Override
  PolicyModel model() {
    return new PolicyModel(PolicyModel.HEURISTIC, true);
  }

  /** R = F1 F2 F3 F4 F3 F1 F2 F4 F3, sizes 20, 40, 9, 40, C = 100: the example of the paper. */
  @Test
  void decide_workedExample_evictsF3ForF4() {
    int[] sequence = {1, 2, 3, 4, 3, 1, 2, 4, 3};
    long[] sizes = {0, 20, 40, 9, 40};
    HeuristicPolicy policy = new HeuristicPolicy();
    long free = 100;
    for (int position = 0; position < 3; position++) {
      int file = sequence[position];
      Decision decision =
          policy.decide(hint(file, sizes[file], left(sequence, position, file)), free, 100);
      assertTrue(decision.isAdmit());
      assertEquals(List.of(), decision.victims());
      policy.onAdmitted(block(file), sizes[file], position);
      policy.onReferences(block(file), left(sequence, position, file));
      free -= sizes[file];
    }
    assertEquals(31, free);
    for (int file = 1; file <= 3; file++) {
      policy.onReferences(block(file), left(sequence, 3, file));
    }
    Candidate f4 = hint(4, sizes[4], left(sequence, 3, 4));

    assertEquals(20, policy.cost(block(1)));
    assertEquals(40, policy.cost(block(2)));
    assertEquals(18, policy.cost(block(3)));
    assertEquals(40, HeuristicPolicy.gain(f4));
    Decision decision = policy.decide(f4, free, 100);
    assertTrue(decision.isAdmit());
    assertEquals(List.of(block(3)), decision.victims());
  }

  @Test
  void decide_noLaterReference_bypassesAlsoWhenItFits() {
    HeuristicPolicy policy = new HeuristicPolicy();

    assertEquals(Reason.NO_LATER_REFERENCE, policy.decide(hint(1, 10, 0), 100, 100).reason());
    assertEquals(Reason.NO_LATER_REFERENCE, policy.decide(candidate(1, 10, 0), 100, 100).reason());
  }

  @Test
  void decide_accumulatedCostEqualsGain_evictsNothing() {
    HeuristicPolicy policy = new HeuristicPolicy();
    policy.onAdmitted(block(1), 10, 1);
    policy.onAdmitted(block(2), 10, 2);
    policy.onReferences(block(1), 1);
    policy.onReferences(block(2), 1);

    Decision decision = policy.decide(hint(3, 20, 1), 0, 20);

    assertFalse(decision.isAdmit());
    assertEquals(Reason.COST_NOT_BELOW_GAIN, decision.reason());
    assertEquals(List.of(), decision.victims());
    assertEquals(2, policy.residents());
  }

  @Test
  void decide_accumulatedCostJustBelowGain_evictsBoth() {
    HeuristicPolicy policy = new HeuristicPolicy();
    policy.onAdmitted(block(1), 10, 1);
    policy.onAdmitted(block(2), 9, 2);
    policy.onReferences(block(1), 1);
    policy.onReferences(block(2), 1);

    assertEquals(List.of(block(2), block(1)), policy.decide(hint(3, 20, 1), 1, 20).victims());
  }

  @Test
  void onReferences_learntBeforeAdmission_count() {
    HeuristicPolicy policy = new HeuristicPolicy();
    policy.onReferences(block(1), 3);
    policy.onAdmitted(block(1), 10, 1);

    assertEquals(30, policy.cost(block(1)));
  }

  @Test
  void onReferences_downToZero_goesBehindNoHintedBlock() {
    HeuristicPolicy policy = new HeuristicPolicy();
    policy.onAdmitted(block(1), 10, 1);
    policy.onAdmitted(block(2), 1, 2);
    policy.onReferences(block(1), 5);
    policy.onReferences(block(2), 5);
    policy.onReferences(block(1), 0);

    assertEquals(List.of(block(1), block(2)), order(policy));
  }

  @Test
  void onAccess_thatUsesUpTheLastReference_renewsNothing() {
    HeuristicPolicy policy = new HeuristicPolicy();
    policy.onAdmitted(block(1), 10, 1);
    policy.onAdmitted(block(2), 10, 2);
    policy.onReferences(block(1), 1);
    policy.onReferences(block(1), 0);
    access(policy, block(1), 10, 3);

    assertEquals(List.of(block(1), block(2)), order(policy));
  }

  @Test
  void onAccess_afterTheLastReferenceWasUsedElsewhere_renewsTheTurn() {
    HeuristicPolicy policy = new HeuristicPolicy();
    policy.onAdmitted(block(1), 10, 1);
    policy.onAdmitted(block(2), 10, 2);
    policy.onReferences(block(1), 1);
    policy.onReferences(block(1), 0);
    policy.onUsedWithoutAccess(block(1));
    access(policy, block(1), 10, 3);

    assertEquals(List.of(block(2), block(1)), order(policy));
  }

  @Test
  void onAccess_afterTheReferencesWereWithdrawn_renewsTheTurn() {
    HeuristicPolicy policy = new HeuristicPolicy();
    policy.onAdmitted(block(1), 10, 1);
    policy.onAdmitted(block(2), 10, 2);
    policy.onReferences(block(1), 1);
    policy.onReferences(block(1), 0);
    access(policy, block(2), 10, 3);
    access(policy, block(1), 10, 4);

    assertEquals(List.of(block(2), block(1)), order(policy));
  }

  @Test
  void evictionOrder_noHints_isLru() {
    HeuristicPolicy policy = new HeuristicPolicy();
    policy.onAdmitted(block(1), 10, 1);
    policy.onAdmitted(block(2), 99, 2);
    access(policy, block(1), 10, 3);

    assertEquals(List.of(block(2), block(1)), order(policy));
  }

  @Test
  void evictionOrder_equalCosts_firstSeenFirstWhateverIsRead() {
    HeuristicPolicy policy = new HeuristicPolicy();
    policy.onAdmitted(block(1), 10, 1);
    policy.onAdmitted(block(2), 5, 2);
    policy.onReferences(block(1), 1);
    policy.onReferences(block(2), 2);
    access(policy, block(1), 10, 3);

    assertEquals(List.of(block(1), block(2)), order(policy));
  }

  @Test
  void cost_overflow_stopsAtTheLargestNumber() {
    HeuristicPolicy policy = new HeuristicPolicy();
    policy.onReferences(block(1), Long.MAX_VALUE);
    policy.onReferences(block(2), Long.MAX_VALUE);
    policy.onAdmitted(block(1), 8, 1);
    policy.onAdmitted(block(2), 2, 2);

    assertEquals(Long.MAX_VALUE, policy.cost(block(1)));
    assertEquals(
        Reason.COST_NOT_BELOW_GAIN, policy.decide(hint(3, 9, Long.MAX_VALUE), 0, 10).reason());
  }

  @Test
  void memory_blockNeitherResidentNorHinted_isForgotten() {
    HeuristicPolicy policy = new HeuristicPolicy();
    policy.onReferences(block(1), 2);
    policy.onReferences(block(2), 0);
    policy.onAdmitted(block(1), 10, 1);
    policy.onRemoved(block(1));
    assertEquals(1, policy.knownBlocks());
    policy.onReferences(block(1), 0);

    assertEquals(0, policy.knownBlocks());
  }

  private static Candidate hint(long id, long sizeBytes, long referencesAfterFetch) {
    return new Candidate(block(id), sizeBytes, Candidate.Trigger.HINT, referencesAfterFetch);
  }

  private static long left(int[] sequence, int position, int file) {
    long left = 0;
    for (int i = position + 1; i < sequence.length; i++) {
      left += sequence[i] == file ? 1 : 0;
    }
    return left;
  }
}
