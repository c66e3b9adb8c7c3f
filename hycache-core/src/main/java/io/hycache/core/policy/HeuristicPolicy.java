// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import com.google.common.collect.Iterables;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The heuristic placement of HyCache: keeps the blocks with the most bytes still to be read by
 * running jobs.
 *
 * <p>Idea: the reference sequence R = (r_1..r_m) of the running jobs is known. At a position in R
 *
 * <ul>
 *   <li>only the next non-resident block of R is a candidate (the caller picks it), and it is
 *       fetched only if R contains it again after that position;
 *   <li>gain of the candidate = its references after its fetch position x size; cost of a resident
 *       = its references left x size, 0 if none is known;
 *   <li>a candidate that fits is fetched without eviction. Otherwise residents are chosen in
 *       increasing order of cost until it fits; as soon as the accumulated cost is not smaller than
 *       the gain, the candidate is bypassed and nothing is evicted.
 * </ul>
 *
 * <p>Ties in cost go to the block seen earlier: hinted or, without hints, admitted. A read of a
 * resident without references renews that time, so without any hints the eviction order is LRU. A
 * read miss is decided by the same rules as a hint. A candidate that is already resident is
 * bypassed with {@link Reason#ON_SSD_CLEAN}.
 *
 * <p>Complexity: residents are kept in a tree ordered by cost, which each event updates in O(log
 * n), so a decision with k victims is O(k + log n) instead of a sort of all n residents. An access
 * to a resident with references, or to a non-resident block, is O(1).
 *
 * <p>Memory: about 140 bytes per resident plus its key, about 100 per hinted block that is not
 * resident.
 *
 * <p>Approximate: products of references and bytes saturate at {@link Long#MAX_VALUE}. The sequence
 * has no exact position, since tasks run in parallel; reference counts that decrease with the
 * observed reads stand in for it.
 *
 * <p>Source: Zhao, Qiao, Raicu, the caching middleware for distributed file systems that continues
 * HyCache, Algorithms 4 and 5; there for files, here for block replicas.
 */
final class HeuristicPolicy extends Rule<HeuristicPolicy.Entry> {

  private static final String UNIT = "references x bytes";

  /** The entry of a block that is resident, hinted, or both. */
  static final class Entry extends KnownBlock {
    /** References x size; changed only while the entry is not in the tree. */
    long cost;

    /**
     * Breaks ties in cost: the time first seen while references are known, later the time of the
     * last use without a known reference. Changed only while the entry is not in the tree.
     */
    long turn;

    private Entry(CacheKey key, long tick) {
      super(key, tick);
      this.turn = tick;
    }

    static int byCost(Entry a, Entry b) {
      int byCost = Long.compare(a.cost, b.cost);
      return byCost != 0 ? byCost : Long.compare(a.turn, b.turn);
    }
  }

  private final TreeSet<Entry> residents = new TreeSet<>(Entry::byCost);
  private final double writePrice;

  /**
   * The resident whose count has just reached 0: if the next access is to it, it is the one that
   * used up the last reference. Otherwise the reference was withdrawn or used elsewhere.
   */
  private @Nullable Entry lastOneDue;

  /** As in the paper: SSD writes cost nothing. */
  HeuristicPolicy() {
    this(0);
  }

  /**
   * @param writePrice of a byte written to SSD, in bytes read: what a fetch must gain beyond what
   *     its victims cost
   */
  HeuristicPolicy(double writePrice) {
    this.writePrice = writePrice;
  }

  @Override
  Entry entry(CacheKey key, long tick) {
    return new Entry(key, tick);
  }

  @Override
  public void onUsedWithoutAccess(CacheKey key) {
    lastOneDue = null;
  }

  @Override
  public void onAccess(Access access) {
    Entry due = lastOneDue;
    lastOneDue = null;
    Entry entry = find(access.key());
    if (entry == null || !entry.resident || entry.references > 0 || entry == due) {
      return;
    }
    residents.remove(entry);
    entry.turn = tick();
    residents.add(entry);
  }

  @Override
  public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    Entry entry = entryOf(key);
    if (entry.resident) {
      residents.remove(entry);
    }
    entry.resident = true;
    entry.sizeBytes = sizeBytes;
    entry.cost = product(entry.references, sizeBytes);
    residents.add(entry);
  }

  @Override
  public void onRemoved(CacheKey key) {
    Entry entry = find(key);
    if (entry == null || !entry.resident) {
      return;
    }
    residents.remove(entry);
    entry.resident = false;
    forgetIfIdle(entry);
  }

  @Override
  public void onReferences(CacheKey key, long remaining) {
    Entry entry = find(key);
    if (entry == null) {
      if (remaining == 0) {
        return;
      }
      entry = entryOf(key);
    }
    if (entry.resident) {
      residents.remove(entry);
      entry.references = remaining;
      entry.turn = entry.firstSeen;
      if (remaining == 0) {
        lastOneDue = entry;
      } else if (lastOneDue == entry) {
        lastOneDue = null;
      }
      entry.cost = product(remaining, entry.sizeBytes);
      residents.add(entry);
    } else {
      entry.references = remaining;
      forgetIfIdle(entry);
    }
  }

  /** Not used here; kept for a rule that takes over. */
  @Override
  public void onNextUse(CacheKey key, long atNanos) {
    Entry entry = find(key);
    if (entry == null) {
      if (atNanos == KnownBlock.NEVER) {
        return;
      }
      entry = entryOf(key);
    }
    entry.nextUse = atNanos;
    forgetIfIdle(entry);
  }

  @Override
  public int nextToGo(CacheKey[] into, int count) {
    return 0;
  }

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    Entry entry = find(candidate.key());
    if (entry != null && entry.resident) {
      return Decision.bypass(Reason.ON_SSD_CLEAN);
    }
    if (candidate.sizeBytes() > capacityBytes) {
      return Decision.bypass(Reason.TOO_LARGE);
    }
    if (candidate.referencesAfterFetch() <= 0) {
      return Decision.bypass(Reason.NO_LATER_REFERENCE);
    }
    long missingBytes = candidate.sizeBytes() - freeBytes;
    if (missingBytes <= 0) {
      return Decision.admit(List.of());
    }
    long gain = gain(candidate) - (long) (writePrice * candidate.sizeBytes());
    long costs = 0;
    List<CacheKey> victims = new ArrayList<>();
    for (Entry victim : residents) {
      costs = sum(costs, victim.cost);
      if (costs >= gain) {
        return Decision.bypass(Reason.COST_NOT_BELOW_GAIN)
            .because((double) gain, (double) costs, UNIT);
      }
      victims.add(victim.key);
      missingBytes -= victim.sizeBytes;
      if (missingBytes <= 0) {
        return Decision.admit(victims).because((double) gain, (double) costs, UNIT);
      }
    }
    return Decision.bypass(Reason.NO_ROOM);
  }

  @Override
  public Iterable<CacheKey> evictionOrder() {
    return Iterables.transform(residents, entry -> entry.key);
  }

  @Override
  public int residents() {
    return residents.size();
  }

  /** References left x size of a resident; 0 for any other block. */
  long cost(CacheKey key) {
    Entry entry = find(key);
    return entry == null || !entry.resident ? 0 : entry.cost;
  }

  /** References after its fetch position x size of a candidate. */
  static long gain(Candidate candidate) {
    return product(candidate.referencesAfterFetch(), candidate.sizeBytes());
  }

  /** a x b for a, b &gt;= 0, at most Long.MAX_VALUE. */
  private static long product(long a, long b) {
    return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
  }

  /** a + b for a, b &gt;= 0, at most Long.MAX_VALUE. */
  private static long sum(long a, long b) {
    return a + b < 0 ? Long.MAX_VALUE : a + b;
  }
}
