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
  private final Map<String, Long> sums = new HashMap<>();

  /**
   * @param device null means no device, which is not counted
   */
  void add(@Nullable String device, long bytes) {
    if (device != null) {
      sums.merge(device, bytes, Long::sum);
    }
  }

  /** All sums are 0 again. */
  void clear() {
    sums.clear();
  }

  /** The sum over all devices, those that are not usable included. */
  long total() {
    return sums.values().stream().mapToLong(Long::longValue).sum();
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
