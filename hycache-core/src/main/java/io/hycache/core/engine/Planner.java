package io.hycache.core.engine;

import com.google.common.collect.Iterables;
import com.google.common.collect.Streams;
import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.engine.Departures.Kind;
import io.hycache.core.hint.HintBatch;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.ReferenceSequences;
import io.hycache.core.hint.References;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Candidate.Trigger;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Home;
import io.hycache.core.model.Part;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.move.Supervisor;
import io.hycache.core.move.WriteBudget.Cause;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.Census;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.HeatStore;
import io.hycache.core.spi.Host;
import io.hycache.core.spi.MoveAbandonedException;
import io.hycache.core.spi.MoveListener;
import io.hycache.core.spi.Neighbours;
import io.hycache.core.spi.Sighting;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.WriteFallback;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockEntry.Moving;
import io.hycache.core.table.BlockTable;
import io.hycache.core.table.HeatLog;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that owns block table, policy and hints, and turns events into moves.
 *
 * <p>Each round: drain the ring of reads and the queue of other events; then maintain: renew the
 * view of the devices, make room, write dirty replicas back, walk the hinted sequences, keep
 * checksum files. Rounds follow each other while there is work and otherwise every {@code tick}. A
 * round decides a bounded number of moves, so that events are never kept waiting for long; an
 * exception costs the event that caused it and is counted.
 *
 * <p>What is approximate: the view of the devices is at most {@link #PROBE_NANOS} old, and a block
 * that is moving is skipped by other decisions until its move ended.
 */
final class Planner implements AutoCloseable {
  /** Between two looks at the devices: what is promised in between is known without. */
  static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** Rest between rounds while reads would fill the ring in less than a tick. */
  static final long BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Rest between rounds while there are some. */
  private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** A round that drains more than the ring's length by this is followed by the short rest. */
  private static final int HEAVY_SHARE = 8;

  /** A block whose move failed is left alone for so long. */
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** A block whose move was given up for a writer is left to the writer for so long. */
  private static final long REST_AFTER_WRITER_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Beyond it the read of a block that has to wait leads to nothing. */
  private static final int MOST_READ_AND_WAITING = 1_024;

  /**
   * Promotions for reads under way for each mover thread: what waits in a mover's queue has bytes
   * set aside and victims out of their order, which writes would lack.
   */
  private static final int PROMOTIONS_PER_THREAD = 4;

  private static final long REWIND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final int HINT_STEPS_PER_ROUND = 256;

  /** What a step of a workflow takes as long as none was seen. */
  private static final double FIRST_STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final double STEPS_SMOOTHED = 16;

  private final LivePolicy policy;
  private final Host host;
  private final Counters counters;
  private final AccessRing ring;
  private final WriteSpace writeSpace;
  private final WriteBudgets budgets;
  private final Supervisor supervisor;
  private final Supervisor.Part part;
  private final Movers movers;
  private final BlockTable table = new BlockTable();
  private final References references;
  private final ChecksumKeeper checksums;
  private final Scrubber scrubber;
  private final HeatKeeper heat;
  private final Inspection inspection;
  private final FastSpace space = new FastSpace();
  private final Residents residents;
  private final Departures departures;
  private final SpareCopies spares;
  private final WrittenToDisk writtenToDisk = new WrittenToDisk();
  private final SpaceShares shares;
  private final UserShares users;
  private final Admissions admissions;
  private final DecisionLog decisions = new DecisionLog();
  private final Cooperation cooperation;
  private final EventQueue events;
  private final Resync resync;
  private final Watchdog watchdog;
  private final CopyOnWriteArrayList<String> pools = new CopyOnWriteArrayList<>();
  private final LongSupplier clock;
  private volatile Thread thread;
  private volatile boolean running = true;

  /** No move begins any more. */
  private volatile boolean aside;

  /** On the real clock, whatever the tests' says. */
  private volatile long beatNanos = System.nanoTime();

  /** An Error may have ended a change of the books half-way. */
  private boolean damaged;

  private @Nullable Throwable failedInRound;
  private HyCacheConfig config;
  private long now;
  private long probedNanos;
  private long rewoundNanos;
  private long sweptNanos;
  private boolean probed;
  private boolean hintsPending;

  /**
   * Blocks that were read and wait to be considered: while they were moving, or more promotions
   * than this were under way. The oldest first.
   */
  private final Set<BlockKey> readAndWaiting = new LinkedHashSet<>();

  /** Time between two steps of workflows that were used up, as it was lately. */
  private double stepNanos = FIRST_STEP_NANOS;

  private long lastStepNanos = Long.MIN_VALUE;

  /** What is on its way to each fast device, and the number of these promotions. */
  private final BytesByDevice movingIn = new BytesByDevice();

  private final BytesByDevice promotions = new BytesByDevice();

  /** What is on its way off each fast device. */
  private final BytesByDevice evicting = new BytesByDevice();

  /** The part of it that makes way for what is on its way there. */
  private final BytesByDevice exchanged = new BytesByDevice();

  Planner(
      HyCacheConfig config,
      CachePolicy policy,
      BlockMover mover,
      Host host,
      Counters counters,
      AccessRing ring,
      WriteSpace writeSpace,
      SpareCopies spares,
      WriteBudgets budgets,
      HeatStore heatStore,
      Supervisor supervisor,
      LongSupplier clock) {
    this.config = config;
    this.policy = new LivePolicy(policy);
    this.host = host;
    this.counters = counters;
    this.ring = ring;
    this.writeSpace = writeSpace;
    this.spares = spares;
    this.budgets = budgets;
    this.supervisor = supervisor;
    this.part = supervisor.part("planner");
    this.clock = clock;
    this.events = new EventQueue(counters);
    this.resync = new Resync(events, table, new LookedAgain());
    this.movers = new Movers(config, mover, this::tell, supervisor.part("movers"));
    this.shares = new SpaceShares(config);
    this.users = new UserShares(config.userWeights());
    this.references =
        new ReferenceSequences(config.hintMaxSteps(), config.hintLimits(), this::referenced);
    this.checksums =
        new ChecksumKeeper(
            config,
            table,
            space,
            budgets,
            movers,
            block -> host.hasClean(block, Part.CHECKSUM),
            counters);
    this.residents = new Residents(table, this.policy, space, users);
    this.departures = new Departures(table, this.policy, space);
    this.admissions = new Admissions(table, this.policy, space, departures, shares, users);
    this.scrubber =
        new Scrubber(
            config,
            table,
            departures,
            space,
            writeSpace,
            movers,
            counters,
            this::demoted,
            this::moveFailed);
    this.cooperation = new Cooperation(config.hotReads(), counters, this::answered);
    this.heat = new HeatKeeper(table, this.policy, budgets, heatStore);
    this.inspection =
        new Inspection(table, space, budgets, references, decisions, movers, host, counters);
    this.thread = newThread();
    this.watchdog =
        new Watchdog(
            () -> System.nanoTime() - beatNanos, this::revive, supervisor.part("watchdog"));
  }

  private Thread newThread() {
    return part.thread("HyCachePlanner", this::step);
  }

  void start() {
    beatNanos = System.nanoTime();
    thread.start();
    watchdog.start();
  }

  /** Starts the thread anew if it is dead, which only the JVM itself can bring about. */
  private synchronized void revive() {
    if (running && !supervisor.givenUp() && thread.getState() == Thread.State.TERMINATED) {
      thread = newThread();
      thread.start();
    }
  }

  /** How long no round went on; 0 if one has lately. Any thread. */
  long stalledSeconds() {
    return running && thread.getState() != Thread.State.NEW ? watchdog.stalledSeconds() : 0;
  }

  /** True if no event is taken any more. Any thread. */
  boolean isOver() {
    return supervisor.givenUp() || !running;
  }

  /** No move begins from now on; those under way are rolled back. Any thread; never waits. */
  void stepAside() {
    aside = true;
    movers.stepAside();
    if (supervisor.givenUp()) {
      events.close();
    }
  }

  boolean isAside() {
    return aside;
  }

  @Override
  public void close() {
    running = false;
    watchdog.close();
    LockSupport.unpark(thread);
    try {
      thread.join(TimeUnit.SECONDS.toMillis(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    movers.close();
    heat.close();
  }

  /** Adds what must not be lost, and of which there are few. Any thread; never waits. */
  void tell(Runnable event) {
    events.add(event);
    LockSupport.unpark(thread);
  }

  /** Adds an event about a block. Any thread; never waits. */
  void tell(BlockKey block, Runnable event) {
    events.offer(block, event);
    LockSupport.unpark(thread);
  }

  /** What is known of a block may be wrong: the host is asked. Any thread; never waits. */
  void doubt(BlockKey block) {
    events.doubt(block);
    LockSupport.unpark(thread);
  }

  /** Returns false if too much waits already. Any thread; never waits. */
  boolean offer(Runnable event) {
    boolean taken = events.offer(event);
    LockSupport.unpark(thread);
    return taken;
  }

  int eventsWaiting() {
    return events.waiting() + events.doubtful();
  }

  boolean isLookingAgain() {
    return resync.isPending();
  }

  /** True while events come faster than they are handled. Any thread. */
  boolean isBehind() {
    return events.crowded();
  }

  /** Who is asked about blocks whose events were dropped. Any thread. */
  void lookAgainWith(Census census) {
    resync.ask(census);
  }

  void observeMoves(MoveListener listener) {
    movers.observe(listener);
  }

  void join(Neighbours neighbours) {
    cooperation.join(neighbours);
    table.listen(neighbours::tell);
  }

  /**
   * @param successor the policy from now on; null if it stays
   */
  void reconfigure(HyCacheConfig next, @Nullable CachePolicy successor) {
    config = next;
    if (successor != null) {
      boolean before = damaged;
      damaged = true; // until it is complete: residents that were not passed on are in no order
      policy.replace(successor, table, () -> references.tellAll(this::referenced), now);
      hintsPending = true;
      references.rewind();
      damaged = before;
    }
    shares.reconfigure(next);
    users.reconfigure(next.userWeights());
    references.limit(next.hintLimits());
    scrubber.reconfigure(next);
    cooperation.reconfigure(next.hotReads());
    movers.setPromoteRate(next.promoteBytesPerSec());
    probed = false;
  }

  synchronized int registerPool(String pool) {
    pools.add(pool);
    return pools.size() - 1;
  }

  private boolean step() {
    if (!running) {
      return false;
    }
    failedInRound = null;
    long rest;
    try {
      rest = round();
    } catch (Throwable e) {
      fail(e);
      rest = GATHER_NANOS;
    }
    Throwable failed = failedInRound;
    if (failed == null) {
      part.succeeded();
    } else {
      rest = Math.max(rest, part.strike(failed));
      if (supervisor.givenUp()) {
        return false;
      }
    }
    // A rest lets reads gather: records are drained in batches, and the readers' cores do not
    // fight with this one over the ring. Other events end a rest at once.
    LockSupport.parkNanos(failed == null ? Math.min(rest, config.tick().toNanos()) : rest);
    return running;
  }

  /** An event or a step of the round failed; the round goes on. */
  private void fail(Throwable e) {
    failedInRound = e;
    damaged |= e instanceof Error;
    part.note(e);
  }

  /** Returns how long to rest after it, in nanoseconds; at most a tick counts. */
  private long round() {
    now = clock.getAsLong();
    beatNanos = System.nanoTime();
    if (damaged) {
      repair();
    }
    int reads = ring.drain(this::readGuarded);
    int others = 0;
    Runnable event = events.poll();
    while (event != null) {
      others++;
      try {
        event.run();
      } catch (Throwable e) {
        fail(e);
      }
      beatNanos = System.nanoTime();
      event = others < EventQueue.MOST ? events.poll() : null;
    }
    if (events.isEmpty()) {
      others += resync.maintain();
    }
    maintain();
    if (reads > config.ringLength() / HEAVY_SHARE) {
      return BATCH_NANOS;
    }
    return reads + others > 0 ? GATHER_NANOS : config.tick().toNanos();
  }

  private void readGuarded(int pool, long blockId, long offset, long bytes, boolean fast) {
    try {
      read(pool, blockId, bytes);
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** Makes sums, policy and table agree, and looks at all blocks again. O(n). */
  private void repair() {
    table.recount();
    List<BlockKey> gone = new ArrayList<>();
    for (BlockKey key : policy.evictionOrder()) {
      BlockEntry entry = table.get(key);
      if (entry == null || !entry.isResident()) {
        gone.add(key);
      }
    }
    gone.forEach(residents::removed);
    users.recount(block -> table.get(block) != null);
    for (BlockEntry entry : table.entries()) {
      if (entry.isResident() && entry.moving() != Moving.EVICTING) {
        residents.admitted(entry, now);
      } else {
        residents.removed(entry.key());
      }
    }
    events.doubtAll();
    damaged = false;
  }

  /** What the host says of blocks whose events were dropped. */
  private final class LookedAgain implements Resync.Sink {
    @Override
    public boolean seen(Sighting seen) {
      BlockKey block = seen.replica.block();
      BlockEntry before = table.get(block);
      if (before != null && before.moving() != Moving.NOTHING) {
        // The outcome of the move tells what has become of it; until then half of it is seen.
        return false;
      }
      boolean same =
          before != null
              && before.home() != Home.DISK
              && before.replica().equals(seen.replica)
              && Objects.equals(before.device(), seen.device);
      // Whose it is says a mark on the device, which this thread must not wait for.
      replica(seen.replica, same && before != null ? before.home() : seen.home(), seen.device);
      BlockEntry entry = table.get(block);
      if (entry == null || entry.home() != Home.DISK) {
        return true;
      }
      boolean atRest = entry.moving() == Moving.NOTHING;
      if (seen.cleanDevice != null) {
        cleanFound(block, Part.DATA, seen.cleanDevice, seen.replica.lengthBytes());
      } else if (atRest && entry.cleanData()) {
        table.setCleanData(entry, false, null);
        entry.setReason(Reason.EVICTED);
        residents.removed(block);
      }
      if (seen.checksumDevice != null) {
        cleanFound(block, Part.CHECKSUM, seen.checksumDevice, seen.checksumBytes);
      } else if (atRest && entry.checksumBytes() > 0) {
        table.setChecksumBytes(entry, 0, null);
        checksums.onReplica(entry);
      }
      return true;
    }

    @Override
    public void missing(BlockKey block) {
      if (table.get(block) != null) {
        gone(block);
      } else if (!host.exists(block)) {
        writeSpace.ended(block);
      }
    }
  }

  // ---- events -----------------------------------------------------------------------------------

  /** The references left to a block have changed. */
  private void referenced(BlockKey block, long remaining) {
    long nextUse = expectedUse(block, remaining);
    policy.onReferences(block, remaining);
    policy.onNextUse(block, nextUse);
    users.nextUse(block, nextUse);
  }

  /**
   * When the next step of a workflow that is this block will come, at the pace of the last ones;
   * {@link UserShares#NEVER} if no reference is left.
   */
  private long expectedUse(BlockKey block, long remaining) {
    if (remaining == 0) {
      return UserShares.NEVER;
    }
    double ahead = (double) references.stepsAhead(block) * stepNanos;
    return now + (long) Math.min(ahead, (double) (Long.MAX_VALUE - 1 - Math.max(0, now)));
  }

  private void stepUsed() {
    if (lastStepNanos != Long.MIN_VALUE) {
      stepNanos += (now - lastStepNanos - stepNanos) / STEPS_SMOOTHED;
    }
    lastStepNanos = now;
  }

  private void read(int pool, long blockId, long bytes) {
    BlockKey key = new BlockKey(pools.get(pool), blockId);
    BlockEntry entry = table.get(key);
    if (entry == null) {
      return;
    }
    boolean used = references.onRead(key, entry.sizeBytes(), bytes);
    if (used) {
      hintsPending = true;
      stepUsed();
      if (entry.isResident()) {
        users.readAsHinted(key);
      }
    }
    entry.setReadSincePromotion(true);
    checksums.onRead(entry);
    policy.onRequest(key, Math.min(bytes, entry.sizeBytes()));
    if (!entry.heat(bytes)) {
      return;
    }
    policy.onAccess(key, entry.sizeBytes(), now);
    shares.read(key, entry.sizeBytes());
    if (entry.isResident()) {
      heat.used(key);
      if (!used && references.remaining(key) == 0) {
        users.read(key, now);
      }
    }
    if (!entry.fast()) {
      long left = references.remaining(key);
      considerRead(entry, used || left == 0 ? left : left - 1);
    }
  }

  void replica(Replica replica, Home home, @Nullable String device) {
    if (writeSpace.isWriting(replica.block())) {
      shares.written(replica.block(), replica.lengthBytes());
    }
    if (writeSpace.ended(replica.block()) && home == Home.SSD_GUEST) {
      counters.add(Counter.BYTES_WRITE_FAST, replica.lengthBytes());
    }
    BlockEntry before = table.get(replica.block());
    boolean wasFast = before != null && before.isResident();
    BlockEntry entry = table.put(replica, home, device);
    if (home == Home.SSD_GUEST) {
      entry.setReason(Reason.ON_SSD_DIRTY);
      residents.admitted(entry, now);
      heat.used(replica.block());
    } else if (home == Home.SSD_OWNER) {
      entry.setReason(Reason.ON_SSD_OWNER);
    }
    writtenToDisk.finalized(entry);
    if (wasFast && !entry.isResident()) {
      residents.removed(replica.block());
    }
    checksums.onReplica(entry);
  }

  void writtenToDisk(BlockKey block, Reason why) {
    writtenToDisk.because(block, why);
  }

  void written(String device, long bytes) {
    budgets.wrote(device, Cause.USER_WRITE, bytes, now);
  }

  void cleanFound(BlockKey block, Part part, String device, long bytes) {
    BlockEntry entry = table.get(block);
    if (entry == null || entry.home() != Home.DISK) {
      return;
    }
    if (part == Part.DATA) {
      if (!entry.cleanData()) {
        table.setCleanData(entry, true, device);
        entry.setReason(Reason.ON_SSD_CLEAN);
        residents.admitted(entry, now);
      }
    } else {
      table.setChecksumBytes(entry, bytes, device);
    }
    checksums.onReplica(entry);
  }

  void heatFound(String device, String pool, HeatLog.Loaded log, long agoNanos) {
    probe(true);
    heat.restore(device, pool, log, agoNanos, now);
    // What is left of the write budgets may have changed.
    probed = false;
  }

  void cleanDropped(BlockKey block) {
    BlockEntry entry = table.get(block);
    if (entry == null) {
      return;
    }
    boolean wasResident = entry.isResident();
    if (entry.cleanData()) {
      table.setCleanData(entry, false, null);
    }
    table.setChecksumBytes(entry, 0, null);
    if (wasResident && !entry.isResident()) {
      entry.setReason(Reason.EVICTED);
      residents.removed(block);
    }
  }

  /** The data of a clean copy made way for a write; its checksum file stays. */
  void madeWay(BlockKey block) {
    BlockEntry entry = table.get(block);
    // One that a mover is giving up as well is done with when the mover says so.
    if (entry != null && entry.cleanData() && entry.moving() == Moving.NOTHING) {
      giveUp(entry);
      evicted(entry, Reason.EVICTED);
    }
  }

  void gone(BlockKey block) {
    writeSpace.ended(block);
    writtenToDisk.gone(block);
    shares.deleted(block);
    hintsPending = true;
    BlockEntry entry = table.get(block);
    if (entry != null) {
      checksums.onGone(entry);
      decisions.forget(block);
      table.remove(block);
      residents.removed(block);
    }
  }

  void forgetMissing() {
    List<BlockKey> missing = new ArrayList<>();
    for (BlockEntry entry : table.entries()) {
      if (!host.exists(entry.key())) {
        missing.add(entry.key());
      }
    }
    missing.forEach(this::gone);
  }

  HintReceipt submitHints(HintBatch batch, String user, boolean exempt) {
    HintReceipt receipt = references.submit(batch, user, exempt, millis());
    counters.add(Counter.HINTS_RECEIVED, receipt.accepted());
    counters.add(Counter.HINTS_REFUSED, receipt.refused());
    references.rewind();
    hintsPending = true;
    for (HintBatch.Step step : batch.steps().subList(0, receipt.accepted())) {
      BlockEntry entry = table.get(step.block());
      if (entry != null) {
        checksums.wantFirst(entry);
      }
    }
    return receipt;
  }

  OptionalInt withdrawHints(WorkflowId workflow) {
    return references.withdraw(workflow);
  }

  private long millis() {
    return TimeUnit.NANOSECONDS.toMillis(now);
  }

  // ---- queries ----------------------------------------------------------------------------------

  NodeStatus status(boolean passThrough) {
    probe(true);
    return inspection.node(config, shares.toString(), passThrough, now);
  }

  List<WorkflowStatus> workflows() {
    return references.workflows(millis());
  }

  List<BlockStatus> locate(List<BlockKey> blocks) {
    return inspection.blocks(config.mode(), blocks, now);
  }

  long demoteBytesPerSec(String slowDevice) {
    return movers.demoteRate(slowDevice);
  }

  long promoteBytesPerSec(String slowDevice) {
    return movers.readRate(slowDevice);
  }

  /** Takes in the reads told so far, which wait in their ring, and checks the ledger. */
  void settle() {
    ring.drain(this::readGuarded);
    table.checkInvariants();
    // A move tells of its end before it counts as finished: with nothing waiting, all were heard.
    if (movers.unfinished() > 0 || !events.isEmpty() || resync.isPending()) {
      return;
    }
    long resident = Streams.stream(table.entries()).filter(BlockEntry::isResident).count();
    if (resident != residents.count()) {
      throw new IllegalStateException(
          "policy and table differ: policy=" + residents.count() + " table=" + resident);
    }
    users.checkInvariants(
        block -> isResident(table.get(block)), block -> residents.isUsable(block));
  }

  private static boolean isResident(@Nullable BlockEntry entry) {
    return entry != null && entry.isResident();
  }

  // ---- maintenance ------------------------------------------------------------------------------

  private void maintain() {
    probe(false);
    movers.maintain();
    if (config.mode() == Mode.OFF || space.capacityBytes() == 0 || aside) {
      return;
    }
    if (now - sweptNanos > SWEEP_NANOS) {
      sweptNanos = now;
      sweep();
    }
    if (config.mode() == Mode.ACTIVE) {
      makeRoom();
      spares.maintain(
          space,
          table,
          policy.evictionOrder(),
          entry -> departures.mayLeave(entry, Departures.Kind.CLEAN, now),
          now);
      scrubber.maintain(now);
    }
    shares.maintain(space.capacityBytes(), () -> readBytes(use()), now);
    heat.maintain(space.ids(), now);
    cooperation.maintain(now);
    considerReadAndWaiting();
    followHints();
    if (config.mode() == Mode.ACTIVE) {
      checksums.maintain(now, scrubber.usersWait());
    }
  }

  private void probe(boolean force) {
    if (probed && !force && now - probedNanos < PROBE_NANOS) {
      return;
    }
    // Until it has succeeded each round tries again.
    probed = false;
    WriteSpace.Look look = writeSpace.beginLook();
    List<FastDevice> devices = host.devices();
    space.update(devices);
    residents.devicesChanged(now);
    budgets.update(devices, now);
    scrubber.update(host.slowDevices());
    long reserve = (long) (space.replicaCapacityBytes() * config.reserveShare());
    BlockTable.Use use = use();
    WriteFallback closed = closed(devices);
    long writable = closed == null ? space.replicaCapacityBytes() : 0;
    writeSpace.endLook(
        look,
        (long) (writable * shares.write()) - use.ownerBytes(),
        use.dirtyBytes(),
        space.replicaAvailableBytes() - reserve - comingBytes(),
        closed);
    probed = true;
    probedNanos = now;
  }

  /** What is on its way to the devices beyond what makes way for it. */
  private long comingBytes() {
    return Math.max(0, movingIn.on(space.ids()) - exchanged.on(space.ids()));
  }

  /** Why no device may be written to; null if one may. */
  private @Nullable WriteFallback closed(List<FastDevice> devices) {
    if (devices.stream().noneMatch(FastDevice::holdsReplicas)) {
      return WriteFallback.NO_USABLE_SSD;
    }
    boolean left = devices.stream().anyMatch(d -> d.holdsReplicas() && !budgets.isSpent(d.id()));
    return left ? null : WriteFallback.WRITE_BUDGET;
  }

  /** Expires hints, and settles writes whose end nobody told: recovered, or lost with a client. */
  private void sweep() {
    int expired = references.expire(millis());
    counters.add(Counter.HINTS_EXPIRED, expired);
    for (BlockKey block : writeSpace.blocks()) {
      if (!host.exists(block)) {
        writeSpace.ended(block);
      }
    }
  }

  /** What is taken on the devices that can be used: what is on others can't be moved. */
  private BlockTable.Use use() {
    return table.use(space.ids());
  }

  private long blockCapacity(BlockTable.Use use) {
    return Math.max(
        0,
        (long) (space.capacityBytes() * (1 - config.reserveShare()))
            - use.checksumBytes()
            - use.ownerBytes());
  }

  /** Room for another resident without evicting: the smaller of what ledger and devices say. */
  private long freeBytes() {
    BlockTable.Use use = use();
    long coming = movingIn.on(space.ids());
    long byLedger = blockCapacity(use) - takenBytes(use);
    // What else makes way does so for writes.
    long byDevices =
        space.availableBytes()
            - (long) (space.capacityBytes() * config.reserveShare())
            - coming
            + exchanged.on(space.ids());
    return Math.max(0, Math.min(byShare(use), Math.min(byLedger, byDevices)));
  }

  /** By residents that stay, and by what is being written or is on its way. */
  private long takenBytes(BlockTable.Use use) {
    return use.dirtyBytes()
        + use.cleanBytes()
        + writeSpace.inFlightBytes()
        + movingIn.on(space.ids())
        - evicting.on(space.ids());
  }

  /** What clean copies may take beyond what they have; less than 0 if they have too much. */
  private long byShare(BlockTable.Use use) {
    double share = shares.read();
    return share >= 1
        ? Long.MAX_VALUE
        : (long) (space.capacityBytes() * share)
            - readBytes(use)
            - movingIn.on(space.ids())
            + evicting.on(space.ids());
  }

  /** What clean copies take. */
  private static long readBytes(BlockTable.Use use) {
    return use.cleanBytes() + use.checksumBytes();
  }

  /**
   * Unlinks clean copies when the devices run short: by the policy's order, but of users those
   * first who hold most by weight.
   */
  private void makeRoom() {
    long wanted = Math.min(writeSpace.takeWanted(), (long) (space.replicaCapacityBytes() * 0.25));
    long reserve = (long) (space.capacityBytes() * config.reserveShare());
    long leaving = evicting.on(space.ids());
    long making = leaving - exchanged.on(space.ids());
    long missing = reserve / 2 - space.availableBytes() - making;
    if (wanted > 0) {
      long writeReserve = (long) (space.replicaCapacityBytes() * config.reserveShare());
      long forWrites = space.replicaAvailableBytes() - writeReserve - comingBytes();
      missing = Math.max(missing, wanted - forWrites - making);
    }
    BlockTable.Use use = use();
    long ledgerMissing =
        use.dirtyBytes()
            + use.cleanBytes()
            + writeSpace.inFlightBytes()
            - leaving
            - blockCapacity(use);
    missing = Math.max(missing, Math.max(ledgerMissing, -byShare(use)));
    if (missing <= 0 || use.cleanBytes() - leaving <= 0) {
      return;
    }
    for (BlockEntry chosen : departures.first(Kind.CLEAN, missing, Integer.MAX_VALUE, now)) {
      for (BlockEntry victim : admissions.forWrite(chosen, now)) {
        if (departures.mayLeave(victim, Kind.CLEAN, now) && !evict(victim)) {
          return;
        }
      }
    }
  }

  /** Returns false if it stays, because the queue has no room. */
  private boolean evict(BlockEntry victim) {
    String device = victim.device();
    boolean begun = false;
    try {
      giveUp(victim);
      begun =
          device != null
              && movers.evict(
                  victim.key(), device, () -> evicted(victim, Reason.EVICTED), why -> kept(victim));
    } finally {
      if (!begun) {
        kept(victim);
      }
    }
    return begun;
  }

  /** Blocks that could not be considered when they were read are considered now. */
  private void considerReadAndWaiting() {
    for (BlockKey key : List.copyOf(readAndWaiting)) {
      if (!mayPromoteForRead()) {
        return;
      }
      readAndWaiting.remove(key);
      BlockEntry entry = table.get(key);
      if (entry != null) {
        considerRead(entry, references.remaining(key));
      }
    }
  }

  private int threads() {
    return config.moverThreads() * Math.max(1, space.ids().size());
  }

  /** Fewer promotions are under way than the movers have threads for. */
  private boolean mayPromoteForHint() {
    return promotions.on(space.ids()) < threads();
  }

  private boolean mayPromoteForRead() {
    return promotions.on(space.ids()) < (long) PROMOTIONS_PER_THREAD * threads();
  }

  /** Walks the hinted sequences and fetches what the policy wants of them. */
  private void followHints() {
    if (now - rewoundNanos > REWIND_NANOS && hintsPending) {
      rewoundNanos = now;
      hintsPending = false;
      references.rewind();
    }
    for (int i = 0; i < HINT_STEPS_PER_ROUND && mayPromoteForHint(); i++) {
      References.Upcoming next = references.next(this::mayFetch);
      if (next == null) {
        return;
      }
      BlockKey key = next.block();
      BlockEntry entry = table.get(key);
      if (entry != null) {
        consider(entry, Trigger.HINT, references.remaining(key) - 1, next.user());
      }
    }
  }

  private boolean mayFetch(BlockKey key) {
    BlockEntry entry = table.get(key);
    if (entry == null || entry.fast()) {
      return false;
    }
    if (entry.moving() != Moving.NOTHING || entry.resting(now)) {
      hintsPending = true;
      return false;
    }
    return true;
  }

  // ---- decisions and moves ----------------------------------------------------------------------

  /** A block was read that is not on a fast device: it counts for whoever hinted it. */
  private void considerRead(BlockEntry entry, long referencesAfterFetch) {
    String user = users.lowest(references.users(entry.key()));
    consider(entry, Trigger.READ_MISS, referencesAfterFetch, user);
  }

  /**
   * @param user whose hints ask for it; null: nobody's
   */
  private void consider(
      BlockEntry entry, Trigger trigger, long referencesAfterFetch, @Nullable String user) {
    if (config.mode() == Mode.OFF || entry.sizeBytes() == 0) {
      return;
    }
    if (!mayFetch(entry.key())) {
      if (trigger == Trigger.READ_MISS && entry.moving() != Moving.NOTHING) {
        boolean unused = considerLater(entry);
      }
      return;
    }
    if (aside) {
      entry.setReason(Reason.PASS_THROUGH);
      return;
    }
    if (!host.servesClean(entry.key())) {
      entry.setReason(Reason.LOCKED_IN_MEMORY);
      return;
    }
    if (trigger == Trigger.READ_MISS && !mayPromoteForRead()) {
      entry.setReason(Reason.MOVE_QUEUE_FULL);
      if (!considerLater(entry)) {
        counters.increment(Counter.MOVES_REJECTED);
      }
      return;
    }
    Candidate candidate =
        new Candidate(entry.key(), entry.sizeBytes(), trigger, referencesAfterFetch);
    if (entry.sizeBytes() > space.largestBytes()) {
      entry.setReason(Reason.TOO_LARGE);
      return;
    }
    BlockTable.Use use = use();
    Admissions.Answer answer =
        admissions.decide(
            new Admissions.Question(
                candidate,
                user,
                expectedUse(entry.key(), references.remaining(entry.key())),
                freeBytes(),
                takenBytes(use),
                blockCapacity(use),
                now));
    Decision decision = answer.decision;
    entry.setReason(decision.reason());
    decisions.decided(config.policy(), candidate, answer.freeBytes, decision, now);
    if (!decision.isAdmit()) {
      return;
    }
    if (config.mode() == Mode.OBSERVE) {
      entry.setReason(Reason.OBSERVE_ONLY);
      counters.increment(Counter.OBSERVED_DECISIONS);
      return;
    }
    if (trigger == Trigger.READ_MISS && !cooperation.allows(entry, now)) {
      return;
    }
    List<BlockEntry> victims = fetch(entry, answer, user);
    if (victims != null) {
      decisions.madeWay(
          victims,
          answer.whyEvicted(),
          config.policy(),
          candidate,
          answer.freeBytes,
          decision,
          now);
    }
  }

  /** Returns false if too many wait. */
  private boolean considerLater(BlockEntry entry) {
    return readAndWaiting.size() < MOST_READ_AND_WAITING && readAndWaiting.add(entry.key());
  }

  /** It is known whether another DataNode has a block on SSD that was read here. Any thread. */
  private void answered(BlockKey key, boolean elsewhere) {
    tell(
        () -> {
          cooperation.answered(key, elsewhere, now);
          BlockEntry entry = table.get(key);
          if (entry != null) {
            considerRead(entry, references.remaining(key));
          }
        });
  }

  /** Returns the victims that go if it begins, null if it does not. */
  private @Nullable List<BlockEntry> fetch(
      BlockEntry entry, Admissions.Answer answer, @Nullable String user) {
    Departures.Place place = answer.place(id -> budgets.allowsPromotion(id, now));
    if (place == null) {
      boolean spent = !Iterables.all(space.ids(), id -> budgets.allowsPromotion(id, now));
      boolean room = spent && answer.place(id -> true) != null;
      entry.setReason(room ? Reason.WRITE_BUDGET : Reason.NO_ROOM);
      return null;
    }
    String device = place.device;
    List<BlockEntry> victims = place.victims;
    boolean anyDirty = victims.stream().anyMatch(victim -> !victim.cleanData());
    String slowDevice = anyDirty ? scrubber.roomiestIdle(victims, now) : null;
    if (anyDirty && slowDevice == null) {
      boolean busy = scrubber.anyFits(victims);
      entry.setReason(busy ? Reason.DISKS_BUSY : Reason.NO_ROOM);
      // A hint is followed again when a disk may be free.
      hintsPending |= busy;
      return null;
    }
    if (!movers.hasRoom(device)) {
      entry.setReason(Reason.MOVE_QUEUE_FULL);
      counters.increment(Counter.MOVES_REJECTED);
      return null;
    }
    long freed = victims.stream().mapToLong(BlockEntry::sizeBytes).sum();
    if (!writeSpace.reserveForMove(entry.sizeBytes() - freed, freeBytes())) {
      entry.setReason(Reason.NO_ROOM);
      return null;
    }
    Fetch fetch = new Fetch(entry, user, victims, answer.whyEvicted(), device, slowDevice);
    boolean begun = false;
    try {
      fetch.begin();
      begun = movers.exchange(victims, slowDevice, fetch.wanted, device, fetch);
    } finally {
      if (!begun) {
        fetch.undo();
      }
    }
    if (!begun) {
      entry.setReason(Reason.MOVE_QUEUE_FULL);
      counters.increment(Counter.MOVES_REJECTED);
      return null;
    }
    return victims;
  }

  /** A block on its way to a fast device, and the victims that make way for it. */
  private final class Fetch implements Movers.Exchange {
    final Replica wanted;
    private final BlockEntry entry;
    private final @Nullable String user;
    private final List<BlockEntry> victims;
    private final Reason whyEvicted;
    private final String device;
    private final @Nullable String slowDevice;
    private final long bytes;
    private int dirtyLeft;
    private boolean counted;

    Fetch(
        BlockEntry entry,
        @Nullable String user,
        List<BlockEntry> victims,
        Reason whyEvicted,
        String device,
        @Nullable String slowDevice) {
      this.entry = entry;
      this.wanted = entry.replica();
      this.user = user;
      this.victims = victims;
      this.whyEvicted = whyEvicted;
      this.device = device;
      this.slowDevice = slowDevice;
      this.bytes = entry.sizeBytes();
    }

    void begin() {
      counted = true;
      promotions.add(device, 1);
      movingIn.add(device, bytes);
      space.take(device, bytes);
      BlockKey key = wanted.block();
      users.brings(key, user, bytes, expectedUse(key, references.remaining(key)));
      entry.setMoving(Moving.PROMOTING);
      if (slowDevice != null) {
        scrubber.begins(slowDevice, device);
      }
      for (BlockEntry victim : victims) {
        boolean clean = victim.cleanData();
        victim.setMoving(clean ? Moving.EVICTING : Moving.DEMOTING);
        exchanged.add(victim.movingDevice(), victim.movingBytes());
        evicting.add(victim.movingDevice(), victim.movingBytes());
        if (!clean) {
          dirtyLeft++;
          scrubber.leaves(victim.movingDevice(), victim.movingBytes());
        }
        residents.removed(victim.key());
      }
    }

    /** It did not begin: all is as it was. Some victims may not have been reached. */
    void undo() {
      for (BlockEntry victim : victims) {
        if (victim.moving() != Moving.NOTHING) {
          kept(victim);
        }
      }
      if (slowDevice != null && dirtyLeft == 0) {
        scrubber.ends(slowDevice, device);
      }
      ended();
      entry.setMoving(Moving.NOTHING);
      residents.settled(wanted.block());
    }

    private void ended() {
      if (counted) {
        counted = false;
        promotions.add(device, -1);
        movingIn.add(device, -bytes);
      }
    }

    private void kept(BlockEntry victim) {
      left(victim);
      Planner.this.kept(victim);
    }

    /** The victim is no part of the exchange any more. */
    private void left(BlockEntry victim) {
      exchanged.add(victim.movingDevice(), -victim.movingBytes());
      if (victim.moving() == Moving.DEMOTING) {
        scrubber.leaves(victim.movingDevice(), -victim.movingBytes());
        if (--dirtyLeft == 0 && slowDevice != null) {
          scrubber.ends(slowDevice, device);
        }
      }
    }

    @Override
    public void gaveUp(BlockEntry victim) {
      left(victim);
      if (victim.moving() == Moving.DEMOTING) {
        evicting.add(victim.movingDevice(), -victim.movingBytes());
        demoted(victim, false);
      } else {
        evicted(victim, whyEvicted);
      }
    }

    @Override
    public void keptVictim(BlockEntry victim, Throwable why) {
      if (victim.moving() == Moving.DEMOTING && slowDevice != null) {
        scrubber.failedOn(slowDevice, why);
        events.doubt(victim.key()); // it may be on DISK all the same
      }
      kept(victim);
      victim.restUntil(now + REST_NANOS);
    }

    @Override
    public void promoted(long written) {
      ended();
      Planner.this.promoted(entry, wanted, device, written);
      residents.settled(wanted.block());
    }

    @Override
    public void failed(Throwable why) {
      ended();
      moveFailed(entry, why);
      residents.settled(wanted.block());
    }
  }

  /** A victim stays after all. */
  private void kept(BlockEntry victim) {
    evicting.add(victim.movingDevice(), -victim.movingBytes());
    victim.setMoving(Moving.NOTHING);
    if (victim.isResident() && table.has(victim)) {
      residents.admitted(victim, now);
    }
  }

  private void giveUp(BlockEntry victim) {
    victim.setMoving(Moving.EVICTING);
    evicting.add(victim.movingDevice(), victim.movingBytes());
    residents.removed(victim.key());
  }

  private void evicted(BlockEntry victim, Reason why) {
    evicting.add(victim.movingDevice(), -victim.movingBytes());
    victim.setMoving(Moving.NOTHING);
    if (!table.has(victim)) {
      return;
    }
    // The block may have gone and come again since: then it may have another copy.
    if (victim.cleanData() && !host.hasClean(victim.key(), Part.DATA)) {
      table.setCleanData(victim, false, null);
    }
    if (victim.isResident()) {
      residents.admitted(victim, now);
    } else {
      residents.removed(victim.key());
      victim.setReason(why);
    }
    counters.increment(Counter.BLOCKS_EVICTED);
    if (!victim.readSincePromotion()) {
      counters.increment(Counter.BLOCKS_EVICTED_WITHOUT_READ);
    }
    probed = false;
    checksums.onReplica(victim);
  }

  private void promoted(BlockEntry entry, Replica copied, String device, long written) {
    entry.setMoving(Moving.NOTHING);
    budgets.wrote(device, Cause.PROMOTION, written, now);
    hintsPending = true;
    if (!table.has(entry) || entry.home() != Home.DISK || !entry.replica().equals(copied)) {
      discard(copied);
      return;
    }
    if (!host.hasClean(entry.key(), Part.DATA)) {
      entry.setReason(Reason.EVICTED);
      checksums.onReplica(entry);
      return;
    }
    table.setCleanData(entry, true, device);
    long checksumBytes = written - entry.sizeBytes();
    if (entry.checksumBytes() == 0 && checksumBytes > 0) {
      // Nothing written: they were there, or were dropped meanwhile. The keeper asks for them.
      table.setChecksumBytes(entry, space.allocatedBytes(device, checksumBytes), device);
    }
    entry.setReadSincePromotion(false);
    entry.setReason(Reason.ON_SSD_CLEAN);
    residents.admitted(entry, now);
    heat.used(entry.key());
    checksums.onReplica(entry);
    counters.increment(Counter.BLOCKS_PROMOTED);
    counters.add(Counter.BYTES_PROMOTED, written);
  }

  /** What was copied is not what the block is now. */
  private void discard(Replica copied) {
    movers.discard(copied);
    BlockEntry now = table.get(copied.block());
    if (now != null && now.replica().equals(copied)) {
      cleanDropped(copied.block()); // it came again meanwhile, and its copy was found
    }
  }

  private void demoted(BlockEntry victim, boolean kept) {
    boolean keptClean = kept && host.hasClean(victim.key(), Part.DATA);
    Replica moved = victim.movingReplica();
    String device = victim.movingDevice();
    victim.setMoving(Moving.NOTHING);
    counters.increment(Counter.BLOCKS_DEMOTED);
    counters.add(Counter.BYTES_DEMOTED, moved.lengthBytes());
    probed = false;
    if (!table.has(victim)) {
      discard(moved);
      return;
    }
    if (victim.home() != Home.DISK && !victim.replica().equals(moved)) {
      discard(moved); // it went, and another one came
      residents.admitted(victim, now);
      return;
    }
    long checksumBytes = Replica.estimatedChecksumBytes(victim.sizeBytes());
    table.demoted(victim, keptClean ? device : null, space.allocatedBytes(checksumBytes));
    victim.setReason(keptClean ? Reason.ON_SSD_CLEAN : Reason.EVICTED);
    hintsPending = true;
    if (keptClean) {
      residents.admitted(victim, now);
    } else {
      residents.removed(victim.key());
    }
    checksums.onReplica(victim);
  }

  private void moveFailed(BlockEntry entry, Throwable why) {
    boolean abandoned = why instanceof MoveAbandonedException;
    entry.setMoving(Moving.NOTHING);
    entry.restUntil(now + (abandoned ? REST_AFTER_WRITER_NANOS : REST_NANOS));
    counters.increment(abandoned ? Counter.MOVES_ABANDONED : Counter.MOVES_FAILED);
    if (!table.has(entry)) {
      return;
    }
    Replica current = host.finalized(entry.key());
    if (current == null) {
      if (!host.exists(entry.key())) {
        gone(entry.key());
      }
      return;
    }
    // What failed may have come far: a demotion may have made its switch.
    events.doubt(entry.key());
    if (abandoned) {
      return;
    }
    if (entry.home() == Home.DISK) {
      entry.setReason(Reason.MOVE_FAILED);
    }
    movers.log(entry.replica(), why);
  }
}
