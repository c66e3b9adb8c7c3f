// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static io.hycache.core.policy.BlockKinds.AGES;

import io.hycache.core.model.CacheKey;
import io.hycache.core.policy.BlockKinds.Kind;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that {@link HitDensityPolicy} remembers, in the order of their last reads, and the
 * groups of residents of one kind and age, the one of lowest rank first.
 *
 * <p>Idea: ageing concerns every block many times, so it must not touch the blocks. A read appends
 * an entry of 8 bytes with its time, the kind, and whether the block is resident, to one array.
 * Blocks of one age are neighbors there; between two ages is a border. With time, the borders move
 * over entries, which are counted as having reached the next age. The oldest resident of a group is
 * searched between two borders, from where the last search ended. An entry whose block was read
 * again, or forgotten, is dead, until the array is full and the dead ones are removed. An entry
 * names its block by a number ({@link Rows}): a read stores no reference.
 *
 * <p>Complexity: O(1) amortized per event, and per block and age; O(k) when one of k groups gets
 * its first resident. Finding a group's oldest resident is O(1) amortized for each group. Memory:
 * about 60 bytes per block and 12 to 24 for its entry. Not thread-safe.
 */
final class AgedBlocks {
  private static final int MIN_ENTRIES = 1_024;

  private static final int TIME_SHIFT = 16;
  private static final int KIND_SHIFT = 1;
  private static final int RESIDENT = 1;
  private static final int KIND_AND_RESIDENT = (1 << TIME_SHIFT) - 1;

  /** Kind and residence of an entry that stands for no block. */
  private static final int DEAD = BlockKinds.NO_KIND << KIND_SHIFT;

  /** A block that was read. */
  static final class Block extends BlockMap.Value {
    long sizeBytes;

    /** Number of reads. */
    int reads = 1;

    /** Mean number of accesses between two reads that were not replayed; 0 if there are none. */
    float gap;

    Kind kind;
    private int row;

    Block(CacheKey key, long sizeBytes, Kind kind) {
      super(key);
      this.sizeBytes = sizeBytes;
      this.kind = kind;
    }
  }

  /** The residents of one kind and age. */
  static final class Group {
    private final Kind kind;
    private final int step;
    private int residents;

    /** No resident of the group has an entry before this. */
    private int from;

    /** Whether it is in {@link #groups}. */
    private boolean listed;

    /** That of its kind and age at the last update. */
    private double rank;

    Group(Kind kind, int step) {
      this.kind = kind;
      this.step = step;
    }

    double rank() {
      return rank;
    }
  }

  private static final Comparator<Group> BY_RANK =
      (a, b) -> {
        int byRank = Double.compare(a.rank, b.rank);
        int byKind = Integer.compare(a.kind.id, b.kind.id);
        return byRank != 0 ? byRank : byKind != 0 ? byKind : Integer.compare(b.step, a.step);
      };

  private final BlockKinds kinds;

  /** Low 32 bits of the time of the last read, 15 of the kind, and one for residents. */
  private long[] entries = new long[MIN_ENTRIES];

  /** The row of each entry's block. */
  private int[] rowOf = new int[MIN_ENTRIES];

  private int end;

  /** The entry of each row's block. */
  private int[] entryOf = new int[MIN_ENTRIES];

  private final Rows<Block> rows = new Rows<>();

  /** Time of the last call of {@link #age(long)}. */
  private long agedAt;

  /** First entry of blocks of each age or a younger one. */
  private final int[] first = new int[AGES];

  private int size;
  private int residents;

  /** Entries before this are of residents: of other blocks, those were forgotten. */
  private int remembered;

  /** Groups with residents, and some that lost their last since the last update, by rank. */
  private Group[] groups = new Group[64];

  private int groupCount;

  /**
   * @param kinds by which blocks that reach an age are counted
   */
  AgedBlocks(BlockKinds kinds) {
    this.kinds = kinds;
  }

  // ---- blocks -----------------------------------------------------------------------------------

  int residents() {
    return residents;
  }

  /** Blocks that are not resident. */
  int others() {
    return size - residents;
  }

  boolean isResident(Block block) {
    return (entries[entryOf[block.row]] & RESIDENT) != 0;
  }

  /** Accesses since the last read of a block. */
  long age(Block block, long now) {
    return age(entries[entryOf[block.row]], now);
  }

