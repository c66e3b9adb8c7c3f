// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Part;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.move.WriteBudget.Cause;
import io.hycache.core.spi.Host;
import io.hycache.core.spi.MoveAbandonedException;
import io.hycache.core.spi.ReplicaNotCacheableException;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockEntry.Moving;
import io.hycache.core.table.BlockTable;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Applies the outcomes of moves to the block table and to the parts that depend on it. A block may
 * have changed or gone while it was moving: a copy of a replica that is no longer current is
 * discarded. Owned by the planner's thread; O(1) an outcome.
 */
final class MoveOutcomes {
  /** How long a block is not moved after one of its moves failed, the first time. */
  static final long PAUSE_AFTER_FAILURE_NANOS = FailedReplicas.FIRST_PAUSE_NANOS;

  /** How long a block is not moved after its move gave way to a writer, or could not begin. */
  private static final long SHORT_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final BlockTable table;
  private final SpaceLedger ledger;
  private final FastSpace space;
  private final Residents residents;
  private final ChecksumKeeper checksums;
  private final HeatKeeper heat;
  private final HintPacer hints;
  private final AheadCopies ahead;
  private final HintHistory history;
  private final WriteBudgets budgets;
  private final Inventory inventory;
  private final Movers movers;
  private final EventQueue events;
  private final Host host;
  private final Counters counters;
  private final RoundClock clock;

  private final FailedReplicas failures = new FailedReplicas();

  MoveOutcomes(
      BlockTable table,
      SpaceLedger ledger,
      FastSpace space,
      Residents residents,
      ChecksumKeeper checksums,
      HeatKeeper heat,
      HintPacer hints,
      AheadCopies ahead,
      HintHistory history,
      WriteBudgets budgets,
      Inventory inventory,
      Movers movers,
      EventQueue events,
      Host host,
      Counters counters,
      RoundClock clock) {
    this.table = table;
    this.ledger = ledger;
    this.space = space;
    this.residents = residents;
    this.checksums = checksums;
    this.heat = heat;
    this.hints = hints;
    this.ahead = ahead;
    this.history = history;
    this.budgets = budgets;
    this.inventory = inventory;
    this.movers = movers;
    this.events = events;
    this.host = host;
    this.counters = counters;
    this.clock = clock;
  }

  // ---- evictions --------------------------------------------------------------------------------

  /** A clean copy begins to leave; {@link #evicted} or {@link #kept} must follow. */
  void startEviction(BlockEntry victim) {
    ledger.prepare(victim.device()); // an Error here, or in the next step, leaves nothing to undo
    victim.setMoving(Moving.EVICTING);
    ledger.startLeaving(victim);
    residents.removed(victim.key());
  }

  /**
   * Begins to evict a clean copy.
   *
   * @return false if the device's queue is full: the copy stays, and keeps its place in the
   *     policy's order
   */
  boolean evict(BlockEntry victim, Reason why) {
    String device = victim.device();
    if (device == null || !movers.hasRoomToEvict(device)) {
      return false;
    }
    boolean begun = false;
    try {
      startEviction(victim);
      begun =
          movers.evict(
              victim.key(),
              device,
              () -> evicted(victim, why),
              failure -> victimFailed(victim, failure));
    } finally {
      if (!begun && victim.moving() == Moving.EVICTING) {
        kept(victim);
      }
    }
    return begun;
  }

  /** A leaving victim stays after all. */
  void kept(BlockEntry victim) {
    kept(List.of(victim));
  }

  /** Leaving victims stay after all. The policy is notified last, as it may end with an Error. */
  void kept(List<BlockEntry> victims) {
    for (BlockEntry victim : victims) {
      ledger.endLeaving(victim);
      victim.setMoving(Moving.NOTHING);
    }
    for (BlockEntry victim : victims) {
      if (victim.isResident() && table.has(victim)) {
        residents.admitted(victim, clock.now());
      }
    }
  }

  /** A leaving victim stays, because its move failed or gave way to a writer. */
  void victimFailed(BlockEntry victim, Throwable why) {
    kept(victim);
    failed(victim, why);
  }

