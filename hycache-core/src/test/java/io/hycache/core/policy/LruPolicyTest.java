// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.model.Candidate;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

class LruPolicyTest extends CachePolicyContract {
  @Override
  CachePolicy create() {
    return new LruPolicy();
  }

  @Override
  PolicyModel model() {
    return new PolicyModel(PolicyModel.LRU, false);
  }

  @Test
  void decide_noRoom_evictsLeastRecentlyUsedUntilItFits() {
    CachePolicy policy = create();
    policy.onAdmitted(block(1), 30, 1);
    policy.onAdmitted(block(2), 30, 2);
    policy.onAdmitted(block(3), 30, 3);
    access(policy, block(1), 30, 4);

    assertEquals(
        List.of(block(2), block(3)), policy.decide(candidate(4, 50, 0), 10, 100).victims());
  }

  @Test
  void decide_hint_bypassesAlsoWhenItFits() {
    Candidate hinted = new Candidate(block(1), 10, Candidate.Trigger.HINT, 7);

    assertEquals(Reason.HINTS_NOT_USED, create().decide(hinted, 100, 100).reason());
  }
}
