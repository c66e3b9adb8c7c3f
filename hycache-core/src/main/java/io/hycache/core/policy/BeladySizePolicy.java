// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.policy.NextUseIndex.Entry;
import java.util.ArrayList;
import java.util.List;

/**
 * MIN for blocks of different sizes: evicts the blocks that occupy the most bytes for the longest
 * time.
 *
 * <p>Idea: a block's rent is its size times the time until its next use; its yield is the disk time
 * that this use saves. Residents with the lowest yield per rent are evicted first, those without a
 * next use before all others. A candidate is bypassed if a victim would yield at least as much. It
 * is no bound (the problem is NP-hard), but better than {@code belady} on most sequences.
 *
 * <p>Complexity: O(log n) per event, O(k + log n) for a decision with k victims, times the number
 * of size classes in use ({@link NextUseIndex}).
 *
 * <p>Memory: as {@link BeladyPolicy}.
 *
 * <p>Source: ours, after the greedy rule of Berger, Beckmann, Harchol-Balter, "Practical bounds on
 * optimal caching with variable object sizes" (SIGMETRICS'18), section 5.1 (Belady-Size).
 */
final class BeladySizePolicy extends NextUsePolicy {
  private final DiskTime disk;

  BeladySizePolicy(DiskTime disk) {
    super(true, false);
    this.disk = disk;
  }

  private double returnOf(Entry entry, long sizeBytes) {
    if (entry.nextUse == KnownBlock.NEVER) {
      return 0;
    }
    double untilUse = Math.max(1, (double) entry.nextUse - now());
    return disk.seconds(sizeBytes) / Math.max(1, sizeBytes) / untilUse;
  }

  @Override
  Iterable<Entry> order() {
    return index().leastFirst(entry -> returnOf(entry, entry.sizeBytes));
  }

  @Override
  Decision choose(Candidate candidate, Entry known, long missingBytes, long capacityBytes) {
    double returned = returnOf(known, candidate.sizeBytes());
    List<CacheKey> victims = new ArrayList<>();
    long missing = missingBytes;
    for (Entry victim : order()) {
      if (missing <= 0) {
        break;
      }
      if (returnOf(victim, victim.sizeBytes) >= returned) {
        return Decision.bypass(Reason.COST_NOT_BELOW_GAIN);
      }
      victims.add(victim.key);
      missing -= victim.sizeBytes;
    }
    return missing > 0 ? Decision.bypass(Reason.NO_ROOM) : Decision.admit(victims);
  }
}
