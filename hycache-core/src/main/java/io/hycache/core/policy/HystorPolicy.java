// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Keeps blocks that are read often in small requests, which HDDs serve worst.
 *
 * <p>Idea: each request adds b = 2^max(0, 7 - floor(log2 N)) to the sum of its block, where N is
 * the number of 512-byte sectors requested: 128 for one sector, 64 for two, 1 for 64 KB and more.
 * The sums of all blocks, resident or not, are kept in a compact table. A candidate is fetched if
 * its sum is larger than that of each victim; the smallest sums are evicted first, ties go to the
 * least recently used.
 *
 * <p>Complexity: O(log n) per event, O(k + log n) for a decision with k victims.
 *
 * <p>Memory: 16 bytes per slot of the table, which has 1.5 to 3 slots per remembered block; about
 * 150 per resident plus its key.
 *
 * <p>Choices where the source is silent. <em>Ageing</em>: sums are halved after every 16 accesses
 * per resident (at least 16,384 accesses); instead of halving all sums, the amount added is
 * doubled. <em>Migration threshold</em>: none while there is room, otherwise the sums of the
 * victims. A table with more than four times as many entries as residents (at least 65,536) drops
 * the lower half of its sums.
 *
 * <p>Source: F. Chen, D. Koufaty, X. Zhang, "Hystor: making the best use of solid state drives in
 * high performance storage systems" (ICS'11), sections 3 and 4.1.
 */
final class HystorPolicy implements CachePolicy {
  private static final int SECTOR_BYTES = 512;
  private static final int HIGHEST_POWER = 7;
  private static final long MIN_HALF_LIFE_ACCESSES = 16_384;
  private static final int HALF_LIFE_ACCESSES_PER_RESIDENT = 16;
  private static final int MIN_TABLE_ENTRIES = 65_536;
  private static final double MAX_UNIT = 1e200;

  private static final class Entry implements Comparable<Entry> {
    final CacheKey key;
    long sizeBytes;
    double sum;
    long lastUse;

    Entry(CacheKey key, long lastUse) {
      this.key = key;
      this.lastUse = lastUse;
    }

    @Override
    public int compareTo(Entry other) {
      int bySum = Double.compare(sum, other.sum);
      return bySum != 0 ? bySum : Long.compare(lastUse, other.lastUse);
    }
  }

  private final Map<CacheKey, Entry> residents = new HashMap<>();
  private final TreeSet<Entry> order = new TreeSet<>();
  private final SumTable sums = new SumTable();
  private double unit = 1;
  private long accesses;
  private long ticks;

  /** The amount that a request adds to the sum of its block. */
  static int inverseBitmap(long requestBytes) {
    long sectors = Math.max(1, (requestBytes + SECTOR_BYTES - 1) / SECTOR_BYTES);
    int log2 = 63 - Long.numberOfLeadingZeros(sectors);
    return 1 << Math.max(0, HIGHEST_POWER - log2);
  }

  @Override
  public void onAccess(Access access) {
    int b = access.requests() * inverseBitmap(access.requestBytes() / access.requests());
    age();
    double sum = sums.add(access.key(), b * unit);
    Entry entry = residents.get(access.key());
    if (entry != null) {
      order.remove(entry);
      entry.sum = sum;
      entry.lastUse = ++ticks;
      order.add(entry);
    }
    if (sums.size() > Math.max(MIN_TABLE_ENTRIES, 4L * residents.size())) {
      sums.forgetLowerHalf();
    }
  }

  private void age() {
    if (++accesses
        < Math.max(
            MIN_HALF_LIFE_ACCESSES, (long) HALF_LIFE_ACCESSES_PER_RESIDENT * residents.size())) {
      return;
    }
    accesses = 0;
    unit *= 2;
    if (unit > MAX_UNIT) {
      double by = 1 / unit;
      unit = 1;
      sums.scale(by);
      List<Entry> all = new ArrayList<>(order);
      order.clear();
      for (Entry entry : all) {
        entry.sum *= by;
        order.add(entry);
      }
    }
  }

  @Override
  public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    Entry entry = residents.get(key);
    if (entry == null) {
      entry = new Entry(key, ++ticks);
      entry.sum = sums.get(key);
      residents.put(key, entry);
      order.add(entry);
    }
    entry.sizeBytes = sizeBytes;
  }

  @Override
  public void onRemoved(CacheKey key) {
    Entry entry = residents.remove(key);
    if (entry != null) {
      order.remove(entry);
    }
  }

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    Decision refused =
        ReadFetchPolicy.refuse(candidate, residents.containsKey(candidate.key()), capacityBytes);
    if (refused != null) {
      return refused;
    }
    long missingBytes = candidate.sizeBytes() - freeBytes;
    List<CacheKey> victims = new ArrayList<>();
    double sum = sums.get(candidate.key());
    for (Iterator<Entry> it = order.iterator(); missingBytes > 0 && it.hasNext(); ) {
      Entry victim = it.next();
      if (victim.sum >= sum) {
        return Decision.bypass(Reason.COST_NOT_BELOW_GAIN);
      }
      victims.add(victim.key);
      missingBytes -= victim.sizeBytes;
    }
    return missingBytes > 0 ? Decision.bypass(Reason.NO_ROOM) : Decision.admit(victims);
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