  /** A leaving clean copy was unlinked. */
  void evicted(BlockEntry victim, Reason why) {
    ledger.endLeaving(victim);
    victim.setMoving(Moving.NOTHING);
    if (!table.has(victim)) {
      return;
    }
    failures.succeeded(victim.replica());
    boolean fetchedAhead = ahead.has(victim.key());
    boolean unread = victim.unreadPromotion();
    // The block may have gone and come back since: then it may have another copy.
    if (victim.cleanData() && !host.hasClean(victim.key(), Part.DATA)) {
      table.setCleanData(victim, false, null);
    }
    if (victim.isResident()) {
      residents.admitted(victim, clock.now());
    } else {
      residents.removed(victim.key());
      victim.setReason(why);
    }
    counters.increment(Counter.BLOCKS_EVICTED);
    if (unread) {
      counters.increment(Counter.BLOCKS_EVICTED_WITHOUT_READ);
      if (fetchedAhead) {
        counters.increment(Counter.READ_AHEAD_EVICTED_WITHOUT_READ);
      }
    }
    ledger.lookAgain();
    checksums.onReplica(victim);
  }

  /** A write took the place of a clean copy's data; its checksum file stays. */
  void madeWay(BlockKey block) {
    BlockEntry entry = table.get(block);
    if (entry == null || !entry.cleanData()) {
      return;
    }
    if (entry.moving() == Moving.NOTHING) {
      startEviction(entry);
      evicted(entry, Reason.EVICTED);
    } else {
      events.doubt(block); // its move may end with the block kept: the host is asked after that
    }
  }

  // ---- promotions -------------------------------------------------------------------------------

  /**
   * A promotion ended well.
   *
   * @param copied the replica as it was when the promotion began
   * @param written bytes written to the device; 0 if the copy was there already
   */
  void promoted(BlockEntry entry, Replica copied, String device, long written) {
    entry.setMoving(Moving.NOTHING);
    failures.succeeded(copied);
    budgets.wrote(device, Cause.PROMOTION, written, clock.now());
    hints.rewindSoon();
    if (!table.has(entry) || entry.home() != Home.DISK || !entry.replica().equals(copied)) {
      discard(copied);
      return;
    }
    if (!host.hasClean(entry.key(), Part.DATA)) {
      entry.setReason(Reason.COPY_DROPPED);
      checksums.onReplica(entry);
      return;
    }
    table.setCleanData(entry, true, device);
    long checksumBytes = written - entry.sizeBytes();
    if (entry.checksumBytes() == 0 && checksumBytes > 0) {
      // If nothing was written, they were there or were dropped since: the keeper asks the host.
      table.setChecksumBytes(entry, space.allocatedBytes(device, checksumBytes), device);
    }
    entry.setUnreadPromotion(true);
    boolean fetchedAhead = ahead.has(entry.key());
    entry.setReason(fetchedAhead ? Reason.FETCHED_AHEAD : Reason.ON_SSD_CLEAN);
    residents.admitted(entry, clock.now());
    history.fetched(entry.key());
    heat.used(entry.key());
    checksums.onReplica(entry);
    counters.increment(Counter.BLOCKS_PROMOTED);
    counters.add(Counter.BYTES_PROMOTED, written);
    if (fetchedAhead) {
      counters.increment(Counter.BLOCKS_READ_AHEAD);
      counters.add(Counter.BYTES_READ_AHEAD, written);
    }
  }

  /** Removes a copy of a replica that is no longer current. */
  private void discard(Replica copied) {
    movers.discard(copied);
    BlockEntry current = table.get(copied.block());
    if (current != null && current.replica().equals(copied)) {
      // The replica came back meanwhile and its copy was found.
      inventory.cleanDropped(copied.block());
    }
  }

  // ---- demotions --------------------------------------------------------------------------------

  /**
   * A dirty replica was written to DISK.
   *
   * @param kept whether its SSD bytes stayed as a clean copy
   */
  void demoted(BlockEntry victim, boolean kept) {
    boolean keptClean = kept && host.hasClean(victim.key(), Part.DATA);
    Replica moved = victim.movingReplica();
    String device = victim.movingDevice();
    victim.setMoving(Moving.NOTHING);
    failures.succeeded(moved);
    counters.increment(Counter.BLOCKS_DEMOTED);
    counters.add(Counter.BYTES_DEMOTED, moved.lengthBytes());
    ledger.lookAgain();
    if (!table.has(victim)) {
      discard(moved);
      return;
    }
    if (victim.home() != Home.DISK && !victim.replica().equals(moved)) {
      discard(moved); // the replica was deleted and another one written
      residents.admitted(victim, clock.now());
      return;
    }
    long checksumBytes = Replica.estimatedChecksumBytes(victim.sizeBytes());
    table.demoted(victim, keptClean ? device : null, space.allocatedBytes(checksumBytes));
    victim.setReason(keptClean ? Reason.ON_SSD_CLEAN : kept ? Reason.COPY_DROPPED : Reason.EVICTED);
    hints.rewindSoon();
    if (keptClean) {
      residents.admitted(victim, clock.now());
    } else {
      residents.removed(victim.key());
    }
    checksums.onReplica(victim);
  }

