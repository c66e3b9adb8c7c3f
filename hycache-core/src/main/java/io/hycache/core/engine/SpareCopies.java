package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
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
 * Clean copies that make way at once for what the NameNode itself puts on a fast device.
 *
 * <p>The NameNode counts clean copies as free, so that a write may find the device full of them. It
 * must not look for victims: that is a walk of the policy's order. The planner does it ahead of
 * need, while a device is short of room: the first of the order, up to {@link #MOST_COPIES} or a
 * share of the device, renewed when half of them were taken or after a while, at most as often as
 * the devices are looked at. A copy that was taken meanwhile in another way is skipped by whoever
 * polls it.
 *
 * <p>{@link #poll} and {@link #bytes} are for any thread, O(1), and never wait; the rest is the
 * planner's.
 */
final class SpareCopies {
  static final int MOST_COPIES = 1_024;
  static final long LEAST_BYTES = 1L << 30;
  static final double DEVICE_SHARE = 0.1;
  static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final class Spare {
    final BlockKey block;
    final long bytes;

    Spare(BlockKey block, long bytes) {
      this.block = block;
      this.bytes = bytes;
    }
  }

  /** Those of one device. */
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
      return firstBytes >= targetBytes || copies >= MOST_COPIES;
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

  /** The next copy to make way on a device, or null. */
  @Nullable BlockKey poll(String device) {
    Spares spares = byDevice.get(device);
    Spare next = spares == null ? null : spares.queue.poll();
    if (spares == null || next == null) {
      return null;
    }
    spares.bytes.addAndGet(-next.bytes);
    return next.block;
  }

  /** What would become free on a device if all of them made way. */
  long bytes(String device) {
    Spares spares = byDevice.get(device);
    return spares == null ? 0 : spares.bytes.get();
  }

  /**
   * Renews the copies of the devices that are short of room.
   *
   * @param order the policy's, the first to leave first; walked only if there is need
   * @param mayLeave whether a clean copy may leave now
   */
  void maintain(
      FastSpace space,
      BlockTable table,
      Iterable<BlockKey> order,
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
      long target = Math.max(LEAST_BYTES, (long) (device.capacityBytes() * DEVICE_SHARE));
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
      Iterable<BlockKey> order,
      Predicate<BlockEntry> mayLeave) {
    List<String> left = new ArrayList<>(lists.keySet());
    for (BlockKey key : order) {
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
