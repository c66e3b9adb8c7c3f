package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;
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
 * Keeps what is small, read often, and not too long ago: greedy dual with size and frequency.
 *
 * <p>Idea: H = L + frequency / size. The frequency counts the accesses while resident, the fetching
 * one included; L, the age, is the H of the last victim, so what is not read falls behind. The
 * smallest H goes first, of equal ones the least recently used.
 *
 * <p>Complexity: O(log n) for each event, O(k + log n) for a decision with k victims.
 *
 * <p>Memory: about 150 bytes for each resident besides its key; none for other blocks.
 *
 * <p>Where the source leaves something open: cost is 1 (it is for hit ratio); an H is set with the
 * L of its access and not changed by later victims; an empty block counts as one byte; L moves when
 * a victim of a decision leaves, not when a block is deleted.
 *
 * <p>Source: L. Cherkasova, "Improving WWW proxies performance with Greedy-Dual-Size-Frequency
 * caching policy" (HP Labs, 1998).
 */
final class GdsfPolicy implements CachePolicy {

  private static final class Entry implements Comparable<Entry> {
    final BlockKey block;
    long sizeBytes;
    long frequency = 1;
    double h;
    long lastUse;

    /** The last decision that it was a victim of. */
    long decision;

    Entry(BlockKey block) {
      this.block = block;
    }

    @Override
    public int compareTo(Entry other) {
      int byH = Double.compare(h, other.h);
      return byH != 0 ? byH : Long.compare(lastUse, other.lastUse);
    }
  }

  private final Map<BlockKey, Entry> residents = new HashMap<>();
  private final TreeSet<Entry> order = new TreeSet<>();
  private double age;
  private long ticks;
  private long decisions;

  @Override
  public void onAccess(BlockKey block, long sizeBytes, long nowNanos) {
    Entry entry = residents.get(block);
    if (entry != null) {
      order.remove(entry);
      entry.frequency++;
      rank(entry);
    }
  }

  @Override
  public void onAdmitted(BlockKey block, long sizeBytes, long nowNanos) {
    Entry entry = residents.get(block);
    if (entry == null) {
      entry = new Entry(block);
      residents.put(block, entry);
      entry.lastUse = ++ticks;
    } else {
      order.remove(entry);
      entry.sizeBytes = sizeBytes;
      entry.h = age + (double) entry.frequency / Math.max(1, sizeBytes);
      order.add(entry);
      return;
    }
    entry.sizeBytes = sizeBytes;
    rank(entry);
  }

  private void rank(Entry entry) {
    entry.lastUse = ++ticks;
    entry.h = age + (double) entry.frequency / Math.max(1, entry.sizeBytes);
    order.add(entry);
  }

  @Override
  public void onRemoved(BlockKey block) {
    Entry entry = residents.remove(block);
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
        ReadFetchPolicy.refuse(candidate, residents.containsKey(candidate.block()), capacityBytes);
    if (refused != null) {
      return refused;
    }
    List<BlockKey> chosen = new ArrayList<>();
    long missingBytes = candidate.sizeBytes() - freeBytes;
    decisions++;
    for (Iterator<Entry> it = order.iterator(); missingBytes > 0 && it.hasNext(); ) {
      Entry victim = it.next();
      chosen.add(victim.block);
      victim.decision = decisions;
      missingBytes -= victim.sizeBytes;
    }
    if (missingBytes > 0) {
      return Decision.bypass(Reason.NO_ROOM);
    }
    return Decision.admit(chosen);
  }

  @Override
  public Iterable<BlockKey> evictionOrder() {
    return () -> order.stream().map(entry -> entry.block).iterator();
  }

  @Override
  public int residents() {
    return residents.size();
  }
}
