// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.CacheKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Residents by block and in order of use, stored in arrays of integers.
 *
 * <p>Idea: with a million blocks, the cost of an operation is that of its cache misses, so the
 * fields of one resident are adjacent, in one row. A hash table with separate chaining (Knuth, The
 * Art of Computer Programming 3, section 6.4) maps blocks to rows. The order of use is an array of
 * turns that also refer to rows. A resident that is used takes a new turn at the end and leaves its
 * old turn empty, so a use changes no other resident, and the next victims are adjacent. When the
 * array is full, empty turns are compacted, or the array doubles if there are few. The last look-up
 * is cached, because a policy receives several calls about one block in a row.
 *
 * <p>Complexity: O(1) amortized per operation, plus O(namespaces) where calls alternate between
 * namespaces. Memory: 60 to 120 bytes per resident, once it has grown. Not thread-safe.
 */
final class RecencyTable {
  /** The row of a block that is not in the table. */
  static final int ABSENT = -1;

  private static final int MIN_ROWS = 16;
  private static final int MIN_TURNS = 64;

  // Layout of a row. A use needs the first two fields, which are mostly in one cache line.
  private static final int ROW_LONGS = 4;
  private static final int ID = 0;

  /** The position of its turn, and in the upper bits the number of its namespace. */
  private static final int PLACE = 1;

  /** The next row of the chain plus one, 0 at its end; for a free row the next free one. */
  private static final int NEXT = 2;

  private static final int BYTES = 3;

  private static final int NAMESPACE_SHIFT = 32;

  /**
   * By hash code: the first row of a chain plus one; 0 for an empty chain. The length is a power of
   * two.
   */
  private int[] chains = new int[2 * MIN_ROWS];

  private long[] rows = new long[MIN_ROWS * ROW_LONGS];
  private @Nullable CacheKey[] keys = new CacheKey[MIN_ROWS];

  /** Number of rows ever used; and the first free row plus one. */
  private int taken;

  private int free;
  private int size;

  /** Rows store an index into this list. There are few namespaces. */
  private final List<String> namespaces = new ArrayList<>();

  private @Nullable String recentNamespace;
  private int recentNumber = ABSENT;

  /**
   * By position: the row plus one; 0 for an empty turn. The position of a turn is its number modulo
   * the length, a power of two.
   */
  private int[] turns = new int[MIN_TURNS];

  private long head;
  private long tail;

  /** Turns before this one have been returned by {@link #soonFirst}. */
  private long returned;

  /** Namespace number of the last look-up; {@link #ABSENT} if there was none. */
  private int askedNamespace = ABSENT;

  private long askedId;
  private int answer = ABSENT;

  private final int[] soon = new int[Replay.AHEAD];

  /** Written only, so that prefetching loads are not optimized away. */
  @SuppressWarnings("UnusedVariable")
  private long looks;

  /** The row of a block, valid until it is removed, or {@link #ABSENT}. */
  int find(CacheKey key) {
    int namespace = number(key.namespace());
    if (key.id() != askedId || namespace != askedNamespace) {
      answer = look(key.id(), namespace);
      askedId = key.id();
      askedNamespace = namespace;
    }
    return answer;
  }

  /** As {@link #find}, without caching the result. */
  int findOnce(CacheKey key) {
    return look(key.id(), number(key.namespace()));
  }

  private int look(long id, int namespace) {
    if (size == 0) {
      return ABSENT;
    }
    int row = chains[CacheKey.idHash(id) & (chains.length - 1)] - 1;
    while (row >= 0 && !(rows[row * ROW_LONGS + ID] == id && namespaceOf(row) == namespace)) {
      row = (int) rows[row * ROW_LONGS + NEXT] - 1;
    }
    return row;
  }

  @SuppressWarnings("ReferenceEquality") // equal strings that are not identical
  private int number(String namespace) {
    if (namespace != recentNamespace) {
      int number = namespaces.indexOf(namespace);
      if (number < 0) {
        number = namespaces.size();
        namespaces.add(namespace);
      }
      recentNamespace = namespace;
      recentNumber = number;
    }
    return recentNumber;
  }

  private int namespaceOf(int row) {
    return (int) (rows[row * ROW_LONGS + PLACE] >>> NAMESPACE_SHIFT);
  }

  private int placeOf(int row) {
    return (int) rows[row * ROW_LONGS + PLACE];
  }

  private void setPlace(int row, int namespace, int place) {
    rows[row * ROW_LONGS + PLACE] = ((long) namespace << NAMESPACE_SHIFT) | place;
  }

  /** Appends a block that is not in the table. */
  void add(CacheKey key, long sizeBytes) {
    int row = free - 1;
    if (row >= 0) {
      free = (int) rows[row * ROW_LONGS + NEXT];
    } else {
      if (taken == keys.length) {
        grow();
      }
      row = taken++;
    }
    size++;
    keys[row] = key;
    rows[row * ROW_LONGS + ID] = key.id();
    rows[row * ROW_LONGS + BYTES] = sizeBytes;
    chain(row);
    askedId = key.id();
    askedNamespace = number(key.namespace());
    answer = row;
    takeTurn(row, askedNamespace);
  }

