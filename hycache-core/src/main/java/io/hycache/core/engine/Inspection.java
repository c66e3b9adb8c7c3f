// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Reason;
import io.hycache.core.move.WriteBudget;
import io.hycache.core.move.WriteBudget.Cause;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.Host;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockEntry.Moving;
import io.hycache.core.table.BlockTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;

/**
 * Answers operators' queries from the planner's state. Read-only. Owned by the planner's thread.
 */
final class Inspection {
  private final BlockTable table;
  private final FastSpace space;
  private final WriteBudgets budgets;
  private final HintPacer hints;
  private final Pins pins;
  private final PublishedBlocks advertised;
  private final ShadowTier shadow;
  private final DecisionLog decisions;
  private final Movers movers;
  private final Scrubber scrubber;
  private final Host host;

  Inspection(
      BlockTable table,
      FastSpace space,
      WriteBudgets budgets,
      HintPacer hints,
      Pins pins,
      PublishedBlocks advertised,
      ShadowTier shadow,
      DecisionLog decisions,
      Movers movers,
      Scrubber scrubber,
      Host host) {
    this.table = table;
    this.space = space;
    this.budgets = budgets;
    this.hints = hints;
    this.pins = pins;
    this.advertised = advertised;
    this.shadow = shadow;
    this.decisions = decisions;
    this.movers = movers;
    this.scrubber = scrubber;
    this.host = host;
  }

  /**
   * The state of the node as of the last look at the devices, less what is known without the
   * planner.
   *
   * @param policy name of the policy, and of the one that it follows
   */
  NodeStatus.Builder node(HyCacheConfig config, String policy, String partition, long now) {
    BlockTable.Use use = table.use();
    List<DeviceStatus> devices = devices(now);
    long capacityBytes = 0; // of all that hold what is in use: a sick one's dirty bytes count, too
    for (DeviceStatus device : devices) {
      capacityBytes += device.figure(DeviceStatus.Figure.CAPACITY_BYTES);
    }
    return NodeStatus.builder()
        .put(NodeFigure.MODE, config.mode().toString())
        .put(NodeFigure.POLICY, policy)
        .put(NodeFigure.PARTITION, partition)
        .put(NodeFigure.CAPACITY_BYTES, capacityBytes)
        .put(NodeFigure.DIRTY_BYTES, use.dirtyBytes())
        .put(NodeFigure.OWNER_BYTES, use.ownerBytes())
        .put(NodeFigure.CLEAN_BYTES, use.cleanBytes())
        .put(NodeFigure.CHECKSUM_BYTES, use.checksumBytes())
        .put(NodeFigure.FREE_BYTES, space.availableBytes())
        .put(NodeFigure.TRACKED_BLOCKS, table.size())
        .put(NodeFigure.MOVES_QUEUED, movers.unfinished())
        .put(NodeFigure.HINTS_LEFT, hints.remaining())
        .putAll(shadow.recent())
        .devices(devices);
  }

  private List<DeviceStatus> devices(long now) {
    List<DeviceStatus> out = new ArrayList<>();
    Set<String> ids = new TreeSet<>(space.ids());
    ids.addAll(table.devices());
    ids.addAll(host.devicesOutOfUse());
    for (String id : ids) {
      FastDevice device = space.get(id);
      WriteBudget budget = budgets.of(id);
      BlockTable.Use use = table.use(List.of(id));
      out.add(
          DeviceStatus.builder(id, device != null)
              .storageType(space.storageType(id))
              .put(DeviceStatus.Figure.CAPACITY_BYTES, space.capacityBytes(id))
              .put(DeviceStatus.Figure.FREE_BYTES, device == null ? 0 : device.availableBytes())
              .put(DeviceStatus.Figure.DIRTY_BYTES, use.dirtyBytes())
              .put(DeviceStatus.Figure.OWNER_BYTES, use.ownerBytes())
              .put(DeviceStatus.Figure.CLEAN_BYTES, use.cleanBytes())
              .put(DeviceStatus.Figure.CHECKSUM_BYTES, use.checksumBytes())
              .put(
                  DeviceStatus.Figure.USER_WRITE_BYTES_PER_DAY,
                  budget == null ? 0 : budget.lastDayBytes(Cause.USER_WRITE, now))
              .put(
                  DeviceStatus.Figure.PROMOTION_BYTES_PER_DAY,
                  budget == null ? 0 : budget.lastDayBytes(Cause.PROMOTION, now))
              .put(
                  DeviceStatus.Figure.WRITE_BUDGET_LEFT_BYTES,
                  budget == null ? Long.MAX_VALUE : budget.leftBytes(now))
              .put(
                  DeviceStatus.Figure.WRITE_BUDGET_BYTES, budget == null ? 0 : budget.bytesPerDay())
              .build());
    }
    return out;
  }

