// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import com.google.common.math.LongMath;
import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.hint.ExpectedAgain;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.ReferenceSequences;
import io.hycache.core.hint.References;
import io.hycache.core.hint.References.Upcoming;
import io.hycache.core.hint.StepLimit;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The workflows' reference sequences and their pace: estimates when a block is used next, passes
 * that on to policy, user shares and read-ahead, and walks the sequences ahead of the readers.
 *
 * <p>Approximate: all workflows are assumed to use up one reference in the smoothed time between
 * the last references of any of them. Owned by the planner's thread; costs as in {@link
 * ReferenceSequences}.
 */
final class HintPacer implements References.Listener {
  /** Shortest time between two walks from the first unused reference. */
  private static final long MIN_REWIND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Assumed time between two references until two were used up. */
  private static final double INITIAL_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Change of the interval, as a part of it, from which on all expected uses are passed on again.
   */
  private static final double REPACE_CHANGE = 0.25;

  private static final long MIN_REPACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Time between two repacings for each reference, so that they cost little of the planner's. */
  private static final long REPACE_NANOS_PER_REFERENCE = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * Most that one interval counts, as a multiple of the smoothed one: a pause in which no job runs
   * says nothing about the pace of the jobs after it.
   */
  private static final double MAX_INTERVAL_FACTOR = 16;

  /** Longest time in which accesses to parts of a hinted block count as one read of it. */
  static final long PARTS_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Each new interval weighs 1 in this many in the smoothed time between two references. */
  private static final double INTERVAL_SMOOTHING = 16;

  private final References references;
  private final ExpectedAgain again = new ExpectedAgain();
  private final CachePolicy policy;
  private final UserShares users;
  private final AheadCopies ahead;
  private final Counters counters;
  private final RoundClock clock;
  private double intervalNanos = INITIAL_INTERVAL_NANOS;
  private long lastReferenceNanos = Long.MIN_VALUE;

  /**
   * Time from the batch before to the present one; 0 in the first one after a time without hints.
   */
  private long batchIntervalNanos;

  /** References used up at {@link #lastReferenceNanos}. */
  private long batchReferences;

  /** The smoothed interval before the present batch. */
  private double earlierIntervalNanos;

  private long rewoundNanos;

  /** The interval by which the expected uses of all blocks were last passed on. */
  private double passedOnIntervalNanos = INITIAL_INTERVAL_NANOS;

  private long passedOnNanos;

  /**
   * Hinted blocks that were accessed since the number of their references changed, with the time of
   * the last access that counted as a read of its own.
   */
  private final Map<BlockKey, Long> accessed = new HashMap<>();

  /** A block that was passed over may be worth fetching now. */
  private boolean rewindWanted;

  /** The walk stopped at the limit of a round: it goes on before it is restarted. */
  private boolean stopped;

  private long walks;

  HintPacer(
      HyCacheConfig config,
      CachePolicy policy,
      UserShares users,
      AheadCopies ahead,
      Counters counters,
      RoundClock clock) {
    this.references = new ReferenceSequences(config.hintMaxReferences(), config.hintLimits(), this);
    this.policy = policy;
    this.users = users;
    this.ahead = ahead;
    this.counters = counters;
    this.clock = clock;
  }

  void reconfigure(HyCacheConfig next) {
    references.limit(next.hintLimits());
  }

  /** Passes all blocks with references left to another policy. */
  void replay(CachePolicy to) {
    references.reportAll((block, remaining) -> passOn(to, block, remaining));
    again.forEach(
        block -> {
          if (!isHinted(block)) {
            passOn(to, block, 0);
          }
        });
  }

  // ---- workflows --------------------------------------------------------------------------------

  HintReceipt submit(Hints hints, String user, boolean exempt) {
    if (references.remaining() == 0) {
      lastReferenceNanos = Long.MIN_VALUE; // the time without hints is no interval
    }
    HintReceipt receipt = references.submit(hints, user, exempt, clock.millis());
    counters.add(Counter.HINTS_RECEIVED, receipt.accepted());
    counters.add(Counter.HINTS_REFUSED, receipt.refused());
    changed(again.submitted(hints, receipt.accepted(), user, clock.millis()));
    if (stopped) {
      rewindSoon(); // with submissions all the time, a restart would leave the rest out for good
    } else {
      rewind();
    }
    return receipt;
  }

