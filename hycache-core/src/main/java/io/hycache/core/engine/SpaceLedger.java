// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static java.util.stream.Collectors.toList;

import io.hycache.core.spi.FastDevice;
import io.hycache.core.stats.WriteFallback;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The space of the fast tier: what the devices reported, what residents take by the block table,
 * and what is on its way to a device or off it.
 *
 * <p>A promotion {@link #reserve}s its bytes before it begins and {@link #release}s them when it
 * ended. A victim counts as leaving from {@link #startLeaving} to {@link #endLeaving}; if it makes
 * way for a promotion that is already reserved, also as exchanged, so that its bytes are not
 * offered to writes as well. All sums are over the devices that are usable now.
 *
 * <p>Bytes promised since the last look at the devices are deducted from it. While there is work or
 * a user writes, it is little older than {@link #MAX_LOOK_AGE_NANOS}; else it may be as old as the
 * pause between two rounds ({@link QuietRounds}), which the beginning of a write ends. Owned by the
 * planner's thread; O(devices).
 */
final class SpaceLedger {
  /** Age of the last look at which a round takes another one. */
  static final long MAX_LOOK_AGE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** Room made for writes in one round, at most, as a share of the SSD volumes. */
  private static final double MAX_ROOM_SHARE_PER_ROUND = 0.25;

  private final BlockTable table;
  private final FastSpace space;
  private final SpaceShares shares;
  private final WriteSpace writeSpace;
  private final WriteBudgets budgets;
  private final Pins pins;
  private final LiveConfig config;
  private boolean looked;
  private long lookedNanos;

  /** Promotions under way to each device, and their bytes. */
  private final BytesByDevice promotions = new BytesByDevice();

  private final BytesByDevice arrivingBytes = new BytesByDevice();

  /** Bytes of victims on their way off each device, and those of them that are exchanged. */
  private final BytesByDevice leavingBytes = new BytesByDevice();

  private final BytesByDevice exchangedBytes = new BytesByDevice();

  /** Room that guests need which step down to a device. */
  private final Map<String, Long> wanted = new HashMap<>();

  SpaceLedger(
      LiveConfig config,
      BlockTable table,
      FastSpace space,
      SpaceShares shares,
      WriteSpace writeSpace,
      WriteBudgets budgets,
      Pins pins) {
    this.config = config;
    this.table = table;
    this.space = space;
    this.shares = shares;
    this.writeSpace = writeSpace;
    this.budgets = budgets;
    this.pins = pins;
  }

  // ---- looks at the devices ---------------------------------------------------------------------

  /** Makes the next round look at the devices, however recent the last look is. */
  void lookAgain() {
    looked = false;
  }

  /** True if the last look is too old or did not complete. */
  boolean isLookDue(long now) {
    return !looked || now - lookedNanos >= MAX_LOOK_AGE_NANOS;
  }

  /**
   * Completes a look: passes on to {@link WriteSpace} what writes may take.
   *
   * @param begun from {@link WriteSpace#beginLook}, before the devices were read
   * @param devices as they were read
   */
  void completeLook(WriteSpace.Look begun, List<FastDevice> devices, long now) {
    BlockTable.Use use = use();
    WriteFallback closed = whyClosed(devices);
    long writable = closed == null ? space.replicaCapacityBytes() : 0;
    writeSpace.endLook(
        begun,
        (long) (writable * shares.write()) - use.ownerBytes(),
        use.dirtyBytes(),
        availableToWrites(),
        closed);
    SortedMap<Integer, Long> byTier = new TreeMap<>();
    for (int tier : space.tiers()) {
      List<FastDevice> unspent =
          space.of(tier).stream().filter(d -> !budgets.isSpent(d.id())).collect(toList());
      if (!unspent.isEmpty()) {
        byTier.put(tier, availableToWrites(unspent));
      }
    }
    writeSpace.tiers.update(byTier);
    looked = true;
    lookedNanos = now;
  }

  /** Why no device may be written to; null if one may. */
  private @Nullable WriteFallback whyClosed(List<FastDevice> devices) {
    if (devices.stream().noneMatch(FastDevice::holdsReplicas)) {
      return WriteFallback.NO_USABLE_SSD;
    }
    boolean left = devices.stream().anyMatch(d -> d.holdsReplicas() && !budgets.isSpent(d.id()));
    return left ? null : WriteFallback.WRITE_BUDGET;
  }

  // ---- bytes moving -----------------------------------------------------------------------------

  /**
   * As {@link BytesByDevice#prepare}: what begins or ends for the device changes its sums without
   * failing after that.
   */
  void prepare(@Nullable String device) {
    promotions.prepare(device);
    arrivingBytes.prepare(device);
    leavingBytes.prepare(device);
    exchangedBytes.prepare(device);
  }

  /** Counts a promotion as under way; {@link #release} must follow with the same bytes. */
  void reserve(String device, long bytes) {
    promotions.add(device, 1);
    arrivingBytes.add(device, bytes);
    space.take(device, bytes);
  }

  /** The promotion ended, or did not begin. */
  void release(String device, long bytes) {
    promotions.add(device, -1);
    arrivingBytes.add(device, -bytes);
  }

  /** Promotions under way to usable devices. */
  long promotions() {
    return promotions.on(space.ids());
  }

  /** A victim whose move was set makes way; {@link #endLeaving} must follow. */
  void startLeaving(BlockEntry victim) {
    leavingBytes.add(victim.movingDevice(), victim.movingBytes());
  }

  /** The victim left, or stays after all. To be called before its move is cleared. */
  void endLeaving(BlockEntry victim) {
    leavingBytes.add(victim.movingDevice(), -victim.movingBytes());
  }

  /** A leaving victim makes way for a reserved promotion; {@link #endExchange} must follow. */
  void startExchange(BlockEntry victim) {
    exchangedBytes.add(victim.movingDevice(), victim.movingBytes());
  }

  /** The victim is no longer part of the exchange. To be called before its move is cleared. */
  void endExchange(BlockEntry victim) {
    exchangedBytes.add(victim.movingDevice(), -victim.movingBytes());
  }

  /**
   * Promises a promotion its bytes, against writes that are admitted at the same time.
   *
   * @param bytes beyond those that its victims free; may be negative
   * @param pinned whether it is the copy of a pinned block
   * @return false if there is no room
   */
  boolean admitPromotion(long bytes, boolean pinned) {
    return writeSpace.reserveForMove(bytes, pinned ? freeBytesForPin() : freeBytes());
  }

  // ---- steps from tier to tier ------------------------------------------------------------------

  /** Promises bytes on a device to a guest that steps down to it, until the next look. */
  void takeForStep(String device, long bytes) {
    space.take(device, bytes);
    boolean unused = writeSpace.reserveForMove(bytes, Long.MAX_VALUE);
  }

  /** Asks for room on a device, for a guest and for what is kept free, in place of clean copies. */
  void wantRoom(String device, long bytes) {
    wanted.merge(device, bytes, Math::max);
  }

  /** Bytes of clean copies to evict by device, so that guests find the room they asked for. */
  Map<String, Long> takeWanted() {
    Map<String, Long> missing = new HashMap<>();
    wanted.forEach(
        (id, bytes) -> {
          FastDevice device = space.get(id);
          if (device != null) {
            long making = leavingBytes.on(List.of(id)) - exchangedBytes.on(List.of(id));
            missing.put(id, bytes - space.available(device) - making);
          }
        });
    wanted.clear();
    return missing;
  }

  /** Clean copies of a device that are not pinned, in bytes. */
  long evictableBytes(FastDevice device) {
    return table.use(List.of(device.id())).cleanBytes() - pins.cleanBytes(device.id());
  }

  /** Dirty bytes on some devices. */
  long dirtyBytes(List<FastDevice> devices) {
    return table.use(FastSpace.ids(devices)).dirtyBytes();
  }

  // ---- sums -------------------------------------------------------------------------------------

  /** What replicas and copies take on the usable devices; those on others can't be moved. */
  BlockTable.Use use() {
    return table.use(space.ids());
  }

  /** Size of the largest usable device: no larger block can be held. */
  long largestDeviceBytes() {
    return space.largestBytes();
  }

  int deviceCount() {
    return space.ids().size();
  }

  /**
   * Room for residents in all: capacity without the reserve, checksum files, owned and pinned
   * replicas.
   */
  long blockCapacity(BlockTable.Use use) {
    return Math.max(
        0,
        (long) (space.capacityBytes() * (1 - config.get().reserveShare()))
            - use.checksumBytes()
            - use.ownerBytes()
            - pins.residentBytes());
  }

  /**
   * Taken by residents that stay and are not pinned, by writes in flight and by promotions under
   * way.
   */
  long takenBytes(BlockTable.Use use) {
    return use.dirtyBytes()
        + use.cleanBytes()
        - pins.residentBytes()
        + writeSpace.expectedBytes()
        + arrivingBytes.on(space.ids())
        - leavingBytes.on(space.ids());
  }

  /** Room for one more resident without a victim: the least of share, table and devices. */
  long freeBytes() {
    return Math.max(0, Math.min(byShare(use()), freeBytesForPin()));
  }

  /** The same for a pinned block, which counts in the share of pins, and not in that of reads. */
  long freeBytesForPin() {
    // Victims that are not exchanged make way for writes, not for promotions.
    long byDevices =
        space.availableBytes()
            - reserveOf(space.capacityBytes())
            - arrivingBytes.on(space.ids())
            + exchangedBytes.on(space.ids());
    return Math.max(0, Math.min(freeByTable(use()), byDevices));
  }

  /**
   * What clean copies may take beyond what they have; negative if they have too much. The shares
   * are of what pinned copies leave.
   */
  private long byShare(BlockTable.Use use) {
    double share = shares.read();
    return share >= 1
        ? Long.MAX_VALUE
        : (long) ((space.capacityBytes() - pins.cleanBytes()) * share)
            - readBytes(use)
            - arrivingBytes.on(space.ids())
            + leavingBytes.on(space.ids());
  }

  /** Taken by clean copies of data that are not pinned, and of checksum files. */
  long readBytes() {
    return readBytes(use());
  }

  private long readBytes(BlockTable.Use use) {
    return use.cleanBytes() - pins.cleanBytes() + use.checksumBytes();
  }

  /**
   * Clean copies to evict from volumes now, in bytes, so that writes find the room they missed.
   * Clears the record of missed writes. Zero or less if there is nothing to evict.
   */
  long takeBytesToEvictForWrites(long now) {
    long wanted =
        Math.min(
            writeSpace.takeWanted(now),
            (long) (space.replicaCapacityBytes() * MAX_ROOM_SHARE_PER_ROUND));
    if (wanted <= 0) {
      return 0;
    }
    List<String> volumes = space.volumes();
    long leaving = leavingBytes.on(volumes);
    long making = leaving - exchangedBytes.on(volumes);
    return table.use(volumes).cleanBytes() - leaving <= 0
        ? 0
        : wanted - roomForWrites(use()) - making;
  }

  /**
   * Clean copies to evict now, in bytes, so that the devices keep half the reserve free, and
   * neither capacity nor the share of reads is exceeded. Zero or less if there is nothing to evict.
   */
  long bytesToEvict(long now) {
    long leaving = leavingBytes.on(space.ids());
    long making = leaving - exchangedBytes.on(space.ids());
    long missing = reserveOf(space.capacityBytes()) / 2 - space.availableBytes() - making;
    BlockTable.Use use = use();
    long byTable =
        use.dirtyBytes()
            + use.cleanBytes()
            - pins.residentBytes()
            + writeSpace.expectedBytes(now)
            - leaving
            - blockCapacity(use);
    missing = Math.max(missing, Math.max(byTable, -byShare(use)));
    return use.cleanBytes() - pins.cleanBytes() - leaving <= 0 ? 0 : missing;
  }

  /**
   * As {@link #availableToWrites}, but exact while promotions are being written: what of them is on
   * the devices is not free there, and would be taken off twice.
   */
  private long roomForWrites(BlockTable.Use use) {
    return Math.max(
        availableToWrites(), Math.min(freeByTable(use), replicaAvailable(space.devices())));
  }

  private long freeByTable(BlockTable.Use use) {
    return blockCapacity(use) - takenBytes(use);
  }

  /** Free for writes on the volumes, less their reserve and what promotions still need of it. */
  private long availableToWrites() {
    return availableToWrites(space.devices());
  }

  /** The same on the volumes among some devices. */
  private long availableToWrites(List<FastDevice> devices) {
    List<String> ids = FastSpace.ids(devices);
    long arriving = arrivingBytes.on(ids) - exchangedBytes.on(ids);
    return replicaAvailable(devices) - Math.max(0, arriving);
  }

  /** Free on the volumes among some devices, less their reserve. */
  private long replicaAvailable(List<FastDevice> devices) {
    return space.replicaAvailableBytes(devices)
        - reserveOf(FastSpace.replicaCapacityBytes(devices));
  }

  /** What is kept free of a capacity, in bytes. */
  private long reserveOf(long capacityBytes) {
    return (long) (capacityBytes * config.get().reserveShare());
  }
}
