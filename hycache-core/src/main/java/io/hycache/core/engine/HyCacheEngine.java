package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.hint.HintBatch;
import io.hycache.core.hint.HintReceipt;
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
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.WriteFallback;
import io.hycache.core.table.HeatLog;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The front door of the core: one per DataNode.
 *
 * <p>Events come in from DataNode threads and never wait: reads through a lock-free ring that drops
 * when full, everything else (one event per block written, moved or deleted) through a bounded
 * lock-free queue; a block whose event it has no room for is looked at again later. One planner
 * thread owns all state and decides; a few mover threads act. Queries are run by the planner and
 * bounded in time. Thread-safe.
 */
public final class HyCacheEngine implements AutoCloseable {
  private static final int MOST_WAITS = 10_000;

  private volatile HyCacheConfig config;
  private final Counters counters;
  private final AccessRecorder recorder;
  private final WriteSpace writeSpace = new WriteSpace();
  private final SpareCopies spares = new SpareCopies();
  private final WriteBudgets budgets;
  private final LongSupplier clock;
  private final Planner planner;
  private final PlannerQueries queries;
  private final Supervisor supervisor;
  private volatile Consumer<String> onGivenUp = why -> {};
  private final Map<String, Integer> poolNumbers = new ConcurrentHashMap<>();

  /**
   * @param onFailure told of every exception inside the planner, on the planner's thread
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
    this.config = config;
    this.counters = counters;
    this.clock = nanoClock;
    this.budgets = new WriteBudgets(config.driveWritesPerDay());
    AccessRing ring = new AccessRing(config.ringLength());
    this.recorder = new AccessRecorder(counters, ring);
    this.supervisor = new Supervisor(counters, onFailure, this::givenUp);
    this.planner =
        new Planner(
            config,
            policy,
            mover,
            host,
            counters,
            ring,
            writeSpace,
            spares,
            budgets,
            heatStore,
            supervisor,
            nanoClock);
    this.queries = new PlannerQueries(planner);
  }

  /** From now on this one is called, once, when a part of the engine has failed too often. */
  public void onGivenUp(Consumer<String> listener) {
    onGivenUp = listener;
  }

  private void givenUp(String why) {
    stepAside();
    onGivenUp.accept(why);
  }

  /**
   * Ends all that the engine does to the host's replicas: no move begins, those under way are
   * rolled back or end, no new replica is placed. Idempotent; any thread; never waits.
   */
  public void stepAside() {
    planner.stepAside();
  }

  /** Looks after threads of the host as after those of the engine. */
  public Supervisor supervisor() {
    return supervisor;
  }

  /** Who is asked about blocks whose events there was no room for. */
  public void lookAgainWith(Census census) {
    planner.lookAgainWith(census);
  }

  /**
   * Waits a little while events come faster than they are handled. For threads that tell of many
   * blocks and that no user waits for.
   *
   * @throws InterruptedException if interrupted meanwhile
   */
  public void awaitRoom() throws InterruptedException {
    for (int i = 0; i < MOST_WAITS && planner.isBehind() && !planner.isOver(); i++) {
      Thread.sleep(1);
    }
  }

  /** How long the planner has not come round; 0 if it has lately. A rising value is trouble. */
  public long plannerStalledSeconds() {
    return planner.stalledSeconds();
  }

  /** Starts the planner. Call once. */
  public void start() {
    planner.start();
  }

  /** Stops planner and movers; a move under way is rolled back by the mover. Idempotent. */
  @Override
  public void close() {
    planner.close();
  }

  /** From now on this one hears of the moves, instead of whoever did. */
  public void observeMoves(MoveListener listener) {
    planner.observeMoves(listener);
  }

  /**
   * From now on these neighbours hear what is on fast devices here, first all that is, and are
   * asked before a block is promoted because of reads.
   */
  public void join(Neighbours neighbours) {
    planner.join(neighbours);
  }

  /** A small number for a block pool, for {@link #onRead}. */
  public int poolNumber(String pool) {
    Integer known = poolNumbers.get(pool);
    return known != null ? known : poolNumbers.computeIfAbsent(pool, planner::registerPool);
  }

  /**
   * Bytes of a block were read. Never waits; allocates nothing.
   *
   * @param poolNumber from {@link #poolNumber}
   * @param fast whether the data came from a fast device
   */
  public void onRead(int poolNumber, long blockId, long offset, long bytes, boolean fast) {
    recorder.record(poolNumber, blockId, offset, bytes, fast);
  }

