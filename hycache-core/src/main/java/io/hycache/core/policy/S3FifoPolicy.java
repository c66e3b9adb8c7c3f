package io.hycache.core.policy;

import com.google.common.collect.Iterables;
import io.hycache.core.model.Candidate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what was read more than once while it passed through a small queue, or came back soon.
 *
 * <p>Idea: three queues, first in first out. A new block enters the small one (a tenth of the
 * space); at its end it goes on to the main one if it was read at least twice there, else it leaves
 * and is remembered in the ghost queue. A block that the ghost queue remembers enters the main one.
 * At the end of the main one a block that was read goes round again, with one use less. Uses count
 * to three.
 *
 * <p>Complexity: O(1) for each event, O(1) amortized for each victim.
 *
 * <p>Memory: about 90 bytes for each resident besides its key, about 130 for each remembered block.
 *
 * <p>Where the source leaves something open: queues are sized in bytes; the ghost queue remembers
 * as many bytes as the main one may hold; uses start anew in the main queue; the small queue is the
 * one to give while it holds a tenth of the space or the main one is empty.
 *
 * <p>Source: Yang, Zhang, Qiu, Yue, Vinayak, "FIFO queues are all you need for cache eviction"
 * (SOSP'23), Algorithm 1.
 */
final class S3FifoPolicy extends SweepPolicy {
  private static final int MOST_USES = 3;

  private final ResidentList small = new ResidentList();
  private final ResidentList main = new ResidentList();
  private final GhostList ghosts = new GhostList();
  private long capacityBytes = Long.MAX_VALUE;

  @Override
  void insert(Resident resident) {
    resident.uses = 0;
    if (ghosts.remove(resident.block)) {
      main.addLast(resident);
    } else {
      small.addLast(resident);
    }
  }

  @Override
  void touch(Resident resident) {
    resident.uses = Math.min(MOST_USES, resident.uses + 1);
  }

  @Override
  void reprieve(Resident resident) {
    resident.uses = 0;
    main.addLast(resident);
  }

  @Override
  void prepare(Candidate candidate, long freeBytes, long capacity) {
    capacityBytes = capacity;
  }

  @Override
  @Nullable Resident condemn() {
    while (true) {
      boolean fromSmall =
          small.size() > 0 && (small.bytes() >= capacityBytes / 10 || main.size() == 0);
      Resident next = fromSmall ? small.pollFirst() : main.pollFirst();
      if (next == null) {
        return null;
      }
      if (fromSmall && next.uses <= 1) {
        next.uses = -1;
        return next;
      }
      if (!fromSmall && next.uses == 0) {
        return next;
      }
      next.uses = fromSmall ? 0 : next.uses - 1;
      main.addLast(next);
    }
  }

  @Override
  void left(Resident resident) {
    if (resident.uses < 0) {
      ghosts.add(resident.block, resident.sizeBytes);
      ghosts.trim(capacityBytes - capacityBytes / 10);
    }
  }

  /** As long as nobody reads: what is new and unread, then the main queue by its uses. */
  @Override
  Iterable<Resident> order() {
    Iterable<Resident> order = Iterables.filter(small, r -> r.uses <= 1);
    for (int uses = 0; uses <= MOST_USES; uses++) {
      int wanted = uses;
      order = Iterables.concat(order, Iterables.filter(main, r -> r.uses == wanted));
    }
    return Iterables.concat(order, Iterables.filter(small, r -> r.uses > 1));
  }
}
