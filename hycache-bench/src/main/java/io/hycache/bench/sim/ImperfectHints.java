// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.spi.CachePolicy;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Passes the hints of a trace to a policy as {@link HintQuality} says.
 *
 * <p>A hint names an object and the time of one of its accesses. An access uses up the object's
 * earliest hint, whatever its time; hints that are never used up stay until their ttl. The policy
 * is notified of the number of hints of an object and the time of the earliest one whenever either
 * changes, as in a DataNode. Without manifests ({@code chunk}) that number is 1 for an object that
 * is used again, however often, unless hints were late or wrong.
 *
 * <p>O(log n) per access. Not thread-safe.
 */
final class ImperfectHints {
  /** A hint, and when something is to happen to it. Immutable. */
  private static final class Due {
    final int object;
    final int use;

    /** In accesses; more than an int holds if that is beyond the trace. */
    final long at;

    Due(int object, int use, long at) {
      this.object = object;
      this.use = use;
      this.at = at;
    }
  }

  /** No later access. */
  private final int never;

  private final Trace trace;
  private final HintQuality quality;
  private final CachePolicy policy;
  private final Column nextUses;
  private final SplittableRandom random;
  private final long partSalt;

  /** Times of the hints of each object that has any, the earliest first. */
  private final Map<Integer, PriorityQueue<Integer>> hintsOf = new HashMap<>();

  /** Hints on their way, in order of arrival. */
  private final ArrayDeque<Due> onTheirWay = new ArrayDeque<>();

  /** Hints that arrived, in order of withdrawal. */
  private final ArrayDeque<Due> arrived = new ArrayDeque<>();

  /** Where the last manifest began. */
  private int chunkSentAt = -1;

  ImperfectHints(Trace trace, HintQuality quality, Column nextUses, CachePolicy policy) {
    this.trace = trace;
    this.quality = quality;
    this.nextUses = nextUses;
    this.policy = policy;
    this.never = trace.length();
    this.random = new SplittableRandom(quality.seed);
    this.partSalt = new SplittableRandom(~(long) quality.seed).nextLong();
  }

  /** To be called before each access, in order. */
  void before(int at) {
    withdraw(at);
    deliver(at);
    int object = trace.object(at);
    PriorityQueue<Integer> hints = hintsOf.get(object);
    boolean changed = hints != null;
    if (hints != null) {
      hints.remove();
      forgetIfEmpty(object, hints);
    }
    if (quality.chunk > 0) {
      if (changed) {
        report(object);
      }
      return;
    }
    int next = nextUses.getInt(at);
    if (next != never) {
      send(object, next, at);
    }
    deliver(at);
    if (changed) {
      report(object);
    }
  }

  /** Hints left to an object, &gt;= 0. */
  int left(int object) {
    PriorityQueue<Integer> hints = hintsOf.get(object);
    return hints == null ? 0 : hints.size();
  }

  private void send(int trueObject, int trueUse, int at) {
    int object = trueObject;
    int use = trueUse;
    // All draws are made for each hint, so that qualities differ in nothing but what they name.
    double chance = random.nextDouble();
    int other = random.nextInt(trace.objects());
    int shift = random.nextInt(2 * quality.shuffle + 1) - quality.shuffle;
    if (!isHinted(trueObject)) {
      return;
    }
    if (chance < quality.wrong) {
      object = other == trueObject ? (other + 1) % trace.objects() : other;
    }
    use = (int) Math.max(Math.min(trueUse, at + 1), Math.min(never - 1, (long) use + shift));
    onTheirWay.add(new Due(object, use, (long) at + quality.late));
  }

  private boolean isHinted(int object) {
    return new SplittableRandom(partSalt + object).nextDouble() < quality.part;
  }

  private void deliver(int at) {
    if (quality.chunk > 0 && at % quality.chunk == 0 && chunkSentAt != at) {
      chunkSentAt = at;
      int end = (int) Math.min(never, (long) at + quality.chunk);
      for (int use = at; use < end; use++) {
        send(trace.object(use), use, at);
      }
    }
    while (!onTheirWay.isEmpty() && onTheirWay.peek().at <= at) {
      Due hint = onTheirWay.remove();
      hintsOf.computeIfAbsent(hint.object, o -> new PriorityQueue<>(2)).add(hint.use);
      if (quality.ttl < Integer.MAX_VALUE) {
        arrived.add(new Due(hint.object, hint.use, (long) at + quality.ttl));
      }
      report(hint.object);
    }
  }

  private void withdraw(int at) {
    while (!arrived.isEmpty() && arrived.peek().at <= at) {
      Due hint = arrived.remove();
      PriorityQueue<Integer> hints = hintsOf.get(hint.object);
      if (hints != null && hints.remove(hint.use)) {
        forgetIfEmpty(hint.object, hints);
        report(hint.object);
      }
    }
  }

  private void forgetIfEmpty(int object, PriorityQueue<Integer> hints) {
    if (hints.isEmpty()) {
      hintsOf.remove(object);
    }
  }

  private void report(int object) {
    PriorityQueue<Integer> hints = hintsOf.get(object);
    policy.onReferences(trace.key(object), hints == null ? 0 : hints.size());
    policy.onNextUse(trace.key(object), hints == null ? Long.MAX_VALUE : hints.peek());
  }
}