  private static long age(long entry, long now) {
    return (now - (entry >>> TIME_SHIFT)) & 0xFFFF_FFFFL;
  }

  /**
   * The age of a block in steps, as of the last call of {@link #age(long)}. It can differ from the
   * age that its last read implies, because a block advances by one step at a time, but rarely
   * does.
   */
  int step(Block block) {
    int entry = entryOf[block.row];
    int step = BlockKinds.stepOf((int) age(entries[entry], agedAt));
    while (step > 0 && first[step - 1] <= entry) {
      step--;
    }
    while (first[step] > entry) {
      step++;
    }
    return step;
  }

  /** Adds a block that is read, at age 0. */
  void add(Block block, boolean resident, long now) {
    block.row = rows.add(block);
    if (block.row >= entryOf.length) {
      entryOf = Arrays.copyOf(entryOf, 2 * block.row);
    }
    append(block, resident, now);
  }

  /**
   * A block is read again: it is at age 0, and perhaps of another kind.
   *
   * @param step of its age until now, see {@link #step}
   */
  void readAgain(Block block, int step, Kind kind, long now) {
    boolean resident = isResident(block);
    if (resident) {
      leave(block.kind, step);
    }
    die(entryOf[block.row]);
    if (block.kind != kind) {
      block.kind = kind;
    }
    append(block, resident, now);
  }

  private void append(Block block, boolean resident, long now) {
    if (end == entries.length) {
      compact();
    }
    entryOf[block.row] = end;
    entries[end] =
        (now & 0xFFFF_FFFFL) << TIME_SHIFT
            | (long) block.kind.id << KIND_SHIFT
            | (resident ? RESIDENT : 0);
    rowOf[end++] = block.row;
    size++;
    if (resident) {
      enter(block.kind, 0, end - 1);
    }
  }

  /** Removes a block. */
  void remove(Block block) {
    if (isResident(block)) {
      leave(block.kind, step(block));
    }
    die(entryOf[block.row]);
    rows.remove(block.row);
  }

  private static boolean isDead(long entry) {
    return ((int) entry & KIND_AND_RESIDENT) == DEAD;
  }

  /** An entry keeps its time, so that dead ones need no case of their own when others age. */
  private void die(int entry) {
    entries[entry] = (entries[entry] & ~KIND_AND_RESIDENT) | DEAD;
    size--;
  }

  /** A block that is not resident becomes so, at its age. */
  void arrive(Block block) {
    entries[entryOf[block.row]] |= RESIDENT;
    enter(block.kind, step(block), entryOf[block.row]);
  }

  /**
   * A block is no longer resident.
   *
   * @return whether blocks were forgotten that were read after it
   */
  boolean depart(Block block) {
    entries[entryOf[block.row]] &= ~RESIDENT;
    leave(block.kind, step(block));
    return entryOf[block.row] < remembered;
  }

  /** The block to forget first: of those that are not resident, the one read longest ago. */
  @Nullable Block oldestOther() {
    for (; remembered < end; remembered++) {
      long entry = entries[remembered];
      if (!isDead(entry) && (entry & RESIDENT) == 0) {
        return rows.get(rowOf[remembered]);
      }
    }
    return null;
  }

  /**
   * The hash codes of the blocks that {@link #oldestOther} will return next, if each is removed.
   *
   * @param count the most of them, &lt;= the length of {@code idHashes}
   * @return how many there are
   */
  int oldestOthers(int[] idHashes, int count) {
    int found = 0;
    for (int at = remembered; at < end && found < count; at++) {
      if (!isDead(entries[at]) && (entries[at] & RESIDENT) == 0) {
        idHashes[found++] = rows.get(rowOf[at]).key.idHash();
      }
    }
    return found;
  }

  /** Part of {@link BlockMap#warm}: loads what is known of the age of a block. */
  int warm(Block block) {
    return (int) entries[entryOf[block.row]];
  }

  /** Counts the blocks that have reached the next age. */
  void age(long now) {
    agedAt = now;
    long[] all = entries;
    double[][] reached = kinds.reached();
    // The oldest first, so that none is moved twice.
    for (int step = AGES - 2; step >= 0; step--) {
      int next = step + 1;
      long least = BlockKinds.firstAge(next);
      int until = endOf(step);
      int at = first[step];
      for (; at < until; at++) {
        long entry = all[at];
        if (age(entry, now) < least) {
          break;
        }
        int kindId = ((int) entry & KIND_AND_RESIDENT) >> KIND_SHIFT;
        reached[kindId][next]++;
        if ((entry & RESIDENT) != 0) {
          Kind kind = kinds.withBlocks(kindId);
          part(kind, step);
          join(kind, next, at);
        }
      }
      first[step] = at;
    }
  }

