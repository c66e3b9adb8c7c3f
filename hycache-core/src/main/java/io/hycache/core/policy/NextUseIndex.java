package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Residents by the time of their next use, in classes of like size.
 *
 * <p>Idea: what a block is worth a byte and a second changes all the time, but among blocks of
 * about one size the one with the farthest next use is always worth least. So each class (sizes
 * between two powers of two) is a heap in order of next use, and the least worthy of all is among
 * the heads of the classes.
 *
 * <p>Complexity: O(log n) for a change; O(log n + classes) for each victim, of which classes there
 * are 64 at most and rarely more than 20. Approximate: within a class the order is that of next use
 * alone.
 */
final class NextUseIndex {
  /** What is known of a block that is resident, or whose next use is known, or both. */
  static final class Entry extends KnownBlock {
    // The size is changed only while the entry is out of the index; of another next use it is told.

    /** 0 to 1: how sure the next use is. */
    float certainty = 1;

    /** Nobody told the next use: it was concluded from earlier ones. */
    boolean guessed;

    /** How long it has been waited for, when a guess was wrong. */
    long waitNanos;

    /** Where it stands in the heaps of its class. */
    int placeAsFarthest;

    int placeAsNearest;

    Entry(BlockKey block, long firstSeen) {
      super(block, firstSeen);
    }

    @Override
    long toldNextUse() {
      return guessed ? NEVER : nextUse;
    }
  }

  private final boolean bySize;
  private final boolean alsoNearest;
  private final UseHeap[] farthest;
  private final UseHeap[] nearest;

  /** A bit for each class that has any. */
  private long used;

  private int size;

  /**
   * @param bySize false: one class for all
   * @param alsoNearest whether {@link #forEachNearest} will be asked
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

  /** The next use of one that is in here changed. */
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

  /** All, in order of next use; needs one class. */
  Iterable<Entry> farthestFirst() {
    return farthest[0];
  }

  /** See {@link Warmable#nextToGo}; of the class of the smallest only. */
  int nextToGo(BlockKey[] into, int count) {
    return used == 0 ? 0 : farthest[Long.numberOfTrailingZeros(used)].near(into, count);
  }

  /** The resident of this class with the nearest next use, for each class that has any. */
  void forEachNearest(Consumer<Entry> action) {
    for (long left = used; left != 0; left &= left - 1) {
      Entry first = nearest[Long.numberOfTrailingZeros(left)].first();
      if (first != null) {
        action.accept(first);
      }
    }
  }

  /** All, the least worthy first, by what the heads of the classes are worth. */
  Iterable<Entry> leastFirst(ToDoubleFunction<Entry> worth) {
    // Of one class the worth is not asked.
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
