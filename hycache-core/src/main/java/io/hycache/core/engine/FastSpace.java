// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import com.google.common.collect.Lists;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.SlowDevice;
import io.hycache.core.table.BlockEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The fast devices as the planner's last look found them, by tier. Tiers are numbered from the
 * fastest, 0; those with volumes above the slowest of them are the <em>upper</em> tiers. All
 * devices outside the upper tiers form the <em>bottom</em>; with a single fast tier, that is every
 * device. O(devices). Single-threaded.
 */
final class FastSpace {
  private final DoubleSupplier reserveShare;
  private List<FastDevice> devices = List.of();

  // Of the devices. A block on no device is on none of them: no lists that refuse null.
  private List<String> ids = Collections.emptyList();
  private List<String> volumes = Collections.emptyList();
  private List<Integer> tiers = List.of();
  private List<Integer> upperTiers = List.of();
  private long capacityBytes;
  private long replicaCapacityBytes;
  private long largestBytes;

  private final Map<String, Long> taken = new HashMap<>();

  /** Each device that was ever found, as it was last, and that is no slow one since. */
  private final Map<String, FastDevice> lastSeen = new HashMap<>();

  /** Fast devices of which nothing is kept free. */
  FastSpace() {
    this(() -> 0);
  }

  /**
   * @param reserveShare supplies the share of each device that new copies leave free, 0 to 1
   */
  FastSpace(DoubleSupplier reserveShare) {
    this.reserveShare = reserveShare;
  }

  /** Takes over a new look, which accounts for the bytes promised before it. */
  void update(List<FastDevice> found) {
    devices = found;
    taken.clear();
    List<String> withReplicas = new ArrayList<>(found.size());
    TreeSet<Integer> theirTiers = new TreeSet<>();
    capacityBytes = 0;
    largestBytes = 0;
    for (FastDevice device : found) {
      lastSeen.put(device.id(), device);
      if (device.holdsReplicas()) {
        withReplicas.add(device.id());
        theirTiers.add(device.tier());
      }
      capacityBytes += device.capacityBytes();
      largestBytes = Math.max(largestBytes, device.capacityBytes());
    }
    ids = Collections.unmodifiableList(new ArrayList<>(ids(found)));
    volumes = Collections.unmodifiableList(withReplicas);
    tiers = List.copyOf(theirTiers);
    upperTiers = tiers.subList(0, Math.max(0, tiers.size() - 1));
    replicaCapacityBytes = replicaCapacityBytes(found);
  }

  /** Devices that are slow ones now. One of them may have been a fast one, before a new setting. */
  void areSlow(List<SlowDevice> found) {
    for (SlowDevice device : found) {
      lastSeen.remove(device.id());
    }
  }

  /** The devices that are usable now. */
  List<FastDevice> devices() {
    return devices;
  }

  /** The ids of the devices that are usable now. */
  List<String> ids() {
    return ids;
  }

  /** The ids of those of them that are volumes, which writes go to. */
  List<String> volumes() {
    return volumes;
  }

  // ---- tiers ------------------------------------------------------------------------------------

  /** The tiers with a usable volume, the fastest first. */
  List<Integer> tiers() {
    return tiers;
  }

  /** The tiers with a usable volume but the slowest of them, the fastest first. */
  List<Integer> upperTiers() {
    return upperTiers;
  }

  /** The usable devices of a tier. */
  List<FastDevice> of(int tier) {
    List<FastDevice> of = new ArrayList<>(devices.size());
    for (FastDevice device : devices) {
      if (device.tier() == tier) {
        of.add(device);
      }
    }
    return of;
  }

  /** The usable devices that belong to no upper tier. */
  List<FastDevice> bottom() {
    List<FastDevice> bottom = new ArrayList<>(devices.size());
    for (FastDevice device : devices) {
      if (!upperTiers.contains(device.tier())) {
        bottom.add(device);
      }
    }
    return bottom;
  }

  /** The ids of some devices. */
  static List<String> ids(List<FastDevice> of) {
    return Lists.transform(of, FastDevice::id);
  }

  /** Capacity of those of the devices that are volumes. */
  static long replicaCapacityBytes(List<FastDevice> of) {
    long sum = 0;
    for (FastDevice device : of) {
      sum += device.holdsReplicas() ? device.capacityBytes() : 0;
    }
    return sum;
  }

