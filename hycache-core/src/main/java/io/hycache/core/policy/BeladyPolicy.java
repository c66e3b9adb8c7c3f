package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.policy.NextUseIndex.Entry;
import java.util.ArrayList;
import java.util.List;

/**
 * MIN with bypass: the bound of what blocks of one size can reach when all accesses are known.
 *
 * <p>Idea: the resident with the farthest next use goes first, those without any before all others;
 * of equal ones the one that was seen earlier. A candidate that is never used again is bypassed; so
 * is one for which a resident would have to go that is used no later than the candidate: then
 * nothing goes at all.
 *
 * <p>Complexity: O(log n) for each event, O(k + log n) for a decision with k victims.
 *
 * <p>Memory: about 150 bytes for each block that is resident or whose next use is known, besides
 * its key.
 *
 * <p>For blocks of several sizes it bounds nothing: {@code belady-size} may do better.
 *
 * <p>Source: L. Belady, "A study of replacement algorithms for a virtual-storage computer" (IBM
 * Systems Journal 5(2), 1966), MIN; the bypass is ours to state: a block need not be fetched at
 * all.
 */
final class BeladyPolicy extends NextUsePolicy {

  BeladyPolicy() {
    super(false, false);
  }

  @Override
  Decision choose(Candidate candidate, Entry known, long missingBytes, long capacityBytes) {
    List<BlockKey> victims = new ArrayList<>();
    long missing = missingBytes;
    for (Entry victim : index().farthestFirst()) {
      if (missing <= 0) {
        break;
      }
      if (victim.nextUse <= known.nextUse) {
        return Decision.bypass(Reason.COST_NOT_BELOW_GAIN);
      }
      victims.add(victim.block);
      missing -= victim.sizeBytes;
    }
    return missing > 0 ? Decision.bypass(Reason.NO_ROOM) : Decision.admit(victims);
  }
}
