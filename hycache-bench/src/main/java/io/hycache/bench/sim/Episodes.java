// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.CacheKey;
import io.hycache.core.policy.Replay;
import java.util.BitSet;

/**
 * What an admission is worth when the future is known (Baleen, FAST'24). An episode is a run of
 * accesses to an object without a gap longer than the eviction age, during which an LRU that admits
 * it keeps it, unless it outgrows what is on the SSD ({@link Replay#isOutgrown}). Its score is the
 * disk-head time that it saves, less what its fetch costs more than the request that missed and
 * less the write-back if any access writes, by the bytes that are written to the SSD: the object
 * and the requests of later writes. Admitting the episodes with the best scores gives the most for
 * a number of bytes, as far as the eviction age is right.
 *
 * <p>An access within an episode has the score of the rest of its episode, so that a decision after
 * an early eviction is right, too. Scores of equal worth differ by up to {@link #SPREAD}, by
 * object: otherwise a threshold admits all of them or none, and of a loop a part is what fits. The
 * eviction age is counted in accesses. 4 bytes an access, and 16 an object until it is made.
 * Immutable.
 */
final class Episodes {
  /** The greatest part by which a score is higher than what its episode is worth. */
  static final double SPREAD = 1e-3;

  /** What an access of an admitted episode adds to a sum. */
  private interface Amount {
    /**
     * @param fetched whether the object comes to the SSD with this access
     */
    double of(int at, boolean fetched);
  }

  private final Trace trace;
  private final Column next;
  private final double evictionAge;
  private final Column scores;

  /** First accesses of episodes. */
  private final BitSet heads = new BitSet();

  /**
   * @param next {@link Trace#nextUses}
   * @param evictionAge in accesses, &gt; 0
   */
  Episodes(Trace trace, DiskTime disk, Column next, double evictionAge) {
    this.trace = trace;
    this.next = next;
    this.evictionAge = evictionAge;
    int length = trace.length();
    scores = Column.ofInts(new Spill(), length);
    heads.set(0, length);
    // By object, of the accesses of the episode that come later.
    double[] saved = new double[trace.objects()];
    long[] written = new long[trace.objects()];
    BitSet dirty = new BitSet();
    int end = length;
    for (int begin = length; end > 0; end = begin) {
      begin--;
      while (trace.continuesRequest(begin) && begin > 0) {
        begin--;
      }
      for (int at = end - 1; at >= begin; at--) {
        int object = trace.object(at);
        int later = (int) next.get(at);
        boolean again =
            later < length && later - at <= evictionAge && !isOutgrown(trace.sizeBytes(at), later);
        if (again) {
          heads.clear(later);
        } else {
          saved[object] = 0;
          written[object] = 0;
          dirty.clear(object);
        }
        if (trace.isWrite(at)) {
          dirty.set(object);
        }
        long size = trace.sizeBytes(at);
        // The parts of a request share its positioning.
        double request = disk.seconds(trace.requestBytes(at));
        request -= disk.seekSeconds() * (1 - 1.0 / (end - begin));
        double whole = disk.seconds(size) - disk.seekSeconds() * (1 - 1.0 / (end - begin));
        boolean read = !trace.isWrite(at) || trace.requestBytes(at) < size;
        double fetch = (read ? whole : 0) + (dirty.get(object) ? disk.seconds(size) : 0) - request;
        double bytes = Math.max(1.0, (double) size + written[object]);
        double spread = 1 + SPREAD * Integer.toUnsignedLong(CacheKey.idHash(object)) * 0x1p-32;
        double score = (saved[object] - fetch) / bytes * spread;
        scores.set(at, Float.floatToRawIntBits((float) score));
        saved[object] += request;
        written[object] += trace.isWrite(at) ? trace.requestBytes(at) : 0;
      }
    }
  }

  private boolean isOutgrown(long heldBytes, int at) {
    return Replay.isOutgrown(
        heldBytes, trace.sizeBytes(at), trace.requestBytes(at), trace.isWrite(at));
  }

  /** Seconds saved by byte written, from this access to the end of its episode. */
  float score(int at) {
    return Float.intBitsToFloat(scores.getInt(at));
  }

  /**
   * Bytes that are written if each object is admitted at its first access in an episode with this
   * score or more, and stays until the episode ends. O(accesses).
   */
  double bytesFrom(float threshold) {
    return sum(
        threshold,
        (at, fetched) ->
            fetched ? trace.sizeBytes(at) : trace.isWrite(at) ? trace.requestBytes(at) : 0);
  }

  /** Bytes that are then on the SSD, as a mean over the accesses. O(accesses). */
  double meanBytesFrom(float threshold) {
    double sum =
        sum(
            threshold,
            (at, fetched) ->
                trace.sizeBytes(at) * Math.min((double) next.get(at) - at, evictionAge));
    return sum / Math.max(1, trace.length());
  }

  private double sum(float threshold, Amount amount) {
    double sum = 0;
    BitSet admitted = new BitSet();
    for (int at = 0; at < trace.length(); at++) {
      int object = trace.object(at);
      boolean stayed = admitted.get(object) && !heads.get(at);
      boolean admits = stayed || score(at) >= threshold;
      admitted.set(object, admits);
      sum += admits ? amount.of(at, !stayed) : 0;
    }
    return sum;
  }
}
