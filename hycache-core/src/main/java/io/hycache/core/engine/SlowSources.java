// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.spi.SlowDevice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which slow devices copies may be read from, so that one that hangs does not take all threads that
 * write to the fast devices: one that no longer responds is not read from, and where there are
 * several, one copy at a time that no read asks for is. Copies to a fast device that hangs do not
 * count: the others go on. Owned by the planner's thread; O(fast devices).
 */
final class SlowSources {
  private final FastSpace space;

  /** Copies under way to each fast device, by slow device. */
  private final Map<String, BytesByDevice> underWay = new HashMap<>();

  private Set<String> usable = Set.of();

  SlowSources(FastSpace space) {
    this.space = space;
  }

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
        || (usable.contains(device) && (usable.size() == 1 || underWay(device) == 0));
  }

  private long underWay(String device) {
    BytesByDevice copies = underWay.get(device);
    return copies == null ? 0 : copies.on(space.ids());
  }

  /** Whether a copy for a read may begin, and others once none is under way from the device. */
  boolean responds(@Nullable String device) {
    return device == null || usable.contains(device);
  }

  /** As {@link BytesByDevice#prepare}: {@link #begins} can't fail after it. */
  void prepare(@Nullable String device, String to) {
    add(device, to, 0);
  }

  /** A copy to a fast device begins; {@link #ends} must follow. */
  void begins(@Nullable String device, String to) {
    add(device, to, 1);
  }

  void ends(@Nullable String device, String to) {
    add(device, to, -1);
  }

  private void add(@Nullable String device, String to, int copies) {
    if (device != null) {
      underWay.computeIfAbsent(device, id -> new BytesByDevice()).add(to, copies);
    }
  }
}
