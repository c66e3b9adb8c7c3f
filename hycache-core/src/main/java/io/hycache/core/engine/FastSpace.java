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

/** The planner's last look at the fast devices. Single-threaded. */
final class FastSpace {
  private List<FastDevice> devices = new ArrayList<>();
  private final Map<String, Long> taken = new HashMap<>();

  /** Each device that was ever seen, as it was last. */
  private final Map<String, FastDevice> lastSeen = new HashMap<>();

  void update(List<FastDevice> found) {
    devices = found;
    found.forEach(device -> lastSeen.put(device.id(), device));
    taken.clear();
  }

  /** The devices that can be used now. */
  List<String> ids() {
    return Lists.transform(devices, FastDevice::id);
  }

  /** True if it is on no device, or on one that can be used now. */
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

  /** Size of the largest: no larger block can be held. */
  long largestBytes() {
    return devices.stream().mapToLong(FastDevice::capacityBytes).max().orElse(0);
  }

  /** What a block finds on the device with most room. */
  long mostAvailableBytes() {
    return devices.stream().mapToLong(this::available).max().orElse(0);
  }

  /** Free on the device, less what was promised on it since the last look. */
  long available(FastDevice device) {
    return Math.max(0, device.availableBytes() - taken.getOrDefault(device.id(), 0L));
  }

  /** Bytes promised on a device since the last look. */
  void take(String device, long bytes) {
    taken.merge(device, bytes, Long::sum);
  }

  /** What a file of a length takes on the device where it takes most. */
  long allocatedBytes(long lengthBytes) {
    return lastSeen.values().stream()
        .mapToLong(device -> device.allocatedBytes(lengthBytes))
        .max()
        .orElse(lengthBytes);
  }

  /** What a file of a length takes on a device, also on one that can't be used now. */
  long allocatedBytes(String id, long lengthBytes) {
    FastDevice device = lastSeen.get(id);
    return device == null ? lengthBytes : device.allocatedBytes(lengthBytes);
  }

  /** A device that can be used now, or null. */
  @Nullable FastDevice get(String id) {
    return devices.stream().filter(device -> device.id().equals(id)).findFirst().orElse(null);
  }

  /**
   * The device with most room once the victims are gone; null if none has enough.
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
