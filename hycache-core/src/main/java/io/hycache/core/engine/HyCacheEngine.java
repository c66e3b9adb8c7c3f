// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.move.Supervisor;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.Census;
import io.hycache.core.spi.HeatStore;
import io.hycache.core.spi.Host;
import io.hycache.core.spi.MoveListener;
import io.hycache.core.spi.Neighbours;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.HintedBlock;
import io.hycache.core.stats.Latencies;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.WriteFallback;
import io.hycache.core.table.HeatLog;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The entry point of the core: one engine for each DataNode.
 *
 * <p>DataNode threads report events and never wait: reads through a lock-free ring that drops
 * records when full, everything else (one event per block written, moved or deleted) through a
 * bounded lock-free queue; if the queue is full, the host is asked about the block later. One
 * planner thread owns all state and decides; mover threads do the moves. Queries run on the
 * planner's thread and are bounded in time. Thread-safe.
 */
public final class HyCacheEngine implements AutoCloseable {
  /** Longest wait of {@link #awaitRoom}, in steps of a millisecond. */
  private static final int MAX_ROOM_WAIT_MILLIS = 10_000;

  private volatile HyCacheConfig config;
  private final Counters counters;
  private final AccessRecorder recorder;
  private final WriteSpace writeSpace = new WriteSpace();
  private final SpareCopies spares = new SpareCopies();
  private final PinnedBlocks pinned = new PinnedBlocks();
  private final PublishedBlocks advertised = new PublishedBlocks();
  private final WriteBudgets budgets;
  private final Latencies latencies;
  private final LongSupplier clock;
  private final Planner planner;
  private final PlannerQueries queries;
  private final Supervisor supervisor;
  private final ReadSources sources;

  /** Null unless the mode is observe. */
  private final @Nullable Observation observation;

  private volatile Consumer<String> onGivenUp = why -> {};

  /**
   * @param onFailure receives every exception inside the planner, on the planner's thread
   */
  public HyCacheEngine(
      HyCacheConfig config,
      CachePolicy policy,
      BlockMover mover,
      Host host,
      HeatStore heatStore,
      Counters counters,
      Consumer<Throwable> onFailure) {
    this(config, policy, mover, host, heatStore, counters, onFailure, System::nanoTime);
  }

  HyCacheEngine(
      HyCacheConfig config,
      CachePolicy policy,
      BlockMover mover,
      Host host,
      HeatStore heatStore,
      Counters counters,
      Consumer<Throwable> onFailure,
      LongSupplier nanoClock) {
    this(config, policy, mover, host, heatStore, counters, onFailure, nanoClock, new ReadSources());
  }

  HyCacheEngine(
      HyCacheConfig config,
      CachePolicy policy,
      BlockMover mover,
      Host host,
      HeatStore heatStore,
      Counters counters,
      Consumer<Throwable> onFailure,
      LongSupplier nanoClock,
      ReadSources sources) {
    this.config = config;
    this.counters = counters;
    this.clock = nanoClock;
    this.budgets = new WriteBudgets(config.driveWritesPerDay());
    this.latencies = new Latencies(nanoClock);
    AccessRing ring = new AccessRing(config.ringLength());
    this.recorder = new AccessRecorder(counters, ring);
    this.supervisor = new Supervisor(counters, onFailure, this::givenUp);
    this.sources = sources;
    this.observation =
        config.mode() == Mode.OBSERVE
            ? new Observation(config, policy, host, counters, nanoClock, sources)
            : null;
    this.planner =
        new Planner(
            config,
            observation == null ? policy : Observation.idlePolicy(),
            mover,
            host,
            sources,
            observation == null ? Onlooker.NONE : observation,
            counters,
            ring,
            writeSpace,
            spares,
            budgets,
            pinned,
            advertised,
            heatStore,
            supervisor,
            latencies,
            nanoClock);
    this.queries = new PlannerQueries(planner);
  }

