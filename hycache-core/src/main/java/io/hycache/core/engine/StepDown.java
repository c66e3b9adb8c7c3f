// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.spi.FastDevice;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where a guest goes that must leave an upper tier: to a device of the next slower fast tier that
 * takes it, so that what cools drifts down one step at a time; to DISK only where there is none. A
 * tier takes guests up to the high watermark of its dirty bytes, so that write-back of the bottom
 * keeps up, and keeps its reserve free; clean copies there make way for them. Owned by the
 * planner's thread; O(devices).
 */
final class StepDown {
  /** How long a device is avoided after a move to it failed. */
  private static final long PAUSE_AFTER_FAILURE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final LiveConfig config;
  private final FastSpace space;
  private final SpaceLedger ledger;
  private final WriteBudgets budgets;
  private final RoundClock clock;

  /** Bytes of guests on their way, by the device that they go to and the one that they leave. */
  private final Map<String, Map<String, Long>> arriving = new HashMap<>();

  /** Devices to which a move failed, and until when they are avoided. */
  private final Map<String, Long> resting = new HashMap<>();

  StepDown(
      LiveConfig config,
      FastSpace space,
      SpaceLedger ledger,
      WriteBudgets budgets,
      RoundClock clock) {
    this.config = config;
    this.space = space;
    this.ledger = ledger;
    this.budgets = budgets;
    this.clock = clock;
  }

  /**
   * The device that takes a guest, a busy one only if all are that have the room on its tier; null
   * if none has the room now.
   *
   * @param from device that it leaves; null if that is not known
   * @param busy devices that a move writes to
   */
  @Nullable String target(@Nullable String from, long bytes, Predicate<String> busy) {
    return lower(from, device -> takes(device, bytes) && beyondReserve(device) >= bytes, busy)
        .map(FastDevice::id)
        .orElse(null);
  }

  /**
   * Asks for the room that a guest needs on a lower tier, where clean copies can make way.
   *
   * @return false if none can
   */
  boolean asksForRoom(@Nullable String from, long bytes) {
    Optional<FastDevice> device =
        lower(
            from,
            d -> takes(d, bytes) && beyondReserve(d) + ledger.evictableBytes(d) >= bytes,
            id -> false);
    device.ifPresent(d -> ledger.wantRoom(d.id(), bytes + space.reserve(d)));
    return device.isPresent();
  }

  /**
   * The device with most room, of those that are not busy if there are any, of the first tier below
   * with one that fits.
   */
  private Optional<FastDevice> lower(
      @Nullable String from, Predicate<FastDevice> fits, Predicate<String> busy) {
    FastDevice source = from == null ? null : space.get(from);
    if (source == null) {
      return Optional.empty();
    }
    for (int tier : space.tiers()) {
      Optional<FastDevice> found =
          tier <= source.tier()
              ? Optional.empty()
              : space.of(tier).stream()
                  .filter(fits)
                  .max(
                      Comparator.comparing((FastDevice device) -> !busy.test(device.id()))
                          .thenComparingLong(space::available));
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /** What is available beyond what is kept free; negative if that is not. */
  private long beyondReserve(FastDevice device) {
    return space.available(device) - space.reserve(device);
  }

  private boolean takes(FastDevice device, long bytes) {
    return device.holdsReplicas()
        && budgets.allowsPromotion(device.id(), clock.now())
        && !isResting(device.id())
        && isBelowHigh(space.of(device.tier()), bytes);
  }

  private boolean isBelowHigh(List<FastDevice> tier, long bytes) {
    long dirty = ledger.dirtyBytes(tier) + bytes;
    for (FastDevice device : tier) {
      for (long coming : arriving.getOrDefault(device.id(), Map.of()).values()) {
        dirty += coming;
      }
    }
    return dirty <= (long) (FastSpace.replicaCapacityBytes(tier) * config.get().demoteHigh());
  }

  private boolean isResting(String device) {
    Long until = resting.get(device);
    return until != null && clock.now() - until < 0;
  }

  /**
   * Guests of a device are on their way to another; {@link #ends} must follow. No effect for a slow
   * device.
   */
  void begins(String target, String from, long bytes) {
    if (space.isFast(target)) {
      arriving.computeIfAbsent(target, id -> new HashMap<>()).put(from, bytes);
      ledger.takeForStep(target, bytes);
    }
  }

  /** The move ended, well or not. Idempotent. */
  void ends(String target, String from) {
    Map<String, Long> of = arriving.get(target);
    if (of != null) {
      of.remove(from);
    }
  }

  /** A move to a fast device failed, which may be the device's fault. */
  void failedOn(String target) {
    resting.put(target, clock.now() + PAUSE_AFTER_FAILURE_NANOS);
  }
}
