// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import com.google.common.collect.Iterables;
import io.hycache.core.engine.Departures.Place;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.Host;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockEntry.Moving;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Begins promotions that were decided. A promotion begins only when all that it needs is there: a
 * fast device within its write budget, a slow device for dirty victims, a place in the movers'
 * queue, and its bytes. Owned by the planner's thread.
 */
final class Fetcher {
  private final SpaceLedger ledger;
  private final FastSpace space;
  private final WriteBudgets budgets;
  private final Residents residents;
  private final UserShares users;
  private final HintPacer hints;
  private final AheadCopies ahead;
  private final Pins pins;
  private final Scrubber scrubber;
  private final SlowSources sources;
  private final Movers movers;
  private final MoveOutcomes outcomes;
  private final Host host;
  private final Counters counters;
  private final RoundClock clock;

  /** Promotions under way to each device that a hint asked for and the policy admitted. */
  private final BytesByDevice forHints = new BytesByDevice();

  Fetcher(
      SpaceLedger ledger,
      FastSpace space,
      WriteBudgets budgets,
      Residents residents,
      UserShares users,
      HintPacer hints,
      AheadCopies ahead,
      Pins pins,
      Scrubber scrubber,
      SlowSources sources,
      Movers movers,
      MoveOutcomes outcomes,
      Host host,
      Counters counters,
      RoundClock clock) {
    this.ledger = ledger;
    this.space = space;
    this.budgets = budgets;
    this.residents = residents;
    this.users = users;
    this.hints = hints;
    this.ahead = ahead;
    this.pins = pins;
    this.scrubber = scrubber;
    this.sources = sources;
    this.movers = movers;
    this.outcomes = outcomes;
    this.host = host;
    this.counters = counters;
    this.clock = clock;
  }

  /** Whether a block may be read from its slow device, for a copy that no read asks for. */
  boolean mayRead(BlockKey block) {
    return sources.mayRead(host.slowDevice(block));
  }

  /** Whether the slow device of a block responds. */
  boolean responds(BlockKey block) {
    return sources.responds(host.slowDevice(block));
  }

  /** Promotions under way to usable devices that began with {@code forHint}. */
  long forHints() {
    return forHints.on(space.ids());
  }

  /**
   * Begins a promotion.
   *
   * @param forHint whether a hint asked for it and the policy admitted it
   * @param user whose hints ask for the block; null if none do
   * @param readAheadFrom slow device of a block that is fetched ahead; null for other promotions
   * @return the victims that make way, or null if the promotion does not begin; then the entry's
   *     reason says why
   */
  @Nullable List<BlockEntry> begin(
      BlockEntry entry,
      Admissions.Answer answer,
      boolean forHint,
      @Nullable String user,
      @Nullable String readAheadFrom) {
    String only =
        readAheadFrom == null ? null : ahead.fetchedTo(readAheadFrom, id -> space.get(id) != null);
    Place place = findPlace(entry, answer, only);
    if (place == null) {
      return null;
    }
    boolean anyDirty = anyDirty(place);
    String target = anyDirty ? scrubber.targetFor(place.device, place.victims, clock.now()) : null;
    if (anyDirty && !scrubber.takesAtOnce(target, clock.now())) {
      Place clean = answer.cleanPlace(id -> mayWrite(id, only));
      if (clean != null) {
        place = clean;
        anyDirty = false;
        target = null;
      }
    }
    if (anyDirty && target == null) {
      boolean busy = scrubber.hasTarget(place.device, place.victims);
      entry.setReason(busy ? Reason.DISKS_BUSY : Reason.NO_ROOM);
      if (busy) {
        hints.rewindSoon(); // the device may be idle by then
      }
      return null;
    }
    if (readAheadFrom == null && !movers.hasRoom(place.device)) {
      return refusedByQueue(entry);
    }
    long freed = place.victims.stream().mapToLong(BlockEntry::sizeBytes).sum();
    if (!ledger.admitPromotion(entry.sizeBytes() - freed, pins.holds(entry))) {
      entry.setReason(Reason.NO_ROOM);
      return null;
    }
    Fetch fetch =
        new Fetch(entry, forHint, user, place, answer.whyEvicted(), target, readAheadFrom);
    return fetch.begin() ? place.victims : refusedByQueue(entry);
  }

