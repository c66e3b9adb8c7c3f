// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import java.util.concurrent.atomic.AtomicLongArray;

/*
 * Idea, of G. Tene's HdrHistogram: buckets whose width grows with the value, so that a value is known to a
 * part of itself (here 1/8) by one count in a short array. The counts only rise; the quantiles of a
 * window are those of the difference between two moments. So recording needs no lock and no thread, and nothing
 * is done while nobody asks. (MutableQuantiles of metrics2 takes a lock on each record, which all readers
 * would share, and a thread.)
 *
 * Memory: 272 buckets of 8 bytes, and of 4 bytes for each moment that is kept.
 */
/**
 * Counts durations in microseconds by their size, for quantiles of the last interval. {@link
 * #record} is for any thread: O(1), no lock, allocates nothing. {@link #roll} is for one thread at
 * a time: O(buckets).
 */
final class LatencyHistogram {
  /** Buckets for each power of two: a duration is known to 6 %. */
  private static final int BUCKETS_PER_OCTAVE = 8;

  private static final int OCTAVE_BITS = Integer.numberOfTrailingZeros(BUCKETS_PER_OCTAVE);

  /** Longer durations, of more than 19 hours, count as this one. */
  private static final long MAX_MICROS = (1L << 36) - 1;

  private static final int BUCKETS = bucket(MAX_MICROS) + 1;

  private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

  /** The counts at the last calls of {@link #roll}, in turn, modulo 2^32. */
  private final int[][] before;

  private int oldest;

  /**
   * @param rolls how many calls of {@link #roll} the window spans, &gt;= 1
   */
  LatencyHistogram(int rolls) {
    before = new int[rolls][BUCKETS];
  }

  /** The bucket of a value from 0 to {@link #MAX_MICROS}. */
  private static int bucket(long micros) {
    if (micros < BUCKETS_PER_OCTAVE) {
      return (int) micros;
    }
    int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros) - OCTAVE_BITS;
    return (octave << OCTAVE_BITS) + (int) (micros >>> octave);
  }

  /** The middle of a bucket. */
  private static long middle(int bucket) {
    if (bucket < BUCKETS_PER_OCTAVE) {
      return bucket;
    }
    int octave = (bucket >>> OCTAVE_BITS) - 1;
    long least = (long) (bucket - (octave << OCTAVE_BITS)) << octave;
    return least + ((1L << octave) >>> 1);
  }

  /** Counts a duration; a negative one, of a clock that went back, as 0. */
  void record(long micros) {
    counts.getAndIncrement(bucket(Math.max(0, Math.min(micros, MAX_MICROS))));
  }

  /**
   * Ends an interval.
   *
   * @param shares from 0 to 1, rising
   * @return for each share the duration that this part of the window's did not exceed, to 6 %; 0 if
   *     there were none
   */
  long[] roll(double... shares) {
    int[] base = before[oldest];
    oldest = (oldest + 1) % before.length;
    int[] window = new int[BUCKETS];
    long sum = 0;
    for (int i = 0; i < BUCKETS; i++) {
      int now = (int) counts.get(i);
      window[i] = now - base[i];
      base[i] = now;
      sum += window[i];
    }
    long[] out = new long[shares.length];
    long below = 0;
    int at = 0;
    for (int i = 0; i < BUCKETS && at < shares.length; i++) {
      below += window[i];
      while (at < shares.length && sum > 0 && below >= Math.ceil(shares[at] * (double) sum)) {
        out[at++] = middle(i);
      }
    }
    return out;
  }
}