  private void chain(int row) {
    int chain = CacheKey.idHash(rows[row * ROW_LONGS + ID]) & (chains.length - 1);
    rows[row * ROW_LONGS + NEXT] = chains[chain];
    chains[chain] = row + 1;
  }

  /** Grows the table when all rows are in use. */
  private void grow() {
    keys = Arrays.copyOf(keys, 2 * taken);
    rows = Arrays.copyOf(rows, 2 * taken * ROW_LONGS);
    chains = new int[4 * taken];
    for (int row = 0; row < taken; row++) {
      chain(row);
    }
  }

  /** Moves a resident to the end of the order. */
  void use(int row) {
    turns[placeOf(row)] = 0;
    takeTurn(row, namespaceOf(row));
  }

  private void takeTurn(int row, int namespace) {
    if (tail - head == turns.length) {
      squeeze(4 * size > turns.length ? 2 * turns.length : turns.length);
    }
    int place = place(tail++);
    setPlace(row, namespace, place);
    turns[place] = row + 1;
  }

  private void squeeze(int length) {
    int[] squeezed = new int[length];
    int count = 0;
    for (long turn = head; turn < tail; turn++) {
      int there = turns[place(turn)];
      if (there != 0) {
        setPlace(there - 1, namespaceOf(there - 1), count);
        squeezed[count++] = there;
      }
    }
    turns = squeezed;
    head = 0;
    returned = 0;
    tail = count;
  }

  private int place(long turn) {
    return (int) turn & (turns.length - 1);
  }

  long sizeBytes(int row) {
    return rows[row * ROW_LONGS + BYTES];
  }

  void setSizeBytes(int row, long sizeBytes) {
    rows[row * ROW_LONGS + BYTES] = sizeBytes;
  }

  CacheKey key(int row) {
    return Objects.requireNonNull(keys[row]);
  }

  void remove(int row) {
    turns[placeOf(row)] = 0;
    unchain(row);
    keys[row] = null;
    rows[row * ROW_LONGS + NEXT] = free;
    free = row + 1;
    size--;
    if (row == answer) {
      answer = ABSENT;
    }
  }

  private void unchain(int row) {
    int next = (int) rows[row * ROW_LONGS + NEXT];
    int chain = CacheKey.idHash(rows[row * ROW_LONGS + ID]) & (chains.length - 1);
    int before = chains[chain] - 1;
    if (before == row) {
      chains[chain] = next;
      return;
    }
    while ((int) rows[before * ROW_LONGS + NEXT] - 1 != row) {
      before = (int) rows[before * ROW_LONGS + NEXT] - 1;
    }
    rows[before * ROW_LONGS + NEXT] = next;
  }

  int size() {
    return size;
  }

  /** The residents in order of use. */
  ReadFetchPolicy.Order order() {
    while (head < tail && turns[place(head)] == 0) {
      head++;
    }
    return new ReadFetchPolicy.Order() {
      private long next = head;
      private int row = ABSENT;

      @Override
      public boolean next() {
        row = ABSENT;
        while (next < tail && row == ABSENT) {
          row = turns[place(next++)] - 1;
        }
        return row != ABSENT;
      }

      @Override
      public CacheKey key() {
        return RecencyTable.this.key(row);
      }

      @Override
      public long sizeBytes() {
        return RecencyTable.this.sizeBytes(row);
      }
    };
  }

  /**
   * Prefetches the memory that a use of these blocks will read, see {@link BlockMap#warm}.
   *
   * @param count number of blocks, &lt;= {@link Replay#AHEAD}
   * @return meaningless; use it, so that the loads are not optimized away
   */
  int warm(CacheKey[] soonUsed, int count) {
    int seen = 0;
    for (int i = 0; i < count; i++) {
      soon[i] = chains[soonUsed[i].idHash() & (chains.length - 1)];
    }
    for (int i = 0; i < count; i++) {
      // For an empty chain load row 0, which is cheap.
      int row = Math.max(0, soon[i] - 1);
      seen += (int) rows[row * ROW_LONGS + ID];
      soon[i] = placeOf(row);
    }
    for (int i = 0; i < count; i++) {
      seen += turns[soon[i]];
    }
    return seen;
  }

  /** Returns first residents not returned before, for {@link Warmable#nextToGo}. */
  int soonFirst(CacheKey[] into, int count) {
    int found = 0;
    returned = Math.max(returned, head);
    for (long end = Math.min(tail, head + 2L * count);
        returned < end && found < count;
        returned++) {
      // Empty turns are unpredictable, so a branch would cost more than a superfluous store.
      int there = turns[place(returned)];
      soon[found] = there - 1;
      found += there == 0 ? 0 : 1;
    }
    long seen = 0;
    for (int i = 0; i < found; i++) {
      CacheKey key = keys[soon[i]];
      seen += rows[soon[i] * ROW_LONGS + BYTES];
      if (key != null) {
        into[i] = key;
      }
    }
    looks += seen;
    return found;
  }
}
