// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.cost.DiskTime;
import java.util.BitSet;

/**
 * What an admission is worth when the future is known (Baleen, FAST'24). An episode is a run of
 * accesses to an object without a gap longer than the eviction age, during which an LRU that admits
 * it keeps it. Its score is the disk-head time that it saves, less what its fetch costs more than
 * the request that missed and less the write-back if any access writes, by the bytes that are
 * written to the SSD: the object and the requests of later writes. Admitting the episodes with the
 * best scores gives the most for a number of bytes, as far as the eviction age is right.
 *
 * <p>An access within an episode has the score of the rest of its episode, so that a decision after
 * an early eviction is right, too. The eviction age is counted in accesses. 4 bytes an access, and
 * 16 an object until it is made. Immutable.
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
        boolean again = later < length && later - at <= evictionAge;
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
        scores.set(at, Float.floatToRawIntBits((float) ((saved[object] - fetch) / bytes)));
        saved[object] += request;
        written[object] += trace.isWrite(at) ? trace.requestBytes(at) : 0;
      }
    }
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
    double bytes = 0;
    BitSet admitted = new BitSet();
    for (int at = 0; at < trace.length(); at++) {
      int object = trace.object(at);
      if (admitted.get(object) && !heads.get(at)) {
        bytes += trace.isWrite(at) ? trace.requestBytes(at) : 0;
      } else if (score(at) >= threshold) {
        admitted.set(object);
        bytes += trace.sizeBytes(at);
      } else {
        admitted.clear(object);
      }
    }
    return bytes;
  }
}
