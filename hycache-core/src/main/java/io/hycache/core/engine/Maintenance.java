// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.engine.Departures.Kind;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.Host;
import io.hycache.core.spi.SlowDevice;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The half of a round that no event starts: looks at the devices, and lets each part begin what is
 * due, in the order of their urgency. Owned by the planner's thread.
 */
final class Maintenance {
  /** Time between two sweeps for what ended or was deleted without an event. */
  private static final long SWEEP_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final PlannerParts parts;
  private final WriteSpace writeSpace;
  private final WriteBudgets budgets;
  private final SpareCopies spares;
  private final Host host;
  private final Onlooker onlooker;
  private final RoundClock clock;
  private final LiveConfig config;
  private long sweptNanos;

  Maintenance(
      LiveConfig config,
      PlannerParts parts,
      WriteSpace writeSpace,
      WriteBudgets budgets,
      SpareCopies spares,
      Host host,
      Onlooker onlooker,
      RoundClock clock) {
    this.config = config;
    this.parts = parts;
    this.writeSpace = writeSpace;
    this.budgets = budgets;
    this.spares = spares;
    this.host = host;
    this.onlooker = onlooker;
    this.clock = clock;
  }

  /** Does what is due in this round. */
  void run() {
    long now = clock.now();
    if (parts.ledger.isLookDue(now)) {
      look();
    }
    parts.movers.maintain();
    parts.shadow.maintain();
    parts.board.maintain();
    onlooker.maintain(now);
    if (now - sweptNanos > SWEEP_INTERVAL_NANOS) {
      sweptNanos = now;
      parts.submissions.expire();
      parts.inventory.settleWrites();
      if (parts.movers.isAside()) {
        parts.inventory.forgetMissing(); // in pass-through, deletions are not reported
      }
    }
    if (parts.movers.isAside()) {
      parts.pinner.releaseAll();
      parts.advertiser.clear();
    }
    if (config.get().mode() == Mode.OFF
        || parts.space.capacityBytes() == 0
        || parts.movers.isAside()) {
      return;
    }
    if (config.get().mode() == Mode.ACTIVE) {
      parts.readAhead.maintain();
      parts.roomMaker.maintain();
      spares.maintain(
          parts.space,
          parts.table,
          parts.policy.evictionOrder(),
          entry -> parts.departures.mayLeave(entry, Kind.CLEAN, now),
          now);
      parts.scrubber.maintain(now);
      parts.pinner.maintain();
      parts.advertiser.maintain();
    }
    parts.shares.maintain(parts.space.capacityBytes(), parts.ledger::readBytes, now);
    parts.heat.maintain(parts.space.ids(), now);
    parts.cooperation.maintain(now);
    if (config.get().mode() == Mode.ACTIVE) {
      parts.promoter.maintain();
      parts.checksums.maintain(now, parts.scrubber.usersWait());
    }
  }

  /** True while users write replicas, to SSD or to DISK. */
  boolean isWriteUnderWay() {
    return writeSpace.isAnyUnderWay();
  }

  /** True while moves or hints are under way, which rounds must not come late for. */
  boolean isWorkUnderWay() {
    return parts.hints.remaining() > 0
        || parts.movers.unfinished() > 0; // the last, as it asks all queues
  }

  /** Looks at the devices now. Until a look has completed, each round tries again. */
  void look() {
    parts.ledger.lookAgain();
    WriteSpace.Look begun = writeSpace.beginLook();
    List<FastDevice> devices = host.devices();
    parts.space.update(devices);
    parts.pins.devicesChanged();
    parts.residents.devicesChanged(clock.now());
    budgets.update(devices, clock.now());
    List<SlowDevice> slow = host.slowDevices();
    parts.space.areSlow(slow);
    parts.scrubber.update(slow);
    parts.slowSources.update(slow);
    parts.checksums.update(slow);
    onlooker.looked(devices, slow);
    parts.ledger.completeLook(begun, devices, clock.now());
  }
}
