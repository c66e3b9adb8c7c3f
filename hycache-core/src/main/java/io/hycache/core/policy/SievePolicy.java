// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import com.google.common.collect.Iterables;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * SIEVE: keeps blocks read since the hand last passed them, and evicts new blocks quickly.
 *
 * <p>Idea: a queue with one bit per block. A read sets the bit and moves nothing. The hand goes
 * from the oldest to the newest block, clears set bits and evicts the first block whose bit is
 * clear; it stays there, and new blocks are inserted at the newest end. Unlike in {@link
 * ClockPolicy}, spared blocks keep their places, so the hand spends its time among the new ones.
 *
 * <p>Complexity: O(1) per event, O(1) amortized per victim.
 *
 * <p>Memory: about 90 bytes per resident plus its key; none for other blocks.
 *
 * <p>Source: Zhang, Yang, Yue, Vigfusson, Rashmi, "SIEVE is simpler than LRU" (NSDI'24), Algorithm
 * 1.
 */
final class SievePolicy extends SweepPolicy {
  private final ResidentList queue = new ResidentList();

  /** The next block to examine; null for the oldest. */
  private @Nullable Resident hand;

  @Override
  void insert(Resident resident) {
    resident.uses = 0;
    queue.addLast(resident);
  }

  @Override
  void touch(Resident resident) {
    resident.uses = 1;
  }

  @Override
  void reprieve(Resident resident) {
    queue.addLast(resident);
    resident.uses = 1;
  }

  @Override
  void forget(Resident resident) {
    if (resident == hand) {
      hand = queue.after(resident);
    }
    super.forget(resident);
  }

  @Override
  @Nullable Resident condemn() {
    Resident next = hand == null ? queue.first() : hand;
    while (next != null && next.uses > 0) {
      next.uses = 0;
      next = queue.after(next);
      if (next == null) {
        next = queue.first();
      }
    }
    if (next != null) {
      hand = next;
      forget(next);
    }
    return next;
  }

  @Override
  Iterable<Resident> order() {
    Iterable<Resident> fromHand = Iterables.concat(behindHand(), beforeHand());
    return Iterables.concat(
        Iterables.filter(fromHand, r -> r.uses == 0), Iterables.filter(fromHand, r -> r.uses > 0));
  }

  private Iterable<Resident> behindHand() {
    Resident from = hand;
    return from == null ? queue : Iterables.skip(queue, distance(from));
  }

  private Iterable<Resident> beforeHand() {
    Resident to = hand;
    return to == null ? List.of() : Iterables.limit(queue, distance(to));
  }

  private int distance(Resident to) {
    return Iterables.indexOf(queue, r -> r == to);
  }
}
