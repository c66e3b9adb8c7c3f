// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import com.google.common.collect.AbstractIterator;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Balances recency against frequency with an adaptive border between the two (ARC).
 *
 * <p>Idea: list T1 holds residents read once, T2 those read again, both in LRU order; ghost lists
 * B1 and B2 remember blocks evicted from them. A miss found in B1 shows that T1 was too small, one
 * found in B2 that it was too large. The target size p of T1, in bytes, moves accordingly.
 *
 * <p>Complexity: O(1) per event and per victim.
 *
 * <p>Memory: about 90 bytes per resident plus its key, about 130 per remembered block.
 *
 * <p>Choices where the source is silent: all lists are measured in bytes, and p moves by the size
 * of the block times the source's ratio. T1 and B1 together hold at most the capacity, all four
 * lists at most twice the capacity. B1 and B2 are bounded in number, too.
 *
 * <p>Source: N. Megiddo, D. Modha, "ARC: a self-tuning, low overhead replacement cache" (FAST'03),
 * Figure 4.
 */
final class ArcPolicy extends SweepPolicy {
  private static final int ONCE = 0;
  private static final int OFTEN = 1;

  private final ResidentList t1 = new ResidentList();
  private final ResidentList t2 = new ResidentList();
  private final GhostList b1 = new GhostList();
  private final GhostList b2 = new GhostList();
  private long capacityBytes = Long.MAX_VALUE;
  private double p;
  private double pForCandidate;
  private boolean candidateInB2;

  @Override
  void insert(Resident resident) {
    p = adapted(resident.key, resident.sizeBytes);
    boolean inB1 = b1.remove(resident.key);
    boolean inB2 = b2.remove(resident.key);
    (inB1 || inB2 ? t2 : t1).addLast(resident);
    trim();
  }

  private void trim() {
    b1.trim(Math.max(0, capacityBytes - t1.bytes()), maxGhosts());
    long twice = capacityBytes > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * capacityBytes;
    b2.trim(Math.max(0, twice - t1.bytes() - t2.bytes() - b1.bytes()), maxGhosts());
  }

  /** The target p after a miss of this block. */
  private double adapted(CacheKey key, long sizeBytes) {
    if (b1.has(key)) {
      double ratio = Math.max(1, (double) b2.bytes() / Math.max(1, b1.bytes()));
      return Math.min((double) capacityBytes, p + ratio * sizeBytes);
    }
    if (b2.has(key)) {
      double ratio = Math.max(1, (double) b1.bytes() / Math.max(1, b2.bytes()));
      return Math.max(0, p - ratio * sizeBytes);
    }
    return p;
  }

  @Override
  void touch(Resident resident) {
    forget(resident);
    t2.addLast(resident);
  }

  @Override
  void reprieve(Resident resident) {
    t2.addLast(resident);
  }

  @Override
  void prepare(Candidate candidate, long freeBytes, long capacity) {
    capacityBytes = capacity;
    pForCandidate = adapted(candidate.key(), candidate.sizeBytes());
    candidateInB2 = b2.has(candidate.key());
  }

  /** REPLACE in the source. */
  @Override
  @Nullable Resident condemn() {
    boolean once =
        t1.size() > 0
            && (t1.bytes() > pForCandidate
                || (candidateInB2 && t1.bytes() >= pForCandidate)
                || t2.size() == 0);
    Resident victim = once ? t1.pollFirst() : t2.pollFirst();
    if (victim != null) {
      victim.uses = once ? ONCE : OFTEN;
    }
    return victim;
  }

  @Override
  void left(Resident resident) {
    (resident.uses == ONCE ? b1 : b2).add(resident.key, resident.sizeBytes);
    trim();
  }

  @Override
  void forgetGhost(CacheKey key) {
    boolean unused = b1.remove(key) || b2.remove(key);
  }

  /** T1 until the rest of it is within its target, then T2, then the rest. */
  @Override
  Iterable<Resident> order() {
    return () ->
        new AbstractIterator<>() {
          private final Iterator<Resident> once = t1.iterator();
          private final Iterator<Resident> often = t2.iterator();
          private long onceBytes = t1.bytes();

          @Override
          protected @Nullable Resident computeNext() {
            if (once.hasNext() && (onceBytes > p || !often.hasNext())) {
              Resident next = once.next();
              onceBytes -= next.sizeBytes;
              return next;
            }
            return often.hasNext() ? often.next() : endOfData();
          }
        };
  }
}
