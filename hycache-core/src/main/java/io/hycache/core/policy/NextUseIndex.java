// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.CacheKey;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Residents by the time of their next use, in classes of similar size.
 *
 * <p>Idea: a block's value per byte and second changes all the time, but among blocks of about the
 * same size, the one with the farthest next use always has the lowest value. So each class (sizes
 * between two powers of two) is a heap ordered by next use, and the least valuable resident is
 * among the heads of the classes.
 *
 * <p>Complexity: O(log n) per change; O(log n + classes) per victim, with at most 64 classes and
 * rarely more than 20. Approximate: within a class the order is that of next use alone.
 */
final class NextUseIndex {
  /** The entry of a block that is resident, has a known next use, or both. */
  static final class Entry extends KnownBlock {
    // The size changes only while the entry is not in the index; call moved() after a change
    // of the next use.

    /** Probability of the next use, 0 to 1. */
    float certainty = 1;

    /** Announced time of the next use; {@link #NEVER} if there is none. */
    long announcedAt = NEVER;

    /** Time from the announcement until the announced use. */
    long announcedWait;

    /** An announcement was made at some time. */
    boolean hinted;

    /** Estimated time of the next use; {@link #NEVER} if there is none. */
    long estimatedAt = NEVER;

    /** Time from the estimate until the estimated use; doubled when an estimate is overdue. */
    long estimatedWait;

    /** Probability of the estimated use, 0 to 1. */
    float estimatedCertainty;

    /** Position in the heaps of its class. */
    int placeAsFarthest;

    int placeAsNearest;

    Entry(CacheKey key, long firstSeen) {
      super(key, firstSeen);
    }

    @Override
    long announcedNextUse() {
      return announcedAt;
    }
  }

  private final boolean bySize;
  private final boolean alsoNearest;
  private final UseHeap[] farthest;
  private final UseHeap[] nearest;

  /** One bit per non-empty class. */
  private long used;

  private int size;

  /**
   * @param bySize false: one class for all sizes
   * @param alsoNearest whether {@link #forEachNearest} will be called
   */
  NextUseIndex(boolean bySize, boolean alsoNearest) {
    this.bySize = bySize;
    this.alsoNearest = alsoNearest;
    farthest = new UseHeap[bySize ? Long.SIZE : 1];
    nearest = new UseHeap[alsoNearest ? farthest.length : 0];
    for (int i = 0; i < farthest.length; i++) {
      farthest[i] = new UseHeap(true);
      if (alsoNearest) {
        nearest[i] = new UseHeap(false);
      }
    }
  }

  private int classOf(Entry entry) {
    return bySize ? Long.SIZE - Long.numberOfLeadingZeros(entry.sizeBytes) : 0;
  }

  void add(Entry entry) {
    int c = classOf(entry);
    farthest[c].add(entry);
    if (alsoNearest) {
      nearest[c].add(entry);
    }
    used |= 1L << c;
    size++;
  }

  void remove(Entry entry) {
    int c = classOf(entry);
    farthest[c].remove(entry);
    if (alsoNearest) {
      nearest[c].remove(entry);
    }
    if (farthest[c].isEmpty()) {
      used &= ~(1L << c);
    }
    size--;
  }

  /** Restores the order after the next use of an entry in the index changed. */
  void moved(Entry entry) {
    int c = classOf(entry);
    farthest[c].moved(entry);
    if (alsoNearest) {
      nearest[c].moved(entry);
    }
  }

  int size() {
    return size;
  }

  /** All entries in order of next use; requires a single class. */
  Iterable<Entry> farthestFirst() {
    return farthest[0];
  }

  /** See {@link Warmable#nextToGo}; covers the class of the smallest blocks only. */
  int nextToGo(CacheKey[] into, int count) {
    return used == 0 ? 0 : farthest[Long.numberOfTrailingZeros(used)].near(into, count);
  }

  /** Visits the resident with the nearest next use of each non-empty class. */
  void forEachNearest(Consumer<Entry> action) {
    for (long left = used; left != 0; left &= left - 1) {
      Entry first = nearest[Long.numberOfTrailingZeros(left)].first();
      if (first != null) {
        action.accept(first);
      }
    }
  }

  /** All entries, the least valuable first, comparing the heads of the classes. */
  Iterable<Entry> leastFirst(ToDoubleFunction<Entry> worth) {
    // With a single class no comparison is needed.
    return () ->
        Long.bitCount(used) == 1
            ? farthest[Long.numberOfTrailingZeros(used)].iterator()
            : new Merge(worth);
  }

  private static final class Head {
    final Entry entry;
    final double worth;
    final Iterator<Entry> rest;

    Head(Entry entry, double worth, Iterator<Entry> rest) {
      this.entry = entry;
      this.worth = worth;
      this.rest = rest;
    }
  }

  private final class Merge implements Iterator<Entry> {
    private final ToDoubleFunction<Entry> worth;
    private final PriorityQueue<Head> heads =
        new PriorityQueue<>(
            Comparator.<Head>comparingDouble(h -> h.worth)
                .thenComparingLong(h -> h.entry.firstSeen));

    Merge(ToDoubleFunction<Entry> worth) {
      this.worth = worth;
      for (long left = used; left != 0; left &= left - 1) {
        push(farthest[Long.numberOfTrailingZeros(left)].iterator());
      }
    }

    private void push(Iterator<Entry> members) {
      if (members.hasNext()) {
        Entry entry = members.next();
        heads.add(new Head(entry, worth.applyAsDouble(entry), members));
      }
    }

    @Override
    public boolean hasNext() {
      return !heads.isEmpty();
    }

    @Override
    public Entry next() {
      @Nullable Head head = heads.poll();
      if (head == null) {
        throw new NoSuchElementException();
      }
      push(head.rest);
      return head.entry;
    }
  }
}
