// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import com.google.common.collect.Iterables;
import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.move.WriteBackPace;
import io.hycache.core.spi.FastDevice;
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
 * device, so that they yield to its users. What is dirty on an upper tier steps down to the next
 * instead ({@link StepDown}).
 *
 * <p>A round is O(slow devices), and when something is due O(blocks of the eviction order up to the
 * victims). Owned by the planner's thread.
 */
final class Scrubber {
  /** A write to DISK that began longer ago is a file held open: it keeps no disk busy. */
  private static final long MAX_BUSY_WRITE_AGE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** How long a slow device is avoided after a write to it failed, if there are others. */
  private static final long PAUSE_AFTER_FAILURE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Guests of an upper tier that are looked at in one round, at most. */
  private static final int MAX_STEPS_PER_ROUND = 64;

  /** Pause after a round in which guests were due to step down, and none began to. */
  private static final long STEP_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final BlockTable table;
  private final Departures departures;
  private final FastSpace space;
  private final WriteSpace writeSpace;
  private final Movers movers;
  private final Counters counters;
  private final MoveOutcomes outcomes;
  private final StepDown stepDown;
  private final SlowDeviceUse use = new SlowDeviceUse();

  /** Devices that a demotion writes to, and the fast device that it reads from. */
  private final Map<String, String> writtenTo = new HashMap<>();

  private HyCacheConfig config;
  private WriteBackPace pace;
  private List<SlowDevice> devices = List.of();

  /** Dirty bytes on their way to DISK, by fast device. */
  private final BytesByDevice leaving = new BytesByDevice();

  /** Slow devices on which a demotion failed, and until when they are avoided. */
  private final Map<String, Long> resting = new HashMap<>();

  private long lastNanos;

  /** The last look at what is to step down, and whether nothing began then. */
  private long lookedNanos;

  private boolean idle;

  /** How full the upper tiers are of guests that no lower tier takes, 0 to 1. */
  private double stuckFill;

  Scrubber(
      HyCacheConfig config,
      BlockTable table,
      Departures departures,
      FastSpace space,
      WriteSpace writeSpace,
      Movers movers,
      MoveOutcomes outcomes,
      StepDown stepDown,
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
    this.stepDown = stepDown;
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

  /** As {@link BytesByDevice#prepare}: {@link #leaves} can't fail after it. */
  void prepare(String device) {
    leaving.prepare(device);
  }

  /** An exchange demotes bytes of a fast device; a negative number when it ended. */
  void leaves(@Nullable String device, long bytes) {
    leaving.add(device, bytes);
  }

  /** A demotion to this device failed, which may be the device's fault. */
  void failedOn(String slowDevice, Throwable why) {
    if (why instanceof MoveAbandonedException) {
      return;
    }
    if (space.isFast(slowDevice)) {
      stepDown.failedOn(slowDevice);
    } else {
      resting.put(slowDevice, lastNanos + PAUSE_AFTER_FAILURE_NANOS);
    }
  }

  /** No demotion writes there, and none failed lately, unless on all of them. */
  private boolean isIdle(SlowDevice device, long now) {
    return !isWrittenTo(device.id())
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
                    && !isWrittenTo(slowDevice));
  }

  /**
   * Where dirty victims that leave a device go: to the next slower fast tier that has room, or else
   * to DISK; null if that does not take them now, because another move writes there. {@link
   * #begins} must be called before they are moved.
   */
  @Nullable String targetFor(String device, List<BlockEntry> victims, long now) {
    String lower = lower(device, victims);
    if (lower == null) {
      return roomiestIdle(victims, now);
    }
    if (isWrittenTo(lower)) {
      return null;
    }
    movers.rates.setDemoteRate(lower, config.promoteBytesPerSec());
    return lower;
  }

  /**
   * Whether what {@link #targetFor} found writes at its full speed: a slow device that users read
   * from or write to takes demotions at the pace of {@code demoteBusyBytesPerSec}.
   *
   * @param target null if none was found
   */
  boolean takesAtOnce(@Nullable String target, long now) {
    return target != null && (space.isFast(target) || isUnused(target, now));
  }

