// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.move.WriteBackPace;
import io.hycache.core.spi.MoveAbandonedException;
import io.hycache.core.spi.SlowDevice;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockEntry.Moving;
import io.hycache.core.table.BlockTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes dirty replicas back to DISK ahead of need (the scrubber of Hystor's write-back area,
 * ICS'11), one at a time to each slow device, and sets the rate of all moves to and from each slow
 * device, so that they yield to its users.
 *
 * <p>A round is O(slow devices), and when something is due O(blocks of the eviction order up to the
 * victims). Owned by the planner's thread.
 */
final class Scrubber {
  /** A write to DISK that began longer ago is a file held open: it keeps no disk busy. */
  private static final long MAX_BUSY_WRITE_AGE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** How long a slow device is avoided after a write to it failed, if there are others. */
  private static final long PAUSE_AFTER_FAILURE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final BlockTable table;
  private final Departures departures;
  private final FastSpace space;
  private final WriteSpace writeSpace;
  private final Movers movers;
  private final Counters counters;
  private final MoveOutcomes outcomes;
  private final SlowDeviceUse use = new SlowDeviceUse();

  /** Slow devices that a demotion writes to, and the fast device that it reads from. */
  private final Map<String, String> writtenTo = new HashMap<>();

  private HyCacheConfig config;
  private WriteBackPace pace;
  private List<SlowDevice> devices = List.of();

  /** Dirty bytes on their way to DISK, by fast device. */
  private final BytesByDevice leaving = new BytesByDevice();

  /** Slow devices on which a demotion failed, and until when they are avoided. */
  private final Map<String, Long> resting = new HashMap<>();

  private long lastNanos;

  Scrubber(
      HyCacheConfig config,
      BlockTable table,
      Departures departures,
      FastSpace space,
      WriteSpace writeSpace,
      Movers movers,
      MoveOutcomes outcomes,
      Counters counters) {
    this.config = config;
    this.pace = pace(config);
    this.table = table;
    this.departures = departures;
    this.space = space;
    this.writeSpace = writeSpace;
    this.movers = movers;
    this.counters = counters;
    this.outcomes = outcomes;
  }

  private static WriteBackPace pace(HyCacheConfig config) {
    return new WriteBackPace(config.demoteBytesPerSec(), config.demoteBusyBytesPerSec());
  }

  void reconfigure(HyCacheConfig next) {
    config = next;
    pace = pace(next);
  }

  /** Sets the slow devices that are usable. */
  void update(List<SlowDevice> found) {
    devices = found;
  }

  /** An exchange demotes bytes of a fast device; a negative number when it ended. */
  void leaves(@Nullable String device, long bytes) {
    leaving.add(device, bytes);
  }

  /** A demotion to this slow device failed, which may be the device's fault. */
  void failedOn(String slowDevice, Throwable why) {
    if (!(why instanceof MoveAbandonedException)) {
      resting.put(slowDevice, lastNanos + PAUSE_AFTER_FAILURE_NANOS);
    }
  }

  /** No demotion writes there, and none failed lately, unless on all of them. */
  private boolean isIdle(SlowDevice device, long now) {
    return !isWrittenTo(device)
        && (!isResting(device, now) || devices.stream().allMatch(other -> isResting(other, now)));
  }

  private boolean isResting(SlowDevice device, long now) {
    Long until = resting.get(device.id());
    return until != null && now - until < 0;
  }

  /** True if users wait for the head of a slow device. */
  boolean usersWait() {
    return use.anyWaitedFor();
  }

  /** True if no user reads from the slow device or writes to it, and no demotion does. */
  boolean isUnused(String slowDevice, long now) {
    return devices.stream()
        .anyMatch(
            device ->
                device.id().equals(slowDevice)
                    && use.isIdle(device, now)
                    && !use.isWaitedFor(slowDevice)
                    && !isWrittenTo(device));
  }

  /**
   * The idle device with most room for some victims; null if none has enough. {@link #begins} must
   * be called before they are written there.
   */
  @Nullable String roomiestIdle(List<BlockEntry> victims, long now) {
    return devices.stream()
        .filter(device -> isIdle(device, now) && fits(device, victims))
        .max(Comparator.comparingLong(SlowDevice::availableBytes))
        .map(SlowDevice::id)
        .orElse(null);
  }

  /** True if some device, idle or not, has the room for them. */
  boolean anyFits(List<BlockEntry> victims) {
    return devices.stream().anyMatch(device -> fits(device, victims));
  }

  private static boolean fits(SlowDevice device, List<BlockEntry> victims) {
    return device.availableBytes() > victims.stream().mapToLong(BlockEntry::sizeBytes).sum();
  }

  /** A demotion writes to this device until {@link #ends}. */
  void begins(String slowDevice, String fastDevice) {
    writtenTo.put(slowDevice, fastDevice);
  }

  void ends(String slowDevice, String fastDevice) {
    writtenTo.remove(slowDevice, fastDevice);
  }

  /** A write from a fast device that hangs or was removed does not count. */
  private boolean isWrittenTo(SlowDevice device) {
    String from = writtenTo.get(device.id());
    return from != null && space.get(from) != null;
  }

  /** Dirty bytes that are not on their way to DISK. */
  private long dirtyBytes() {
    return table.use(space.ids()).dirtyBytes() - leaving.on(space.ids());
  }

  private long lowBytes() {
    return (long) (space.replicaCapacityBytes() * config.demoteLow());
  }

  /** True while dirty replicas move to DISK: they take more than the low watermark. */
  boolean isDue() {
    return dirtyBytes() > lowBytes();
  }

  /** True if a slow device is usable. */
  boolean hasDevices() {
    return !devices.isEmpty();
  }

  /** Sets the rates, and begins the demotions that are due. */
  void maintain(long now) {
    lastNanos = now;
    use.update(devices, writeSpace.devicesWritten(now, MAX_BUSY_WRITE_AGE_NANOS), now);
    long low = lowBytes();
    long high = (long) (space.replicaCapacityBytes() * config.demoteHigh());
    long dirty = dirtyBytes();
    double fill = WriteBackPace.fill(dirty, low, high);
    List<SlowDevice> ready = new ArrayList<>();
    for (SlowDevice device : devices) {
      movers.rates.setReadRate(device.id(), promoteBytesPerSec(device));
      boolean inUse = use.inUse(device, now);
      movers.rates.setDemoteRate(device.id(), pace.bytesPerSec(fill, inUse));
      if (pace.begins(fill, inUse) && isIdle(device, now)) {
        ready.add(device);
      }
    }
    for (BlockEntry victim :
        departures.first(Departures.Kind.DIRTY, dirty - low, ready.size(), now)) {
      Optional<SlowDevice> device =
          ready.stream().filter(d -> d.availableBytes() > victim.sizeBytes()).findFirst();
      if (device.isPresent()) {
        ready.remove(device.get());
        demote(victim, device.get().id());
      }
    }
  }

  private long promoteBytesPerSec(SlowDevice device) {
    return use.isWaitedFor(device.id())
        ? Math.min(config.promoteBusyBytesPerSec(), config.promoteBytesPerSec())
        : config.promoteBytesPerSec();
  }

  private void demote(BlockEntry victim, String slowDevice) {
    long bytes = victim.sizeBytes();
    String from = victim.device();
    if (from == null) {
      return; // on DISK already
    }
    Runnable ended =
        () -> {
          ends(slowDevice, from);
          leaving.add(from, -bytes);
        };
    boolean queued = false;
    begins(slowDevice, from);
    leaving.add(from, bytes);
    try {
      victim.setMoving(Moving.DEMOTING);
      queued =
          movers.demote(
              victim.replica(),
              from,
              slowDevice,
              kept -> {
                ended.run();
                outcomes.demoted(victim, kept);
              },
              why -> {
                ended.run();
                failedOn(slowDevice, why);
                outcomes.failed(victim, why);
              });
    } finally {
      if (!queued) {
        ended.run();
        victim.setMoving(Moving.NOTHING);
        counters.increment(Counter.MOVES_REJECTED);
      }
    }
  }
}
