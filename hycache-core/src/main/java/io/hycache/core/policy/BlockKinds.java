// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of blocks that {@link HitDensityPolicy} tells apart, how soon blocks of each kind were
 * read again, and the ranks that follow.
 *
 * <p>A kind is a history (read once; or a number of reads and the power of two of the mean gap
 * between them) and the power of two of the size. For each kind and age it is counted how many
 * blocks reached the age and how many of them were read at it. A kind with few blocks borrows from
 * its history in all sizes, and that from blocks with as many reads at the same age in relation to
 * their gap, and those from all blocks: what is read every hour behaves like what is read every
 * minute, which is learned sooner. Ages are accesses since the last read, in {@value #AGES} steps,
 * {@value #STEPS_PER_OCTAVE} for each doubling.
 *
 * <p>Finding a kind is O(1); {@link #update} and {@link #decay} visit all kinds, at most 2,888, and
 * their ages. Memory: about 3 KB per kind. Not thread-safe.
 */
final class BlockKinds {
  /** Blocks change their age every so many accesses. */
  static final int ACCESSES_PER_TICK = 32;

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

  /** The {@link Kind#id} of what is no block. */
  static final int NO_KIND = HISTORIES * SIZES;

  private static final double DECAY = 0.9;

  /** Weight of what more blocks do, of which these are a part, in blocks. */
  private static final double PRIOR_BLOCKS = 16;

  /** Hazard at each age until reads are counted. */
  private static final double PRIOR_HAZARD = 0.03;

  private static final double SMOOTHING = 0.02;

  /** {@link Order#VALUE}: what counts of the value of blocks that were read once. */
  private static final double TRUST_IN_FIRST_READ = 0.2;

  /** First age of each step, in accesses; the last step has no end. */
  private static final long[] FIRST_AGE = firstAges();

  /** Age at which a block of a step is read, as a multiple of the step's first. */
  private static final double AGE_OF_STEP = 1.2;

  private static final int[][] NEXT = nextHistories();

  /** By what residents are ordered. */
  enum Order {
    /** The best ratio, over all horizons, of disk time saved to bytes and time. */
    DENSITY,

    /**
     * Disk time saved less what the space costs until the best horizon, per byte: what an eviction
     * loses, as a block that makes way does not come back for nothing. Blocks read once count a
     * fifth, because many belong to a scan, which past blocks of this kind did not.
     */
    VALUE
  }

  /** How many blocks reached each age, and how many were read at it. */
  private static class Counts {
    final double[] reached;
    final double[] read;

    Counts() {
      this(AGES);
    }

    Counts(int ages) {
      reached = new double[ages];
      read = new double[ages];
    }

    /**
     * Part of the blocks of an age that are read at it; the fewer are known, the nearer to prior.
     * More can have been read than reached it, as counted: blocks stay at a late age for longer
     * than it takes the count of those that reached it to decay.
     */
    final double hazard(int step, double prior) {
      return Math.min(1, (read[step] + PRIOR_BLOCKS * prior) / (reached[step] + PRIOR_BLOCKS));
    }

    final void clear() {
      Arrays.fill(reached, 0);
      Arrays.fill(read, 0);
    }

    /** Adds the counts of another, each at its age and so many steps more. */
    final void add(Counts other, int steps) {
      for (int step = 0; step < AGES; step++) {
        reached[step + steps] += other.reached[step];
        read[step + steps] += other.read[step];
      }
    }

    final void decay() {
      for (int step = 0; step < AGES; step++) {
        reached[step] *= DECAY;
        read[step] *= DECAY;
      }
    }
  }

  /** Blocks of a history in all sizes. */
  private static final class History extends Counts {
    /** See {@link BlockKinds#hazards}. */
    final double[] hazards = new double[AGES];

    /** Whether the hazards are those of the last update. */
    boolean isCurrent;

    /** Whether a kind is of this history, as of the last update. */
    boolean isUsed;
  }

  /** Blocks of a history and a size. */
  static final class Kind extends Counts {
    final int id;
    private final int history;
    private final int octave;

    /** Rank by age, as of the last update: the lower, the sooner a resident leaves. */
    final double[] ranks = new double[AGES];

    /** Value of the space by age, in disk seconds per byte and access, as of the last update. */
    final double[] densities = new double[AGES];

    /** Its residents by age; null where there were none yet. */
    final AgedBlocks.@Nullable Group[] groups = new AgedBlocks.Group[AGES];

    /** Blocks remembered that are of this kind. */
    int blocks;

    /** Mean size, mean share of a block that a read requests, and mean number of its requests. */
    private double sizeBytes;

    private double requestShare = 1;
    private double requests = 1;

    /** Value of a block that was just read, in disk seconds, less that of its space. */
    double value;

    private Kind(int id, int history, int octave, long sizeBytes) {
      this.id = id;
      this.history = history;
      this.octave = octave;
      this.sizeBytes = sizeBytes;
    }

    /** Takes the size of a block and the requests that read it into account. */
    void smooth(Access read) {
      long size = read.sizeBytes();
      sizeBytes += SMOOTHING * (size - sizeBytes);
      requestShare += SMOOTHING * ((double) read.requestBytes() / Math.max(1, size) - requestShare);
      requests += SMOOTHING * (read.requests() - requests);
    }

    /** Whether no block is of this kind, and hardly any was lately. */
    private boolean isUnused() {
      return blocks == 0 && reached[0] < 1;
    }
  }

  private final DiskTime disk;
  private final Order order;
  private final @Nullable Kind[] kinds = new Kind[NO_KIND];
  private final List<Kind> known = new ArrayList<>();

  /** {@link Counts#reached} by {@link Kind#id}; one that is never read where there is no kind. */
  private final double[][] reached = new double[NO_KIND + 1][];

  /** Null for a history of which no kind was yet. */
  private final @Nullable History[] histories = new History[HISTORIES];

  private final Counts all = new Counts();

  /** By number of reads, and age in relation to the gap: at index {@value #AGES} it is the gap. */
  private final Counts[] byGap = new Counts[READS];

  /** Value of the space, in disk seconds per byte and access. */
  private double spacePrice;

  /** Expected reward and time of the best horizon of each age; see {@link #update(Kind)}. */
  private final double[] rewards = new double[AGES];

  private final double[] times = new double[AGES];

  /** Probability that a block survives that horizon, and the first age after it. */
  private final double[] rests = new double[AGES];

  private final int[] ends = new int[AGES];

  BlockKinds(DiskTime disk, Order order) {
    this.disk = disk;
    this.order = order;
    Arrays.setAll(byGap, reads -> new Counts(2 * AGES));
    Arrays.fill(reached, new double[AGES]);
  }

  private static long[] firstAges() {
    long[] first = new long[AGES];
    for (int step = 1; step < AGES; step++) {
      first[step] = Math.round(ACCESSES_PER_TICK * Math.pow(2, (step - 1.0) / STEPS_PER_OCTAVE));
    }
    return first;
  }

  /** First age of a step, in accesses. */
  static long firstAge(int step) {
    return FIRST_AGE[step];
  }

  /**
   * The step of an age.
   *
   * @param age in accesses; 0 if less
   */
  static int stepOf(int age) {
    if (age < ACCESSES_PER_TICK) {
      return 0;
    }
    int octave = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(age / ACCESSES_PER_TICK);
    int step = Math.min(AGES - 1, 1 + STEPS_PER_OCTAVE * octave);
    return step + 1 < AGES && age >= FIRST_AGE[step + 1] ? step + 1 : step;
  }

  private static int id(int history, int octave) {
    return history * SIZES + octave - MIN_SIZE_OCTAVE;
  }

  private static int history(int reads, double gap) {
    int count = reads <= 2 ? 0 : reads < 8 ? 1 : 2;
    int octave = Math.getExponent(Math.max(1, gap / ACCESSES_PER_TICK));
    return reads <= 1 ? 0 : 1 + count * OCTAVES + Math.min(OCTAVES - 1, octave);
  }

  /** Index into {@link #READS} of a history of more than one read. */
  private static int readsOf(int history) {
    return (history - 1) / OCTAVES;
  }

  /** The step of the mean gap of a history of more than one read. */
  private static int gapOf(int history) {
    return Math.min(AGES - 1, 2 + STEPS_PER_OCTAVE * ((history - 1) % OCTAVES));
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

  /**
   * The kind of blocks with a number of reads, a mean gap between them in accesses, and a size.
   *
   * @param reads &gt;= 1
   */
  Kind of(int reads, double gap, long sizeBytes) {
    int history = history(reads, gap);
    int exact = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, sizeBytes));
    int octave = Math.max(MIN_SIZE_OCTAVE, Math.min(MAX_SIZE_OCTAVE, exact));
    int id = id(history, octave);
    Kind kind = kinds[id];
    if (kind == null) {
      kind = new Kind(id, history, octave, sizeBytes);
      kinds[id] = kind;
      reached[id] = kind.reached;
      known.add(kind);
      update(kind);
    }
    return kind;
  }

  /** How many blocks reached each age, by {@link Kind#id}; also of {@link #NO_KIND}. */
  double[][] reached() {
    return reached;
  }

  /** A kind that has blocks, by its {@link Kind#id}. */
  Kind withBlocks(int id) {
    Kind kind = kinds[id];
    if (kind == null) {
      throw new IllegalStateException("expected a kind with blocks, found none: id=" + id);
    }
    return kind;
  }

  /** Number of kinds in use. */
  int size() {
    return known.size();
  }

  List<Kind> known() {
    return known;
  }

  /** Takes the density of a recent victim into account: what space is worth. */
  void spaceTaken(double density) {
    spacePrice += SMOOTHING * (density - spacePrice);
  }

  /**
   * Whether a block that was just read is worth more than its victims.
   *
   * @param cost of the fetch, in disk seconds
   * @param lost sum of size x rank of the victims
   */
  boolean outranks(Kind kind, long sizeBytes, double cost, double lost) {
    return order == Order.VALUE ? kind.value - cost > lost : kind.ranks[0] * sizeBytes > lost;
  }

  /** Lowers all counts, and drops kinds that are no longer in use. */
  void decay() {
    known.forEach(Counts::decay);
    known.removeIf(
        kind -> {
          boolean unused = kind.isUnused();
          kinds[kind.id] = unused ? null : kind;
          reached[kind.id] = unused ? reached[NO_KIND] : kind.reached;
          return unused;
        });
  }

  /** Computes the ranks of all kinds anew. */
  void update() {
    all.clear();
    for (Counts counts : byGap) {
      counts.clear();
    }
    for (int number = 0; number < HISTORIES; number++) {
      History history = histories[number];
      if (history != null) {
        if (history.isUsed) {
          history.clear();
        }
        history.isUsed = false;
        history.isCurrent = false;
      }
    }
    for (Kind kind : known) {
      History history = ofNumber(kind.history);
      history.add(kind, 0);
      history.isUsed = true;
    }
    for (int number = 0; number < HISTORIES; number++) {
      History history = histories[number];
      if (history != null && history.isUsed) {
        all.add(history, 0);
        if (number > 0) {
          byGap[readsOf(number)].add(history, AGES - gapOf(number));
        }
      }
    }
    known.forEach(this::update);
  }

  private History ofNumber(int number) {
    History history = histories[number];
    if (history == null) {
      history = new History();
      histories[number] = history;
    }
    return history;
  }

  /** The hazards of a history, as of the last update. */
  private double[] hazards(int number) {
    History history = ofNumber(number);
    if (!history.isCurrent) {
      history.isCurrent = true;
      for (int step = 0; step < AGES; step++) {
        double prior = all.hazard(step, PRIOR_HAZARD);
        if (number > 0) {
          prior = byGap[readsOf(number)].hazard(step + AGES - gapOf(number), prior);
        }
        history.hazards[step] = history.hazard(step, prior);
      }
    }
    return history.hazards;
  }

  /** Computes the ranks of a kind at all ages, and its value at age 0. */
  private void update(Kind kind) {
    double[] prior = hazards(kind.history);
    int[] nexts = NEXT[kind.history];
    long requested = Math.round(kind.sizeBytes * kind.requestShare);
    long whole = Math.round(kind.sizeBytes);
    double saving = disk.secondsOfParts(kind.requests, requested, whole);
    double fetch = disk.seconds(whole) - saving + disk.secondsOfWrite(kind.sizeBytes);
    double best = 0;
    double size = Math.max(1, kind.sizeBytes);
    boolean byValue = order == Order.VALUE;
    double trust = byValue && kind.history == 0 ? TRUST_IN_FIRST_READ : 1;
    for (int step = AGES - 1; step >= 0; step--) {
      double hazard = kind.hazard(step, prior[step]);
      long width = step + 1 < AGES ? FIRST_AGE[step + 1] - FIRST_AGE[step] : FIRST_AGE[step];
      Kind next = kinds[id(nexts[step], kind.octave)];
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
      kind.densities[step] = trust * r / t / size;
      // Of blocks that are worth nothing beyond their space, those of lowest density leave first.
      kind.ranks[step] = (byValue ? trust * best / size : 0) + kind.densities[step];
    }
    kind.value = trust * best;
  }
}