  /** Bytes of those of some victims that must be written elsewhere. */
  static long dirtyBytes(List<BlockEntry> victims) {
    return victims.stream()
        .filter(victim -> !victim.cleanData())
        .mapToLong(BlockEntry::sizeBytes)
        .sum();
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

  private @Nullable String lower(String device, List<BlockEntry> victims) {
    return stepDown.target(device, dirtyBytes(victims), this::isWrittenTo);
  }

  /** True if a device, idle or not, has room for dirty victims that leave another one. */
  boolean hasTarget(String device, List<BlockEntry> victims) {
    return lower(device, victims) != null || devices.stream().anyMatch(slow -> fits(slow, victims));
  }

  private static boolean fits(SlowDevice device, List<BlockEntry> victims) {
    return device.availableBytes() > victims.stream().mapToLong(BlockEntry::sizeBytes).sum();
  }

  /** Demotions of so many bytes write to this device until {@link #ends}. */
  void begins(String target, String fastDevice, long bytes) {
    writtenTo.put(target, fastDevice);
    stepDown.begins(target, fastDevice, bytes);
  }

  /** Idempotent. */
  void ends(String target, String fastDevice) {
    writtenTo.remove(target, fastDevice);
    stepDown.ends(target, fastDevice);
  }

  /**
   * A demotion ended well.
   *
   * @param kept whether the bytes stayed on the fast device as a clean copy
   */
  void left(BlockEntry victim, @Nullable String target, boolean kept) {
    if (target != null && space.isFast(target)) {
      outcomes.steppedDown(victim, target);
    } else {
      outcomes.demoted(victim, kept);
    }
  }

  /** A write from a fast device that hangs or was removed does not count. */
  private boolean isWrittenTo(String device) {
    String from = writtenTo.get(device);
    return from != null && space.get(from) != null;
  }

  /**
   * True while dirty replicas of a device move to DISK, or to a slower tier: those of its tier take
   * more than the low watermark.
   *
   * @param device null if that is not known
   */
  boolean isDue(@Nullable String device) {
    FastDevice on = device == null ? null : space.get(device);
    boolean upper = on != null && space.upperTiers().contains(on.tier());
    return watermarks(on != null && upper ? space.of(on.tier()) : space.bottom()).over() > 0;
  }

  /** True if a slow device is usable. */
  boolean hasDevices() {
    return !devices.isEmpty();
  }

  /** Sets the rates, and begins the demotions that are due. */
  void maintain(long now) {
    lastNanos = now;
    use.update(devices, writeSpace.devicesWritten(now, MAX_BUSY_WRITE_AGE_NANOS), now);
    List<BlockEntry> stuck = stepDown(now);
    Watermarks bottom = watermarks(space.bottom());
    double fill = Math.max(bottom.fill(), stuckFill);
    List<SlowDevice> ready = new ArrayList<>();
    for (SlowDevice device : devices) {
      movers.rates.setReadRate(device.id(), promoteBytesPerSec(device));
      boolean inUse = use.inUse(device, now);
      movers.rates.setDemoteRate(device.id(), pace.bytesPerSec(fill, inUse));
      if (pace.begins(fill, inUse) && isIdle(device, now)) {
        ready.add(device);
      }
    }
    Iterable<BlockEntry> due =
        departures.firstOn(bottom.ids, Departures.Kind.DIRTY, bottom.over(), ready.size(), now);
    for (BlockEntry victim : Iterables.concat(stuck, due)) {
      Optional<SlowDevice> device =
          ready.stream()
              .filter(d -> d.availableBytes() > victim.sizeBytes())
              .max(Comparator.comparingLong(SlowDevice::availableBytes));
      if (device.isPresent()) {
        ready.remove(device.get());
        demote(victim, device.get().id());
      }
    }
  }

  /** The dirty bytes of some devices that stay there, and their watermarks. Immutable. */
  private static final class Watermarks {
    final List<String> ids;
    final long dirtyBytes;
    final long lowBytes;
    final long highBytes;

    Watermarks(List<String> ids, long dirtyBytes, long lowBytes, long highBytes) {
      this.ids = ids;
      this.dirtyBytes = dirtyBytes;
      this.lowBytes = lowBytes;
      this.highBytes = highBytes;
    }

    double fill() {
      return WriteBackPace.fill(dirtyBytes, lowBytes, highBytes);
    }

    /** Bytes to write back; zero or less if there is nothing to do. */
    long over() {
      return dirtyBytes - lowBytes;
    }
  }

  private Watermarks watermarks(List<FastDevice> of) {
    List<String> ids = FastSpace.ids(of);
    long capacity = FastSpace.replicaCapacityBytes(of);
    return new Watermarks(
        ids,
        table.use(ids).dirtyBytes() - leaving.on(ids),
        (long) (capacity * config.demoteLow()),
        (long) (capacity * config.demoteHigh()));
  }

  /**
   * Moves what is above the low watermark of each upper tier one tier down, one move at a time to
   * each device.
   *
   * @return guests that no lower tier takes, which go to DISK
   */
  private List<BlockEntry> stepDown(long now) {
    List<BlockEntry> stuck = new ArrayList<>();
    if (idle && now - lookedNanos < STEP_INTERVAL_NANOS) {
      return stuck;
    }
    lookedNanos = now;
    stuckFill = 0;
    boolean begun = false;
    boolean due = false;
    for (int tier : space.upperTiers()) {
      Watermarks marks = watermarks(space.of(tier));
      due |= marks.over() > 0;
      for (BlockEntry victim :
          departures.firstOn(
              marks.ids, Departures.Kind.DIRTY, marks.over(), MAX_STEPS_PER_ROUND, now)) {
        String target = stepDown.target(victim.device(), victim.sizeBytes(), this::isWrittenTo);
        if (target != null) {
          if (!isWrittenTo(target)) {
            movers.rates.setDemoteRate(target, config.promoteBytesPerSec());
            demote(victim, target);
            begun = true;
          }
        } else if (marks.fill() >= 1
            || !stepDown.asksForRoom(victim.device(), victim.sizeBytes())) {
          stuck.add(victim);
          stuckFill = Math.max(stuckFill, marks.fill());
        }
      }
    }
    idle = due && !begun;
    return stuck;
  }

  private long promoteBytesPerSec(SlowDevice device) {
    return use.isWaitedFor(device.id())
        ? Math.min(config.promoteBusyBytesPerSec(), config.promoteBytesPerSec())
        : config.promoteBytesPerSec();
  }

  private void demote(BlockEntry victim, String target) {
    long bytes = victim.sizeBytes();
    String from = victim.device();
    if (from == null) {
      return; // on DISK already
    }
    Runnable ended =
        () -> {
          ends(target, from);
          leaving.add(from, -bytes);
        };
    boolean queued = false;
    leaving.add(from, bytes); // the only step that may not be taken back if it failed
    try {
      begins(target, from, bytes);
      victim.setMoving(Moving.DEMOTING);
      queued =
          movers.demote(
              victim.replica(),
              from,
              target,
              !space.isFast(target),
              kept -> {
                ended.run();
                left(victim, target, kept);
              },
              why -> {
                ended.run();
                failedOn(target, why);
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
