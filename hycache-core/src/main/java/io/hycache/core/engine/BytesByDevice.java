// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A sum of bytes, or a count, for each device. Queries sum over the usable devices only: moves on a
 * device that hangs are neither room nor load on the others. O(devices); single-threaded.
 */
final class BytesByDevice {
  private final Map<String, long[]> sums = new HashMap<>();

  /**
   * Makes the sum of a device, if it has none yet: only that can fail for want of memory, and
   * {@link #add} no more after it.
   */
  void prepare(@Nullable String device) {
    add(device, 0);
  }

  /**
   * @param device null means no device, which is not counted
   */
  void add(@Nullable String device, long bytes) {
    if (device != null) {
      sums.computeIfAbsent(device, id -> new long[1])[0] += bytes;
    }
  }

  /** All sums are 0 again. */
  void clear() {
    sums.values().forEach(sum -> sum[0] = 0);
  }

  /** The sum over all devices, those that are not usable included. */
  long total() {
    return sums.values().stream().mapToLong(sum -> sum[0]).sum();
  }

  /** The sum over some devices. */
  long on(Iterable<String> devices) {
    long total = 0;
    for (String device : devices) {
      long[] sum = sums.get(device);
      total += sum == null ? 0 : sum[0];
    }
    return total;
  }
}
