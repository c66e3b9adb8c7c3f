package io.hycache.core.cost;

import io.hycache.core.model.BlockKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Learns the hit curve of an LRU cache of every size at once, from a sample of the blocks.
 *
 * <p>Idea: an access finds its block in an LRU cache of S bytes exactly when the blocks read since
 * its last access, with the block itself, take no more than S. That distance is counted for the
 * blocks of a spatial sample (by hash, so that all accesses of a block are in or none) and divided
 * by the sampling rate. Distances are summed by a Fenwick tree over the times of last access.
 *
 * <p>Complexity: O(log n) a sampled access, O(1) for others; memory about 130 bytes a sampled
 * block, of which at most a given number are remembered: the rate is halved when there are more.
 *
 * <p>Error: with n sampled blocks of like size the hit ratio is off by about 1 / sqrt(n), one sigma
 * ({@link #standardError}); a few very large blocks make it worse.
 *
 * <p>Source: C. Waldspurger, N. Park, A. Garthwaite, I. Ahmad, "Efficient MRC construction with
 * SHARDS" (FAST'15), Algorithm 1, with the fixed-size variant's falling rate; the ghost lists that
 * it stands for are those of OP-FCL (FAST'12), section 4.
 */
public final class GhostCurve {
  private static final int RATE_BITS = 24;
  private static final int LEAST_TIMES = 1024;

  private static final class Seen {
    int time;
    long bytes;

    Seen(int time, long bytes) {
      this.time = time;
      this.bytes = bytes;
    }
  }

  private final long segmentBytes;
  private final double[] hits;
  private final int mostBlocks;
  private final Map<BlockKey, Seen> seen = new HashMap<>();
  private int threshold = 1 << RATE_BITS;

  /** Fenwick tree: at each time the bytes of the block that was last read then. */
  private long[] tree = new long[LEAST_TIMES + 1];

  private int now;

  /** Those of sampled blocks, by the inverse of the rate. */
  private double accesses;

  /** All that were told. */
  private double told;

  /**
   * @param segmentBytes size of a segment, &gt; 0
   * @param segments number of them, &gt; 0
   * @param mostBlocks blocks to remember, &gt; 0
   */
  public GhostCurve(long segmentBytes, int segments, int mostBlocks) {
    if (segmentBytes <= 0 || segments <= 0 || mostBlocks <= 0) {
      throw new IllegalArgumentException(
          "segmentBytes="
              + segmentBytes
              + " segments="
              + segments
              + " mostBlocks="
              + mostBlocks
              + "; allowed: > 0");
    }
    this.segmentBytes = segmentBytes;
    this.hits = new double[segments + 1];
    this.mostBlocks = mostBlocks;
  }

  private static int hash(BlockKey block) {
    long h = block.hashCode() * 0x9E3779B97F4A7C15L;
    return (int) (h >>> (Long.SIZE - RATE_BITS));
  }

  private double rate() {
    return (double) threshold / (1 << RATE_BITS);
  }

  /** An access to a block of so many bytes. */
  public void access(BlockKey block, long bytes) {
    told++;
    if (hash(block) >= threshold) {
      return;
    }
    double weight = 1 / rate();
    accesses += weight;
    if (now + 1 >= tree.length) {
      compact();
    }
    Seen last = seen.get(block);
    now++;
    if (last == null) {
      seen.put(block, new Seen(now, bytes));
      add(now, bytes);
      if (seen.size() > mostBlocks) {
        threshold /= 2;
        seen.keySet().removeIf(key -> hash(key) >= threshold);
        compact();
      }
      return;
    }
    count(last, bytes, weight);
    add(last.time, -last.bytes);
    last.time = now;
    last.bytes = bytes;
    add(now, bytes);
  }

  /** A hit in every cache that holds what came since, sampled with this weight. */
  private void count(Seen last, long bytes, double weight) {
    double distance = (sum(now) - sum(last.time)) / rate() + bytes;
    double segment = Math.ceil(distance / segmentBytes);
    if (segment < hits.length) {
      hits[(int) Math.max(1, segment)] += weight;
    }
  }

  /**
   * A block turns out to have been worth its place where it still has one: a hit that is no access
   * and makes the block no younger. Nothing for a block that was never told.
   */
  public void earned(BlockKey block) {
    Seen last = seen.get(block);
    if (last != null) {
      count(last, last.bytes, 1 / rate());
    }
  }

  /** The block is no more. */
  public void forget(BlockKey block) {
    Seen last = seen.remove(block);
    if (last != null) {
      add(last.time, -last.bytes);
    }
  }

  private void add(int time, long bytes) {
    for (int i = time; i < tree.length; i += i & -i) {
      tree[i] += bytes;
    }
  }

  private long sum(int time) {
    long sum = 0;
    for (int i = time; i > 0; i -= i & -i) {
      sum += tree[i];
    }
    return sum;
  }

  /** Numbers the times anew, without gaps. */
  private void compact() {
    Seen[] all = seen.values().toArray(new Seen[0]);
    Arrays.sort(all, (a, b) -> Integer.compare(a.time, b.time));
    tree = new long[Math.max(LEAST_TIMES, all.length * 2) + 1];
    now = 0;
    for (Seen one : all) {
      one.time = ++now;
      add(now, one.bytes);
    }
  }

  /** The curve of what was seen since the start, or the last {@link #age}. O(segments). */
  public HitCurve curve() {
    double[] ratios = new double[hits.length];
    // A sample with too few of the hottest blocks counts too few accesses: those are missing where
    // distances are shortest (SHARDS-adj, section 3.2 of the source).
    double sum = told - accesses;
    for (int i = 1; i < hits.length; i++) {
      sum += hits[i];
      double ratio = told == 0 ? 0 : Math.max(0, Math.min(1, sum / told));
      ratios[i] = Math.max(ratios[i - 1], ratio);
    }
    return new HitCurve(ratios);
  }

  /** Accesses told, the older ones by half for each {@link #age}. */
  public double accesses() {
    return told;
  }

  /** One sigma of a hit ratio, for blocks of like size; 0 while nothing is left out. */
  public double standardError() {
    return threshold == 1 << RATE_BITS ? 0 : 1 / Math.sqrt(Math.max(1, seen.size()));
  }

  /** What was counted before counts half from here on. */
  public void age() {
    accesses /= 2;
    told /= 2;
    for (int i = 0; i < hits.length; i++) {
      hits[i] /= 2;
    }
  }
}
