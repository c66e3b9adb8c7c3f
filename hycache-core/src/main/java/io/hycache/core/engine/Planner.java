// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Part;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.move.Supervisor;
import io.hycache.core.move.WriteBudget.Cause;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.Census;
import io.hycache.core.spi.HeatStore;
import io.hycache.core.spi.Host;
import io.hycache.core.spi.MoveListener;
import io.hycache.core.spi.Neighbours;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.HintedBlock;
import io.hycache.core.stats.Latencies;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.table.HeatLog;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/*
 * The parts and the state that each owns. A part uses only parts of lower lines, or to its right;
 * PlannerParts connects them.
 *
 *   Planner, PlannerThread   rounds; Maintenance: what a round does without an event
 *   ReadEvents, RoomMaker    classes of blocks; evictions for writes and for the reserve
 *   Pinner                   what cache directives pin, and the copies that pins wait for
 *   Promoter                 blocks that wait to be considered for promotion
 *   ReadAhead                blocks that pass through the fast tier ahead of their only read
 *   Fetcher, Scrubber        promotions under way; write-back, and the pace of slow devices
 *   StepDown                 where guests go that leave a tier above the slowest fast one
 *   MoveOutcomes, Resync     what became of moves; blocks whose events were dropped
 *   Inventory                what the DataNode reports of replicas and copies
 *   ChecksumKeeper           checksum files on SSD; HeatKeeper: heat and wear across restarts
 *   Residents, HintPacer     suspended residents; reference sequences, their pace and walk
 *   Submissions              the beginning and the end of workflows
 *   ReadReports, HintHistory reads here of what is hinted elsewhere, and the reverse; for users who ask
 *   Admissions, Cooperation  the decision on one block; what neighbours hold
 *   AheadCopies              blocks fetched ahead, until they were read
 *   ShadowTier, Onlooker     what SSDs of other sizes would serve; what mode observe looks at
 *   SpaceLedger, Departures  bytes on their way to a fast device or off it; who may leave
 *   Pins, Advertiser         what is pinned, and the bytes reserved for it; what else is reported
 *   Movers                   queues of the mover threads
 *   BlockTable, FastSpace, SpaceShares, UserShares, WriteSpace, ReadSources, DecisionLog, ...
 *
 * Movers and neighbours report from other threads, through PlannerEvents alone.
 */
/**
 * Turns events into moves, on one thread that owns block table, policy and hints.
 *
 * <p>Each round drains the ring of reads and the queue of other events, and then maintains: looks
 * at the devices, makes room, writes dirty replicas back, walks the hinted sequences, keeps
 * checksum files. Rounds follow each other while there is work, and otherwise every {@code tick},
 * or less often ({@link QuietRounds}). A round decides a bounded number of moves, so that events
 * never wait for long. An exception costs the event that caused it and is counted; one of a method
 * that notifies the policy costs what the policy knows, for {@link #RECONCILE_AFTER_NANOS}.
 *
 * <p>Methods that report events are for any thread and never wait. Queries and {@link #reconfigure}
 * are for events passed to {@link #offer}, which run on the planner's thread.
 */
final class Planner implements PlannerEvents, AutoCloseable {
  /**
   * Pause after a round that drained much of the ring, as reads could fill it within a tick, or
   * left events to the next one.
   */
  static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /**
   * Pause after a round that handled at least one event, so that reads batch up before the next
   * drain.
   */
  private static final long BATCHING_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * Time after which a round leaves the other events to the next one: what is due without an event
   * must not wait for callers that ask all the time.
   */
  private static final long MAX_EVENTS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A round that drains more than this fraction, 1 in 8, of the ring has the shortest pause. */
  private static final int MIN_PAUSE_RING_FRACTION = 8;

  /** Time after which a policy that failed is notified of what it lacks, which is O(residents). */
  static final long RECONCILE_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final AccessRing ring;
  private final WriteBudgets budgets;
  private final Supervisor supervisor;
  private final Supervisor.Part part;
  private final EventQueue events;
  private final RoundClock clock;
  private final PlannerParts parts;
  private final Maintenance maintenance;
  private final PlannerThread thread;
  private final LiveConfig config;
  private final QuietRounds quiet = new QuietRounds();

  /** An {@link Error} may have interrupted a change of several parts. */
  private boolean damaged;

  /** The policy failed: it may hold other blocks than it should. */
  private boolean policyDiffers;

  private long reconcileNanos;

  private @Nullable Throwable failedInRound;

