// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.spi.SlowDevice;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which slow devices copies may be read from, so that one that hangs does not take all threads that
 * write to the fast devices: one that no longer responds is not read from, and where there are
 * several, one copy at a time is. Owned by the planner's thread; O(1).
 */
final class SlowSources {
  /** Copies under way by device. */
  private final BytesByDevice underWay = new BytesByDevice();

  private Set<String> usable = Set.of();

  /** Takes over the devices that respond. */
  void update(List<SlowDevice> devices) {
    usable = devices.stream().map(SlowDevice::id).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Whether a copy may begin.
   *
   * @param device null if no slow device holds the replica, which the copy finds out
   */
  boolean mayRead(@Nullable String device) {
    return device == null
        || (usable.contains(device) && (usable.size() == 1 || underWay.on(List.of(device)) == 0));
  }

  /** Whether a copy may begin once no other is under way from the device. */
  boolean responds(@Nullable String device) {
    return device == null || usable.contains(device);
  }

  /** A copy begins; {@link #ends} must follow. */
  void begins(@Nullable String device) {
    underWay.add(device, 1);
  }

  void ends(@Nullable String device) {
    underWay.add(device, -1);
  }
}
