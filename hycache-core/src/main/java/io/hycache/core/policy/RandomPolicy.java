// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Evicts random blocks: the baseline for every other policy.
 *
 * <p>Idea: residents are kept in an array; a victim is drawn by a generator with a fixed seed and
 * replaced by the last element.
 *
 * <p>Complexity: O(1) per event and per victim.
 *
 * <p>Memory: about 90 bytes per resident plus its key; none for other blocks.
 *
 * <p>Source: Belady, "A study of replacement algorithms for a virtual-storage computer" (IBM
 * Systems Journal 5(2), 1966).
 */
final class RandomPolicy extends SweepPolicy {
  private final List<Resident> all = new ArrayList<>();
  private final Random random;

  RandomPolicy(long seed) {
    random = new Random(seed);
  }

  @Override
  void insert(Resident resident) {
    resident.uses = all.size();
    all.add(resident);
  }

  @Override
  void touch(Resident resident) {}

  @Override
  void forget(Resident resident) {
    Resident last = all.remove(all.size() - 1);
    if (last != resident) {
      all.set(resident.uses, last);
      last.uses = resident.uses;
    }
  }

  @Override
  @Nullable Resident condemn() {
    if (all.isEmpty()) {
      return null;
    }
    Resident drawn = all.get(random.nextInt(all.size()));
    forget(drawn);
    return drawn;
  }

  /** In array order; the draw can't be predicted. */
  @Override
  Iterable<Resident> order() {
    return all;
  }
}