  Planner(
      HyCacheConfig config,
      CachePolicy policy,
      BlockMover mover,
      Host host,
      ReadSources sources,
      Onlooker onlooker,
      Counters counters,
      AccessRing ring,
      WriteSpace writeSpace,
      SpareCopies spares,
      WriteBudgets budgets,
      PinnedBlocks pinned,
      PublishedBlocks advertised,
      HeatStore heatStore,
      Supervisor supervisor,
      Latencies latencies,
      LongSupplier nanoClock) {
    this.config = new LiveConfig(config);
    this.ring = ring;
    this.budgets = budgets;
    this.supervisor = supervisor;
    this.part = supervisor.part("planner");
    this.events = new EventQueue(counters);
    this.clock = new RoundClock(nanoClock);
    this.parts =
        new PlannerParts(
            this.config,
            policy,
            mover,
            host,
            sources,
            onlooker,
            counters,
            writeSpace,
            budgets,
            pinned,
            advertised,
            heatStore,
            supervisor.part("movers"),
            events,
            this,
            this::policyFailed,
            latencies,
            clock);
    this.maintenance =
        new Maintenance(this.config, parts, writeSpace, budgets, spares, host, onlooker, clock);
    this.thread = new PlannerThread(supervisor, part, this::step);
  }

  // ---- life -------------------------------------------------------------------------------------

  void start() {
    thread.start();
  }

  /** See {@link HyCacheEngine#watch}. */
  void watch() {
    thread.watch();
  }

  /** Seconds since the last sign of progress; 0 if there was one lately. Any thread. */
  long stalledSeconds() {
    return thread.stalledSeconds();
  }

  /** True if no event is taken any more. Any thread. */
  boolean isOver() {
    return supervisor.givenUp() || !thread.isRunning();
  }

  /** Begins no more moves; those under way are rolled back. Any thread; never waits. */
  void stepAside() {
    parts.movers.stepAside();
    if (supervisor.givenUp()) {
      events.close();
    }
  }

  /** True once {@link #stepAside} was called. Any thread. */
  boolean isAside() {
    return parts.movers.isAside();
  }

  @Override
  public void close() {
    thread.close();
    parts.movers.close();
    parts.heat.close();
  }

  // ---- events, from any thread: passed on to the part that owns the state -----------------------

  /** Adds an event that must not be lost. There must be few of its kind. */
  private void add(Runnable event) {
    events.add(event);
    thread.wake();
  }

  /** Adds an event about a block; if the queue is full, the host is asked about the block later. */
  private void offer(BlockKey block, Runnable event) {
    events.offer(block, event);
    thread.wake();
  }

  /** Adds an event; returns false if the queue is full. */
  boolean offer(Runnable event) {
    boolean taken = events.offer(event);
    thread.wake();
    return taken;
  }

  /** A user's write begins: the next round looks at the devices, and need not wait for an event. */
  void wake() {
    thread.wake();
  }

  /** What is recorded of a block may be wrong: the host is asked about it. */
  void doubt(BlockKey block) {
    events.doubt(block);
    thread.wake();
  }

  @Override
  public void moveEnded(Runnable outcome) {
    add(outcome);
  }

  @Override
  public void neighboursAnswered(BlockKey block, boolean elsewhere) {
    add(
        () -> {
          parts.cooperation.answered(block, elsewhere, clock.now());
          parts.promoter.considerRead(block);
        });
  }

  void replica(Replica replica, Home home, @Nullable String device) {
    offer(replica.block(), () -> parts.inventory.replica(replica, home, device));
  }

  void writtenToDisk(BlockKey block, Reason why) {
    offer(block, () -> parts.inventory.writtenToDisk(block, why));
  }

  void gone(BlockKey block) {
    offer(block, () -> parts.inventory.gone(block));
  }

  void forgetMissing() {
    add(parts.inventory::forgetMissing);
  }

  void cleanFound(BlockKey block, Part what, String device, long bytes) {
    offer(block, () -> parts.inventory.cleanFound(block, what, device, bytes));
  }

  void cleanDropped(BlockKey block) {
    offer(block, () -> parts.inventory.cleanDropped(block));
  }

  void madeWay(BlockKey block) {
    offer(block, () -> parts.outcomes.madeWay(block));
  }

  /** A cache directive pins these blocks, or releases them. */
  void pin(List<BlockKey> blocks, boolean pinned) {
    add(() -> parts.pinner.directed(blocks, pinned));
  }

