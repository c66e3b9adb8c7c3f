// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Part;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Replica;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.Census;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.Host;
import io.hycache.core.spi.Sighting;
import io.hycache.core.spi.SlowDevice;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.ObservedPlace;
import io.hycache.core.stats.WriteFallback;
import io.hycache.core.table.HeatLog;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Idea: mode observe answers what mode active would do. Decisions depend on what earlier ones did, so
 * they are carried out, on a model. The engine knows its DataNode only through Host and BlockMover;
 * a second engine, in mode active, gets a ModelStore for both, and each event of the first. All of its
 * decisions are those of the same code, and none of them can reach a file: it has no mover that could.
 *
 * What differs from mode active. Moves take no longer than their bandwidth limits make them, as no
 * disk works. A write that an SSD would refuse because it is busy or breaks is placed. Cache
 * directives and hycache.balance are left out. DataNodes do not know of each other's models: what
 * active mode would leave to another DataNode's SSD is promoted here, too.
 */
/**
 * Mode {@code observe}: an engine over a model of the DataNode's SSDs, and what it would have done.
 * A failure of it ends the observation, at most, and is counted and logged. Thread-safe; no call of
 * {@link Onlooker} and none that a writer makes blocks.
 */
final class Observation implements Onlooker, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Observation.class);
  private static final long SWEEP_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long DAY_CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Counters counters;
  private final LongSupplier clock;
  private final ModelStore store;
  private final HyCacheEngine model;
  private final ObservedDays days;
  private long sweptNanos;
  private long checkedNanos;

  /**
   * @param config that of the DataNode, in mode observe
   * @param policy decides in the model
   * @param host asked about replicas only
   * @param counters those of the DataNode, for what would be done; the model's own are others
   * @param sources those of the DataNode, as reads name them
   */
  Observation(
      HyCacheConfig config,
      CachePolicy policy,
      Host host,
      Counters counters,
      LongSupplier clock,
      ReadSources sources) {
    this.counters = counters;
    this.clock = clock;
    this.store = new ModelStore(host, counters, clock);
    this.days = new ObservedDays(counters, () -> LocalDate.now(ZoneId.systemDefault()));
    this.model =
        new HyCacheEngine(
            carriedOut(config),
            policy,
            store,
            store,
            (device, fresh, frames) -> {},
            new Counters(),
            failure -> counters.increment(Counter.FAILURES),
            clock,
            sources);
    model.onGivenUp(why -> LOG.warn("the observation ended until the next start: {}", why));
  }

  /** The settings of the model. */
  private static HyCacheConfig carriedOut(HyCacheConfig config) {
    return HyCacheConfig.builder(config)
        .mode(Mode.ACTIVE)
        .directives(false)
        .advertiseBlocks(0)
        .shadowBlocks(0)
        .build();
  }

  /** The policy of the DataNode's own engine, which decides nothing. */
  static CachePolicy idlePolicy() {
    return Policies.create("lru");
  }

  void start() {
    model.start();
  }

  void watch() {
    model.watch();
  }

  void stepAside() {
    model.stepAside();
  }

  @Override
  public void close() {
    model.close();
  }

  /**
   * Applies other settings to the model, unless the observation has ended.
   *
   * @throws IllegalArgumentException as {@link HyCacheEngine#reconfigure}
   * @throws IllegalStateException as {@link HyCacheEngine#reconfigure}
   * @throws TimeoutException as {@link HyCacheEngine#reconfigure}
   */
  void reconfigure(HyCacheConfig next) throws TimeoutException {
    if (!model.isOver()) {
      model.reconfigure(carriedOut(next));
    }
  }

  /** As {@link HyCacheEngine#awaitChanges}. */
  void awaitChanges() throws TimeoutException {
    if (!model.isOver()) {
      model.awaitChanges();
    }
  }

  // ---- what the planner learns ------------------------------------------------------------------

  @Override
  public void replica(Replica replica, Home home, @Nullable String device) {
    boolean written = store.isWriting(replica.block());
    String fast = store.replica(replica, home, device);
    Home would = home == Home.SSD_OWNER ? home : fast == null ? Home.DISK : Home.SSD_GUEST;
    model.onReplica(replica, would, fast);
    if (written && fast != null) {
      model.onWritten(fast, replica.lengthBytes());
    }
  }

  @Override
  public void gone(BlockKey block) {
    store.gone(block);
    model.onGone(block);
  }

  @Override
  public void cleanFound(BlockKey block, Part part, String device, long bytes) {
    Replica replica = store.finalized(block);
    if (replica != null && store.cleanFound(replica, part, device)) {
      model.onClean(block, part, device, bytes);
    }
  }

  @Override
  public void cleanDropped(BlockKey block) {
    if (store.cleanDropped(block)) {
      model.onCleanDropped(block);
    }
  }

  @Override
  public void read(long source, BlockKey block, long bytes, boolean owned) {
    boolean fast = owned || store.isFast(block);
    counters.increment(fast ? Counter.OBSERVED_READS_FAST : Counter.OBSERVED_READS_SLOW);
    counters.add(fast ? Counter.OBSERVED_BYTES_READ_FAST : Counter.OBSERVED_BYTES_READ_SLOW, bytes);
    model.onRead(source, block.id(), bytes, fast);
  }

  @Override
  public void looked(List<FastDevice> fast, List<SlowDevice> slow) {
    store.looked(fast, slow);
  }

  @Override
  public void maintain(long now) {
    if (now - checkedNanos >= DAY_CHECK_NANOS) {
      checkedNanos = now;
      days.maintain();
    }
    if (now - sweptNanos >= SWEEP_INTERVAL_NANOS) {
      sweptNanos = now;
      store.sweep();
    }
  }

  // ---- what others report -----------------------------------------------------------------------

  /** A replica of this expected length is written to DISK, and would be placed. */
  void write(BlockKey block, long sizeBytes) {
    WriteFallback why = model.admit(sizeBytes);
    if (why == null) {
      for (int tier : model.tiersFor(sizeBytes)) {
        if (store.write(block, tier, sizeBytes)) {
          model.onPlaced(block, sizeBytes, tier);
          return;
        }
      }
      model.onNotPlaced(sizeBytes);
      why = WriteFallback.NO_ROOM;
    }
    writtenToDisk(block, sizeBytes, why);
  }

  void writtenToDisk(BlockKey block, long sizeBytes, WriteFallback why) {
    model.onWrittenToDisk(block, sizeBytes, why);
  }

  /** A replica is being written to DISK; in the model, too, unless it would be placed. */
  void slowWrite(BlockKey block, String slowDevice) {
    if (!store.isWriting(block)) {
      model.onSlowWrite(block, slowDevice);
    }
  }

  void readElsewhere(List<BlockKey> blocks) {
    model.onReadElsewhere(blocks);
  }

  void heatFound(String device, String pool, HeatLog.Loaded log, long agoNanos) {
    model.onHeat(device, pool, log, agoNanos);
  }

  /** The DataNode took hints. The model takes the same, or none if it fails or does not answer. */
  void submitHints(Hints hints, String user, boolean exempt) {
    try {
      HintReceipt unused = model.submitHints(hints, user, exempt);
    } catch (TimeoutException | IllegalStateException e) {
      LOG.warn("the observation misses hints: workflow={} user={}", hints.workflow(), user, e);
    }
  }

  void withdrawHints(WorkflowId workflow) {
    try {
      OptionalInt unused = model.withdrawHints(workflow);
    } catch (TimeoutException | IllegalStateException e) {
      LOG.warn("the observation keeps hints that were withdrawn: workflow={}", workflow, e);
    }
  }

  /** True while events come faster than the model handles them. */
  boolean isBehind() {
    return model.isBehind();
  }

  /** Sets who is asked about blocks whose events the model missed. */
  void lookAgainWith(Census census) {
    model.lookAgainWith(
        new Census() {
          @Override
          public @Nullable Sighting look(BlockKey block) {
            Sighting real = census.look(block);
            return real == null ? null : store.seen(real);
          }

          @Override
          public List<BlockKey> blocks() {
            return census.blocks();
          }
        });
  }

  // ---- answers ----------------------------------------------------------------------------------

  /**
   * Adds to each status where the block would be; to none if the model fails or does not answer.
   */
  List<BlockStatus> locate(List<BlockStatus> real) {
    List<BlockKey> blocks = new ArrayList<>(real.size());
    real.forEach(status -> blocks.add(status.block));
    List<BlockStatus> would;
    try {
      would = model.locate(blocks);
    } catch (TimeoutException | IllegalStateException e) {
      return real;
    }
    long now = clock.getAsLong();
    List<BlockStatus> out = new ArrayList<>(real.size());
    for (int i = 0; i < real.size(); i++) {
      BlockStatus status = real.get(i);
      boolean known = status.reason != Reason.NOT_TRACKED && status.reason != Reason.ON_SSD_OWNER;
      out.add(
          known ? status.withObserved(place(would.get(i), now), would.get(i).decision) : status);
    }
    return out;
  }

  private ObservedPlace place(BlockStatus would, long now) {
    String storage = would.cleanData ? would.copyType : would.storage;
    long since = would.cleanData || would.dirty ? now - store.sinceNanos(would.block) : 0;
    return new ObservedPlace(
        storage, TimeUnit.NANOSECONDS.toMillis(Math.max(0, since)), would.reason);
  }

  /** Adds to a status what would have been done. */
  NodeStatus status(NodeStatus real) {
    try {
      return real.withObserved(model.status(real.passThrough()), days.all());
    } catch (TimeoutException | IllegalStateException e) {
      return real.withObserved(null, days.all());
    }
  }

  /** Waits until the model has applied all that was reported so far; for tests. */
  void settle() throws TimeoutException {
    model.settle();
  }

  /** The engine over the model; for tests. */
  HyCacheEngine model() {
    return model;
  }
}