  /**
   * Shall a new replica that was asked for on DISK go to SSD? After a yes its bytes are promised:
   * {@link #onPlaced} or {@link #onNotPlaced} must follow.
   *
   * @param sizeBytes expected length
   */
  public boolean placeOnFast(long sizeBytes) {
    return admit(sizeBytes) == null;
  }

  /**
   * As {@link #placeOnFast}. Returns why not, counted, or null for a yes; {@link #onWrittenToDisk}
   * should follow a reason.
   */
  public @Nullable WriteFallback admit(long sizeBytes) {
    if (!isMeantForFast(sizeBytes)) {
      return WriteFallback.NOT_MEANT;
    }
    WriteFallback why = writeSpace.admit(sizeBytes);
    if (config.mode() == Mode.OBSERVE) {
      if (why == null) {
        writeSpace.cancelled(sizeBytes);
        counters.increment(Counter.OBSERVED_DECISIONS);
      }
      return WriteFallback.NOT_MEANT;
    }
    if (why != null) {
      why.count(counters);
    }
    return why;
  }

  /** False for a new replica that goes to DISK whatever room there is. */
  public boolean isMeantForFast(long sizeBytes) {
    return config.mode() != Mode.OFF && sizeBytes >= config.minBlockBytes() && !planner.isAside();
  }

  /** A new replica is written to DISK for this reason. */
  public void onWrittenToDisk(BlockKey block, WriteFallback why) {
    planner.writtenToDisk(block, why.reason());
  }

  /** A replica whose bytes were promised is being written to SSD as our guest. */
  public void onPlaced(BlockKey block, long sizeBytes) {
    counters.increment(Counter.BLOCKS_WRITE_FAST);
    writeSpace.started(block, sizeBytes);
  }

  /** A replica whose bytes were promised is not written to SSD after all. */
  public void onNotPlaced(long sizeBytes) {
    writeSpace.cancelled(sizeBytes);
  }

  /**
   * A clean copy on a device whose data may make way at once for a new replica that the NameNode
   * put there; null if none is known. Each is handed out once; {@link #onMadeWay} must follow if it
   * did. Never waits; O(1).
   */
  public @Nullable BlockKey nextToMakeWay(String device) {
    return spares.poll(device);
  }

  /** What {@link #nextToMakeWay} can give on a device. Never waits; O(1). */
  public long mayMakeWayBytes(String device) {
    return spares.bytes(device);
  }

  /** The data of a clean copy made way; its checksum file is still there. */
  public void onMadeWay(BlockKey block) {
    planner.madeWay(block);
  }

  /** A new replica that the NameNode put on SSD found no room: it is made for the next ones. */
  public void onRoomMissed(long sizeBytes) {
    writeSpace.missed(sizeBytes);
  }

  /**
   * A replica is being written to DISK: background moves to the same device step back until it
   * ends.
   *
   * @param slowDevice id of the device
   */
  public void onSlowWrite(BlockKey block, String slowDevice) {
    writeSpace.startedSlow(block, slowDevice, clock.getAsLong());
  }

  /**
   * A finalized replica exists here, new or known, with this state and place.
   *
   * @param device fast device that holds it; null for DISK
   */
  public void onReplica(Replica replica, Home home, @Nullable String device) {
    planner.replica(replica, home, device);
  }

  /** A user's replica was written to a fast device, as our guest or as its owner wished. */
  public void onWritten(String device, long bytes) {
    if (!planner.written(device, bytes)) {
      counters.increment(Counter.EVENTS_DROPPED);
    }
  }

  /** True while no SSD-first write should go to a device: its write budget is spent. No lock. */
  public boolean isSpent(String device) {
    return budgets.isSpent(device);
  }

  /** A clean copy of a part was found (after a restart). */
  public void onClean(BlockKey block, Part part, String device, long bytes) {
    planner.cleanFound(block, part, device, bytes);
  }

  /**
   * What an earlier process left of a device's heat and wear, once the blocks of a pool are known.
   * To be called once for each device and pool.
   *
   * @param pool whose blocks' heat is taken up
   * @param log {@link HeatLog#NOTHING} if there is none
   * @param agoNanos how long ago it was last written
   */
  public void onHeat(String device, String pool, HeatLog.Loaded log, long agoNanos) {
    planner.heatFound(device, pool, log, agoNanos);
  }