  /** Sets the listener to call, once, when a part of the engine has failed too often. */
  public void onGivenUp(Consumer<String> listener) {
    onGivenUp = listener;
  }

  private void givenUp(String why) {
    stepAside();
    onGivenUp.accept(why);
  }

  /**
   * Stops changing the host's replicas: no move begins, moves under way are rolled back or end, no
   * new replica is placed on SSD. Idempotent; any thread; never waits.
   */
  public void stepAside() {
    planner.stepAside();
    if (observation != null) {
      observation.stepAside();
    }
  }

  /** The supervisor of the engine's threads, which may supervise threads of the host too. */
  public Supervisor supervisor() {
    return supervisor;
  }

  /** Sets the host to ask about blocks whose events were dropped. */
  public void lookAgainWith(Census census) {
    planner.lookAgainWith(census);
    if (observation != null) {
      observation.lookAgainWith(census);
    }
  }

  /**
   * Waits, for some seconds at most, while events come faster than they are handled. For threads
   * that report many blocks and that no user waits for.
   *
   * @throws InterruptedException if interrupted while waiting
   */
  public void awaitRoom() throws InterruptedException {
    for (int i = 0; i < MAX_ROOM_WAIT_MILLIS && isBehind(); i++) {
      Thread.sleep(1);
    }
  }

  /** True while events come faster than they are handled. */
  boolean isBehind() {
    return planner.isBehind() || (observation != null && observation.isBehind());
  }

  /** Seconds without progress of the planner; 0 if there was some lately. Rising means trouble. */
  public long plannerStalledSeconds() {
    return planner.stalledSeconds();
  }

  /** True once no query is answered any more. */
  boolean isOver() {
    return planner.isOver();
  }

  /** Starts the planner. Call once. */
  public void start() {
    planner.start();
    if (observation != null) {
      observation.start();
    }
  }

  /**
   * Logs it if the planner makes no progress, and replaces its thread if that is dead. To be called
   * every few seconds, by one thread at a time, which must not be the planner's. Never throws.
   */
  public void watch() {
    planner.watch();
    if (observation != null) {
      observation.watch();
    }
  }

  /** Stops planner and movers; a move under way is rolled back by the mover. Idempotent. */
  @Override
  public void close() {
    if (observation != null) {
      observation.close();
    }
    planner.close();
  }

  /** Sets the listener of all moves, in place of an earlier one. */
  public void observeMoves(MoveListener listener) {
    planner.observeMoves(listener);
  }

  /**
   * From now on publishes to these neighbours which blocks are on fast devices here, beginning with
   * all that are, and asks them before a block is promoted because of reads.
   */
  public void join(Neighbours neighbours) {
    planner.join(neighbours);
  }

  /** The source of reads of a block pool whose reader is not known. */
  public int poolNumber(String pool) {
    return sources.poolNumber(pool);
  }

  /** As {@link #poolNumber}, of a reader that calls itself by a name; null if it has none. */
  public long source(String pool, @Nullable String client) {
    return sources.of(pool, client);
  }

  /**
   * Bytes of a block were read. Never waits; allocates nothing.
   *
   * @param source from {@link #source}
   * @param fast whether the data came from a fast device
   */
  public void onRead(long source, long blockId, long bytes, boolean fast) {
    recorder.record(source, blockId, bytes, fast);
  }

  /**
   * As {@link #onRead}, of a read of two devices, a fast one and a slow one.
   *
   * @param bytes all that were read
   * @param movedBytes those of them that the device sent which the read was moved to
   * @param fast whether the read began on the fast device
   */
  public void onMovedRead(long source, long blockId, long bytes, long movedBytes, boolean fast) {
    recorder.recordMoved(source, blockId, bytes, movedBytes, fast);
  }

  /** Other DataNodes report full reads of blocks that are hinted here. Never waits. */
  public void onReadElsewhere(List<BlockKey> blocks) {
    if (!planner.readElsewhere(blocks)) {
      counters.increment(Counter.EVENTS_DROPPED);
    }
    if (observation != null) {
      observation.readElsewhere(blocks);
    }
  }

