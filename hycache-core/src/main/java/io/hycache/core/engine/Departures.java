// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import com.google.common.collect.Iterables;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Home;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockEntry.Moving;
import io.hycache.core.table.BlockTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which residents may leave the fast tier: the one predicate, and the one walk of the policy's
 * order. What is pinned stays; a dirty replica that is pinned may be written back, after all
 * others, because that keeps its bytes on the fast tier as a clean copy. A block that an order
 * names twice leaves once. Owned by the planner's thread; a walk is O(blocks of the order up to the
 * last victim).
 */
final class Departures {
  /** Blocks that one search for room visits, so that events do not wait for it. */
  private static final int MAX_SEARCH_STEPS = 100_000;

  /** Which residents may leave. */
  enum Kind {
    ANY,
    CLEAN,

    /** Dirty replicas to write back: their bytes stay as clean copies. */
    DIRTY
  }

  /** A device for a new copy, and the victims that leave it. Immutable. */
  static final class Place {
    final String device;
    final List<BlockEntry> victims;

    Place(String device, Collection<BlockEntry> victims) {
      this.device = device;
      this.victims = List.copyOf(victims);
    }
  }

  private final BlockTable table;
  private final CachePolicy policy;
  private final FastSpace space;
  private final Pins pins;

  Departures(BlockTable table, CachePolicy policy, FastSpace space, Pins pins) {
    this.table = table;
    this.policy = policy;
    this.space = space;
    this.pins = pins;
  }

  /** True for a resident of this kind on a usable device that is neither moving nor resting. */
  boolean mayLeave(@Nullable BlockEntry entry, Kind kind, long now) {
    return entry != null
        && isOf(entry, kind)
        && entry.moving() == Moving.NOTHING
        && space.usable(entry.device())
        && !entry.resting(now)
        && (kind == Kind.DIRTY || !pins.holds(entry));
  }

  private static boolean isOf(BlockEntry entry, Kind kind) {
    switch (kind) {
      case CLEAN:
        return entry.cleanData();
      case DIRTY:
        return entry.home() == Home.SSD_GUEST;
      default:
        return entry.isResident();
    }
  }

  /** The first residents of the policy's order that make up the bytes, at most {@code most}. */
  List<BlockEntry> first(Kind kind, long bytes, int most, long now) {
    return first(order(kind), kind, bytes, most, now);
  }

  /** As {@link #first(Kind, long, int, long)}, of the residents of some devices. */
  List<BlockEntry> firstOn(Collection<String> devices, Kind kind, long bytes, int most, long now) {
    return first(Iterables.filter(order(kind), key -> isOn(key, devices)), kind, bytes, most, now);
  }

  private boolean isOn(CacheKey key, Collection<String> devices) {
    BlockEntry entry = table.get(key);
    String device = entry == null ? null : entry.device();
    return device != null && devices.contains(device);
  }

  private Iterable<? extends CacheKey> order(Kind kind) {
    return kind == Kind.DIRTY
        ? Iterables.concat(policy.evictionOrder(), pins.blocks())
        : policy.evictionOrder();
  }

  /** As {@link #first(Kind, long, int, long)}, of another order. */
  List<BlockEntry> first(
      Iterable<? extends CacheKey> order, Kind kind, long bytes, int most, long now) {
    Map<BlockKey, BlockEntry> victims = new LinkedHashMap<>();
    if (bytes <= 0 || most <= 0) {
      return List.of();
    }
    long left = bytes;
    for (CacheKey key : order) {
      BlockEntry entry = table.get(key);
      if (entry != null
          && mayLeave(entry, kind, now)
          && victims.putIfAbsent(entry.key(), entry) == null) {
        left -= entry.sizeBytes();
        if (left <= 0 || victims.size() >= most) {
          break;
        }
      }
    }
    return new ArrayList<>(victims.values());
  }

  /**
   * Finds a device for a new copy. A victim makes room on its own device only: if the chosen
   * victims do not make enough room on any one device, or some can't leave now, the first residents
   * of the policy's order make way on the device where they suffice first.
   *
   * @param chosen the policy's victims
   * @param freeBytes bytes free on the tier without a victim
   * @param allowed devices that may be written to
   * @return null if there is no such device
   */
  @Nullable Place placeFor(
      long sizeBytes,
      List<BlockEntry> chosen,
      Kind kind,
      long freeBytes,
      Predicate<String> allowed,
      long now) {
    if (chosen.stream().allMatch(victim -> mayLeave(victim, kind, now))) {
      String device = space.roomiest(sizeBytes, chosen, allowed);
      List<BlockEntry> there = device == null ? null : enough(device, sizeBytes, chosen, freeBytes);
      if (device != null && there != null) {
        return new Place(device, there);
      }
    }
    String empty = sizeBytes <= freeBytes ? space.roomiest(sizeBytes, List.of(), allowed) : null;
    return empty != null
        ? new Place(empty, List.of())
        : makeWay(policy.evictionOrder(), sizeBytes, kind, freeBytes, allowed, now);
  }

  /**
   * The victims that are on this device; null if they do not make enough room. Victims on another
   * device would occupy this device's movers, and hold them up if that device hangs.
   */
  private static @Nullable List<BlockEntry> enough(
      String device, long sizeBytes, List<BlockEntry> chosen, long freeBytes) {
    List<BlockEntry> there = new ArrayList<>(chosen.size());
    long freed = 0;
    for (BlockEntry victim : chosen) {
      if (device.equals(victim.device())) {
        there.add(victim);
        freed += victim.sizeBytes();
      }
    }
    return sizeBytes - freed <= freeBytes ? there : null;
  }

  /**
   * Finds the device where the first residents of an order make enough room first.
   *
   * @param freeBytes bytes free on the tier without a victim
   * @param allowed devices that may be written to
   * @return null if there is no such device
   */
  @Nullable Place makeWay(
      Iterable<? extends CacheKey> order,
      long sizeBytes,
      Kind kind,
      long freeBytes,
      Predicate<String> allowed,
      long now) {
    Map<String, Map<BlockKey, BlockEntry>> leaving = new HashMap<>();
    Map<String, Long> freed = new HashMap<>();
    int steps = 0;
    for (CacheKey key : order) {
      if (++steps > MAX_SEARCH_STEPS) {
        return null;
      }
      BlockEntry entry = table.get(key);
      String on = entry == null ? null : entry.device();
      FastDevice device = on == null ? null : space.get(on);
      if (entry == null
          || device == null
          || sizeBytes > device.capacityBytes()
          || !mayLeave(entry, kind, now)
          || !allowed.test(device.id())) {
        continue;
      }
      Map<BlockKey, BlockEntry> victims =
          leaving.computeIfAbsent(device.id(), id -> new LinkedHashMap<>());
      if (victims.putIfAbsent(entry.key(), entry) != null) {
        continue;
      }
      long bytes = freed.merge(device.id(), entry.sizeBytes(), Long::sum);
      if (space.available(device) + bytes >= sizeBytes && sizeBytes - bytes <= freeBytes) {
        return new Place(device.id(), victims.values());
      }
    }
    return null;
  }
}