  /** A clean copy was dropped by the DataNode (changed replica, failed read). */
  public void onCleanDropped(BlockKey block) {
    planner.cleanDropped(block);
  }

  /** The replica is gone or is no longer finalized. */
  public void onGone(BlockKey block) {
    planner.gone(block);
  }

  /** What the engine was notified of may be overtaken: the host is asked about the block. */
  public void onDoubt(BlockKey block) {
    planner.doubt(block);
  }

  /** Volumes went away: replicas that the host no longer has are forgotten. */
  public void onVolumesChanged() {
    planner.forgetMissing();
  }

  /**
   * Takes hints, in place of those of the same user and workflow.
   *
   * @param user whose they are, as authenticated
   * @param exempt whether {@link HyCacheConfig#hintLimits} don't hold for this user
   * @return what was taken and what was refused
   * @throws IllegalArgumentException if user and name of the workflow make no {@link WorkflowId}
   * @throws TimeoutException if the planner did not answer in time; it may take them later
   */
  public HintReceipt submitHints(HintBatch batch, String user, boolean exempt)
      throws TimeoutException {
    WorkflowId checked = new WorkflowId(user, batch.workflow());
    return queries.ask(() -> planner.submitHints(batch, checked.user(), exempt));
  }

  /**
   * Forgets a workflow's hints. Returns the steps that were left, empty if there is no such
   * workflow: it was never submitted, is used up, or its time is over.
   *
   * @throws TimeoutException if the planner did not answer in time; it may do it later
   */
  public OptionalInt withdrawHints(WorkflowId workflow) throws TimeoutException {
    return queries.ask(() -> planner.withdrawHints(workflow));
  }

  /** The workflows of all users that have hints left, in order of submission. */
  public List<WorkflowStatus> workflows() throws TimeoutException {
    return queries.ask(planner::workflows);
  }

  /**
   * From now on another policy, other rates, watermarks, shares, weights, limits of users and the
   * smallest block hold. What is made once, at construction, stays as it was: mode, threads,
   * lengths. A new policy is told the residents and the references left.
   *
   * @throws IllegalArgumentException if there is no such policy; then nothing has changed
   * @throws TimeoutException if the planner did not answer in time; it may take them later
   */
  public void reconfigure(HyCacheConfig next) throws TimeoutException {
    CachePolicy successor =
        next.policy().equals(config.policy()) ? null : Policies.create(next.policy());
    queries.ask(
        () -> {
          planner.reconfigure(next, successor);
          config = next;
          return 0;
        });
  }

  /** Bytes of replicas that are being written to SSD as our guests. */
  public long writeBytesInFlight() {
    return writeSpace.inFlightBytes();
  }

  /** A consistent snapshot; what can be said without the planner if it does not answer. */
  public NodeStatus status(boolean passThrough) throws TimeoutException {
    try {
      return queries.ask(() -> planner.status(passThrough));
    } catch (TimeoutException e) {
      long stalled = planner.stalledSeconds();
      if (stalled == 0 && !planner.isOver()) {
        throw e;
      }
      return NodeStatus.withoutPlanner(
          config.mode().toString(), config.policy(), passThrough, stalled, counters.snapshot());
    }
  }

  /** Where the blocks are and why, in order. */
  public List<BlockStatus> locate(List<BlockKey> blocks) throws TimeoutException {
    return queries.ask(() -> planner.locate(blocks));
  }

  /** Runs after all events told so far; for tests. Checks the ledger. */
  public void settle() throws TimeoutException {
    queries.ask(
        () -> {
          planner.settle();
          return 0;
        });
  }

  /** Events that wait for the planner, and blocks that it has to look at again; for tests. */
  int eventsWaiting() {
    return planner.eventsWaiting();
  }

  /** True while blocks whose events were dropped are being looked at; for tests. */
  boolean isLookingAgain() throws TimeoutException {
    return queries.ask(planner::isLookingAgain);
  }

  /** The pace of demotion to a slow device that the last round set; for tests. */
  long demoteBytesPerSec(String slowDevice) throws TimeoutException {
    return queries.ask(() -> planner.demoteBytesPerSec(slowDevice));
  }

  long promoteBytesPerSec(String slowDevice) throws TimeoutException {
    return queries.ask(() -> planner.promoteBytesPerSec(slowDevice));
  }
}
