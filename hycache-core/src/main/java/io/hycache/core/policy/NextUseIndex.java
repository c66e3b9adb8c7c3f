package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Residents by the time of their next use, in classes of like size.
 *
 * <p>Idea: what a block is worth a byte and a second changes all the time, but among blocks of
 * about one size the one with the farthest next use is always worth least. So each class (sizes
 * between two powers of two) is a tree in order of next use, and the least worthy of all is among
 * the heads of the classes.
 *
 * <p>Complexity: O(log n) for a change; O(log n + classes) for each victim, of which classes there
 * are 64 at most and rarely more than 20. Approximate: within a class the order is that of next use
 * alone.
 */
final class NextUseIndex {
  static final long NEVER = Long.MAX_VALUE;

  /** What is known of a block that is resident, or whose next use is known, or both. */
  static final class Entry {
    final BlockKey block;

    /** Ticks; each value is given out once. */
    final long firstSeen;

    boolean resident;
    long sizeBytes;

    /** Changed only while the entry is out of the index. */
    long nextUse = NEVER;

    /** 0 to 1: how sure that is. */
    float certainty = 1;

    /** Nobody told the next use: it was concluded from earlier ones. */
    boolean guessed;

    /** How long it has been waited for, when a guess was wrong. */
    long waitNanos;

    Entry(BlockKey block, long firstSeen) {
      this.block = block;
      this.firstSeen = firstSeen;
    }
  }

  private static final Comparator<Entry> FARTHEST_FIRST =
      (a, b) -> {
        int byUse = Long.compare(b.nextUse, a.nextUse);
        return byUse != 0 ? byUse : Long.compare(a.firstSeen, b.firstSeen);
      };

  private final List<TreeSet<Entry>> classes = new ArrayList<>();
  private final boolean bySize;
  private int size;

  /**
   * @param bySize false: one class for all
   */
  NextUseIndex(boolean bySize) {
    this.bySize = bySize;
    for (int i = 0; i <= (bySize ? Long.SIZE : 0); i++) {
      classes.add(new TreeSet<>(FARTHEST_FIRST));
    }
  }

  private Set<Entry> classOf(Entry entry) {
    return classes.get(bySize ? Long.SIZE - Long.numberOfLeadingZeros(entry.sizeBytes) : 0);
  }

  void add(Entry entry) {
    classOf(entry).add(entry);
    size++;
  }

  void remove(Entry entry) {
    classOf(entry).remove(entry);
    size--;
  }

  int size() {
    return size;
  }

  /** All, in order of next use; needs one class. */
  Iterable<Entry> farthestFirst() {
    return classes.get(0);
  }

  /** The resident of this class with the nearest next use, for each class that has any. */
  void forEachNearest(Consumer<Entry> action) {
    for (TreeSet<Entry> members : classes) {
      if (!members.isEmpty()) {
        action.accept(members.last());
      }
    }
  }

  /** All, the least worthy first, by what the heads of the classes are worth. */
  Iterable<Entry> leastFirst(ToDoubleFunction<Entry> worth) {
    return () -> new Merge(worth);
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
      for (TreeSet<Entry> members : classes) {
        if (!members.isEmpty()) {
          push(members.iterator());
        }
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
