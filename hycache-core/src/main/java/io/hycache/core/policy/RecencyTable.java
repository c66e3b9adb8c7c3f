package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Residents by block and in order of use, as numbers only.
 *
 * <p>Idea: with a million blocks a step is as long as the memory takes to answer, so what a step
 * needs of one resident stands side by side, in one row; a hash table with separate chaining
 * (Knuth, The Art of Computer Programming 3, section 6.4) names rows. Turns in an array, one behind
 * the other, name rows, too. Who takes a new turn leaves the old one empty, so a use changes
 * nothing of any other resident, and those that go first stand side by side. When the array is
 * full, the empty turns are squeezed out, or it doubles if there are not many. As a policy is told
 * several things about one block in a row, the last answer is kept.
 *
 * <p>Complexity: each step O(1) amortized; O(pools) besides where several are mixed. Memory: 60 to
 * 120 bytes for each resident, once it has grown. Owned by one thread.
 */
final class RecencyTable {
  /** No row: the block isn't in here. */
  static final int ABSENT = -1;

  private static final int LEAST = 16;
  private static final int LEAST_TURNS = 64;

  // A row: where in it what stands. A use needs the first two, which are mostly in one cache line.
  private static final int ROW = 4;
  private static final int ID = 0;

  /** The place of the turn, and above it the number of the pool. */
  private static final int PLACE = 1;

  /** The next row of the chain and one more, 0 at its end; of a row that is free the next free. */
  private static final int NEXT = 2;

  private static final int BYTES = 3;

  private static final int POOL_SHIFT = 32;

  /** By hash code: the first row of a chain and one more, 0: none. The length is a power of two. */
  private int[] chains = new int[2 * LEAST];

  private long[] rows = new long[LEAST * ROW];
  private @Nullable BlockKey[] blocks = new BlockKey[LEAST];

  /** Rows that were ever taken, and the first that is free again and one more. */
  private int taken;

  private int free;
  private int size;

  /** There are few; a row has its pool's index in here. */
  private final List<String> pools = new ArrayList<>();

  private @Nullable String recentPool;
  private int recentNumber = ABSENT;

  /**
   * By place: the row and one more; 0: nobody has this turn. A turn's place is its number modulo
   * the length, a power of two.
   */
  private int[] turns = new int[LEAST_TURNS];

  private long head;
  private long tail;

  /** Up to this turn {@link #soonFirst} has told all. */
  private long told;

  /** What was asked for last, and its row; nothing yet: a pool's number that there isn't. */
  private int askedPool = ABSENT;

  private long askedId;
  private int answer = ABSENT;

  private final int[] soon = new int[Replay.AHEAD];

  /** Only written, so that looks are not optimized away. */
  @SuppressWarnings("UnusedVariable")
  private long looks;

  /** The row of a block until it is removed, or {@link #ABSENT}. */
  int find(BlockKey block) {
    int pool = number(block.pool());
    if (block.id() != askedId || pool != askedPool) {
      answer = look(block.id(), pool);
      askedId = block.id();
      askedPool = pool;
    }
    return answer;
  }

  /** The same for one that isn't asked for again. */
  int findOnce(BlockKey block) {
    return look(block.id(), number(block.pool()));
  }

  private int look(long id, int pool) {
    int row = chains[BlockKey.idHash(id) & (chains.length - 1)] - 1;
    while (row >= 0 && !(rows[row * ROW + ID] == id && poolOf(row) == pool)) {
      row = (int) rows[row * ROW + NEXT] - 1;
    }
    return row;
  }

  @SuppressWarnings("ReferenceEquality") // equal ones are found as well
  private int number(String pool) {
    if (pool != recentPool) {
      int number = pools.indexOf(pool);
      if (number < 0) {
        number = pools.size();
        pools.add(pool);
      }
      recentPool = pool;
      recentNumber = number;
    }
    return recentNumber;
  }

  private int poolOf(int row) {
    return (int) (rows[row * ROW + PLACE] >>> POOL_SHIFT);
  }

  private int placeOf(int row) {
    return (int) rows[row * ROW + PLACE];
  }

  private void setPlace(int row, int pool, int place) {
    rows[row * ROW + PLACE] = ((long) pool << POOL_SHIFT) | place;
  }

