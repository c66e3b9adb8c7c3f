package io.hycache.core.policy;

import com.google.common.collect.Iterables;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what was read since a hand last came by: LRU's poor relative, with one bit a block.
 *
 * <p>Idea: residents stand in a circle; a read sets a block's bit, a new one starts without. The
 * hand clears set bits and takes the first block without. Kept as a queue: the hand is its head, a
 * block that is spared goes to its tail, and a new one comes in right behind the hand.
 *
 * <p>Complexity: O(1) for each event, O(1) amortized for each victim: a step of the hand pays for a
 * bit that a read has set.
 *
 * <p>Memory: about 90 bytes for each resident besides its key; none for other blocks.
 *
 * <p>Source: F. Corbató, "A paging experiment with the Multics system" (MIT, 1968).
 */
final class ClockPolicy extends SweepPolicy {
  private final ResidentList circle = new ResidentList();

  @Override
  void insert(Resident resident) {
    resident.uses = 0;
    circle.addLast(resident);
  }

  @Override
  void touch(Resident resident) {
    resident.uses = 1;
  }

  @Override
  void reprieve(Resident resident) {
    circle.addLast(resident);
    resident.uses = 1;
  }

  @Override
  @Nullable Resident condemn() {
    Resident next = circle.pollFirst();
    while (next != null && next.uses > 0) {
      next.uses = 0;
      circle.addLast(next);
      next = circle.pollFirst();
    }
    return next;
  }

  @Override
  Iterable<Resident> order() {
    return Iterables.concat(
        Iterables.filter(circle, r -> r.uses == 0), Iterables.filter(circle, r -> r.uses > 0));
  }
}