  /**
   * Decides whether a new replica that was requested on DISK goes to SSD. If so, its bytes are
   * promised, and {@link #onPlaced} or {@link #onNotPlaced} must follow.
   *
   * @param sizeBytes expected length
   */
  public boolean placeOnFast(long sizeBytes) {
    return admit(sizeBytes) == null;
  }

  /**
   * As {@link #placeOnFast}. Returns why not, which is counted, or null if the replica goes to SSD.
   * {@link #onWrittenToDisk} should follow a reason.
   */
  public @Nullable WriteFallback admit(long sizeBytes) {
    if (!placesOnFast()) {
      return WriteFallback.NOT_MEANT;
    }
    if (sizeBytes < config.minBlockBytes()) {
      return WriteFallback.TOO_SMALL;
    }
    if (observation != null) {
      return WriteFallback.NOT_MEANT;
    }
    WriteFallback why = writeSpace.admit(sizeBytes);
    if (why != null) {
      why.count(counters);
    }
    return why;
  }

  /** As {@link #admit(long)}, of this block. In mode observe, it is placed in the model. */
  public @Nullable WriteFallback admit(BlockKey block, long sizeBytes) {
    WriteFallback why = admit(sizeBytes);
    if (observation != null && why == WriteFallback.NOT_MEANT) {
      observation.write(block, sizeBytes);
    }
    return why;
  }

  /** False for a new replica that goes to DISK even if there is room. */
  public boolean isMeantForFast(long sizeBytes) {
    return placesOnFast() && observation == null && sizeBytes >= config.minBlockBytes();
  }

  private boolean placesOnFast() {
    return config.mode() != Mode.OFF && !planner.isAside();
  }

  /** A new replica of this expected length is written to DISK, for this reason. */
  public void onWrittenToDisk(BlockKey block, long sizeBytes, WriteFallback why) {
    if (why == WriteFallback.NO_ROOM) {
      writeSpace.missed(block, sizeBytes, clock.getAsLong());
    }
    planner.writtenToDisk(block, why.reason());
    if (observation != null) {
      observation.writtenToDisk(block, sizeBytes, why);
    }
  }

  /**
   * The numbers of the fast tiers that a new replica should try, in this order: those with room,
   * the fastest first; empty if there is none. Never waits; O(tiers).
   */
  public List<Integer> tiersFor(long sizeBytes) {
    return writeSpace.tiers.order(sizeBytes);
  }

  /** A replica whose bytes were promised is being written to a fast tier, as a guest. */
  public void onPlaced(BlockKey block, long sizeBytes, int tier) {
    counters.increment(Counter.BLOCKS_WRITE_FAST);
    writeSpace.tiers.take(tier, sizeBytes);
    writeSpace.started(block, sizeBytes, clock.getAsLong());
    planner.wake();
  }

  /** A replica whose bytes were promised is not written to SSD after all. */
  public void onNotPlaced(long sizeBytes) {
    writeSpace.cancelled(sizeBytes);
  }

  /**
   * A clean copy on a device whose data may make way at once for a new replica that the NameNode
   * put there; null if none is ready. Each is returned once; {@link #onMadeWay} must follow if it
   * made way. Never waits; O(1).
   */
  public @Nullable BlockKey nextToMakeWay(String device) {
    BlockKey next = spares.poll(device);
    while (next != null && pinned.contains(next)) {
      next = spares.poll(device); // pinned after it was chosen
    }
    return next;
  }

  /** Bytes that {@link #nextToMakeWay} can free on a device. Never waits; O(1). */
  public long mayMakeWayBytes(String device) {
    return spares.bytes(device);
  }

  /** The data of a clean copy made way; its checksum file is still there. */
  public void onMadeWay(BlockKey block) {
    planner.madeWay(block);
  }

