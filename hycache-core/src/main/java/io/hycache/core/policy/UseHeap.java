package io.hycache.core.policy;

import com.google.common.collect.AbstractIterator;
import io.hycache.core.model.BlockKey;
import io.hycache.core.policy.NextUseIndex.Entry;
import java.util.Arrays;
import java.util.Iterator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Entries by the time of their next use: a heap in which every entry knows its place, so that any
 * can be taken out. Entries of equal times stand in the order in which they were first seen when
 * the farthest comes first, and the other way round when the nearest does.
 *
 * <p>Four children a node, the times in an array of their own: a step down reads one or two lines
 * of memory, where a tree's reads two entries that lie anywhere (LaMarca, Ladner, "The influence of
 * caches on the performance of heaps", JEA 1 (1996), section 4).
 *
 * <p>Complexity: O(log n) for a change, the k-th in order O(log k) behind the one before. Memory:
 * 12 to 24 bytes an entry.
 */
final class UseHeap implements Iterable<Entry> {
  private static final int WAYS = 4;
  private static final int LEAST = 16;

  private final boolean farthestFirst;
  private long[] times = new long[LEAST];
  private @Nullable Entry[] entries = new Entry[LEAST];
  private int size;

  UseHeap(boolean farthestFirst) {
    this.farthestFirst = farthestFirst;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The first in order; null if it is empty. */
  @Nullable Entry first() {
    return size == 0 ? null : entries[0];
  }

  /** Some of the first, see {@link Warmable#nextToGo}. */
  int near(BlockKey[] into, int count) {
    int found = Math.min(count, size);
    for (int place = 0; place < found; place++) {
      into[place] = at(place).block;
    }
    return found;
  }

  void add(Entry entry) {
    if (size == entries.length) {
      times = Arrays.copyOf(times, 2 * size);
      entries = Arrays.copyOf(entries, 2 * size);
    }
    rise(size++, entry);
  }

  void remove(Entry entry) {
    int hole = farthestFirst ? entry.placeAsFarthest : entry.placeAsNearest;
    Entry last = at(--size);
    entries[size] = null;
    if (hole < size) {
      sink(hole, last);
    }
  }

  /** The next use of one that is in here changed. */
  void moved(Entry entry) {
    sink(farthestFirst ? entry.placeAsFarthest : entry.placeAsNearest, entry);
  }

  private Entry at(int place) {
    Entry entry = entries[place];
    if (entry == null) {
      throw new IllegalStateException("nobody is at " + place);
    }
    return entry;
  }

  private boolean isBefore(long time, Entry entry, int place) {
    if (time != times[place]) {
      return time > times[place] == farthestFirst;
    }
    return entry.firstSeen < at(place).firstSeen == farthestFirst;
  }

  private void put(int place, Entry entry, long time) {
    times[place] = time;
    entries[place] = entry;
    if (farthestFirst) {
      entry.placeAsFarthest = place;
    } else {
      entry.placeAsNearest = place;
    }
  }

  private void rise(int from, Entry entry) {
    long time = entry.nextUse;
    int place = from;
    while (place > 0) {
      int parent = (place - 1) / WAYS;
      if (!isBefore(time, entry, parent)) {
        break;
      }
      put(place, at(parent), times[parent]);
      place = parent;
    }
    put(place, entry, time);
  }

  /** To its place from a hole: down along the first children, or up. */
  private void sink(int hole, Entry entry) {
    long time = entry.nextUse;
    int place = hole;
    int child = firstChild(place);
    while (child >= 0 && !isBefore(time, entry, child)) {
      put(place, at(child), times[child]);
      place = child;
      child = firstChild(place);
    }
    rise(place, entry);
  }

  /** The child that comes first; -1: it has none. */
  private int firstChild(int place) {
    int first = place * WAYS + 1;
    if (first >= size) {
      return -1;
    }
    int best = first;
    int end = Math.min(size, first + WAYS);
    for (int child = first + 1; child < end; child++) {
      if (isBefore(times[child], at(child), best)) {
        best = child;
      }
    }
    return best;
  }

  /** In order, as long as nothing changes. */
  @Override
  public Iterator<Entry> iterator() {
    return new AbstractIterator<Entry>() {
      private int last = -1;
      private @Nullable PriorityQueue<Integer> front;

      @Override
      protected @Nullable Entry computeNext() {
        if (last < 0) {
          last = 0;
          return size == 0 ? endOfData() : entries[0];
        }
        PriorityQueue<Integer> places = front;
        if (places == null) {
          places = new PriorityQueue<>((a, b) -> isBefore(times[a], at(a), b) ? -1 : 1);
          front = places;
        }
        int end = Math.min(size, last * WAYS + 1 + WAYS);
        for (int child = last * WAYS + 1; child < end; child++) {
          places.add(child);
        }
        @Nullable Integer next = places.poll();
        if (next == null) {
          return endOfData();
        }
        last = next;
        return entries[last];
      }
    };
  }
}
