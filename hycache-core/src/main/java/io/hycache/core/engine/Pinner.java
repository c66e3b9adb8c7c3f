// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Candidate.Trigger;
import io.hycache.core.model.Part;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.Host;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.QuietLog;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockEntry.Moving;
import io.hycache.core.table.BlockTable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pins blocks as cache directives ask, and makes the clean copies that pins wait for.
 *
 * <p>What is on a fast device already is pinned where it is; a dirty replica there may still be
 * written to DISK, and keeps its bytes as a clean copy. Everything else is copied, at most one
 * block at a time for each mover thread, into free space or in place of the first residents that
 * the policy would evict: a directive is an administrator's word, and goes before what reads and
 * hints brought. The write budget of an SSD holds for pins too. A copy that fails, or is lost, is
 * made again, if it fits the capacity for pins as it is then.
 *
 * <p>The NameNode asks to cache a block every half minute until it has seen it in a report. If the
 * directive ends before, it asks no more, and sends no order to uncache. So a pin that waits, or
 * whose device is out of use, ends {@link #UNASKED_NANOS} after the last request. The same happens
 * while the NameNode is away (failover, restart): it asks again when it is back, and what is here
 * already stays pinned. A pin whose copy can't be made ends at once, and counts as failed.
 *
 * <p>O(1) for each block pinned or released; O({@link #MAX_LOOKS_PER_ROUND}) a round, O(pins) every
 * {@link #UNASKED_LOOK_NANOS}, and when a copy begins O(blocks of the eviction order up to the last
 * victim). Owned by the planner's thread.
 */
final class Pinner {
  private static final Logger LOG = LoggerFactory.getLogger(Pinner.class);

  private final QuietLog refusals = new QuietLog(LOG);

  /** Waiting pins that are looked at in one round, at most. */
  private static final int MAX_LOOKS_PER_ROUND = 256;

  /** Time without a search after no place was found for a copy. */
  private static final long NO_PLACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Time after which a pin that no report has and nobody asks for ends: six requests of a NameNode.
   */
  static final long UNASKED_NANOS = TimeUnit.MINUTES.toNanos(3);

  /** Refused blocks that are remembered, at most. */
  private static final int MAX_REFUSED = 10_000;

  /** Time between two looks for such pins. */
  static final long UNASKED_LOOK_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A block for whose pin the capacity was not left. */
  private static final class Refusal {
    /** Why the block was not on a fast device until then. */
    final Reason before;

    final long atNanos;

    Refusal(Reason before, long atNanos) {
      this.before = before;
      this.atNanos = atNanos;
    }
  }

  /** Blocks whose reason may be {@link Reason#PIN_REFUSED}, the last to be refused last. */
  private final Map<BlockKey, Refusal> refusedPins = new LinkedHashMap<>();

  private final LiveConfig config;
  private final BlockTable table;
  private final Pins pins;
  private final Advertiser advertiser;
  private final Residents residents;
  private final SpaceLedger ledger;
  private final ChecksumKeeper checksums;
  private final Admissions admissions;
  private final Fetcher fetcher;
  private final Promoter promoter;
  private final Movers movers;
  private final DecisionLog decisions;
  private final EventQueue events;
  private final Host host;
  private final Counters counters;
  private final RoundClock clock;

  /** No search before this time; null if there is no reason to wait. */
  private @Nullable Long noPlaceUntilNanos;

  /** The last look for pins that are not asked for. */
  private long unaskedLookNanos = Long.MIN_VALUE;

  Pinner(
      LiveConfig config,
      BlockTable table,
      Pins pins,
      Advertiser advertiser,
      Residents residents,
      SpaceLedger ledger,
      ChecksumKeeper checksums,
      Admissions admissions,
      Fetcher fetcher,
      Promoter promoter,
      Movers movers,
      DecisionLog decisions,
      EventQueue events,
      Host host,
      Counters counters,
      RoundClock clock) {
    this.config = config;
    this.table = table;
    this.pins = pins;
    this.advertiser = advertiser;
    this.residents = residents;
    this.ledger = ledger;
    this.checksums = checksums;
    this.admissions = admissions;
    this.fetcher = fetcher;
    this.promoter = promoter;
    this.movers = movers;
    this.decisions = decisions;
    this.events = events;
    this.host = host;
    this.counters = counters;
    this.clock = clock;
  }

  // ---- directives -------------------------------------------------------------------------------

  /** Pins blocks, or releases them. */
  void directed(List<BlockKey> blocks, boolean pinned) {
    if (pinned) {
      pin(blocks);
    } else {
      unpin(blocks);
    }
  }

  /**
   * Pins blocks. A block without a finalized replica here, that cannot be copied, or for which the
   * capacity is not left, is counted as failed. One that is pinned already stays so: if it is asked
   * for again, it was in no report, maybe for lack of its checksum file.
   */
  private void pin(List<BlockKey> blocks) {
    int failed = 0;
    for (BlockKey block : blocks) {
      if (pins.asked(block)) {
        wantChecksums(table.get(block));
      } else if (!pin(block)) {
        failed++;
      }
    }
    if (failed > 0) {
      counters.add(Counter.PINS_FAILED, failed);
      refusals.warn(
          null,
          "blocks were not pinned, because they are not finalized here, cannot be copied, or the"
              + " space for pins is used up: failed={} of={} usedBytes={} capacityBytes={}",
          failed,
          blocks.size(),
          pins.usedBytes(),
          pins.capacityBytes());
    }
  }

  private boolean pin(BlockKey block) {
    Replica replica = isOn() ? host.finalized(block) : null;
    if (replica == null || replica.lengthBytes() == 0) {
      return false;
    }
    BlockEntry entry = table.get(block);
    Reason never = entry == null ? null : whyNever(entry);
    if (entry != null && never != null) {
      entry.setReason(never);
      return false;
    }
    if (!pins.begin(replica)) {
      if (entry != null && !entry.fast()) {
        refuse(entry);
      }
      return false;
    }
    residents.pinned(block);
    wantChecksums(entry);
    if (entry != null) {
      if (!entry.fast()) {
        entry.setReason(Reason.PIN_WAITING);
      }
      pins.refresh(entry);
    }
    return true;
  }

  /** The checksum file of a copy that is here; a copy to be made brings its own. */
  private void wantChecksums(@Nullable BlockEntry entry) {
    if (entry != null && entry.fast()) {
      checksums.wantFirst(entry);
    }
  }

  /**
   * Why no copy of the block can be made while its replica and the devices stay as they are; null
   * if one can, or is not needed.
   */
  private @Nullable Reason whyNever(BlockEntry entry) {
    if (entry.fast()) {
      return null;
    }
    long largest = ledger.largestDeviceBytes();
    if (largest > 0 && entry.sizeBytes() > largest) {
      return Reason.TOO_LARGE;
    }
    boolean refused = entry.reason() == Reason.CHECKSUMS_TOO_LONG && entry.resting(clock.now());
    return refused ? Reason.CHECKSUMS_TOO_LONG : null;
  }

  private void refuse(BlockEntry entry) {
    Refusal last = refusedPins.remove(entry.key());
    boolean again = last != null && entry.reason() == Reason.PIN_REFUSED;
    Reason before = last != null && again ? last.before : entry.reason();
    refusedPins.put(entry.key(), new Refusal(before, clock.now()));
    entry.setReason(Reason.PIN_REFUSED);
    forgetRefusals();
  }

  /**
   * What was refused and not asked for lately has no directive: the reason before is true again.
   */
  private void forgetRefusals() {
    long since = clock.now() - UNASKED_NANOS;
    Iterator<Map.Entry<BlockKey, Refusal>> oldest = refusedPins.entrySet().iterator();
    while (oldest.hasNext()) {
      Map.Entry<BlockKey, Refusal> next = oldest.next();
      if (next.getValue().atNanos - since >= 0 && refusedPins.size() <= MAX_REFUSED) {
        return;
      }
      oldest.remove();
      BlockEntry entry = table.get(next.getKey());
      if (entry != null && entry.reason() == Reason.PIN_REFUSED) {
        entry.setReason(next.getValue().before);
      }
    }
  }

  private boolean isOn() {
    return config.get().directives() && config.get().mode() == Mode.ACTIVE && !movers.isAside();
  }

  /** Releases pins: what they held is an ordinary clean copy or dirty replica again. */
  private void unpin(List<BlockKey> blocks) {
    for (BlockKey block : blocks) {
      if (unpin(block)) {
        advertiser.released(block);
      } else if (!advertiser.asked(block)) {
        counters.increment(Counter.UNPINS_FAILED);
      }
    }
  }

  private boolean unpin(BlockKey block) {
    if (!pins.end(block)) {
      return false;
    }
    BlockEntry entry = table.get(block);
    if (entry != null) {
      if (entry.reason() == Reason.PIN_WAITING) {
        entry.setReason(Reason.NEVER_READ);
      }
      residents.unpinned(entry, clock.now());
    }
    return true;
  }

  /** Releases all pins: the plugin steps aside. */
  void releaseAll() {
    List<BlockKey> all = new ArrayList<>();
    pins.blocks().forEach(all::add);
    all.forEach(this::unpin);
  }

  // ---- copies -----------------------------------------------------------------------------------

  /** Begins the copies that are due, and ends the pins that wait for nothing. */
  void maintain() {
    endUnasked();
    Long until = noPlaceUntilNanos;
    if (until != null && clock.now() - until < 0) {
      return;
    }
    noPlaceUntilNanos = null;
    for (int left = Math.min(pins.waiting(), MAX_LOOKS_PER_ROUND);
        left > 0 && noPlaceUntilNanos == null && pins.underWay() < promoter.threads();
        left--) {
      BlockKey block = pins.nextWaiting();
      if (block != null) {
        consider(block);
      }
    }
  }

  /**
   * Ends the pins that no report has and that were not asked for lately: their directives have
   * ended.
   */
  private void endUnasked() {
    long now = clock.now();
    if (unaskedLookNanos != Long.MIN_VALUE && now - unaskedLookNanos < UNASKED_LOOK_NANOS) {
      return;
    }
    unaskedLookNanos = now;
    forgetRefusals();
    for (BlockKey block : pins.unasked(now - UNASKED_NANOS)) {
      BlockEntry entry = table.get(block);
      if (entry == null || entry.moving() == Moving.NOTHING) {
        boolean unused = unpin(block);
      }
    }
  }

  private void consider(BlockKey block) {
    BlockEntry entry = table.get(block);
    if (entry == null || !pins.isOf(block, entry.replica())) {
      if (!pins.isOf(block, host.finalized(block))) {
        boolean unused = unpin(block);
      }
      return; // it will be reported to the table
    }
    pins.refresh(entry);
    if (entry.fast() || entry.moving() != Moving.NOTHING) {
      return;
    }
    Reason never = whyNever(entry);
    if (never != null) {
      boolean unused = unpin(block);
      entry.setReason(never);
      counters.increment(Counter.PINS_FAILED);
      return;
    }
    if (entry.resting(clock.now()) || !pins.hasRoomFor(block)) {
      return;
    }
    if (host.hasClean(block, Part.DATA)) {
      events.doubt(block); // a copy of an earlier process, which has not been reported yet
      return;
    }
    if (!fetcher.mayRead(block)) {
      return; // its turn comes again
    }
    fetch(entry);
  }

  private void fetch(BlockEntry entry) {
    Candidate candidate = new Candidate(entry.key(), entry.sizeBytes(), Trigger.HINT, 0);
    Admissions.Question question = promoter.pinQuestion(candidate);
    Admissions.Answer answer = admissions.pin(question);
    List<BlockEntry> victims = fetcher.begin(entry, answer, false, null, null);
    if (victims == null) {
      noPlaceUntilNanos = clock.now() + NO_PLACE_NANOS;
      return;
    }
    entry.setReason(Reason.PIN_WAITING);
    decisions.pinned(candidate, answer.freeBytes, answer.decision, clock.now());
    decisions.madeWay(
        victims, Reason.EVICTED, candidate, answer.freeBytes, answer.decision, clock.now());
  }
}