  /**
   * @param only the fast device that a slow one is read for already: a second stream, to another
   *     one, would have the disk seek; null if there is none
   */
  private @Nullable Place findPlace(
      BlockEntry entry, Admissions.Answer answer, @Nullable String only) {
    long now = clock.now();
    Place place = answer.place(id -> mayWrite(id, only));
    if (place == null) {
      boolean spent = !Iterables.all(space.ids(), id -> budgets.allowsPromotion(id, now));
      boolean room = spent && answer.place(id -> true) != null;
      entry.setReason(room ? Reason.WRITE_BUDGET : Reason.NO_ROOM);
    }
    return place;
  }

  private boolean mayWrite(String device, @Nullable String only) {
    return budgets.allowsPromotion(device, clock.now()) && (only == null || only.equals(device));
  }

  private static boolean anyDirty(Place place) {
    return place.victims.stream().anyMatch(victim -> !victim.cleanData());
  }

  private @Nullable List<BlockEntry> refusedByQueue(BlockEntry entry) {
    entry.setReason(Reason.MOVE_QUEUE_FULL);
    counters.increment(Counter.MOVES_REJECTED);
    return null;
  }

  /**
   * A block on its way to a fast device, and the victims that make way for it. Victims and slow
   * device are in use from {@link #begin} until each victim's outcome, the block's bytes are
   * reserved until the promotion's outcome.
   */
  private final class Fetch implements Movers.Exchange {
    private final BlockEntry entry;
    private final Replica wanted;
    private final boolean forHint;
    private final @Nullable String user;
    private final List<BlockEntry> victims;
    private final Reason whyEvicted;
    private final String device;

    /** Where dirty victims go: DISK, or a slower fast tier; null if none is dirty. */
    private final @Nullable String target;

    private final @Nullable String readAheadFrom;

    /** Slow device of a copy that no read asks for; null for others, or if none holds the block. */
    private final @Nullable String source;

    private final long bytes;
    private final long dirtyBytes;

    /** The block was pinned when the fetch began. */
    private final boolean pinned;

    /** Dirty victims without an outcome. */
    private int dirtyLeft;

    private boolean reserved;

    /** A victim failed to leave: neither the victims after it nor the block are moved. */
    private boolean victimFailed;

    Fetch(
        BlockEntry entry,
        boolean forHint,
        @Nullable String user,
        Place place,
        Reason whyEvicted,
        @Nullable String target,
        @Nullable String readAheadFrom) {
      this.entry = entry;
      this.wanted = entry.replica();
      this.forHint = forHint;
      this.user = user;
      this.victims = place.victims;
      this.whyEvicted = whyEvicted;
      this.device = place.device;
      this.target = target;
      this.readAheadFrom = readAheadFrom;
      this.bytes = entry.sizeBytes();
      this.dirtyBytes = Scrubber.dirtyBytes(victims);
      this.pinned = pins.holds(entry);
      boolean counts = readAheadFrom == null && (forHint || pinned);
      this.source = counts ? host.slowDevice(wanted.block()) : null;
    }

    /** Returns false if the queue is full: then nothing has changed. */
    boolean begin() {
      prepare();
      boolean begun = false;
      try {
        reserve();
        victims.forEach(this::startLeaving);
        begun = movers.exchange(victims, target, wanted, device, readAheadFrom, this);
      } finally {
        if (!begun) {
          undo();
        }
      }
      return begun;
    }