  /** Puts a block behind all others that isn't in here. */
  void add(BlockKey block, long sizeBytes) {
    int row = free - 1;
    if (row >= 0) {
      free = (int) rows[row * ROW + NEXT];
    } else {
      if (taken == blocks.length) {
        grow();
      }
      row = taken++;
    }
    size++;
    blocks[row] = block;
    rows[row * ROW + ID] = block.id();
    rows[row * ROW + BYTES] = sizeBytes;
    chain(row);
    askedId = block.id();
    askedPool = number(block.pool());
    answer = row;
    takeTurn(row, askedPool);
  }

  private void chain(int row) {
    int chain = BlockKey.idHash(rows[row * ROW + ID]) & (chains.length - 1);
    rows[row * ROW + NEXT] = chains[chain];
    chains[chain] = row + 1;
  }

  /** All rows are taken. */
  private void grow() {
    blocks = Arrays.copyOf(blocks, 2 * taken);
    rows = Arrays.copyOf(rows, 2 * taken * ROW);
    chains = new int[4 * taken];
    for (int row = 0; row < taken; row++) {
      chain(row);
    }
  }

  /** Puts a resident behind all others. */
  void use(int row) {
    turns[placeOf(row)] = 0;
    takeTurn(row, poolOf(row));
  }

  private void takeTurn(int row, int pool) {
    if (tail - head == turns.length) {
      squeeze(4 * size > turns.length ? 2 * turns.length : turns.length);
    }
    int place = place(tail++);
    setPlace(row, pool, place);
    turns[place] = row + 1;
  }

  private void squeeze(int length) {
    int[] squeezed = new int[length];
    int count = 0;
    for (long turn = head; turn < tail; turn++) {
      int there = turns[place(turn)];
      if (there != 0) {
        setPlace(there - 1, poolOf(there - 1), count);
        squeezed[count++] = there;
      }
    }
    turns = squeezed;
    head = 0;
    told = 0;
    tail = count;
  }

  private int place(long turn) {
    return (int) turn & (turns.length - 1);
  }

  void setSizeBytes(int row, long sizeBytes) {
    rows[row * ROW + BYTES] = sizeBytes;
  }

  void remove(int row) {
    turns[placeOf(row)] = 0;
    unchain(row);
    blocks[row] = null;
    rows[row * ROW + NEXT] = free;
    free = row + 1;
    size--;
    if (row == answer) {
      answer = ABSENT;
    }
  }

  private void unchain(int row) {
    int next = (int) rows[row * ROW + NEXT];
    int chain = BlockKey.idHash(rows[row * ROW + ID]) & (chains.length - 1);
    int before = chains[chain] - 1;
    if (before == row) {
      chains[chain] = next;
      return;
    }
    while ((int) rows[before * ROW + NEXT] - 1 != row) {
      before = (int) rows[before * ROW + NEXT] - 1;
    }
    rows[before * ROW + NEXT] = next;
  }

  int size() {
    return size;
  }

  /** Those in here in order of use. */
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
      public BlockKey block() {
        return Objects.requireNonNull(blocks[row]);
      }

      @Override
      public long sizeBytes() {
        return rows[row * ROW + BYTES];
      }
    };
  }

  /**
   * Looks at what a use of these blocks will look at, see {@link BlockMap#warm}.
   *
   * @param count how many of the blocks, &lt;= {@link Replay#AHEAD}
   * @return means nothing; to be used, so that no look is optimized away
   */
  int warm(BlockKey[] soonUsed, int count) {
    int seen = 0;
    for (int i = 0; i < count; i++) {
      soon[i] = chains[soonUsed[i].idHash() & (chains.length - 1)];
    }
    for (int i = 0; i < count; i++) {
      // Of no chain the first row, which costs nothing.
      int row = Math.max(0, soon[i] - 1);
      seen += (int) rows[row * ROW + ID];
      soon[i] = placeOf(row);
    }
    for (int i = 0; i < count; i++) {
      seen += turns[soon[i]];
    }
    return seen;
  }

  /** The first ones that were not told before, for {@link Warmable#nextToGo}. */
  int soonFirst(BlockKey[] into, int count) {
    int found = 0;
    told = Math.max(told, head);
    for (long end = Math.min(tail, head + 2L * count); told < end && found < count; told++) {
      // Which are empty can't be foreseen, so that a branch would cost more than a store too many.
      int there = turns[place(told)];
      soon[found] = there - 1;
      found += there == 0 ? 0 : 1;
    }
    long seen = 0;
    for (int i = 0; i < found; i++) {
      BlockKey block = blocks[soon[i]];
      seen += rows[soon[i] * ROW + BYTES];
      if (block != null) {
        into[i] = block;
      }
    }
    looks += seen;
    return found;
  }
}
