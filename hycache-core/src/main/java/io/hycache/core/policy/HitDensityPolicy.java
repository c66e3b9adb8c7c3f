// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import com.google.common.collect.Iterables;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the blocks with the highest expected saving of disk time per byte and time, as learned from
 * how soon blocks of the same kind and age were read again.
 *
 * <p>Idea: a block's kind is the number of its reads so far, the mean gap between them, and the
 * power of two of its size. For each kind the policy counts how many blocks reached an age
 * (accesses since their last read) and how many of them were read at that age: the hazard of reuse.
 * From it follows the rank of a block of that kind and age: the best ratio, over all horizons, of
 * the disk time that its next read saves to its size times the expected time until that read or the
 * horizon. The block of lowest rank is evicted first.
 *
 * <p>A block that was just read is fetched if no victims outrank it together, and if its next read
 * saves more disk time than the space costs until then (at the rank of recent victims), the fetch
 * costs beyond the request made anyway, and the SSD write costs ({@link DiskTime#secondsOfWrite}).
 * Only the next read counts: a block that is not fetched now can be fetched then. All reads are
 * counted, also those of blocks that are not resident. Hints are not used.
 *
 * <p>Complexity: O(1) amortized per event and O(log k) when a block changes its age, k &lt;= 2,888
 * kinds times {@value #AGES} ages; the ranks are computed anew every {@value #ACCESSES_PER_UPDATE}
 * accesses, or every eight for each kind or one for 32 residents, if that is more. Memory: about
 * 150 bytes per block remembered: the residents, and four times as many others, at least {@value
 * #MIN_OTHERS}; about 1 KB per kind.
 *
 * <p>Choices where the sources are silent: counts decay by a tenth every {@value
 * #ACCESSES_PER_DECAY} accesses; a kind with few blocks borrows from its history in all sizes, and
 * that from all blocks.
 *
 * <p>Source: Beckmann, Chen, Cidon, "LHD: Improving cache hit rate by maximizing hit density"
 * (NSDI'18), section 4, with counts of all blocks instead of the cached ones, exact instead of
 * sampled victims, and disk time in place of hits. The ratio over the best horizon is the index of
 * J. Gittins, "Bandit processes and dynamic allocation indices" (J. R. Stat. Soc. B 41, 1979).
 */
final class HitDensityPolicy implements CachePolicy {
  static final int ACCESSES_PER_UPDATE = 256;

  private static final String UNIT = "seconds of disk time";

  /** Blocks change their age every so many accesses. */
  private static final int ACCESSES_PER_TICK = 32;

  /** Ages by which blocks are told apart, for each doubling. */
  private static final int STEPS_PER_OCTAVE = 2;

  static final int AGES = 1 + 24 * STEPS_PER_OCTAVE;

  private static final int OCTAVES = 25;

  /** Numbers of reads that differ, beside one: 2, 3 to 7, 8 or more. */
  private static final int READS = 3;

  /** Histories: read once, or a number of reads and the octave of the mean gap. */
  private static final int HISTORIES = 1 + READS * OCTAVES;

  /** Sizes are told apart from 256 B to 32 TiB. */
  private static final int MIN_SIZE_OCTAVE = 8;

  private static final int MAX_SIZE_OCTAVE = 45;
  private static final int SIZES = MAX_SIZE_OCTAVE - MIN_SIZE_OCTAVE + 1;

  /** Reads that are counted. */
  private static final int MAX_READS = 16;

  private static final int SMOOTHED_GAPS = 8;

  static final int MIN_OTHERS = 16_384;
  private static final int OTHERS_PER_RESIDENT = 4;
  static final int ACCESSES_PER_DECAY = 4_096;
  private static final double DECAY = 0.9;

  /** Weight of what more blocks do, of which these are a part, in blocks. */
  private static final double PRIOR_BLOCKS = 8;

  /** Hazard at each age until reads are counted. */
  private static final double PRIOR_HAZARD = 0.03;

  private static final double SMOOTHING = 0.02;

  /** The first update; the intervals double until they have their full length. */
  private static final int FIRST_UPDATE = 64;

  private static final int ACCESSES_PER_UPDATE_AND_KIND = 8;
  private static final int RESIDENTS_PER_ACCESS = 32;

  /** First age of each step, in accesses; the last step has no end. */
  private static final long[] FIRST_AGE = firstAges();

  /** Age at which a block of a step is read, as a multiple of the step's first. */
  private static final double AGE_OF_STEP = 1.2;

  private static final int[][] NEXT = nextHistories();

  private final DiskTime disk;
  private final BlockMap<Block> blocks = new BlockMap<>();

  /** Blocks that are not resident, by age. */
  private final ResidentList[] others = new ResidentList[AGES];

  private int otherBlocks;

  /** Kinds by {@link #id}, and those that there are. */
  private final @Nullable Kind[] kinds = new Kind[HISTORIES * SIZES];

  private final List<Kind> known = new ArrayList<>();

  /** Blocks of all sizes, by history. */
  private final Counts[] byHistory = new Counts[HISTORIES];

  private final Counts all = new Counts();

  /**
   * Groups with residents, and some that lost their last since the last update; the one of lowest
   * rank first.
   */
  private TreeSet<Group> occupied = new TreeSet<>();

  private long now;
  private int residents;

  /** Value of the space, in disk seconds per byte and access. */
  private double spacePrice;

  private long nextDecay = ACCESSES_PER_DECAY;
  private long nextUpdate = FIRST_UPDATE;
  private long lastRequestBytes;

  HitDensityPolicy(DiskTime disk) {
    this.disk = disk;
    Arrays.setAll(byHistory, history -> new Counts());
    for (int step = 0; step < AGES; step++) {
      others[step] = new ResidentList();
    }
  }

  private static long[] firstAges() {
    long[] first = new long[AGES];
    for (int step = 1; step < AGES; step++) {
      first[step] = Math.round(ACCESSES_PER_TICK * Math.pow(2, (step - 1.0) / STEPS_PER_OCTAVE));
    }
    return first;
  }

  // ---- what is counted --------------------------------------------------------------------------

  /** How many blocks reached each age, and how many were read at it. */
  private static final class Counts {
    final double[] reached = new double[AGES];
    final double[] read = new double[AGES];

    /**
     * Part of the blocks of an age that are read at it; the fewer are known, the nearer to prior.
     */
    double hazard(int step, double prior) {
      return (read[step] + PRIOR_BLOCKS * prior) / (reached[step] + PRIOR_BLOCKS);
    }

    void clear() {
      Arrays.fill(reached, 0);
      Arrays.fill(read, 0);
    }

    void add(Counts other) {
      for (int step = 0; step < AGES; step++) {
        reached[step] += other.reached[step];
        read[step] += other.read[step];
      }
    }

    void decay() {
      for (int step = 0; step < AGES; step++) {
        reached[step] *= DECAY;
        read[step] *= DECAY;
      }
    }
  }

  /** Blocks of a history and a size. */
  private final class Kind {
    final int id;
    final int history;
    final int octave;
    final Counts counts = new Counts();
    private final @Nullable Group[] groups = new Group[AGES];
    private final double[] ranks = new double[AGES];

    /** Blocks remembered that are of this kind. */
    int blocks;

    /** Ages of which there are residents: a bit each. */
    private long steps;

    /** Mean size, and mean share of a block that a read requests. */
    double sizeBytes;

    double requestShare = 1;

    /** Value of a block that was just read, in disk seconds, less that of its space. */
    double value;

    Kind(int history, int octave, long sizeBytes) {
      this.id = id(history, octave);
      this.history = history;
      this.octave = octave;
      this.sizeBytes = sizeBytes;
    }

    void add(Block block) {
      Group group = groups[block.step];
      if (group == null) {
        group = new Group(this, block.step);
        groups[block.step] = group;
        steps |= 1L << block.step;
        occupied.add(group);
      }
      group.residents.addLast(block);
    }

    void drop(int step) {
      groups[step] = null;
      steps &= ~(1L << step);
    }

    /** Moves the residents that have reached the next age. */
    void age() {
      // The oldest first, so that none is moved twice.
      for (long left = steps & ~(1L << (AGES - 1)); left != 0; ) {
        int step = Long.SIZE - 1 - Long.numberOfLeadingZeros(left);
        left &= ~(1L << step);
        Group group = groups[step];
        if (group != null) {
          HitDensityPolicy.this.age(group.residents, step);
        }
      }
    }

    /** Whether no block is of this kind, and hardly any was lately. */
    boolean isUnused() {
      return blocks == 0 && counts.reached[0] < 1;
    }

    void smooth(long size, long requestBytes) {
      sizeBytes += SMOOTHING * (size - sizeBytes);
      requestShare += SMOOTHING * ((double) requestBytes / Math.max(1, size) - requestShare);
    }

    private double hazard(int step) {
      double prior = all.hazard(step, PRIOR_HAZARD);
      return counts.hazard(step, byHistory[history].hazard(step, prior));
    }

    /** Computes the ratios of all ages, and the value at age 0. */
    void update() {
      double saving = disk.seconds(Math.round(sizeBytes * requestShare));
      double fetch = disk.seconds(Math.round(sizeBytes)) - saving + disk.secondsOfWrite(sizeBytes);
      // Each segment: expected reward and time of the best horizon from this age on, and the
      // probability that a block survives it.
      double[] rewards = new double[AGES];
      double[] times = new double[AGES];
      double[] rests = new double[AGES];
      int[] ends = new int[AGES];
      double best = 0;
      double size = Math.max(1, sizeBytes);
      for (int step = AGES - 1; step >= 0; step--) {
        double hazard = hazard(step);
        long width = step + 1 < AGES ? FIRST_AGE[step + 1] - FIRST_AGE[step] : FIRST_AGE[step];
        Kind next = kinds[id(NEXT[history][step], octave)];
        double reward = saving + (next == null ? 0 : Math.min(next.value, fetch));
        double r = hazard * reward;
        double t = width * (1 - hazard / 2);
        double rest = 1 - hazard;
        int end = step + 1;
        best = Math.max(0, r - spacePrice * size * t + rest * best);
        while (end < AGES && rewards[end] * t > r * times[end]) {
          r += rest * rewards[end];
          t += rest * times[end];
          rest *= rests[end];
          end = ends[end];
        }
        rewards[step] = r;
        times[step] = t;
        rests[step] = rest;
        ends[step] = end;
        ranks[step] = r / t / size;
      }
      value = best;
    }
  }

  /** The residents of one kind and age, the one that was read first at the front. */
  private static final class Group implements Comparable<Group> {
    final ResidentList residents = new ResidentList();
    final Kind kind;
    final int step;

    /** That of its kind and age at the last update. */
    double rank;

    Group(Kind kind, int step) {
      this.kind = kind;
      this.step = step;
      this.rank = kind.ranks[step];
    }

    @Override
    public int compareTo(Group other) {
      int byRank = Double.compare(rank, other.rank);
      int byKind = Integer.compare(kind.id, other.kind.id);
      return byRank != 0 ? byRank : byKind != 0 ? byKind : Integer.compare(other.step, step);
    }
  }

  private final class Block extends Resident {
    long readAt;

    /** Mean accesses between its reads. */
    double gap;

    boolean resident;
    Kind kind;
    int step;

    Block(CacheKey key, long sizeBytes, Kind kind) {
      super(key, sizeBytes);
      this.kind = kind;
      this.readAt = now;
      kind.blocks++;
    }

    /** Enters the list of its kind and age. */
    void enter() {
      if (resident) {
        kind.add(this);
      } else {
        others[step].addLast(this);
        otherBlocks++;
      }
    }

    void leave() {
      leaveList();
      otherBlocks -= resident ? 0 : 1;
    }

    /** Is read for the first time, or again: begins at age 0. */
    void begin(Kind of) {
      kind.blocks--;
      kind = of;
      kind.blocks++;
      step = 0;
      readAt = now;
      kind.counts.reached[0]++;
    }
  }

  private static int id(int history, int octave) {
    return history * SIZES + octave - MIN_SIZE_OCTAVE;
  }

  private static int history(int reads, double gap) {
    int count = reads <= 2 ? 0 : reads < 8 ? 1 : 2;
    int octave = Math.getExponent(Math.max(1, gap / ACCESSES_PER_TICK));
    return reads <= 1 ? 0 : 1 + count * OCTAVES + Math.min(OCTAVES - 1, octave);
  }

  /** The history of a block that is read again, by its history and age. */
  private static int[][] nextHistories() {
    int[][] next = new int[HISTORIES][AGES];
    for (int history = 0; history < HISTORIES; history++) {
      int count = history == 0 ? 2 : history <= OCTAVES ? 4 : 8;
      for (int step = 0; step < AGES; step++) {
        double gap = FIRST_AGE[step] * AGE_OF_STEP;
        if (history > 0) {
          double before = ACCESSES_PER_TICK * Math.pow(2, (history - 1) % OCTAVES + 0.5);
          gap = before + (gap - before) / count;
        }
        next[history][step] = history(count, gap);
      }
    }
    return next;
  }

  private Kind kind(int history, long sizeBytes) {
    int exact = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, sizeBytes));
    int octave = Math.max(MIN_SIZE_OCTAVE, Math.min(MAX_SIZE_OCTAVE, exact));
    int id = id(history, octave);
    Kind kind = kinds[id];
    if (kind == null) {
      kind = new Kind(history, octave, sizeBytes);
      kinds[id] = kind;
      known.add(kind);
      kind.update();
    }
    return kind;
  }

  // ---- events -----------------------------------------------------------------------------------

  @Override
  public void onAccess(Access access) {
    now++;
    Block block = blocks.get(access.key());
    long size = access.sizeBytes();
    if (block == null) {
      block = remember(access.key(), size);
    } else {
      block.leave();
      block.kind.counts.read[block.step]++;
      block.uses = Math.min(MAX_READS, block.uses + 1);
      block.gap += (now - block.readAt - block.gap) / Math.min(SMOOTHED_GAPS, block.uses - 1);
      block.sizeBytes = size;
      block.begin(kind(history(block.uses, block.gap), size));
    }
    block.enter();
    lastRequestBytes = access.requestBytes();
    block.kind.smooth(size, lastRequestBytes);
    if (now % ACCESSES_PER_TICK == 0) {
      age();
    }
    if (now >= nextUpdate) {
      decay();
      update();
    }
  }

  @Override
  public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    Block block = blocks.get(key);
    if (block == null) {
      block = remember(key, sizeBytes);
    } else {
      block.leave();
      block.sizeBytes = sizeBytes;
    }
    residents += block.resident ? 0 : 1;
    block.resident = true;
    block.enter();
  }

  @Override
  public void onRemoved(CacheKey key) {
    Block block = blocks.get(key);
    if (block != null && block.resident) {
      block.leave();
      block.resident = false;
      residents--;
      block.enter();
      forget();
    }
  }

  @Override
  public void onDeleted(CacheKey key) {
    onRemoved(key);
    Block block = blocks.get(key);
    if (block != null) {
      forget(block);
    }
  }

  /** A block of which nothing is known: taken as read once, now. */
  private Block remember(CacheKey key, long sizeBytes) {
    Block block = new Block(key, sizeBytes, kind(0, sizeBytes));
    block.uses = 1;
    block.begin(block.kind);
    blocks.add(block);
    return block;
  }

  private void forget(Block block) {
    block.leave();
    block.kind.blocks--;
    blocks.remove(block.key);
  }

  /** Forgets blocks that were not read for longest. */
  private void forget() {
    int most = Math.max(MIN_OTHERS, OTHERS_PER_RESIDENT * residents);
    for (int step = AGES - 1; step >= 0 && otherBlocks > most; step--) {
      Block oldest = (Block) others[step].first();
      while (oldest != null && otherBlocks > most) {
        forget(oldest);
        oldest = (Block) others[step].first();
      }
    }
  }

  /** Moves the blocks that have reached the next age. */
  private void age() {
    for (int step = AGES - 2; step >= 0; step--) {
      age(others[step], step);
    }
    known.forEach(Kind::age);
    forget();
  }

  private void age(ResidentList list, int step) {
    Block first = (Block) list.first();
    while (first != null && now - first.readAt >= FIRST_AGE[step + 1]) {
      first.leave();
      first.step = step + 1;
      first.kind.counts.reached[step + 1]++;
      first.enter();
      first = (Block) list.first();
    }
  }

  private void decay() {
    if (now < nextDecay) {
      return;
    }
    nextDecay = now + ACCESSES_PER_DECAY;
    known.forEach(kind -> kind.counts.decay());
    known.removeIf(
        kind -> {
          boolean unused = kind.isUnused();
          kinds[kind.id] = unused ? null : kind;
          return unused;
        });
  }

  /** Computes all ranks anew. */
  private void update() {
    all.clear();
    for (Counts counts : byHistory) {
      counts.clear();
    }
    for (Kind kind : known) {
      all.add(kind.counts);
      byHistory[kind.history].add(kind.counts);
    }
    known.forEach(Kind::update);
    TreeSet<Group> anew = new TreeSet<>();
    for (Group group : occupied) {
      if (group.residents.size() > 0) {
        group.rank = group.kind.ranks[group.step];
        anew.add(group);
      } else {
        group.kind.drop(group.step);
      }
    }
    occupied = anew;
    int perKind = Math.max(ACCESSES_PER_UPDATE, ACCESSES_PER_UPDATE_AND_KIND * known.size());
    int interval = Math.max(perKind, residents / RESIDENTS_PER_ACCESS);
    nextUpdate = now + Math.min(Math.max(FIRST_UPDATE, now), interval);
  }

  /** Blocks that are counted, resident or not. */
  int remembered() {
    return blocks.size();
  }

  // ---- decisions --------------------------------------------------------------------------------

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    Block block = blocks.get(candidate.key());
    Decision refused =
        ReadFetchPolicy.refuse(candidate, block != null && block.resident, capacityBytes);
    if (refused != null) {
      return refused;
    }
    long size = candidate.sizeBytes();
    Kind kind = block == null ? kind(0, size) : block.kind;
    List<CacheKey> victims = new ArrayList<>();
    long missing = size - freeBytes;
    double lost = 0;
    double least = 0;
    for (Group group : missing > 0 ? occupied : List.<Group>of()) {
      least = victims.isEmpty() && group.residents.size() > 0 ? group.rank : least;
      Iterator<Resident> oldest = group.residents.iterator();
      while (missing > 0 && oldest.hasNext()) {
        Resident victim = oldest.next();
        victims.add(victim.key);
        missing -= victim.sizeBytes;
        lost += group.rank * victim.sizeBytes;
      }
      if (missing <= 0) {
        break;
      }
    }
    if (missing > 0) {
      return Decision.bypass(Reason.NO_ROOM);
    }
    spacePrice += SMOOTHING * (least - spacePrice);
    double fetch =
        disk.seconds(size)
            - disk.seconds(Math.min(size, lastRequestBytes))
            + disk.secondsOfWrite((double) size);
    boolean outranked = !victims.isEmpty() && kind.ranks[0] * size <= lost;
    if (kind.value <= fetch || outranked) {
      return Decision.bypass(Reason.COST_NOT_BELOW_GAIN).because(kind.value, fetch, UNIT);
    }
    return Decision.admit(victims).because(kind.value, fetch, UNIT);
  }

  @Override
  public Iterable<CacheKey> evictionOrder() {
    return Iterables.concat(
        Iterables.transform(
            occupied, group -> Iterables.transform(group.residents, resident -> resident.key)));
  }

  @Override
  public int residents() {
    return residents;
  }
}
