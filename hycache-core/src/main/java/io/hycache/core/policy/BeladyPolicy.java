// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.policy.NextUseIndex.Entry;
import java.util.ArrayList;
import java.util.List;

/**
 * MIN with bypass: the upper bound for blocks of equal size when all accesses are known in advance.
 *
 * <p>Idea: the resident with the farthest next use is evicted first; residents without a next use
 * precede all others, and ties go to the block seen earlier. A candidate that is never used again
 * is bypassed. So is one that would replace a resident used no later than itself; then nothing is
 * evicted.
 *
 * <p>Complexity: O(log n) per event, O(k + log n) for a decision with k victims.
 *
 * <p>Memory: about 150 bytes per block that is resident or has a known next use, plus its key.
 *
 * <p>It is no bound for blocks of different sizes, where {@code belady-size} may do better.
 *
 * <p>Source: L. Belady, "A study of replacement algorithms for a virtual-storage computer" (IBM
 * Systems Journal 5(2), 1966), MIN. The bypass is our addition: a block need not be fetched at all.
 */
final class BeladyPolicy extends NextUsePolicy {

  BeladyPolicy() {
    super(false, false);
  }

  @Override
  Decision choose(Candidate candidate, Entry known, long missingBytes, long capacityBytes) {
    List<CacheKey> victims = new ArrayList<>();
    long missing = missingBytes;
    for (Entry victim : index().farthestFirst()) {
      if (missing <= 0) {
        break;
      }
      if (victim.nextUse <= known.nextUse) {
        return Decision.bypass(Reason.COST_NOT_BELOW_GAIN);
      }
      victims.add(victim.key);
      missing -= victim.sizeBytes;
    }
    return missing > 0 ? Decision.bypass(Reason.NO_ROOM) : Decision.admit(victims);
  }
}
