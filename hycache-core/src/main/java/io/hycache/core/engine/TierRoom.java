// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static java.util.stream.Collectors.toUnmodifiableList;

import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The order in which new replicas try the fast tiers: those with room, the fastest first. Advice
 * only: what a volume really takes is decided by HDFS, and a replica that finds no space on one
 * tier tries the next. Thread-safe; O(tiers); no lock, no I/O.
 */
final class TierRoom {
  /** A tier and the bytes free there by the last look, less those promised since. */
  private static final class Tier {
    final int number;
    final AtomicLong freeBytes;

    Tier(int number, long freeBytes) {
      this.number = number;
      this.freeBytes = new AtomicLong(freeBytes);
    }
  }

  private volatile List<Tier> tiers = List.of();

  /**
   * Takes over a look at the devices.
   *
   * @param freeBytes bytes free for writes by number of the tier
   */
  void update(SortedMap<Integer, Long> freeBytes) {
    tiers =
        freeBytes.entrySet().stream()
            .map(free -> new Tier(free.getKey(), free.getValue()))
            .collect(toUnmodifiableList());
  }

  /**
   * The numbers of the tiers with room for a replica, the fastest first. All tiers together may
   * have its bytes free while none of them has the room.
   */
  List<Integer> order(long sizeBytes) {
    return tiers.stream()
        .filter(tier -> tier.freeBytes.get() >= sizeBytes)
        .map(tier -> tier.number)
        .collect(toUnmodifiableList());
  }

  /** A replica is being written to a tier. */
  void take(int number, long bytes) {
    for (Tier tier : tiers) {
      if (tier.number == number) {
        tier.freeBytes.addAndGet(-bytes);
      }
    }
  }
}
