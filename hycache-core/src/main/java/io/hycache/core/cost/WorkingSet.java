// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.cost;

import io.hycache.core.model.CacheKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A shadow of the fast tier: estimates, for fast tiers of all sizes at once, which share of the
 * recent reads, and of their bytes, an LRU cache of that size would have served; and how large the
 * set of blocks read lately is.
 *
 * <p>Idea: the {@link ReuseDistances} of the reads are counted by the logarithm of the distance,
 * with {@value #BUCKETS_PER_OCTAVE} buckets per power of two, so that the size of the tier need not
 * be known when a read is counted. New blocks count as cached from their write on.
 *
 * <p>Forgetting: the counts have a half-life of a day. The blocks seen are forgotten by rotation of
 * two samples: one answers while the other one, which is younger by a period of {@value
 * #PERIOD_HOURS} hours, learns; then it takes over, and a new one begins. So a read counts as the
 * first one of its block after {@value #PERIOD_HOURS} to twice as many hours without one, and the
 * sampling rate, which only falls within a sample, recovers.
 *
 * <p>Complexity: O(log n) per read of a sampled block, O(1) for others; a query is O(buckets) or
 * O(n). Memory: that of two {@link ReuseDistances}, and 32 KiB. Time comes in as an argument and
 * must not go back. Not thread-safe.
 *
 * <p>Error: see {@link #standardError}; the buckets add at most 1/45 of the size. The estimate
 * knows no hints, and takes every read and write into the cache.
 */
public final class WorkingSet {
  private static final int BUCKETS_PER_OCTAVE = 32;
  private static final int BUCKETS = 62 * BUCKETS_PER_OCTAVE + 1;
  private static final int PERIOD_HOURS = 48;
  private static final long PERIOD_NANOS = Duration.ofHours(PERIOD_HOURS).toNanos();
  private static final int HALF_LIFE_HOURS = 24;
  private static final long STEP_NANOS = Duration.ofHours(1).toNanos();
  private static final double LEFT_AFTER_STEP = Math.pow(0.5, 1.0 / HALF_LIFE_HOURS);

  /** Counts by distance, scaled by the inverse of the sampling rate. */
  private static final class Counts {
    private final double[] near = new double[BUCKETS];

    /** What was counted, sampled or not. */
    private double all;

    /** Of it, what was counted for sampled blocks. */
    private double sampled;

    void add(double distance, double amount) {
      sampled += amount;
      if (distance != ReuseDistances.NEVER) {
        double bucket = Math.ceil(position(distance));
        near[(int) Math.max(0, Math.min(BUCKETS - 1, bucket))] += amount;
      }
    }

    private static double position(double bytes) {
      return BUCKETS_PER_OCTAVE * Math.log(Math.max(1, bytes)) / Math.log(2);
    }

    /** The largest distance in a bucket. */
    private static double top(int bucket) {
      return Math.pow(2, (double) bucket / BUCKETS_PER_OCTAVE);
    }

    double share(long bytes) {
      if (bytes <= 0 || all <= 0) {
        return 0;
      }
      int whole = (int) position((double) bytes);
      // A sample with too few of the hottest blocks counts too little. What is missing is added at
      // the shortest distances (SHARDS-adj, section 3.2 of the source of ReuseDistances).
      double sum = all - sampled;
      for (int i = 0; i <= Math.min(whole, BUCKETS - 1); i++) {
        sum += near[i];
      }
      if (whole + 1 < BUCKETS) {
        double below = top(whole);
        sum += near[whole + 1] * (bytes - below) / (top(whole + 1) - below);
      }
      return Math.max(0, Math.min(1, sum / all));
    }

    void fade(double left) {
      all *= left;
      sampled *= left;
      for (int i = 0; i < BUCKETS; i++) {
        near[i] *= left;
      }
    }
  }

  private final int mostBlocks;
  private final long startNanos;
  private final Counts reads = new Counts();
  private final Counts readBytes = new Counts();
  private ReuseDistances answering;

  /** Learns since the start of the period; null in the first period. */
  private @Nullable ReuseDistances learning;

  private long periodNanos;
  private long stepNanos;

  /**
   * @param mostBlocks maximum number of blocks in each of the two samples, &gt; 0
   */
  public WorkingSet(int mostBlocks, long nowNanos) {
    if (mostBlocks <= 0) {
      throw new IllegalArgumentException("expected more than 0, found mostBlocks=" + mostBlocks);
    }
    this.mostBlocks = mostBlocks;
    this.startNanos = nowNanos;
    this.periodNanos = nowNanos;
    this.stepNanos = nowNanos;
    this.answering = new ReuseDistances(mostBlocks);
  }

  /**
   * Records a read.
   *
   * @param sizeBytes size of the block, &gt;= 0
   * @param bytes bytes read, &gt;= 0
   * @param access whether the read completes an access, so that policies count it
   */
  public void read(CacheKey key, long sizeBytes, long bytes, boolean access, long nowNanos) {
    pass(nowNanos);
    reads.all += access ? 1 : 0;
    readBytes.all += bytes;
    if (answering.samples(key)) {
      double distance = answering.of(key, sizeBytes);
      double weight = answering.weight();
      if (access) {
        reads.add(distance, weight);
      }
      readBytes.add(distance, weight * bytes);
    }
    if (access) {
      use(key, sizeBytes, nowNanos);
    }
  }

  /** Records that a new block was written. */
  public void written(CacheKey key, long sizeBytes, long nowNanos) {
    pass(nowNanos);
    use(key, sizeBytes, nowNanos);
  }

  private void use(CacheKey key, long sizeBytes, long nowNanos) {
    int second = second(nowNanos);
    if (answering.samples(key)) {
      answering.use(key, sizeBytes, second);
    }
    if (learning != null && learning.samples(key)) {
      learning.use(key, sizeBytes, second);
    }
  }

  /** Removes a block that no longer exists. */
  public void deleted(CacheKey key) {
    answering.forget(key);
    if (learning != null) {
      learning.forget(key);
    }
  }

  private int second(long nowNanos) {
    return (int) Duration.ofNanos(nowNanos - startNanos).toSeconds();
  }

  /** Forgets what is due at this time. */
  private void pass(long nowNanos) {
    long steps = (nowNanos - stepNanos) / STEP_NANOS;
    if (steps <= 0) {
      return;
    }
    stepNanos += steps * STEP_NANOS;
    double left = Math.pow(LEFT_AFTER_STEP, (double) steps);
    reads.fade(left);
    readBytes.fade(left);
    while (nowNanos - periodNanos >= PERIOD_NANOS) {
      periodNanos += PERIOD_NANOS;
      answering = learning == null ? answering : learning;
      learning = new ReuseDistances(mostBlocks);
    }
  }

  /**
   * Share of the reads that a cache of this size would have served, 0 to 1; 0 if there were none.
   */
  public double readShare(long cacheBytes) {
    return reads.share(cacheBytes);
  }

  /** As {@link #readShare}, of the bytes read. */
  public double byteShare(long cacheBytes) {
    return readBytes.share(cacheBytes);
  }

  /** Number of reads that the shares describe: those of a day ago count half, and so on. */
  public double reads() {
    return reads.all;
  }

  /** Their bytes. */
  public double readBytes() {
    return readBytes.all;
  }

  /**
   * Size of the distinct blocks used within a time, in bytes.
   *
   * @param withinNanos up to 48 hours
   */
  public double usedBytes(long withinNanos, long nowNanos) {
    pass(nowNanos);
    return answering.usedBytes(second(nowNanos - withinNanos));
  }

  /** Number of blocks in the sample that answers. */
  public int sampledBlocks() {
    return answering.blocks();
  }

  /** Standard error of a share, for blocks of similar size; 0 while all blocks are sampled. */
  public double standardError() {
    return answering.standardError();
  }

  /** Time since the first read could be recorded, in nanoseconds. */
  public long ageNanos(long nowNanos) {
    return nowNanos - startNanos;
  }
}