  /** For each block where it is, and why it is or is not on SSD. */
  List<BlockStatus> blocks(Mode mode, List<BlockKey> keys, long now) {
    List<BlockStatus> out = new ArrayList<>(keys.size());
    for (BlockKey block : keys) {
      BlockEntry e = table.get(block);
      long left = hints.remaining(block);
      if (e == null) {
        out.add(
            new BlockStatus(block, "NONE", false, false, false, left, 0, Reason.NOT_TRACKED, null));
        continue;
      }
      String copyOn = e.cleanData() ? e.device() : null;
      BlockStatus status =
          new BlockStatus(
              block,
              e.home() == Home.DISK ? "DISK" : space.storageType(e.device()),
              e.home() == Home.SSD_GUEST,
              e.cleanData(),
              e.checksumBytes() > 0,
              left,
              e.reads(),
              why(mode, e),
              decisions.of(block, now));
      out.add(status.withCopyOn(space.storageType(copyOn)));
    }
    return out;
  }

  /**
   * The blocks that were read most often, see {@link BlockStatus#reads}, the most often read first;
   * blocks without a read are left out. O(blocks).
   */
  List<BlockStatus> mostRead(Mode mode, int most, long now) {
    // Reads of a block, and where its key is in the list; the least often read first.
    PriorityQueue<long[]> best =
        new PriorityQueue<>(Comparator.<long[]>comparingLong(one -> one[0]));
    List<BlockKey> keys = new ArrayList<>();
    for (BlockEntry e : table.entries()) {
      if (e.reads() == 0 || (best.size() == most && e.reads() <= best.element()[0])) {
        continue;
      }
      if (best.size() == most) {
        long[] least = best.remove();
        keys.set((int) least[1], e.key());
        best.add(new long[] {e.reads(), least[1]});
      } else {
        keys.add(e.key());
        best.add(new long[] {e.reads(), keys.size() - 1L});
      }
    }
    List<BlockStatus> out = blocks(mode, keys, now);
    out.sort(Comparator.comparingLong((BlockStatus status) -> -status.reads));
    return out;
  }

  /** Why a block is, or is not, on SSD. */
  Reason why(Mode mode, BlockEntry e) {
    if (pins.isHere(e.key())) {
      return Reason.PINNED;
    }
    if (e.home() == Home.SSD_GUEST) {
      return mode != Mode.ACTIVE || movers.isAside() || !scrubber.hasDevices()
          ? Reason.ON_SSD_DIRTY_KEPT
          : e.moving() == Moving.DEMOTING || scrubber.isDue(e.device())
              ? Reason.ON_SSD_DIRTY
              : Reason.ON_SSD_DIRTY_STAYS;
    }
    if (movers.isAside() && !e.fast()) {
      return Reason.PASS_THROUGH;
    }
    if (mode == Mode.OFF && !e.fast()) {
      return Reason.MODE_OFF;
    }
    if (advertised.contains(e.key())) {
      return Reason.ADVERTISED;
    }
    if (e.cleanData()) {
      return e.reason() == Reason.FETCHED_AHEAD ? e.reason() : Reason.ON_SSD_CLEAN;
    }
    if (e.reason() == Reason.NEVER_READ && e.checksumBytes() > 0) {
      return Reason.CHECKSUMS_ONLY;
    }
    return e.reason();
  }
}