  /** A user wrote to a fast device. Returns false if the queue is full. */
  boolean written(String device, long bytes) {
    return offer(() -> budgets.wrote(device, Cause.USER_WRITE, bytes, clock.now()));
  }

  void heatFound(String device, String pool, HeatLog.Loaded log, long agoNanos) {
    add(
        () -> {
          maintenance.look();
          parts.heat.restore(device, pool, log, agoNanos, clock.now());
          parts.ledger.lookAgain(); // what is left of the write budgets may have changed
        });
  }

  /** From now on publishes residency to these neighbours, and asks them before promotions. */
  void join(Neighbours neighbours) {
    add(
        () -> {
          parts.cooperation.join(neighbours);
          parts.reports.join(neighbours);
          parts.table.listen(neighbours::publish);
        });
  }

  /** Other DataNodes report full reads of blocks. Returns false if the queue is full. */
  boolean readElsewhere(List<BlockKey> blocks) {
    return offer(() -> parts.reports.readElsewhere(blocks));
  }

  /** Sets who is asked about blocks whose events were dropped. */
  void lookAgainWith(Census census) {
    parts.resync.ask(census);
  }

  void observeMoves(MoveListener listener) {
    parts.movers.observe(listener);
  }

  /** The figures of the shadow working set, some seconds old. */
  Map<NodeFigure, Number> shadow() {
    return parts.shadow.published();
  }

  /** The state some seconds ago; null before the first round. Any thread. */
  @Nullable NodeStatus lastStatus() {
    return parts.board.published();
  }

  int eventsWaiting() {
    return events.waiting() + events.doubtful();
  }

  /** True while events come faster than they are handled. */
  boolean isBehind() {
    return !isOver() && events.crowded();
  }

  // ---- rounds -----------------------------------------------------------------------------------

  /** One round and the pause after it. Returns false when the thread must end. */
  private boolean step() {
    if (!thread.isRunning()) {
      return false;
    }
    failedInRound = null;
    long pause;
    try {
      pause = round();
    } catch (Throwable e) {
      fail(e);
      pause = BATCHING_PAUSE_NANOS;
    }
    Throwable failed = failedInRound;
    if (failed == null) {
      part.succeeded();
    } else {
      pause = Math.max(pause, part.strike(failed));
      if (supervisor.givenUp()) {
        return false;
      }
    }
    if (failed == null && quiet.ticks() > 0) {
      long rest = quiet.ticks() * config.get().tick().toNanos();
      thread.rests(rest);
      ring.rest(rest);
    } else {
      // Reads batch up during the pause, so that the readers' cores do not contend with this one
      // for the ring. Any other event ends the pause.
      LockSupport.parkNanos(
          failed == null ? Math.min(pause, config.get().tick().toNanos()) : pause);
    }
    return thread.isRunning();
  }

  /** Records that an event or a part of the round failed; the round goes on. */
  private void fail(Throwable e) {
    failedInRound = e;
    damaged |= e instanceof Error;
    part.note(e);
  }

  /** The policy was not notified of a change, or of a part of it. */
  private void policyFailed(RuntimeException e) {
    if (!policyDiffers) {
      policyDiffers = true;
      reconcileNanos = clock.now() + RECONCILE_AFTER_NANOS;
    }
    fail(e);
  }

  private void reconcilePolicy() {
    policyDiffers = false;
    try {
      parts.residents.reconcile(clock.now());
    } catch (RuntimeException e) {
      policyFailed(e);
    }
  }

  /** Returns the longest pause after it, in nanoseconds. */
  private long round() {
    clock.startRound();
    thread.beat();
    if (damaged) {
      parts.residents.repair(clock.now());
      events.doubtAll();
      damaged = false;
    }
    if (policyDiffers && clock.now() - reconcileNanos >= 0) {
      reconcilePolicy();
    }
    int drained = ring.drain(this::readGuarded);
    int others = 0;
    long begunNanos = System.nanoTime(); // the real clock, also where tests move another one
    Runnable event = events.poll();
    while (event != null) {
      others++;
      try {
        event.run();
      } catch (Throwable e) {
        fail(e);
      }
      thread.beat();
      boolean enough =
          others >= EventQueue.MAX_EVENTS || System.nanoTime() - begunNanos >= MAX_EVENTS_NANOS;
      event = enough ? null : events.poll();
    }
    if (events.isEmpty()) {
      others += parts.resync.maintain();
    }
    maintenance.run();
    quiet.count(
        drained + others > 0 || maintenance.isWorkUnderWay(), maintenance.isWriteUnderWay());
    if (drained > config.get().ringLength() / MIN_PAUSE_RING_FRACTION || !events.isEmpty()) {
      return MIN_PAUSE_NANOS;
    }
    return drained + others > 0 ? BATCHING_PAUSE_NANOS : config.get().tick().toNanos();
  }

