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
 *       that is made anyway and the price of the bytes written to SSD; cost = what the victims
 *       would have saved by then: all of it if they are used earlier, otherwise in proportion to
 *       the part of the time until their use that has passed by then. Fetch if cost &lt; gain.
 * </ul>
 *
 * <p>The next use is announced ({@link #onNextUse}: hints) and weighted by the trust in
 * announcements ({@link AnnouncedUses}), or, with {@code reuse}, estimated from earlier reads and
 * weighted by its certainty ({@link ReuseEstimator}); or both, in proportion to the trust. So
 * hinted and other blocks compete in one currency, and an announcement that is overdue is
 * forgotten. A first read without any estimate is fetched only if nothing is evicted for it. An
 * estimate whose time has passed is renewed: the next use is expected after as long again as the
 * block has not been used.
 *
 * <p>Complexity: O(log n) per event, O(k + log n) for a decision with k victims, times the number
 * of size classes in use ({@link NextUseIndex}).
 *
 * <p>Memory: about 190 bytes per block that is resident or has a known next use, plus its key; with
 * {@code reuse} about 80 more per block in the window (four times the residents, at least 65,536).
 *
 * <p>Source: ours. The currency is that of Wong et al., "Baleen: ML admission and prefetching for
 * flash caches" (FAST'24), section 3; the frame is Algorithms 4 and 5 of Zhao, Qiao, Raicu.
 */
final class ProRataPolicy extends NextUsePolicy {
  private static final String UNIT = "seconds of disk time";
  private static final int MIN_WINDOW_BLOCKS = 65_536;
  private static final int WINDOW_BLOCKS_PER_RESIDENT = 4;

  private static final double MAJORITY = 0.5;

  private final DiskTime disk;
  private final @Nullable ReuseEstimator reuse;

  private final AnnouncedUses announcements = new AnnouncedUses();

  /**
   * The entry of the last block that was read, if it is not resident: its estimate is discarded
   * unless the block is admitted.
   */
  private @Nullable Entry lastRead;

  /**
   * @param reuse estimates next uses that are not announced; null for none
   */
  ProRataPolicy(DiskTime disk, @Nullable ReuseEstimator reuse) {
    super(true, true);
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
  void announced(Entry entry, long atNanos) {
    announcements.announce(entry, atNanos, now());
    settle(entry);
  }

  @Override
  public void onAccess(Access access) {
    super.onAccess(access);
    discardLastEstimate();
    CacheKey key = access.key();
    boolean again = reuse != null && reuse.isKnown(key);
    ReuseEstimator.Guess guess =
        reuse == null
            ? null
            : reuse.read(
                key,
                access.timeNanos(),
                Math.max(MIN_WINDOW_BLOCKS, WINDOW_BLOCKS_PER_RESIDENT * residents()));
    Entry entry = guess == null ? find(key) : entryOf(key);
    announcements.read(key, entry, again, access.timeNanos());
    announcements.breakOverdue(access.timeNanos(), this::overdue);
    if (entry != null) {
      estimate(entry, guess);
      lastRead = entry.resident ? null : entry;
    }
    renewOverdue();
  }

  @Override
  public void onUsedWithoutAccess(CacheKey key) {
    announcements.usedWithoutAccess(key, now());
  }

  @Override
  public int warm(CacheKey[] keys, int count) {
    return super.warm(keys, count) + (reuse == null ? 0 : reuse.warm(keys, count));
  }

  /** Drops the estimate of the last block that was read, if it was not admitted. */
  private void discardLastEstimate() {
    Entry before = lastRead;
    lastRead = null;
    if (before != null && !before.resident) {
      left(before);
      forgetIfIdle(before);
    }
  }

  /** Estimates again: other blocks have been read since, so the estimate was discarded. */
  @Override
  @Nullable Entry recall(CacheKey key) {
    Entry known = find(key);
    boolean estimated = known != null && known.estimatedAt != KnownBlock.NEVER;
    ReuseEstimator.Memory memory =
        reuse == null || estimated || (known != null && known.resident) ? null : reuse.recall(key);
    if (memory == null) {
      return known;
    }
    discardLastEstimate();
    Entry entry = entryOf(key);
    long since = Math.max(0, now() - memory.lastNanos);
    boolean overdue = since > memory.guess.afterNanos;
    entry.estimatedWait = overdue ? since : memory.guess.afterNanos;
    entry.estimatedAt = later(overdue ? now() : memory.lastNanos, entry.estimatedWait);
    entry.estimatedCertainty =
        (float) (overdue ? memory.guess.certainty / 2 : memory.guess.certainty);
    lastRead = entry;
    settle(entry);
    return entry;
  }

  /** See {@link AnnouncedUses#trust}. */
  double trust() {
    return announcements.trust();
  }

  private void overdue(Entry entry) {
    settle(entry);
    forgetIfIdle(entry);
  }

  /** Discards the estimate. */
  @Override
  void left(Entry entry) {
    entry.estimatedAt = KnownBlock.NEVER;
    settle(entry);
  }

  private void estimate(Entry entry, ReuseEstimator.@Nullable Guess guess) {
    if (guess == null) {
      entry.estimatedAt = KnownBlock.NEVER;
    } else {
      entry.estimatedAt = later(now(), guess.afterNanos);
      entry.estimatedCertainty = (float) guess.certainty;
      entry.estimatedWait = guess.afterNanos;
    }
    settle(entry);
  }

  /** The sum of two times, less than {@link KnownBlock#NEVER}. */
  static long later(long now, long by) {
    return now > KnownBlock.NEVER - 1 - by ? KnownBlock.NEVER - 1 : now + by;
  }

  /**
   * Derives the expected next use from the announced and the estimated one: the announcement counts
   * as far as announcements are trusted, the estimate for the rest. Beside a trusted announcement
   * an estimate whose time has passed counts nothing. Without an announcement, the estimate counts
   * as far as reads come without one.
   */
  private void settle(Entry entry) {
    double trust = announcements.trust();
    boolean announced = entry.announcedAt != KnownBlock.NEVER;
    boolean trusted = announced && trust >= MAJORITY;
    double announcedRate = announced ? trust / until(entry.announcedAt) : 0;
    double estimatedRate =
        entry.estimatedAt == KnownBlock.NEVER || (trusted && entry.estimatedAt < now())
            ? 0
            : entry.estimatedCertainty
                / until(entry.estimatedAt)
                * (announced ? 1 - trust : announcements.surprises(entry));
    double rate = announcedRate + estimatedRate;
    long at = trusted || (announced && estimatedRate == 0) ? entry.announcedAt : entry.estimatedAt;
    if (rate == 0 || at == KnownBlock.NEVER) {
      expect(entry, KnownBlock.NEVER, 1);
    } else {
      expect(entry, at, Math.min(1, rate * until(at)));
    }
  }

  /** Renews overdue estimates: as long again as the estimate was wrong. */
  private void renewOverdue() {
    long now = now();
    List<Entry> overdue = new ArrayList<>();
    index()
        .forEachNearest(
            entry -> {
              if (entry.nextUse < now && entry.nextUse != entry.announcedAt) {
                overdue.add(entry);
              }
            });
    for (Entry entry : overdue) {
      if (entry.estimatedAt < now) {
        long waited = Math.max(1, entry.estimatedWait);
        entry.estimatedAt = later(now, waited);
        entry.estimatedCertainty /= 2;
        entry.estimatedWait = 2 * waited;
      }
      settle(entry);
    }
  }

  /** Disk time that the next use saves, weighted by its certainty. */
  private double saving(Entry entry) {
    return disk.seconds(entry.sizeBytes) * entry.certainty;
  }

  /** Time until a use, at least 1 ns. */
  private double until(long at) {
    return Math.max(1, (double) at - now());
  }

  private double untilUse(Entry entry) {
    return until(entry.nextUse);
  }

  private double worth(Entry entry) {
    if (entry.nextUse == KnownBlock.NEVER) {
      return 0;
    }
    return saving(entry) / Math.max(1, entry.sizeBytes) / untilUse(entry);
  }

  private double gain(Candidate candidate, Entry known) {
    long size = candidate.sizeBytes();
    double saved = disk.seconds(size) * known.certainty - disk.secondsOfWrite((double) size);
    if (candidate.trigger() == Candidate.Trigger.HINT) {
      // A hinted fetch is the read of the next use, made earlier.
      return saved;
    }
    return saved - (disk.seconds(size) - requestSeconds(disk, size));
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
    boolean worth = candidate.trigger() != Candidate.Trigger.HINT || isWorth(candidate, victims);
    if (cost >= gain || !worth) {
      return Decision.bypass(Reason.COST_NOT_BELOW_GAIN).because(gain, cost, UNIT);
    }
    List<CacheKey> keys = new ArrayList<>(victims.size());
    for (Entry victim : victims) {
      keys.add(victim.key);
    }
    return Decision.admit(keys).because(gain, cost, UNIT);
  }

  /**
   * Whether the references that a fetch for a hint leaves outweigh those of its victims. The fetch
   * itself saves nothing, since it is the read of the next use; what counts are the later ones, the
   * times of which are not announced.
   */
  private static boolean isWorth(Candidate candidate, List<Entry> victims) {
    double lost = 0;
    for (Entry victim : victims) {
      lost += (double) victim.references * victim.sizeBytes;
    }
    return lost < (double) candidate.referencesAfterFetch() * candidate.sizeBytes();
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