  /** A new replica that the NameNode put on SSD found no room: makes room for the next ones. */
  public void onRoomMissed(long sizeBytes) {
    writeSpace.missed(sizeBytes);
  }

  /**
   * A replica is being written to DISK: background moves to the same device yield until it ends.
   *
   * @param slowDevice id of the device
   */
  public void onSlowWrite(BlockKey block, String slowDevice) {
    writeSpace.startedSlow(block, slowDevice, clock.getAsLong());
    planner.wake();
    if (observation != null) {
      observation.slowWrite(block, slowDevice);
    }
  }

  /**
   * A finalized replica exists here, new or known, with this home and device.
   *
   * @param device fast device that holds it; null for DISK
   */
  public void onReplica(Replica replica, Home home, @Nullable String device) {
    planner.replica(replica, home, device);
  }

  /** A user's replica was written to a fast device, as a guest or by its storage policy. */
  public void onWritten(String device, long bytes) {
    if (!planner.written(device, bytes)) {
      counters.increment(Counter.EVENTS_DROPPED);
    }
  }

  /** True while a device's write budget is spent: no SSD-first write should go there. No lock. */
  public boolean isSpent(String device) {
    return budgets.isSpent(device);
  }

  /** A clean copy of a part was found (after a restart). */
  public void onClean(BlockKey block, Part part, String device, long bytes) {
    planner.cleanFound(block, part, device, bytes);
  }

  /**
   * A device's heat and wear as an earlier process left them. To be called once for each device and
   * pool, after the pool's blocks were reported.
   *
   * @param pool pool whose blocks' heat is restored
   * @param log {@link HeatLog#NOTHING} if there is none
   * @param agoNanos time since it was last written
   */
  public void onHeat(String device, String pool, HeatLog.Loaded log, long agoNanos) {
    planner.heatFound(device, pool, log, agoNanos);
    if (observation != null) {
      observation.heatFound(device, pool, log, agoNanos);
    }
  }

  /** A clean copy was dropped by the DataNode (changed replica, failed read). */
  public void onCleanDropped(BlockKey block) {
    planner.cleanDropped(block);
  }

  /** The replica is gone or is no longer finalized. */
  public void onGone(BlockKey block) {
    planner.gone(block);
  }

  /** Earlier events about the block may be out of date: the host is asked about it. */
  public void onDoubt(BlockKey block) {
    planner.doubt(block);
  }

  /** Volumes were removed: replicas that the host no longer has are forgotten. */
  public void onVolumesChanged() {
    planner.forgetMissing();
  }

  /**
   * Takes hints, which replace those of the same user and workflow. Returns what was accepted.
   *
   * @param user the submitting user, as authenticated
   * @param exempt whether this user is exempt from {@link HyCacheConfig#hintLimits}
   * @throws IllegalArgumentException if user and name of the workflow make no {@link WorkflowId}
   * @throws TimeoutException if the planner did not answer in time; it may still apply them later
   */
  public HintReceipt submitHints(Hints hints, String user, boolean exempt) throws TimeoutException {
    WorkflowId checked = new WorkflowId(user, hints.workflow());
    HintReceipt receipt = queries.ask(() -> planner.submitHints(hints, checked.user(), exempt));
    if (observation != null) {
      observation.submitHints(hints, user, exempt);
    }
    return receipt;
  }

  /**
   * Forgets a workflow's hints. Returns the number of steps left; empty if there is none of it.
   *
   * @throws TimeoutException if the planner did not answer in time; it may still do so later
   */
  public OptionalInt withdrawHints(WorkflowId workflow) throws TimeoutException {
    if (observation != null) {
      observation.withdrawHints(workflow);
    }
    return queries.ask(() -> planner.withdrawHints(workflow));
  }

  /** What became of a workflow's hints, see {@link HintHistory#blocks}. */
  public List<HintedBlock> explain(WorkflowId id, int from, int most) throws TimeoutException {
    return queries.ask(() -> planner.explain(id, from, most));
  }

