// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.SlowDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The devices of a {@link ModelStore}: the real ones, with the space that they would have free.
 * O(devices); single-threaded.
 */
final class ModelSpace {
  private List<FastDevice> fast = List.of();
  private List<SlowDevice> slow = List.of();

  /** What would be on each device beyond what really is. May be negative. */
  private final Map<String, Long> takenBytes = new HashMap<>();

  /** The devices as they really are now. */
  void looked(List<FastDevice> fastNow, List<SlowDevice> slowNow) {
    fast = List.copyOf(fastNow);
    slow = List.copyOf(slowNow);
  }

  /** The fast devices as they would be. */
  List<FastDevice> fast() {
    List<FastDevice> out = new ArrayList<>(fast.size());
    for (FastDevice real : fast) {
      out.add(
          new FastDevice(
                  real.id(),
                  real.capacityBytes(),
                  available(real),
                  real.holdsReplicas(),
                  real.unitBytes())
              .ofTier(real.tier(), real.storageType()));
    }
    return out;
  }

  List<SlowDevice> slow() {
    return slow;
  }

  /** Takes bytes of a device; a negative number gives them back. */
  void take(String device, long bytes) {
    takenBytes.merge(device, bytes, Long::sum);
  }

  private long available(FastDevice device) {
    long free = device.availableBytes() - takenBytes.getOrDefault(device.id(), 0L);
    return Math.max(0, Math.min(free, device.capacityBytes()));
  }

  /** True for the id of a fast device. */
  boolean isFast(String id) {
    return fast.stream().anyMatch(each -> each.id().equals(id));
  }

  /** Unit in which a device allocates space; 1 if it is not known. */
  long unitBytes(String id) {
    return fast.stream()
        .filter(each -> each.id().equals(id))
        .mapToLong(FastDevice::unitBytes)
        .findFirst()
        .orElse(1);
  }

  /** The volume of a tier with most room; null if none has so much. */
  @Nullable String roomiest(int tier, long bytes) {
    String best = null;
    long most = bytes - 1;
    for (FastDevice device : fast) {
      if (device.holdsReplicas() && device.tier() == tier && available(device) > most) {
        best = device.id();
        most = available(device);
      }
    }
    return best;
  }
}