  OptionalInt withdraw(WorkflowId workflow) {
    return references.withdraw(workflow);
  }

  /** Forgets workflows whose TTL is over, and what was expected for long enough. */
  void expire() {
    counters.add(Counter.HINTS_EXPIRED, references.expire(clock.millis()));
    changed(again.expire(this::isHinted, clock.millis()));
  }

  /** Blocks are expected to be named by a later workflow, or are so no longer. */
  private void changed(List<BlockKey> expected) {
    expected.forEach(block -> onReferences(block, references.remaining(block)));
  }

  List<WorkflowStatus> workflows() {
    return references.workflows(clock.millis());
  }

  // ---- references -------------------------------------------------------------------------------

  /**
   * @param remaining hinted references
   */
  @Override
  public void onReferences(BlockKey block, long remaining) {
    accessed.remove(block);
    long left = remaining + expected(block);
    ahead.references(block, left);
    if (remaining == 0 && left > 0) {
      ahead.leaveToPolicy(block);
    }
    users.nextUse(block, passOn(policy, block, remaining));
  }

  /**
   * Passes references and next use on to a policy. The time of a guessed read is not: a wrong guess
   * would lower its trust in real hints.
   *
   * @return the expected time of the next use
   */
  private long passOn(CachePolicy to, BlockKey block, long remaining) {
    long nextUse = expectedUse(block, remaining);
    to.onTime(clock.now());
    to.onReferences(block, remaining + expected(block));
    to.onNextUse(block, remaining == 0 ? UserShares.NEVER : nextUse);
    return nextUse;
  }

  /** 1 if a later workflow is expected to name the block, 0 if not. */
  private int expected(BlockKey block) {
    return again.isExpected(block) ? 1 : 0;
  }

  /** Takes a read of a block. Returns true if it used up a reference. */
  boolean onRead(BlockKey block, long lengthBytes, long bytes) {
    boolean used = progressed(references.onRead(block, lengthBytes, bytes));
    if (used) {
      ahead.leaveToPolicy(block);
    }
    return used;
  }

  /** Takes a full read of a block on another DataNode. Returns true if it used up a reference. */
  boolean onReadElsewhere(BlockKey block) {
    boolean used = progressed(references.onReadElsewhere(block));
    if (used) {
      policy.onUsedWithoutAccess(block);
    }
    return used;
  }

  private boolean progressed(boolean used) {
    if (used) {
      rewindWanted = true;
      pace(clock.now());
    }
    return used;
  }

  /**
   * Smooths the interval. Reads and notices of reads come in batches with one time: the references
   * of a batch were used up since the one before, and count as one interval.
   */
  private void pace(long now) {
    if (lastReferenceNanos == Long.MIN_VALUE) {
      lastReferenceNanos = now;
      batchIntervalNanos = 0;
    } else if (now != lastReferenceNanos) {
      batchIntervalNanos = now - lastReferenceNanos;
      batchReferences = 0;
      earlierIntervalNanos = intervalNanos;
      lastReferenceNanos = now;
    }
    if (batchIntervalNanos > 0) {
      batchReferences++;
      double interval =
          Math.min(
              (double) batchIntervalNanos / batchReferences,
              MAX_INTERVAL_FACTOR * earlierIntervalNanos);
      intervalNanos = earlierIntervalNanos + (interval - earlierIntervalNanos) / INTERVAL_SMOOTHING;
    }
  }

  /**
   * Takes an access to a block. Returns false if it belongs to the read of an access before: a read
   * of some columns of a hinted block has several parts, which take turns with those of others. A
   * policy that took each for a read of its own would find that blocks are read again soon. An
   * access {@link #PARTS_NANOS} after the last one that counted is another read, so that hints that
   * no job keeps do not hide the reads of others.
   *
   * @param used whether it used up a reference
   */
  boolean isAnotherRead(BlockKey block, boolean used) {
    if (used || !isHinted(block)) {
      return true;
    }
    long now = clock.now();
    Long counted = accessed.get(block);
    boolean another = counted == null || now - counted >= PARTS_NANOS;
    if (another) {
      accessed.put(block, now);
    }
    return another;
  }

  /** True if the job of a workflow that references the block has read some of its blocks. */
  boolean isUnderWay(BlockKey block) {
    return references.isUnderWay(block);
  }

  /** The users with active workflows. */
  Set<String> users() {
    return references.users();
  }

