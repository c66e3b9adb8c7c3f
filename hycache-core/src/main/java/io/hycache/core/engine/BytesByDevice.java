package io.hycache.core.engine;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A sum of bytes, or a count, for each device. What is asked for is the sum over the devices that
 * can be used: what is under way on a device that hangs is neither room nor load on the others.
 * O(devices); for one thread.
 */
final class BytesByDevice {
  private final Map<String, Long> sums = new HashMap<>();

  /**
   * @param device null: on no device, which is not counted
   */
  void add(@Nullable String device, long bytes) {
    if (device != null) {
      sums.merge(device, bytes, Long::sum);
    }
  }

  /** The sum over some devices. */
  long on(Iterable<String> devices) {
    long sum = 0;
    for (String device : devices) {
      sum += sums.getOrDefault(device, 0L);
    }
    return sum;
  }
}
