// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.hint.References;
import io.hycache.core.hint.StepLimit;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Candidate.Trigger;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.Host;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockEntry.Moving;
import io.hycache.core.table.BlockTable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Considers blocks for promotion: those that were read, and those that a workflow will read next.
 * Bounds the promotions under way, and remembers blocks that were read when the bound was reached
 * or while they were moving. Each block's reason says why it was not promoted. Owned by the
 * planner's thread.
 */
final class Promoter {
  /** Blocks that wait to be considered, at most; reads of further blocks are ignored. */
  private static final int MAX_WAITING_BLOCKS = 1_024;

  /**
   * Promotions for reads under way for each mover thread, at most. A promotion in a mover's queue
   * holds bytes and victims that writes would lack.
   */
  private static final int MAX_PROMOTIONS_PER_THREAD = 4;

  /** Steps of workflows that are considered in one round, at most. */
  private static final int MAX_HINT_STEPS_PER_ROUND = 256;

  /** References of workflows that one round passes, at most: a few milliseconds. */
  private static final int MAX_REFERENCES_PER_ROUND = 20_000;

  private final BlockTable table;
  private final SpaceLedger ledger;
  private final UserShares users;
  private final Pins pins;
  private final HintPacer hints;
  private final Cooperation cooperation;
  private final Admissions admissions;
  private final Fetcher fetcher;
  private final ReadAhead readAhead;
  private final DecisionLog decisions;
  private final Movers movers;
  private final Host host;
  private final Counters counters;
  private final RoundClock clock;
  private final LiveConfig config;

  /** Blocks that were read and wait to be considered, the oldest first. */
  private final Set<BlockKey> waiting = new LinkedHashSet<>();

  Promoter(
      LiveConfig config,
      BlockTable table,
      SpaceLedger ledger,
      UserShares users,
      Pins pins,
      HintPacer hints,
      Cooperation cooperation,
      Admissions admissions,
      Fetcher fetcher,
      ReadAhead readAhead,
      DecisionLog decisions,
      Movers movers,
      Host host,
      Counters counters,
      RoundClock clock) {
    this.config = config;
    this.table = table;
    this.ledger = ledger;
    this.users = users;
    this.pins = pins;
    this.hints = hints;
    this.cooperation = cooperation;
    this.admissions = admissions;
    this.fetcher = fetcher;
    this.readAhead = readAhead;
    this.decisions = decisions;
    this.movers = movers;
    this.host = host;
    this.counters = counters;
    this.clock = clock;
  }

  // ---- blocks to consider -----------------------------------------------------------------------

  /** Considers the blocks that wait, and then the next steps of the workflows. */
  void maintain() {
    considerWaiting();
    followHints();
  }

  private void considerWaiting() {
    for (BlockKey key : List.copyOf(waiting)) {
      if (!mayPromoteForRead()) {
        return;
      }
      waiting.remove(key);
      considerRead(key);
    }
  }

  private void followHints() {
    hints.repaceIfDue();
    hints.rewindIfDue();
    StepLimit limit = new StepLimit(MAX_REFERENCES_PER_ROUND);
    for (int i = 0; i < MAX_HINT_STEPS_PER_ROUND && mayPromoteForHint(); i++) {
      References.Upcoming next = hints.next(this::mayFetchForHint, limit);
      if (next == null) {
        return;
      }
      BlockKey key = next.block();
      BlockEntry entry = table.get(key);
      if (entry != null) {
        consider(entry, Trigger.HINT, hints.remaining(key) - 1, next.user());
      }
    }
  }

  /** Considers a block that was read; ignores one that is not in the table. */
  void considerRead(BlockKey key) {
    BlockEntry entry = table.get(key);
    if (entry != null) {
      considerRead(entry, hints.remaining(key));
    }
  }

  /** Considers a block that was read. It counts for the user who hinted it and holds least. */
  void considerRead(BlockEntry entry, long referencesAfterFetch) {
    String user = users.lowest(hints.users(entry.key()));
    consider(entry, Trigger.READ_MISS, referencesAfterFetch, user);
  }

  // ---- bounds -----------------------------------------------------------------------------------

  /** Without regard to reads, whose bound is higher: they would keep hints out for long. */
  private boolean mayPromoteForHint() {
    return fetcher.forHints() < threads();
  }

  private boolean mayPromoteForRead() {
    return underWay() < (long) MAX_PROMOTIONS_PER_THREAD * threads();
  }

  /** Promotions under way, without those that have bounds of their own. */
  private long underWay() {
    return ledger.promotions() - readAhead.underWay() - pins.underWay();
  }

