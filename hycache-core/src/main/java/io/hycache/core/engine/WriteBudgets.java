// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.move.WriteBudget;
import io.hycache.core.move.WriteBudget.Cause;
import io.hycache.core.spi.FastDevice;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The write budgets of all fast devices. Owned by the planner's thread, except for {@link
 * #isSpent}, which the write path calls.
 */
final class WriteBudgets {
  private final double driveWritesPerDay;
  private final Map<String, WriteBudget> byDevice = new HashMap<>();
  private volatile Set<String> spent = Set.of();

  /**
   * @param driveWritesPerDay &gt;= 0; 0 means no bound
   */
  WriteBudgets(double driveWritesPerDay) {
    this.driveWritesPerDay = driveWritesPerDay;
  }

  /** Takes over the devices that are there now. */
  void update(List<FastDevice> devices, long now) {
    Set<String> none = new HashSet<>();
    for (FastDevice device : devices) {
      WriteBudget budget =
          byDevice.computeIfAbsent(
              device.id(), id -> new WriteBudget(driveWritesPerDay, device.capacityBytes(), now));
      budget.setCapacity(device.capacityBytes());
      if (!budget.allows(Cause.USER_WRITE, now)) {
        none.add(device.id());
      }
    }
    spent = none;
  }

  /** True while SSD-first writes must not go to the device. Any thread; no lock. */
  boolean isSpent(String device) {
    return spent.contains(device);
  }

  void wrote(String device, Cause cause, long bytes, long now) {
    WriteBudget budget = byDevice.get(device);
    if (budget != null) {
      budget.wrote(cause, bytes, now);
    }
  }

  boolean allowsPromotion(String device, long now) {
    WriteBudget budget = byDevice.get(device);
    return budget == null || budget.allows(Cause.PROMOTION, now);
  }

  boolean isSaved(String device) {
    WriteBudget budget = byDevice.get(device);
    return budget == null || budget.isSaved();
  }

  /** The figures of a device to keep across a restart; empty if the device is unknown. */
  long[] save(String device, long now) {
    WriteBudget budget = byDevice.get(device);
    return budget == null ? new long[0] : budget.save(now);
  }

  /** Adds what an earlier process saved. */
  void restore(String device, long[] numbers, long agoNanos, long now) {
    WriteBudget budget = byDevice.get(device);
    if (budget != null) {
      budget.restore(numbers, agoNanos, now);
    }
  }

  @Nullable WriteBudget of(String device) {
    return byDevice.get(device);
  }
}
