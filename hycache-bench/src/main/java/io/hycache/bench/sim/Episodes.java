// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.cost.DiskTime;
import java.util.BitSet;

/**
 * What an admission is worth when the future is known (Baleen, FAST'24). An episode is a run of
 * accesses to an object without a gap longer than the eviction age, during which an LRU that admits
 * it keeps it. Its score is the disk-head time that it saves, less what its fetch costs more than
 * the request that missed, by the bytes that are written to the SSD. Admitting the episodes with
 * the best scores gives the most for a number of bytes, as far as the eviction age is right.
 *
 * <p>An access within an episode has the score of the rest of its episode, so that a decision after
 * an early eviction is right, too. The eviction age is counted in accesses. 4 bytes an access, 8 an
 * object. Immutable.
 */
final class Episodes {
  private final Trace trace;
  private final Column scores;

  /** First accesses of episodes. */
  private final BitSet heads = new BitSet();

  /**
   * @param next {@link Trace#nextUses}
   * @param evictionAge in accesses, &gt; 0
   */
  Episodes(Trace trace, DiskTime disk, Column next, double evictionAge) {
    this.trace = trace;
    int length = trace.length();
    scores = Column.ofInts(new Spill(), length);
    heads.set(0, length);
    double[] saved = new double[trace.objects()];
    int end = length;
    for (int begin = length; end > 0; end = begin) {
      begin--;
      while (trace.continuesRequest(begin) && begin > 0) {
        begin--;
      }
      for (int at = end - 1; at >= begin; at--) {
        int object = trace.object(at);
        int later = (int) next.get(at);
        boolean again = later < length && later - at <= evictionAge;
        if (again) {
          heads.clear(later);
        } else {
          saved[object] = 0;
        }
        long size = trace.sizeBytes(at);
        // The parts of a request share its positioning.
        double request = disk.seconds(trace.requestBytes(at));
        request -= disk.seekSeconds() * (1 - 1.0 / (end - begin));
        double whole = disk.seconds(size) - disk.seekSeconds() * (1 - 1.0 / (end - begin));
        boolean read = !trace.isWrite(at) || trace.requestBytes(at) < size;
        double fetch = (read ? whole : 0) + (trace.isWrite(at) ? whole : 0) - request;
        float score = (float) ((saved[object] - fetch) / Math.max(1, size));
        scores.set(at, Float.floatToRawIntBits(score));
        saved[object] += request;
      }
    }
  }

  /** Seconds saved by byte written, from this access to the end of its episode. */
  float score(int at) {
    return Float.intBitsToFloat(scores.getInt(at));
  }

  /** Bytes that are written if all episodes with this score or more are admitted. O(accesses). */
  double bytesFrom(float threshold) {
    double bytes = 0;
    for (int at = heads.nextSetBit(0); at >= 0; at = heads.nextSetBit(at + 1)) {
      bytes += score(at) >= threshold ? trace.sizeBytes(at) : 0;
    }
    return bytes;
  }
}