  /** Free on those of the devices that are volumes, less what was promised since the last look. */
  long replicaAvailableBytes(List<FastDevice> of) {
    long sum = 0;
    for (FastDevice device : of) {
      sum += device.holdsReplicas() ? available(device) : 0;
    }
    return sum;
  }

  /** True for a device that is a fast one, usable or not. */
  boolean isFast(String id) {
    return lastSeen.containsKey(id);
  }

  /** Size of a device, usable or not; 0 for one that was never found. */
  long capacityBytes(String id) {
    FastDevice device = lastSeen.get(id);
    return device == null ? 0 : device.capacityBytes();
  }

  /** The storage type of a device; {@link FastDevice#SSD} for one that was never found. */
  String storageType(@Nullable String id) {
    FastDevice device = id == null ? null : lastSeen.get(id);
    return device == null ? FastDevice.SSD : device.storageType();
  }

  // ---- sums -------------------------------------------------------------------------------------

  /** True for a usable device, and for null: a block on no device. */
  boolean usable(@Nullable String device) {
    return device == null || get(device) != null;
  }

  long capacityBytes() {
    return capacityBytes;
  }

  long availableBytes() {
    long sum = 0;
    for (FastDevice device : devices) {
      sum += available(device);
    }
    return sum;
  }

  long replicaCapacityBytes() {
    return replicaCapacityBytes;
  }

  /** Size of the largest device: no larger block can be held. */
  long largestBytes() {
    return largestBytes;
  }

  /** Bytes free on the device with most room. */
  long mostAvailableBytes() {
    long most = 0;
    for (FastDevice device : devices) {
      most = Math.max(most, available(device));
    }
    return most;
  }

  /** Bytes free on a device, less those promised on it since the last look. */
  long available(FastDevice device) {
    return Math.max(0, device.availableBytes() - taken.getOrDefault(device.id(), 0L));
  }

  /** Bytes of a device that new copies, and guests that step down, leave free. */
  long reserve(FastDevice device) {
    return (long) (device.capacityBytes() * reserveShare.getAsDouble());
  }

  /** Promises bytes on a device until the next look. */
  void take(String device, long bytes) {
    taken.merge(device, bytes, Long::sum);
  }

  /** Bytes that a file of a length takes on the device where it takes most. */
  long allocatedBytes(long lengthBytes) {
    long most = lengthBytes;
    for (FastDevice device : lastSeen.values()) {
      most = Math.max(most, device.allocatedBytes(lengthBytes));
    }
    return most;
  }

  /** Bytes that a file of a length takes on a device, which need not be usable now. */
  long allocatedBytes(String id, long lengthBytes) {
    FastDevice device = lastSeen.get(id);
    return device == null ? lengthBytes : device.allocatedBytes(lengthBytes);
  }

  /** A usable device; null if it is not. */
  @Nullable FastDevice get(String id) {
    for (FastDevice device : devices) {
      if (device.id().equals(id)) {
        return device;
      }
    }
    return null;
  }

  /**
   * The device with most room after the victims have left, of the fastest tier with room beyond
   * what is kept free there, or of all if there is none; null if none has enough.
   *
   * @param allowed devices that may be written to
   */
  @Nullable String roomiest(long sizeBytes, List<BlockEntry> victims, Predicate<String> allowed) {
    int tier = Integer.MAX_VALUE;
    for (FastDevice device : devices) {
      long beyond = room(device, victims) - reserve(device);
      if (beyond >= sizeBytes && allowed.test(device.id())) {
        tier = Math.min(tier, device.tier());
      }
    }
    String best = null;
    long most = sizeBytes - 1;
    for (FastDevice device : devices) {
      long room = room(device, victims);
      boolean inTier = tier == Integer.MAX_VALUE || device.tier() == tier;
      if (inTier && room > most && allowed.test(device.id())) {
        most = room;
        best = device.id();
      }
    }
    return best;
  }

  private long room(FastDevice device, List<BlockEntry> victims) {
    long room = available(device);
    for (BlockEntry victim : victims) {
      if (device.id().equals(victim.device())) {
        room += victim.sizeBytes();
      }
    }
    return room;
  }
}
