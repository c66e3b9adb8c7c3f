// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.CacheKey;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Clean copies that make way at once for replicas that the NameNode itself puts on a fast device.
 *
 * <p>The NameNode counts clean copies as free space, so a write may find the device full of them.
 * The write must not search for victims, which is a walk of the policy's order. The planner does so
 * ahead of need while a device is short of room: it takes the first of the order, up to {@link
 * #MAX_COPIES} or a share of the device, and renews them when half were taken or after a while, at
 * most as often as it looks at the devices. A caller of {@link #poll} skips copies that have left
 * in another way.
 *
 * <p>{@link #poll} and {@link #bytes} are for any thread, O(1), and never wait; all else is owned
 * by the planner's thread.
 */
final class SpareCopies {
  /** Most copies for one device. */
  static final int MAX_COPIES = 1_024;

  /** Bytes to keep ready for one device, at least. */
  static final long MIN_TARGET_BYTES = 1L << 30;

  /** Bytes to keep ready for one device, as a share of its capacity. */
  static final double TARGET_SHARE = 0.1;

  /** Age after which the copies are renewed, because the policy's order has changed. */
  static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final class Spare {
    final BlockKey block;
    final long bytes;

    Spare(BlockKey block, long bytes) {
      this.block = block;
      this.bytes = bytes;
    }
  }

  /** The copies of one device. */
  private static final class Spares {
    final Queue<Spare> queue = new ConcurrentLinkedQueue<>();
    final AtomicLong bytes = new AtomicLong();
    final long madeNanos;
    long firstBytes;
    int copies;

    Spares(long madeNanos) {
      this.madeNanos = madeNanos;
    }

    boolean isFull(long targetBytes) {
      return firstBytes >= targetBytes || copies >= MAX_COPIES;
    }

    void add(BlockEntry entry) {
      queue.add(new Spare(entry.key(), entry.sizeBytes()));
      bytes.addAndGet(entry.sizeBytes());
      firstBytes += entry.sizeBytes();
      copies++;
    }

    boolean isGood(long nowNanos) {
      long age = nowNanos - madeNanos;
      boolean enough = firstBytes > 0 && bytes.get() >= firstBytes / 2;
      return age < (enough ? STALE_NANOS : SpaceLedger.MAX_LOOK_AGE_NANOS);
    }
  }

  private final Map<String, Spares> byDevice = new ConcurrentHashMap<>();

  /** Removes and returns the next copy to make way on a device; null if there is none. */
  @Nullable BlockKey poll(String device) {
    Spares spares = byDevice.get(device);
    Spare next = spares == null ? null : spares.queue.poll();
    if (spares == null || next == null) {
      return null;
    }
    spares.bytes.addAndGet(-next.bytes);
    return next.block;
  }

  /** Bytes that would become free on a device if all its copies made way. */
  long bytes(String device) {
    Spares spares = byDevice.get(device);
    return spares == null ? 0 : spares.bytes.get();
  }

  /**
   * Renews the copies of the devices that are short of room.
   *
   * @param order the policy's order of eviction; walked only if a device needs copies
   * @param mayLeave whether a clean copy may leave now
   */
  void maintain(
      FastSpace space,
      BlockTable table,
      Iterable<? extends CacheKey> order,
      Predicate<BlockEntry> mayLeave,
      long nowNanos) {
    byDevice.keySet().removeIf(id -> space.get(id) == null);
    Map<String, Spares> renewed = new HashMap<>();
    Map<String, Long> targets = new HashMap<>();
    for (String id : space.ids()) {
      FastDevice device = space.get(id);
      if (device == null || !device.holdsReplicas()) {
        continue;
      }
      long target = Math.max(MIN_TARGET_BYTES, (long) (device.capacityBytes() * TARGET_SHARE));
      Spares known = byDevice.get(id);
      boolean shortOfRoom = device.availableBytes() < target;
      if (!shortOfRoom || table.use(List.of(id)).cleanBytes() == 0) {
        byDevice.remove(id);
      } else if (known == null || !known.isGood(nowNanos)) {
        renewed.put(id, new Spares(nowNanos));
        targets.put(id, target);
      }
    }
    if (!renewed.isEmpty()) {
      fill(renewed, targets, table, order, mayLeave);
      byDevice.putAll(renewed);
    }
  }

  private static void fill(
      Map<String, Spares> lists,
      Map<String, Long> targets,
      BlockTable table,
      Iterable<? extends CacheKey> order,
      Predicate<BlockEntry> mayLeave) {
    List<String> left = new ArrayList<>(lists.keySet());
    for (CacheKey key : order) {
      BlockEntry entry = table.get(key);
      if (entry == null || !mayLeave.test(entry)) {
        continue;
      }
      String device = entry.device();
      Spares list = device == null || !left.contains(device) ? null : lists.get(device);
      if (device == null || list == null) {
        continue;
      }
      list.add(entry);
      if (list.isFull(targets.getOrDefault(device, 0L))) {
        left.remove(device);
        if (left.isEmpty()) {
          return;
        }
      }
    }
  }
}
