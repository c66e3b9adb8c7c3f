// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.policy.NextUseIndex.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Weighs a candidate against its victims by the disk time that the candidate's next use saves.
 *
 * <p>Idea:
 *
 * <ul>
 *   <li>a hit saves the disk one operation: positioning and transfer. The value of a block is that
 *       saving per byte occupied and per second until its next use: disk-head time per SSD
 *       byte-second;
 *   <li>the least valuable residents are chosen until the candidate fits; victims that turn out to
 *       be unnecessary are then given back, the most valuable first;
 *   <li>gain = what the candidate's next use saves, less what its fetch costs beyond the request
 *       that is made anyway; cost = what the victims would have saved by then: all of it if they
 *       are used earlier, otherwise in proportion to the part of the time until their use that has
 *       passed by then. Fetch if cost &lt; gain.
 * </ul>
 *
 * <p>The next use is announced ({@link #onNextUse}: hints) or, with {@code reuse}, estimated from
 * earlier reads and weighted by its certainty ({@link ReuseEstimator}), so hinted and other blocks
 * compete in one currency. A first read without any estimate is fetched only if nothing is evicted
 * for it. An estimate whose time has passed is renewed: the next use is expected after as long
 * again as the block has not been used.
 *
 * <p>Complexity: O(log n) per event, O(k + log n) for a decision with k victims, times the number
 * of size classes in use ({@link NextUseIndex}).
 *
 * <p>Memory: about 140 bytes per block that is resident or has a known next use, plus its key; with
 * {@code reuse} about 180 per block in the window (four times the residents, at least 65,536).
 *
 * <p>Source: ours. The currency is that of Wong et al., "Baleen: ML admission and prefetching for
 * flash caches" (FAST'24), section 3; the frame is Algorithms 4 and 5 of Zhao, Qiao, Raicu.
 */
final class ProRataPolicy extends NextUsePolicy {
  private static final String UNIT = "seconds of disk time";
  private static final int MIN_WINDOW_BLOCKS = 65_536;
  private static final int WINDOW_BLOCKS_PER_RESIDENT = 4;

  private final DiskTime disk;
  private final @Nullable ReuseEstimator reuse;

  /**
   * Last entry with an estimate for a non-resident block; discarded unless the block is admitted.
   */
  private @Nullable Entry lastGuess;

  /**
   * @param reuse estimates next uses that are not announced; null for none
   */
  ProRataPolicy(DiskTime disk, @Nullable ReuseEstimator reuse) {
    super(true, reuse != null);
    this.disk = disk;
    this.reuse = reuse;
  }

  @Override
  public void onClass(CacheKey key, String name) {
    if (reuse != null) {
      reuse.belongs(key, name);
    }
  }

  @Override
  public void onAccess(Access access) {
    super.onAccess(access);
    if (reuse == null) {
      return;
    }
    Entry unused = lastGuess;
    lastGuess = null;
    if (unused != null && unused.guessed) {
      forgetGuess(unused);
    }
    CacheKey key = access.key();
    long nowNanos = access.timeNanos();
    renewOverdue(nowNanos);
    ReuseEstimator.Guess guess =
        reuse.read(
            key, nowNanos, Math.max(MIN_WINDOW_BLOCKS, WINDOW_BLOCKS_PER_RESIDENT * residents()));
    Entry entry = find(key);
    if (entry != null && !entry.guessed && entry.nextUse != KnownBlock.NEVER) {
      return;
    }
    if (guess != null) {
      Entry known = entryOf(key);
      expect(known, later(nowNanos, guess.afterNanos), guess.certainty, true);
      known.waitNanos = guess.afterNanos;
      lastGuess = known.resident ? null : known;
    }
  }

  private static long later(long now, long by) {
    return now > KnownBlock.NEVER - 1 - by ? KnownBlock.NEVER - 1 : now + by;
  }

  /** Renews overdue estimates: as long again as the estimate was wrong. */
  private void renewOverdue(long now) {
    List<Entry> overdue = new ArrayList<>();
    index()
        .forEachNearest(
            entry -> {
              if (entry.guessed && entry.nextUse < now) {
                overdue.add(entry);
              }
            });
    for (Entry entry : overdue) {
      long waited = Math.max(1, entry.waitNanos);
      expect(entry, later(now, waited), entry.certainty / 2, true);
      entry.waitNanos = 2 * waited;
    }
  }

  /** Disk time that the next use saves, weighted by its certainty. */
  private double saving(Entry entry) {
    return disk.seconds(entry.sizeBytes) * entry.certainty;
  }

  private double untilUse(Entry entry) {
    return Math.max(1, (double) entry.nextUse - now());
  }

  private double worth(Entry entry) {
    if (entry.nextUse == KnownBlock.NEVER) {
      return 0;
    }
    return saving(entry) / Math.max(1, entry.sizeBytes) / untilUse(entry);
  }

  private double gain(Candidate candidate, Entry known) {
    long size = candidate.sizeBytes();
    double saved = disk.seconds(size) * known.certainty;
    if (candidate.trigger() == Candidate.Trigger.HINT) {
      // A hinted fetch is the read of the next use, made earlier.
      return saved;
    }
    return saved - (disk.seconds(size) - disk.seconds(Math.min(size, requestBytes(size))));
  }

  /** Disk time that the victim would have saved by the time of the candidate's next use. */
  private double cost(Entry victim, double candidateUse) {
    if (victim.nextUse == KnownBlock.NEVER) {
      return 0;
    }
    return saving(victim) * Math.min(1, candidateUse / untilUse(victim));
  }

  @Override
  Iterable<Entry> order() {
    return index().leastFirst(this::worth);
  }

  @Override
  boolean fetchesUnknown() {
    return reuse != null;
  }

  @Override
  boolean worthFetching(Candidate candidate, Entry known) {
    return gain(candidate, known) > 0;
  }

  @Override
  Decision choose(Candidate candidate, Entry known, long missingBytes, long capacityBytes) {
    double gain = gain(candidate, known);
    double candidateUse = untilUse(known);
    List<Entry> victims = new ArrayList<>();
    double cost = 0;
    long missing = missingBytes;
    for (Entry victim : order()) {
      if (missing <= 0) {
        break;
      }
      victims.add(victim);
      missing -= victim.sizeBytes;
      cost += cost(victim, candidateUse);
    }
    if (missing > 0) {
      return Decision.bypass(Reason.NO_ROOM);
    }
    if (victims.size() > 1) {
      cost -= giveBack(victims, -missing, candidateUse);
    }
    if (cost >= gain) {
      return Decision.bypass(Reason.COST_NOT_BELOW_GAIN).because(gain, cost, UNIT);
    }
    List<CacheKey> keys = new ArrayList<>(victims.size());
    for (Entry victim : victims) {
      keys.add(victim.key);
    }
    return Decision.admit(keys).because(gain, cost, UNIT);
  }

  /** Gives back victims that are not needed to make room. Returns their total cost. */
  private double giveBack(List<Entry> victims, long spareBytes, double candidateUse) {
    List<Entry> costliest = new ArrayList<>(victims);
    costliest.removeIf(v -> v.sizeBytes > spareBytes);
    costliest.sort(
        Comparator.<Entry>comparingDouble(v -> -cost(v, candidateUse))
            .thenComparingLong(v -> v.firstSeen));
    Set<Entry> spared = new HashSet<>();
    double saved = 0;
    long spare = spareBytes;
    for (Entry victim : costliest) {
      if (victim.sizeBytes <= spare && victim.sizeBytes > 0) {
        spare -= victim.sizeBytes;
        saved += cost(victim, candidateUse);
        spared.add(victim);
      }
    }
    victims.removeAll(spared);
    return saved;
  }
}