    /**
     * Makes the sums that the fetch changes. An Error here leaves nothing to {@link #undo}; after
     * it, a sum is changed whenever the step that changes it was reached.
     */
    private void prepare() {
      ledger.prepare(device);
      sources.prepare(source, device);
      forHints.prepare(device);
      pins.prepare(device);
      scrubber.prepare(device);
    }

    /** First what {@link #release} takes back, which can't fail; then what may fail. */
    private void reserve() {
      reserved = true;
      ledger.reserve(device, bytes);
      sources.begins(source, device);
      if (forHint) {
        forHints.add(device, 1);
      }
      if (pinned) {
        pins.fetching(wanted.block(), device);
      }
      BlockKey key = wanted.block();
      long use = hints.expectedUse(key);
      users.brings(key, user, bytes, use);
      if (readAheadFrom != null && user != null) {
        long due = Math.max(use, clock.now());
        ahead.begins(
            key, user, bytes, readAheadFrom, device, hints.remaining(key), clock.now(), due);
      }
      entry.setMoving(Moving.PROMOTING);
      if (target != null) {
        scrubber.begins(target, device, dirtyBytes);
      }
    }

    private void release() {
      if (reserved) {
        reserved = false;
        ledger.release(device, bytes);
        sources.ends(source, device);
        if (forHint) {
          forHints.add(device, -1);
        }
        if (pinned) {
          pins.fetched(wanted.block(), device);
        }
      }
    }

    private void startLeaving(BlockEntry victim) {
      boolean clean = victim.cleanData();
      victim.setMoving(clean ? Moving.EVICTING : Moving.DEMOTING);
      ledger.startExchange(victim);
      ledger.startLeaving(victim);
      if (!clean) {
        dirtyLeft++;
        scrubber.leaves(victim.movingDevice(), victim.movingBytes());
      }
      residents.removed(victim.key());
    }

    /** Ends a victim's part in the exchange; the last dirty one frees the slow device. */
    private void endExchange(BlockEntry victim) {
      ledger.endExchange(victim);
      if (victim.moving() == Moving.DEMOTING) {
        scrubber.leaves(victim.movingDevice(), -victim.movingBytes());
        if (--dirtyLeft == 0 && target != null) {
          scrubber.ends(target, device);
        }
      }
    }

    /**
     * Restores the state before {@link #begin}, which may have failed half-way; last what notifies
     * the policy, as that may fail again.
     */
    private void undo() {
      release();
      entry.setMoving(Moving.NOTHING);
      List<BlockEntry> leaving = new ArrayList<>(victims);
      leaving.removeIf(victim -> victim.moving() == Moving.NOTHING);
      leaving.forEach(this::endExchange);
      if (target != null) {
        scrubber.ends(target, device); // whatever the count of dirty victims, which may be wrong
      }
      outcomes.kept(leaving);
      residents.settled(wanted.block());
    }

    @Override
    public void gaveUp(BlockEntry victim) {
      endExchange(victim);
      if (victim.moving() == Moving.DEMOTING) {
        ledger.endLeaving(victim);
        scrubber.left(victim, target, false);
      } else {
        outcomes.evicted(victim, whyEvicted);
      }
    }

    @Override
    public void keptVictim(BlockEntry victim, Throwable why) {
      endExchange(victim);
      if (victimFailed) {
        outcomes.kept(victim);
        return;
      }
      victimFailed = true;
      if (victim.moving() == Moving.DEMOTING && target != null) {
        scrubber.failedOn(target, why);
      }
      outcomes.victimFailed(victim, why);
    }

    @Override
    public void promoted(long written) {
      release();
      outcomes.promoted(entry, wanted, device, written);
      residents.settled(wanted.block());
    }

    @Override
    public void failed(Throwable why) {
      release();
      if (victimFailed) {
        outcomes.notBegun(entry, why);
      } else {
        outcomes.failed(entry, why);
      }
      residents.settled(wanted.block());
    }
  }
}