  private void readGuarded(long source, long blockId, long bytes) {
    try {
      parts.reads.read(source, blockId, bytes);
    } catch (Throwable e) {
      fail(e);
    }
  }

  // ---- on the planner's thread ------------------------------------------------------------------

  /**
   * @param successor the policy from now on; null if it stays
   * @throws IllegalStateException if it does not take what it is to hold; then nothing changes
   */
  void reconfigure(HyCacheConfig next, @Nullable CachePolicy successor) {
    if (successor != null) {
      replacePolicy(successor, next.policy());
    }
    config.set(next);
    parts.shares.reconfigure(next);
    parts.users.reconfigure(next.userWeights());
    parts.hints.reconfigure(next);
    parts.reports.reconfigure(next);
    parts.scrubber.reconfigure(next);
    parts.cooperation.reconfigure(next.hotReads());
    parts.shadow.reconfigure(next.shadowBlocks());
    parts.movers.rates.setPromoteRate(next.promoteBytesPerSec());
    parts.ledger.lookAgain();
  }

  private void replacePolicy(CachePolicy successor, String name) {
    try {
      parts.policy.replace(successor, parts.table, parts.hints::replay, clock.now());
    } catch (RuntimeException e) {
      part.note(e);
      throw new IllegalStateException(
          "policy: expected one that takes over the blocks on SSD and their references, found that "
              + name
              + " fails. Nothing has changed. Fix: the log has its stack trace; mend the class, or"
              + " take another policy",
          e);
    }
    reconcilePolicy();
    parts.hints.rewind();
  }

  HintReceipt submitHints(Hints hints, String user, boolean exempt) {
    HintReceipt receipt = parts.submissions.submit(hints, user, exempt);
    parts.reads.hinted(hints, user, receipt.accepted());
    return receipt;
  }

  OptionalInt withdrawHints(WorkflowId workflow) {
    return parts.submissions.withdraw(workflow);
  }

  List<HintedBlock> explain(WorkflowId workflow, int from, int most) {
    return parts.history.blocks(
        workflow, from, most, entry -> parts.inspection.why(config.get().mode(), entry));
  }

  List<WorkflowStatus> workflows(Predicate<WorkflowId> which) {
    List<WorkflowStatus> all = parts.hints.workflows();
    all.removeIf(one -> !which.test(one.id()));
    if (parts.pins.count() > 0) {
      all.replaceAll(one -> one.withPinned(parts.history.open(one.id(), parts.pins::isHere)));
    }
    all.replaceAll(one -> one.with(parts.history.progress(one.id())));
    return all;
  }

  List<WorkflowStatus> endedWorkflows(Predicate<WorkflowId> which) {
    Set<WorkflowId> active = new HashSet<>();
    parts.hints.workflows().forEach(one -> active.add(one.id()));
    return parts.history.over(id -> which.test(id) && !active.contains(id));
  }

  NodeStatus status() {
    maintenance.look();
    return parts.board.current();
  }

  List<BlockStatus> locate(List<BlockKey> blocks) {
    return parts.inspection.blocks(config.get().mode(), blocks, clock.now());
  }

  List<BlockStatus> mostRead(int most) {
    return parts.inspection.mostRead(config.get().mode(), most, clock.now());
  }

  long demoteBytesPerSec(String slowDevice) {
    return parts.movers.rates.demoteRate(slowDevice);
  }

  long promoteBytesPerSec(String slowDevice) {
    return parts.movers.rates.readsFrom(slowDevice).bytesPerSec();
  }

  boolean isLookingAgain() {
    return parts.resync.isPending();
  }

  /**
   * Applies the reads in the ring, and checks that all parts agree.
   *
   * @throws IllegalStateException naming what is wrong
   */
  void settle() {
    ring.drain(this::readGuarded);
    parts.table.checkInvariants();
    // An outcome is queued before its move counts as finished: if nothing waits, all were applied.
    if (parts.movers.unfinished() == 0 && events.isEmpty() && !parts.resync.isPending()) {
      parts.residents.checkInvariants();
    }
  }
}