  /**
   * A guest is on a device of a slower fast tier now: it stays a guest, and dirty.
   *
   * @param target the device
   */
  void steppedDown(BlockEntry victim, String target) {
    Replica moved = victim.movingReplica();
    String from = victim.movingDevice();
    victim.setMoving(Moving.NOTHING);
    failures.succeeded(moved);
    counters.increment(Counter.BLOCKS_STEPPED_DOWN);
    counters.add(Counter.BYTES_STEPPED_DOWN, moved.lengthBytes());
    budgets.wrote(target, Cause.PROMOTION, moved.lengthBytes(), clock.now());
    ledger.lookAgain();
    if (!table.has(victim)) {
      return;
    }
    boolean unchanged =
        victim.home() == Home.SSD_GUEST
            && victim.replica().equals(moved)
            && Objects.equals(victim.device(), from);
    if (unchanged) {
      table.put(moved, Home.SSD_GUEST, target);
    } else {
      events.doubt(victim.key()); // it was written again, moved or replaced meanwhile
    }
    if (victim.isResident()) {
      residents.admitted(victim, clock.now());
    } else {
      residents.removed(victim.key());
    }
    hints.rewindSoon();
  }

  // ---- failures ---------------------------------------------------------------------------------

  /** A promotion did not begin, because a victim failed to leave: soon, others may make way. */
  void notBegun(BlockEntry entry, Throwable why) {
    entry.setMoving(Moving.NOTHING);
    entry.restUntil(clock.now() + SHORT_PAUSE_NANOS);
    hints.rewindSoon();
    if (table.has(entry)) {
      setReason(entry, why);
    }
  }

  /** A move of this block failed, or gave way to a writer. */
  void failed(BlockEntry entry, Throwable why) {
    boolean abandoned = why instanceof MoveAbandonedException;
    entry.setMoving(Moving.NOTHING);
    if (why instanceof ReplicaNotCacheableException) {
      notCacheable(entry, why);
      return;
    }
    entry.restUntil(abandoned ? clock.now() + SHORT_PAUSE_NANOS : endOfPause(entry));
    counters.increment(abandoned ? Counter.MOVES_ABANDONED : Counter.MOVES_FAILED);
    if (!table.has(entry)) {
      return;
    }
    Replica current = host.finalized(entry.key());
    if (current == null) {
      if (!host.exists(entry.key())) {
        inventory.gone(entry.key());
      }
      return;
    }
    // A demotion may have failed after its switch to the replica on DISK.
    events.doubt(entry.key());
    setReason(entry, why);
    if (!abandoned) {
      movers.log(entry.replica(), why);
    }
  }

  /** Why a promotion ended without a copy. */
  private static void setReason(BlockEntry entry, Throwable why) {
    if (!entry.fast()) {
      boolean abandoned = why instanceof MoveAbandonedException;
      entry.setReason(abandoned ? Reason.MOVE_ABANDONED : Reason.MOVE_FAILED);
    }
  }

  /** The replica may change, so that the pause ends; an attempt reads the header of a file. */
  private void notCacheable(BlockEntry entry, Throwable why) {
    entry.restUntil(clock.now() + FailedReplicas.LONGEST_PAUSE_NANOS);
    counters.increment(Counter.MOVES_REJECTED);
    if (table.has(entry)) {
      entry.setReason(Reason.CHECKSUMS_TOO_LONG);
      movers.log(entry.replica(), why);
    }
  }

  private long endOfPause(BlockEntry entry) {
    return table.has(entry)
        ? failures.failed(entry.replica(), clock.now())
        : clock.now() + PAUSE_AFTER_FAILURE_NANOS;
  }
}