  /** Mover threads of all devices, &gt; 0. */
  int threads() {
    return config.get().moverThreads() * Math.max(1, ledger.deviceCount());
  }

  private boolean mayFetch(BlockKey key) {
    BlockEntry entry = table.get(key);
    if (entry == null || entry.fast()) {
      return false;
    }
    if (entry.moving() != Moving.NOTHING || entry.resting(clock.now())) {
      hints.rewindSoon();
      return false;
    }
    return true;
  }

  private boolean mayFetchForHint(BlockKey key) {
    if (!mayFetch(key)) {
      return false;
    }
    if (!fetcher.mayRead(key)) {
      hints.rewindSoon();
      return false;
    }
    return true;
  }

  /** Returns false if too many wait already, or the block does. */
  private boolean considerLater(BlockEntry entry) {
    return waiting.size() < MAX_WAITING_BLOCKS && waiting.add(entry.key());
  }

  // ---- decisions --------------------------------------------------------------------------------

  /**
   * @param user whose hints ask for the block; null if none do
   */
  private void consider(
      BlockEntry entry, Trigger trigger, long referencesAfterFetch, @Nullable String user) {
    Mode mode = config.get().mode();
    if (mode == Mode.OFF || entry.sizeBytes() == 0 || pins.holds(entry)) {
      return;
    }
    if (mode == Mode.OBSERVE) { // Observation decides
      entry.setReason(Reason.OBSERVE_ONLY);
      return;
    }
    if (!mayFetch(entry.key())) {
      if (trigger == Trigger.READ_MISS && entry.moving() != Moving.NOTHING) {
        boolean unused = considerLater(entry);
      }
      return;
    }
    if (isRuledOut(entry, trigger)) {
      return;
    }
    Candidate candidate =
        new Candidate(entry.key(), entry.sizeBytes(), trigger, referencesAfterFetch);
    Admissions.Question question = question(candidate, user);
    Admissions.Answer answer = admissions.decide(question);
    Decision decision = answer.decision;
    entry.setReason(decision.reason());
    decisions.decided(candidate, answer.freeBytes, decision, clock.now());
    if (!decision.isAdmit()) {
      if (trigger == Trigger.HINT && user != null && mayPassThrough(decision.reason())) {
        readAhead.consider(entry, question, user);
      }
      return;
    }
    if (trigger == Trigger.READ_MISS && !cooperation.allows(entry, clock.now())) {
      return;
    }
    boolean forHint = trigger == Trigger.HINT;
    List<BlockEntry> victims = fetcher.begin(entry, answer, forHint, user, null);
    if (victims != null) {
      decisions.madeWay(
          victims, answer.whyEvicted(), candidate, answer.freeBytes, decision, clock.now());
    }
  }

  /** What the policy does not keep may pass through, within the user's share. */
  private boolean mayPassThrough(Reason refused) {
    return readAhead.isOn()
        && refused != Reason.ON_SSD_CLEAN
        && refused != Reason.TOO_LARGE
        && refused != Reason.USER_SHARE;
  }

  /** True if the policy need not be asked; then the entry's reason says why. */
  private boolean isRuledOut(BlockEntry entry, Trigger trigger) {
    if (movers.isAside()) {
      entry.setReason(Reason.PASS_THROUGH);
      return true;
    }
    if (!host.servesClean(entry.key())) {
      entry.setReason(Reason.LOCKED_IN_MEMORY);
      return true;
    }
    if (!fetcher.responds(entry.key())) {
      entry.setReason(Reason.DISK_NOT_RESPONDING);
      return true;
    }
    if (trigger == Trigger.READ_MISS && !mayPromoteForRead()) {
      entry.setReason(Reason.MOVE_QUEUE_FULL);
      if (!considerLater(entry)) {
        counters.increment(Counter.MOVES_REJECTED);
      }
      return true;
    }
    if (entry.sizeBytes() > ledger.largestDeviceBytes()) {
      entry.setReason(Reason.TOO_LARGE);
      return true;
    }
    return false;
  }

  /** The question about a block, with the space of the tier as it is now. */
  private Admissions.Question question(Candidate candidate, @Nullable String user) {
    return question(candidate, user, ledger.freeBytes());
  }

  /** The question about a pinned block. */
  Admissions.Question pinQuestion(Candidate candidate) {
    return question(candidate, null, ledger.freeBytesForPin());
  }

  private Admissions.Question question(Candidate candidate, @Nullable String user, long freeBytes) {
    BlockTable.Use use = ledger.use();
    return new Admissions.Question(
        candidate,
        user,
        hints.expectedUse(BlockKey.of(candidate.key())),
        freeBytes,
        ledger.takenBytes(use),
        ledger.blockCapacity(use),
        clock.now());
  }
}
