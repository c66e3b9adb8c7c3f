// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import com.google.common.collect.Lists;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.table.BlockEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The fast devices as the planner's last look found them. Single-threaded. */
final class FastSpace {
  private List<FastDevice> devices = new ArrayList<>();
  private final Map<String, Long> taken = new HashMap<>();

  /** Each device that was ever found, as it was last. */
  private final Map<String, FastDevice> lastSeen = new HashMap<>();

  /** Takes over a new look, which accounts for the bytes promised before it. */
  void update(List<FastDevice> found) {
    devices = found;
    found.forEach(device -> lastSeen.put(device.id(), device));
    taken.clear();
  }

  /** The devices that are usable now. */
  List<String> ids() {
    return Lists.transform(devices, FastDevice::id);
  }

  /** True for a usable device, and for null: a block on no device. */
  boolean usable(@Nullable String device) {
    return device == null || get(device) != null;
  }

  long capacityBytes() {
    return devices.stream().mapToLong(FastDevice::capacityBytes).sum();
  }

  long availableBytes() {
    return devices.stream().mapToLong(this::available).sum();
  }

  long replicaCapacityBytes() {
    return devices.stream()
        .filter(FastDevice::holdsReplicas)
        .mapToLong(FastDevice::capacityBytes)
        .sum();
  }

  long replicaAvailableBytes() {
    return devices.stream().filter(FastDevice::holdsReplicas).mapToLong(this::available).sum();
  }

  /** Size of the largest device: no larger block can be held. */
  long largestBytes() {
    return devices.stream().mapToLong(FastDevice::capacityBytes).max().orElse(0);
  }

  /** Bytes free on the device with most room. */
  long mostAvailableBytes() {
    return devices.stream().mapToLong(this::available).max().orElse(0);
  }

  /** Bytes free on a device, less those promised on it since the last look. */
  long available(FastDevice device) {
    return Math.max(0, device.availableBytes() - taken.getOrDefault(device.id(), 0L));
  }

  /** Promises bytes on a device until the next look. */
  void take(String device, long bytes) {
    taken.merge(device, bytes, Long::sum);
  }

  /** Bytes that a file of a length takes on the device where it takes most. */
  long allocatedBytes(long lengthBytes) {
    return lastSeen.values().stream()
        .mapToLong(device -> device.allocatedBytes(lengthBytes))
        .max()
        .orElse(lengthBytes);
  }

  /** Bytes that a file of a length takes on a device, which need not be usable now. */
  long allocatedBytes(String id, long lengthBytes) {
    FastDevice device = lastSeen.get(id);
    return device == null ? lengthBytes : device.allocatedBytes(lengthBytes);
  }

  /** A usable device; null if it is not. */
  @Nullable FastDevice get(String id) {
    return devices.stream().filter(device -> device.id().equals(id)).findFirst().orElse(null);
  }

  /**
   * The device with most room after the victims have left; null if none has enough.
   *
   * @param allowed devices that may be written to
   */
  @Nullable String roomiest(long sizeBytes, List<BlockEntry> victims, Predicate<String> allowed) {
    String best = null;
    long most = sizeBytes - 1;
    for (FastDevice device : devices) {
      long room = available(device);
      for (BlockEntry victim : victims) {
        if (device.id().equals(victim.device())) {
          room += victim.sizeBytes();
        }
      }
      if (room > most && allowed.test(device.id())) {
        most = room;
        best = device.id();
      }
    }
    return best;
  }
}