  /** Smoothed time between two references. */
  long intervalNanos() {
    return (long) intervalNanos;
  }

  /** References left over all blocks. */
  long remaining() {
    return references.remaining();
  }

  /** References left to a block, &gt;= 0: those that are hinted, and one if it is expected. */
  long remaining(BlockKey block) {
    return references.remaining(block) + expected(block);
  }

  /** Whether a workflow has a reference left to the block. */
  boolean isHinted(BlockKey block) {
    return references.remaining(block) > 0;
  }

  /**
   * The users with a reference left to a block, in order of submission. Without one, the user whose
   * workflow named it last, if it is expected to be named again.
   */
  List<String> users(BlockKey block) {
    String last = isHinted(block) ? null : again.user(block);
    return last == null ? references.users(block) : List.of(last);
  }

  /**
   * Expected time of a block's next use, of hinted ones at the current pace; {@link
   * UserShares#NEVER} if no reference is left, or none but one that is a guess.
   */
  long expectedUse(BlockKey block) {
    return expectedUse(block, references.remaining(block));
  }

  /**
   * @param remaining hinted references
   */
  private long expectedUse(BlockKey block, long remaining) {
    if (remaining == 0) {
      OptionalLong recurs = again.recursAtMillis(block);
      return recurs.isEmpty()
          ? UserShares.NEVER
          : clock.now() + TimeUnit.MILLISECONDS.toNanos(recurs.getAsLong() - clock.millis());
    }
    return useAfter(references.referencesAhead(block));
  }

  /** Expected time at which so many references are used up. */
  private long useAfter(long references) {
    long ahead = (long) ((double) references * intervalNanos);
    return Math.min(UserShares.NEVER - 1, LongMath.saturatedAdd(clock.now(), ahead));
  }

  // ---- the walk ---------------------------------------------------------------------------------

  /** Restarts the walk, now and once more when a rewind is due. */
  void rewind() {
    restart();
    rewindWanted = true;
  }

  /** Requests a restart of the walk: a block that was passed over may be worth fetching now. */
  void rewindSoon() {
    rewindWanted = true;
  }

  /**
   * Restarts the walk if that was requested, the last restart is long enough ago, and it did not
   * stop at a limit.
   */
  void rewindIfDue() {
    long now = clock.now();
    if (now - rewoundNanos > MIN_REWIND_NANOS && rewindWanted && !stopped) {
      rewoundNanos = now;
      rewindWanted = false;
      restart();
    }
  }

  /**
   * Passes the expected uses on again if the pace has changed, as uses that were estimated at
   * different paces do not compare, or if a workflow that stood has gone on. The policy keeps what
   * it was notified of for workflows that have used up no reference since the last time: else each
   * change of others' pace would put off the uses that a job which does not run has promised. So
   * these fade, and so do those that are overdue. User shares only compare uses, and get all.
   */
  void repaceIfDue() {
    long now = clock.now();
    double change = Math.abs(intervalNanos - passedOnIntervalNanos);
    boolean changed = change > REPACE_CHANGE * passedOnIntervalNanos || references.anyResumed();
    if (!changed || references.remaining() == 0) {
      return;
    }
    long pause = Math.max(MIN_REPACE_NANOS, references.remaining() * REPACE_NANOS_PER_REFERENCE);
    if (now - passedOnNanos < pause) {
      return;
    }
    passedOnNanos = now;
    passedOnIntervalNanos = intervalNanos;
    policy.onTime(now);
    references.reportAll((block, remaining) -> repace(block));
    references.markProgress();
  }

  private void repace(BlockKey block) {
    long inProgress = references.referencesAheadInProgress(block);
    if (inProgress > 0 && inProgress != Long.MAX_VALUE) {
      policy.onNextUse(block, useAfter(inProgress));
    }
    long all = references.referencesAhead(block);
    if (all > 0) {
      users.nextUse(block, useAfter(all));
    }
  }

  private void restart() {
    walks++;
    stopped = false;
    references.rewind();
  }

  /** Number of the walk, which each restart increases. */
  long walks() {
    return walks;
  }

  /** The next reference whose block passes the filter; null at the end or the limit. */
  @Nullable Upcoming next(Predicate<BlockKey> wanted, StepLimit ofRound) {
    Upcoming next = references.next(wanted, ofRound);
    stopped = ofRound.isReached();
    return next;
  }
}
