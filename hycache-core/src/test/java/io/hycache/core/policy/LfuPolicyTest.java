// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.model.Candidate;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

class LfuPolicyTest extends CachePolicyContract {
  @Override
  CachePolicy create() {
    return new LfuPolicy();
  }

  @Override
  PolicyModel model() {
    return new PolicyModel(PolicyModel.LFU, false);
  }

  @Test
  void evictionOrder_equalCounts_leastRecentlyUsedFirst() {
    CachePolicy policy = create();
    policy.onAdmitted(block(1), 10, 1);
    policy.onAdmitted(block(2), 10, 2);
    policy.onAdmitted(block(3), 10, 3);
    access(policy, block(3), 10, 4);
    access(policy, block(1), 10, 5);
    access(policy, block(2), 10, 6);
    access(policy, block(2), 10, 7);

    assertEquals(List.of(block(3), block(1), block(2)), order(policy));
  }

  @Test
  void onRemoved_thenAdmittedAgain_countStartsAnew() {
    CachePolicy policy = create();
    policy.onAdmitted(block(1), 10, 1);
    access(policy, block(1), 10, 2);
    access(policy, block(1), 10, 3);
    policy.onAdmitted(block(2), 10, 4);
    access(policy, block(2), 10, 5);
    policy.onRemoved(block(1));
    policy.onAdmitted(block(1), 10, 6);

    assertEquals(List.of(block(1), block(2)), order(policy));
  }

  @Test
  void decide_hint_bypassesAlsoWhenItFits() {
    Candidate hinted = new Candidate(block(1), 10, Candidate.Trigger.HINT, 7);

    assertEquals(Reason.HINTS_NOT_USED, create().decide(hinted, 100, 100).reason());
  }
}
