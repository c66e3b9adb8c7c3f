// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Greedy-Dual-Size-Frequency: prefers small blocks that are read often and recently.
 *
 * <p>Idea: H = L + frequency / size. The frequency counts accesses while resident, including the
 * one that caused the fetch. L, the age, is the H of the last victim, so blocks that are not read
 * fall behind. The smallest H is evicted first; ties go to the least recently used.
 *
 * <p>Arithmetic: H is a sum of fractions, and sums that are equal are ties, such as 1/10 + 1/5 and
 * 3/10; in floating point their order would be that of rounding errors. So H is a whole number of
 * 2^-256, compared after rounding to 2^-128. The rounding errors of a sum are below 2^-216 after
 * 2^40 accesses, so equal sums are ties (but for a chance of 2^-88), and sums that differ by 2^-127
 * or more are not.
 *
 * <p>Complexity: O(log n) per event, O(k + log n) for a decision with k victims.
 *
 * <p>Memory: about 300 bytes per resident plus its key; none for other blocks.
 *
 * <p>Choices where the source is silent: the cost is 1, which optimizes the hit ratio. H is
 * computed with the L at its access and not changed by later victims. An empty block counts as one
 * byte. L advances when a victim of a decision is removed, not when a block is deleted.
 *
 * <p>Source: L. Cherkasova, "Improving WWW proxies performance with Greedy-Dual-Size-Frequency
 * caching policy" (HP Labs, 1998).
 */
final class GdsfPolicy implements CachePolicy {

  private static final BigInteger ONE = BigInteger.ONE.shiftLeft(256);

  /** Errors make a sum smaller. With this added, equal sums fall on the same side of a rounding. */
  private static final BigInteger MAX_ERROR = BigInteger.ONE.shiftLeft(40);

  private static final int COMPARED_FROM_BIT = 128;

  private static final class Entry implements Comparable<Entry> {
    final CacheKey key;
    long sizeBytes;
    long frequency = 1;

    /** In units of 2^-256. */
    BigInteger h = BigInteger.ZERO;

    /** {@link #h} as it is compared. */
    BigInteger rank = BigInteger.ZERO;

    long lastUse;

    /** Number of the last decision that chose it as a victim. */
    long decision;

    Entry(CacheKey key) {
      this.key = key;
    }

    @Override
    public int compareTo(Entry other) {
      int byH = rank.compareTo(other.rank);
      return byH != 0 ? byH : Long.compare(lastUse, other.lastUse);
    }

    void setH(BigInteger age) {
      h =
          age.add(
              ONE.divide(BigInteger.valueOf(Math.max(1, sizeBytes)))
                  .multiply(BigInteger.valueOf(frequency)));
      rank = h.add(MAX_ERROR).shiftRight(COMPARED_FROM_BIT);
    }
  }

  private final Map<CacheKey, Entry> residents = new HashMap<>();
  private final TreeSet<Entry> order = new TreeSet<>();
  private BigInteger age = BigInteger.ZERO;
  private long ticks;
  private long decisions;

  @Override
  public void onAccess(Access access) {
    Entry entry = residents.get(access.key());
    if (entry != null) {
      order.remove(entry);
      entry.frequency++;
      rank(entry);
    }
  }

  @Override
  public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    Entry entry = residents.get(key);
    if (entry == null) {
      entry = new Entry(key);
      residents.put(key, entry);
      entry.lastUse = ++ticks;
    } else {
      order.remove(entry);
      entry.sizeBytes = sizeBytes;
      entry.setH(age);
      order.add(entry);
      return;
    }
    entry.sizeBytes = sizeBytes;
    rank(entry);
  }

  private void rank(Entry entry) {
    entry.lastUse = ++ticks;
    entry.setH(age);
    order.add(entry);
  }

  @Override
  public void onRemoved(CacheKey key) {
    Entry entry = residents.remove(key);
    if (entry != null) {
      order.remove(entry);
      if (decisions > 0 && entry.decision == decisions) {
        age = entry.h;
      }
    }
  }

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    Decision refused =
        ReadFetchPolicy.refuse(candidate, residents.containsKey(candidate.key()), capacityBytes);
    if (refused != null) {
      return refused;
    }
    List<CacheKey> chosen = new ArrayList<>();
    long missingBytes = candidate.sizeBytes() - freeBytes;
    decisions++;
    for (Iterator<Entry> it = order.iterator(); missingBytes > 0 && it.hasNext(); ) {
      Entry victim = it.next();
      chosen.add(victim.key);
      victim.decision = decisions;
      missingBytes -= victim.sizeBytes;
    }
    if (missingBytes > 0) {
      return Decision.bypass(Reason.NO_ROOM);
    }
    return Decision.admit(chosen);
  }

  @Override
  public Iterable<CacheKey> evictionOrder() {
    return () -> order.stream().map(entry -> entry.key).iterator();
  }

  @Override
  public int residents() {
    return residents.size();
  }
}
