// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import com.google.common.collect.Iterables;
import org.jspecify.annotations.Nullable;

/**
 * CLOCK: approximates LRU with one bit per block.
 *
 * <p>Idea: residents form a ring; a read sets a block's bit, and new blocks start with the bit
 * clear. The hand clears set bits and evicts the first block whose bit is clear. Implemented as a
 * queue: the hand is at its head, a spared block moves to the tail, and a new block is inserted
 * right behind the hand.
 *
 * <p>Complexity: O(1) per event, O(1) amortized per victim: each step of the hand clears a bit that
 * a read has set.
 *
 * <p>Memory: about 90 bytes per resident plus its key; none for other blocks.
 *
 * <p>Source: F. Corbató, "A paging experiment with the Multics system" (MIT, 1968).
 */
final class ClockPolicy extends SweepPolicy {
  private final ResidentList ring = new ResidentList();

  @Override
  void insert(Resident resident) {
    resident.uses = 0;
    ring.addLast(resident);
  }

  @Override
  void touch(Resident resident) {
    resident.uses = 1;
  }

  @Override
  void reprieve(Resident resident) {
    ring.addLast(resident);
    resident.uses = 1;
  }

  @Override
  @Nullable Resident condemn() {
    Resident next = ring.pollFirst();
    while (next != null && next.uses > 0) {
      next.uses = 0;
      ring.addLast(next);
      next = ring.pollFirst();
    }
    return next;
  }

  @Override
  Iterable<Resident> order() {
    return Iterables.concat(
        Iterables.filter(ring, r -> r.uses == 0), Iterables.filter(ring, r -> r.uses > 0));
  }
}