  /**
   * The workflows that have hints left, in order of submission. The planner takes O(their blocks).
   *
   * @param which of all users' workflows
   */
  public List<WorkflowStatus> workflows(Predicate<WorkflowId> which) throws TimeoutException {
    return queries.ask(() -> planner.workflows(which));
  }

  /**
   * The workflows that have ended in the last hour, the last ones of them. The planner takes
   * O(their blocks).
   *
   * @param which of all users' workflows
   */
  public List<WorkflowStatus> endedWorkflows(Predicate<WorkflowId> which) throws TimeoutException {
    return queries.ask(() -> planner.endedWorkflows(which));
  }

  /**
   * Applies another policy, other rates, watermarks, shares, weights, user limits and minimum block
   * size. What is fixed at construction stays: mode, threads, queue lengths. A new policy gets the
   * residents and the references left.
   *
   * @param applied run by the planner's thread once these settings hold, in mode observe once they
   *     hold in the model as well; also if that is after a {@link TimeoutException}. Must not wait
   * @throws IllegalArgumentException if there is no such policy; then nothing changes
   * @throws IllegalStateException if the policy fails when it gets them; then nothing changes
   * @throws TimeoutException if the planner did not answer in time; it may still apply them later,
   *     see {@link #awaitChanges}. In mode observe they may then hold in the model only, until they
   *     are applied again
   */
  public void reconfigure(HyCacheConfig next, Runnable applied) throws TimeoutException {
    if (observation != null) {
      observation.reconfigure(next);
    }
    boolean same =
        observation != null
            || (next.policy().equals(config.policy()) && next.writePrice() == config.writePrice());
    CachePolicy successor = same ? null : Policies.create(next);
    queries.ask(
        () -> {
          planner.reconfigure(next, successor);
          config = next;
          applied.run();
          return 0;
        });
  }

  /** As {@link #reconfigure(HyCacheConfig, Runnable)}, without a listener. */
  void reconfigure(HyCacheConfig next) throws TimeoutException {
    reconfigure(next, () -> {});
  }

  /**
   * Waits until each earlier {@link #reconfigure}, also one whose caller got a {@link
   * TimeoutException}, has been applied or never will be.
   *
   * @throws TimeoutException if the planner did not answer in time
   */
  public void awaitChanges() throws TimeoutException {
    queries.ask(() -> 0);
    if (observation != null) {
      observation.awaitChanges();
    }
  }

  /**
   * Cache directives pin these blocks: each that is finalized here, and for which there is space
   * among the pins, is kept on a fast device, or copied to one. Failures are counted. Never waits.
   */
  public void pin(List<BlockKey> blocks) {
    planner.pin(List.copyOf(blocks), true);
  }

  /** No cache directive pins these blocks any more. Never waits. */
  public void unpin(List<BlockKey> blocks) {
    planner.pin(List.copyOf(blocks), false);
  }

  /** What is pinned at present. */
  public PinnedBlocks pinned() {
    return pinned;
  }

  /** The clean copies that are to be reported as cached although no directive pins them. */
  public PublishedBlocks advertised() {
    return advertised;
  }

  /** Bytes of replicas that are being written to SSD as guests; for tests. */
  long writeBytesInFlight() {
    return writeSpace.inFlightBytes();
  }

  /** The figures of the shadow working set as last published; for tests. */
  Map<NodeFigure, Number> shadow() {
    return planner.shadow();
  }

  /** Times reads and moves. */
  public Latencies latencies() {
    return latencies;
  }

  /**
   * A consistent snapshot; if the planner is stalled or has ended, as {@link #lastStatus}, and
   * {@link NodeFigure#NOT_COUNTED} says so.
   */
  public NodeStatus status(boolean passThrough) throws TimeoutException {
    try {
      NodeStatus status = live(queries.ask(planner::status), passThrough);
      return observation == null ? status : observation.status(status);
    } catch (TimeoutException e) {
      String why = whyNotCounted();
      if (why.isEmpty()) {
        throw e;
      }
      return last(passThrough, why);
    }
  }