  private int endOf(int step) {
    return step == 0 ? end : first[step - 1];
  }

  /** Removes dead entries, and makes room for as many entries as there are. */
  private void compact() {
    long[] from = entries;
    int[] fromRows = rowOf;
    if (2 * size > from.length || 8 * size < from.length) {
      int length = Math.max(MIN_ENTRIES, 2 * size);
      entries = new long[length];
      rowOf = new int[length];
    }
    int step = AGES - 1;
    int to = 0;
    int others = remembered;
    for (int at = 0; at < end; at++) {
      while (step >= 0 && first[step] <= at) {
        first[step--] = to;
      }
      others = at == remembered ? to : others;
      if (!isDead(from[at])) {
        entries[to] = from[at];
        rowOf[to] = fromRows[at];
        entryOf[rowOf[to]] = to++;
      }
    }
    while (step >= 0) {
      first[step--] = to;
    }
    remembered = remembered >= end ? to : others;
    end = to;
    for (Kind kind : kinds.known()) {
      for (Group group : kind.groups) {
        if (group != null) {
          group.from = 0;
        }
      }
    }
  }

  // ---- groups -----------------------------------------------------------------------------------

  private void enter(Kind kind, int step, int entry) {
    residents++;
    join(kind, step, entry);
  }

  private void leave(Kind kind, int step) {
    residents--;
    part(kind, step);
  }

  private void join(Kind kind, int step, int entry) {
    Group group = kind.groups[step];
    if (group == null) {
      group = new Group(kind, step);
      kind.groups[step] = group;
    }
    if (!group.listed) {
      list(group);
    }
    group.from = Math.min(group.from, entry);
    group.residents++;
  }

  private void part(Kind kind, int step) {
    Group group = kind.groups[step];
    if (group == null || group.residents == 0) {
      throw new IllegalStateException(
          "expected a resident, found none: kind=" + kind.id + " step=" + step);
    }
    group.residents--;
  }

  private void list(Group group) {
    group.listed = true;
    group.rank = group.kind.ranks[group.step];
    if (groupCount == groups.length) {
      groups = Arrays.copyOf(groups, 2 * groupCount);
    }
    int at = -1 - Arrays.binarySearch(groups, 0, groupCount, group, BY_RANK);
    System.arraycopy(groups, at, groups, at + 1, groupCount++ - at);
    groups[at] = group;
  }

  /** Orders the groups anew, by the ranks of their kinds. O(k log k) for k groups */
  void rank() {
    int kept = 0;
    for (int i = 0; i < groupCount; i++) {
      Group group = groups[i];
      group.listed = group.residents > 0;
      if (group.listed) {
        group.rank = group.kind.ranks[group.step];
        groups[kept++] = group;
      }
    }
    Arrays.fill(groups, kept, groupCount, null);
    groupCount = kept;
    Arrays.sort(groups, 0, groupCount, BY_RANK);
  }

  /** Visits residents in the order in which they are to leave; see {@link #next}. */
  final class Leaving {
    private int group = -1;
    private int left;
    private int at;

    /** The next resident; null after the last. Not to be called after a change of the blocks. */
    @Nullable Block next() {
      boolean oldest = false;
      while (left == 0) {
        if (++group >= groupCount) {
          return null;
        }
        left = groups[group].residents;
        at = Math.max(groups[group].from, first[groups[group].step]) - 1;
        oldest = true;
      }
      int sought = groups[group].kind.id << KIND_SHIFT | RESIDENT;
      do {
        at++;
      } while (((int) entries[at] & KIND_AND_RESIDENT) != sought);
      if (oldest) {
        groups[group].from = at;
      }
      left--;
      return rows.get(rowOf[at]);
    }

    /** The rank of the last one. */
    double rank() {
      return groups[group].rank;
    }

    /** The value of the last one's space, in disk seconds per byte and access. */
    double density() {
      return groups[group].kind.densities[groups[group].step];
    }
  }
}
