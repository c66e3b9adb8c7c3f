// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import org.jspecify.annotations.Nullable;

/**
 * Evicts blocks in order of admission.
 *
 * <p>Idea: residents form a list in order of admission; reads change nothing.
 *
 * <p>Complexity: O(1) per event, O(k) for a decision with k victims.
 *
 * <p>Memory: about 80 bytes per resident plus its key; none for other blocks.
 *
 * <p>Source: folklore; defined in Belady, "A study of replacement algorithms for a virtual-storage
 * computer" (IBM Systems Journal 5(2), 1966).
 */
final class FifoPolicy extends ResidentPolicy {
  private final Resident ends = Resident.listEnds();

  @Override
  void link(Resident resident) {
    resident.linkBefore(ends);
  }

  @Override
  void unlink(Resident resident) {
    resident.unlink();
  }

  @Override
  void touch(Resident resident) {}

  @Override
  @Nullable Resident first() {
    return after(ends);
  }

  @Override
  @Nullable Resident after(Resident resident) {
    return resident.next == ends ? null : resident.next;
  }
}
