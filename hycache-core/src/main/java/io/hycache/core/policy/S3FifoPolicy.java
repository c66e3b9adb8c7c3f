// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import com.google.common.collect.Iterables;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import org.jspecify.annotations.Nullable;

/**
 * S3-FIFO: keeps blocks that are reread while in a small queue, or return soon after.
 *
 * <p>Idea: three FIFO queues. A new block enters the small queue (a tenth of the space). At its
 * end, a block read at least twice there moves to the main queue; any other is evicted and
 * remembered in the ghost queue. A block found in the ghost queue enters the main queue directly.
 * At the end of the main queue, a block that was read is reinserted with its use count reduced by
 * one. Use counts saturate at three.
 *
 * <p>Complexity: O(1) per event, O(1) amortized per victim.
 *
 * <p>Memory: about 90 bytes per resident plus its key, about 130 per remembered block.
 *
 * <p>Choices where the source is silent: queues are sized in bytes. The ghost queue remembers as
 * many bytes as the main queue may hold, and a bounded number of blocks. Use counts restart at 0 in
 * the main queue. Victims come from the small queue while it holds a tenth of the space or the main
 * queue is empty.
 *
 * <p>Source: Yang, Zhang, Qiu, Yue, Vinayak, "FIFO queues are all you need for cache eviction"
 * (SOSP'23), Algorithm 1.
 */
final class S3FifoPolicy extends SweepPolicy {
  private static final int MAX_USES = 3;

  private final ResidentList small = new ResidentList();
  private final ResidentList main = new ResidentList();
  private final GhostList ghosts = new GhostList();
  private long capacityBytes = Long.MAX_VALUE;

  @Override
  void insert(Resident resident) {
    resident.uses = 0;
    if (ghosts.remove(resident.key)) {
      main.addLast(resident);
    } else {
      small.addLast(resident);
    }
  }

  @Override
  void touch(Resident resident) {
    resident.uses = Math.min(MAX_USES, resident.uses + 1);
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
      ghosts.add(resident.key, resident.sizeBytes);
      ghosts.trim(capacityBytes - capacityBytes / 10, maxGhosts());
    }
  }

  @Override
  void forgetGhost(CacheKey key) {
    ghosts.remove(key);
  }

  /** The order if nothing is read: new unread blocks, then the main queue by use count. */
  @Override
  Iterable<Resident> order() {
    Iterable<Resident> order = Iterables.filter(small, r -> r.uses <= 1);
    for (int uses = 0; uses <= MAX_USES; uses++) {
      int wanted = uses;
      order = Iterables.concat(order, Iterables.filter(main, r -> r.uses == wanted));
    }
    return Iterables.concat(order, Iterables.filter(small, r -> r.uses > 1));
  }
}