  /**
   * As {@link #status}, but what only the planner knows is of its last rounds; before the first one
   * it is missing. Never waits; O(counters).
   */
  public NodeStatus lastStatus(boolean passThrough) {
    return last(passThrough, whyNotCounted());
  }

  /** What {@link NodeFigure#NOT_COUNTED} says; empty while the planner makes progress. */
  private String whyNotCounted() {
    if (isOver()) {
      return "the planner has ended";
    }
    return planner.stalledSeconds() > 0 ? "the planner makes no progress" : "";
  }

  /**
   * @param notCounted asked for before this, so that old figures are never taken for those of now
   */
  private NodeStatus last(boolean passThrough, String notCounted) {
    NodeStatus last = planner.lastStatus();
    String why = notCounted;
    if (last == null) {
      last = NodeStatus.withoutPlanner(config.mode().toString(), config.policy());
      why = why.isEmpty() ? "the planner has completed no round yet" : why;
    }
    return live(last, passThrough).toBuilder().put(NodeFigure.NOT_COUNTED, why).build();
  }

  /** Adds what is known without the planner. */
  private NodeStatus live(NodeStatus of, boolean passThrough) {
    return of.toBuilder()
        .put(NodeFigure.PASS_THROUGH, passThrough)
        .put(NodeFigure.PLANNER_STALLED_SECONDS, planner.stalledSeconds())
        .put(NodeFigure.SSD_WRITTEN_PER_100_READ, counters.ssdBytesWrittenPer100Read())
        .put(NodeFigure.WRITE_BYTES_IN_FLIGHT, writeSpace.inFlightBytes())
        .put(NodeFigure.PINNED_BYTES, pinned.usedBytes())
        .put(NodeFigure.PIN_CAPACITY_BYTES, pinned.capacityBytes())
        .put(NodeFigure.PINNED_BLOCKS, pinned.count())
        .put(NodeFigure.ADVERTISED_BLOCKS, advertised.count())
        .counters(counters.snapshot())
        .build();
  }

  /** Where each block is and why, in the order of the list. */
  public List<BlockStatus> locate(List<BlockKey> blocks) throws TimeoutException {
    List<BlockStatus> found = queries.ask(() -> planner.locate(blocks));
    return observation == null ? found : observation.locate(found);
  }

  /**
   * The blocks that were read most often, the most often read first. O(blocks) on the planner's
   * thread: to be asked seldom.
   *
   * @param most blocks in the answer, &gt; 0
   */
  public List<BlockStatus> mostRead(int most) throws TimeoutException {
    return queries.ask(() -> planner.mostRead(most));
  }

  /** Waits until all events reported so far are applied, and checks the ledger; for tests. */
  public void settle() throws TimeoutException {
    queries.ask(
        () -> {
          planner.settle();
          return 0;
        });
    if (observation != null) {
      observation.settle();
    }
  }

  /** Null unless the mode is observe; for tests. */
  @Nullable Observation observation() {
    return observation;
  }

  /** Events that wait for the planner, and doubtful blocks; for tests. */
  int eventsWaiting() {
    return planner.eventsWaiting();
  }

  /** True while blocks whose events were dropped are being looked at; for tests. */
  boolean isLookingAgain() throws TimeoutException {
    return queries.ask(planner::isLookingAgain);
  }

  /** The rate of demotions to a slow device that the last round set; for tests. */
  long demoteBytesPerSec(String slowDevice) throws TimeoutException {
    return queries.ask(() -> planner.demoteBytesPerSec(slowDevice));
  }

  long promoteBytesPerSec(String slowDevice) throws TimeoutException {
    return queries.ask(() -> planner.promoteBytesPerSec(slowDevice));
  }
}
