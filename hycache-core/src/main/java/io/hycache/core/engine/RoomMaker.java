// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.engine.Departures.Kind;
import io.hycache.core.model.Reason;
import io.hycache.core.table.BlockEntry;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Evicts clean copies when the fast tier runs short of room: in the policy's order, but first those
 * of the users who hold most by weight. Owned by the planner's thread; O(blocks of the order up to
 * the last victim).
 */
final class RoomMaker {
  private final SpaceLedger ledger;
  private final FastSpace space;
  private final Departures departures;
  private final Admissions admissions;
  private final MoveOutcomes outcomes;
  private final RoundClock clock;

  RoomMaker(
      SpaceLedger ledger,
      FastSpace space,
      Departures departures,
      Admissions admissions,
      MoveOutcomes outcomes,
      RoundClock clock) {
    this.ledger = ledger;
    this.space = space;
    this.departures = departures;
    this.admissions = admissions;
    this.outcomes = outcomes;
    this.clock = clock;
  }

  /** Begins the evictions that are due, until the queue of a device is full. */
  void maintain() {
    long now = clock.now();
    for (Map.Entry<String, Long> missing : ledger.takeWanted().entrySet()) {
      List<String> there = List.of(missing.getKey());
      departures
          .firstOn(there, Kind.CLEAN, missing.getValue(), Integer.MAX_VALUE, now)
          .forEach(victim -> outcomes.evict(victim, Reason.EVICTED));
    }
    long forWrites = ledger.takeBytesToEvictForWrites(now);
    if (forWrites > 0) {
      List<String> volumes = space.volumes();
      evict(
          departures.firstOn(volumes, Kind.CLEAN, forWrites, Integer.MAX_VALUE, now), volumes, now);
    }
    // What leaves for writes is no longer among what is missing.
    long missing = ledger.bytesToEvict(now);
    if (missing > 0) {
      evict(departures.first(Kind.CLEAN, missing, Integer.MAX_VALUE, now), space.ids(), now);
    }
  }

  /** Evicts these copies, or those on the same devices of users who hold more by weight. */
  private void evict(List<BlockEntry> all, Collection<String> devices, long now) {
    for (BlockEntry chosen : all) {
      List<BlockEntry> victims = admissions.forWrite(chosen, now);
      if (!victims.stream().allMatch(victim -> devices.contains(victim.device()))) {
        victims = List.of(chosen);
      }
      for (BlockEntry victim : victims) {
        if (departures.mayLeave(victim, Kind.CLEAN, now)
            && !outcomes.evict(victim, Reason.EVICTED)) {
          return;
        }
      }
    }
  }
}
