// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.DirectoryStatus;
import io.hycache.core.directory.Member;
import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.move.DeviceLoad;
import io.hycache.core.move.HostLimit;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.MoveListener;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.HintedBlock;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.conf.StartAdvice;
import io.hycache.hdfs.directory.DirectoryHost;
import io.hycache.hdfs.metrics.HyCacheMetrics;
import io.hycache.hdfs.rpc.NodeService;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HyCache in one DataNode: composes, starts and stops its parts.
 *
 * <p>One instance per dataset; no static state. Methods called by HDFS's own threads run inside the
 * {@link Guard} and fall back to plain HDFS behaviour when HyCache fails. Thread-safe.
 */
public final class HyCacheNode implements NodeService, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HyCacheNode.class);

  private final ReplicaStore store;
  private final Counters counters = new Counters();
  private final Guard guard;
  private final Activity activity;
  private final CleanCopies copies = new CleanCopies();
  private final Map<String, CleanArea> areas = new ConcurrentHashMap<>();
  private final OpenFiles openFiles;
  private final HdfsMover mover;
  private final HdfsHost host;
  private final DeviceLoads loads;
  private final LoadBalance balance;
  private final HyCacheEngine engine;
  private final CopyEviction eviction;
  private final ScheduledExecutorService timer = Daemons.timer("HyCacheTimer");
  private final CopyScrubber scrubber;
  private final ScheduledElsewhere scheduled;
  private final OrphanSweep orphans;
  private final ReplicaEvents events;
  private final LocalMoves moves;
  private final WritePlacement placement;
  private final ReadPath reads;
  private final Directives directives;
  private final StartupScan scan;
  private final NodeQueries queries;
  private final HyCacheMetrics metrics;
  private final RecentActivity recent;
  private final String metricsName;
  private volatile @Nullable DirectoryHost directory;

  /**
   * Creates and starts the node. Invalid settings lead to pass-through, never to an exception.
   *
   * @param name the DataNode's UUID: identifies it among others in the same JVM and on disk
   */
  public HyCacheNode(Configuration conf, ReplicaStore store, String name) {
    this.store = store;
    NodeSettings settings = new NodeSettings(conf, name);
    Mode mode = settings.engine.mode();
    this.guard = new Guard(Math.max(1, settings.failuresToPassThrough), counters);
    this.activity = new Activity(mode, guard);
    this.openFiles = new OpenFiles(settings.openFiles, counters);
    HeatFiles heat = new HeatFiles(areas);
    LockedBlocks locked = new LockedBlocks(store);
    Guests guests = new Guests();
    this.loads = DeviceLoads.of(settings.dirMode, settings.balances && mode == Mode.ACTIVE);
    this.balance = new LoadBalance(loads);
    this.host =
        new HdfsHost(
            store,
            copies,
            areas,
            locked,
            loads,
            settings.cacheDirs,
            settings.dirMode,
            settings.ssdCapacityBytes,
            mode != Mode.OFF,
            counters);
    this.orphans =
        new OrphanSweep(
            new DataPools(store, settings.dataDirs), areas::values, settings.cacheDirs, counters);
    this.mover =
        new HdfsMover(
            store,
            copies,
            areas,
            guests,
            host::useOf,
            this::suspect,
            this::beforeEviction,
            guard::tripped);
    this.engine =
        new HyCacheEngine(
            settings.engine,
            Policies.create(settings.engine),
            mover,
            host,
            heat,
            counters,
            e -> guard.counted("engine", e));
    engine.onGivenUp(guard::trip);
    this.eviction = new CopyEviction(store, copies, openFiles, mover, engine);
    AppendRoom appendRoom =
        new AppendRoom(
            store, engine::nextToMakeWay, areas, mover.moves(), guests, eviction::evictData);
    guard.onTrip(
        new PassThrough(
                engine, copies, openFiles, eviction, store, settings.cacheDirs, this::withdraw)
            ::begin);
    this.scrubber =
        new CopyScrubber(
            new ScrubContext(
                store,
                copies,
                host::useOf,
                counters,
                eviction::drop,
                engine.supervisor().part("copy scrubber"),
                settings.scrubBytesPerSec,
                settings.scrubPeriodNanos),
            areas,
            timer);
    CleanReads cleanReads =
        new CleanReads(
            store,
            copies,
            openFiles,
            host,
            loads,
            balance,
            engine,
            guard,
            counters,
            scrubber::suspect,
            scrubber.readers(),
            locked,
            new StreamMoves(
                conf,
                store,
                copies,
                host::useOf,
                loads,
                balance,
                guard,
                counters,
                StreamMoves.asHdfs(conf),
                System::nanoTime),
            eviction::drop);
    this.reads = new ReadPath(cleanReads, copies, activity, guard, counters);
    this.scheduled =
        new ScheduledElsewhere(
            store.scheduledReports(),
            store.tiers().slow(),
            host::diskFreeBytes,
            counters,
            e -> guard.failed("report scheduled blocks", e),
            System::nanoTime);
    this.events =
        new ReplicaEvents(
            store, copies, areas, guests, locked, openFiles, host, loads, engine, scheduled,
            eviction, guard);
    this.directives =
        new Directives(
            settings.engine.directives(),
            store,
            copies,
            areas,
            engine,
            events,
            activity,
            guard,
            counters);
    this.moves = new LocalMoves(store, guests, locked, mover.demoter(), events, guard);
    this.placement =
        new WritePlacement(
            store,
            areas,
            guests,
            engine,
            scheduled,
            appendRoom,
            eviction,
            activity,
            guard,
            counters,
            loads,
            balance,
            this::avoid);
    CopyAdoption adoption = new CopyAdoption(store, copies, mover, guard, scrubber::found);
    this.scan =
        new StartupScan(
            store, copies, areas, guests, host, heat, engine, events, adoption, mode, guard);
    engine.lookAgainWith(new NodeCensus(store, copies, areas, guests, scan.pools()));
    NodeWarnings warnings = new NodeWarnings(conf, settings, store, HostLimit.foreignMessage());
    this.queries =
        new NodeQueries(
            name,
            engine,
            mode,
            guard,
            settings.conf,
            this::directoryHost,
            warnings::current,
            () -> host.devicesOutOfUse().size(),
            scan::isComplete);
    this.metrics = new HyCacheMetrics(counters, queries::lastStatus);
    if (!settings.problems.isEmpty()) {
      guard.trip("invalid settings: " + String.join("; ", settings.problems));
    }
    warnings.log();
    this.recent = new RecentActivity(counters);
    engine.observeMoves(recent.moves);
    this.metricsName = name;
    StartReport.logLater(settings, store);
    start(conf);
  }

  private void start(Configuration conf) {
    metrics.register(metricsName);
    engine.start();
    if (activity.mode() == Mode.ACTIVE) {
      scheduled.start();
    }
    if (activity.mode() != Mode.OFF) {
      scrubber.start();
    }
    int ssds = store.ssdVolumes().size();
    String advice = StartAdvice.ofFailures(conf, ssds, ssds + store.diskVolumes().size());
    if (advice != null) {
      LOG.warn(advice);
    }
    ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(engine::watch, 3, 3, TimeUnit.SECONDS);
    orphans.start(timer);
    recent.start(timer);
  }

  @Override
  public void close() {
    if (scan.isClosed()) {
      return;
    }
    scan.close();
    scheduled.close();
    timer.shutdownNow();
    scrubber.close();
    orphans.close();
    engine.close();
    openFiles.close();
    host.close();
    metrics.unregister(metricsName);
    LOG.info("stopped: counters={}", counters.snapshot());
  }

  // ---- parts ------------------------------------------------------------------------------------

  /** Receives changes of replicas, block pools and volumes. */
  public ReplicaEvents events() {
    return events;
  }

  /** Chooses the storage type of new replicas. */
  public WritePlacement placement() {
    return placement;
  }

  /** Coordinates local moves with writers. */
  public LocalMoves moves() {
    return moves;
  }

  /** Opens streams on clean copies. */
  public ReadPath reads() {
    return reads;
  }

  /** Takes HDFS's cache directives. */
  public Directives directives() {
    return directives;
  }

  /** Scans block pools and volumes when they are added. */
  public StartupScan scan() {
    return scan;
  }

  // ---- state ------------------------------------------------------------------------------------

  /** Enters pass-through until the DataNode restarts. Idempotent; never blocks. */
  void stepAside(String why) {
    guard.trip(why);
  }

  /** Returns true once HyCache is in pass-through. */
  public boolean passThrough() {
    return guard.tripped();
  }

  /** Registers a listener that is notified of every step of every move. */
  public void observeMoves(MoveListener listener) {
    recent.moves.passOnTo(listener);
  }

  /** What happened lately. */
  RecentActivity recent() {
    return recent;
  }

  /**
   * Joins the directory: from now on blocks on SSD here are published to it and looked up in it,
   * unless this is in pass-through.
   */
  void join(DirectoryHost host) {
    directory = host;
    if (guard.tripped()) {
      host.withdraw();
    } else if (!activity.off()) {
      engine.join(host.neighbours());
    }
  }

  /** Ends the directory's records of blocks here. */
  private void withdraw() {
    DirectoryHost host = directory;
    if (host != null) {
      host.withdraw();
    }
  }

  private @Nullable DirectoryHost directoryHost() {
    return directory;
  }

  /** Returns this DataNode's share of the directory, or null if it has not joined. */
  @Nullable DirectoryNode directory() {
    DirectoryHost host = directory;
    return host == null ? null : host.node();
  }

  /** Figures of this DataNode's share of the directory; null if it has not joined. */
  @Nullable DirectoryStatus directoryStatus() {
    DirectoryHost host = directory;
    return host == null ? null : host.status();
  }

  /** The members of the directory as this DataNode knows them; empty if it has not joined. */
  List<Member> directoryMembers() {
    DirectoryHost host = directory;
    return host == null ? List.of() : host.node().view().members();
  }

  /** Returns the bytes of clean copies on all devices; 0 in pass-through. */
  public long cleanBytes() {
    return guard.tripped() ? 0 : copies.bytes();
  }

  /**
   * Returns the bytes on a device that are evicted when HDFS needs the space: the data of clean
   * copies that are not pinned, but not their checksum files.
   */
  public long givableBytes(File root) {
    CleanArea area = areas.get(root.getPath());
    return !activity.active() || area == null || area.watch().sick()
        ? 0
        : Math.max(0, area.dataBytes() - engine.pinned().copyBytes(root.getPath()));
  }

  /**
   * Calls HyCache on behalf of HDFS.
   *
   * @return {@code plain}, which is what HDFS would answer, if the call fails or in pass-through
   */
  public <T> T orPlain(String operation, T plain, Callable<T> action) {
    return guard.call(operation, plain, action);
  }

  /** Returns true while a device must not receive new replicas. Used on the write path; O(1). */
  public boolean avoid(File root) {
    CleanArea area = areas.get(root.getPath());
    return area != null
        && !guard.tripped()
        && (area.watch().sick() || engine.isSpent(root.getPath()));
  }

  /**
   * Returns how many times as long one more stream takes on a volume as if it were idle; 0 if that
   * is not known. Used on the write path; O(1).
   */
  public double slowdown(File root) {
    return guard.tripped() ? 0 : balance.slowdown(root);
  }

  /** Called when a volume was chosen for the replica that this thread is about to create; O(1). */
  public void chosen(File root) {
    balance.chosen(root);
  }

  private void suspect(CleanFile file) {
    scrubber.suspect(file, 0);
  }

  private void beforeEviction(CleanCopies.Copy copy) {
    scrubber.beforeEviction(copy);
  }

  /**
   * Returns the number of blocks that the NameNode expects on a storage type here and that were
   * written to another.
   */
  int scheduledElsewhere(String pool, StorageType asked) {
    return scheduled.owed(pool, asked);
  }

  // ---- for tests --------------------------------------------------------------------------------

  /** Returns the finalized replica in HDFS's replica map, or null. */
  @Nullable ReplicaView replica(BlockKey block) {
    return store.finalized(block);
  }

  List<ReplicaStore.Volume> ssdVolumes() {
    return store.ssdVolumes();
  }

  Closeable reserve(File root, long bytes) throws IOException {
    return store.reserve(root, bytes);
  }

  long spareBytes(File root) {
    return engine.mayMakeWayBytes(root.getPath());
  }

  void evictData(BlockKey block) {
    eviction.evictData(block);
  }

  /** Replaces the loads of all volumes by those of the first SSD and the first DISK volume. */
  void balanceBy(DeviceLoad ssd, DeviceLoad disk) {
    loads.replaceAll(
        store.ssdVolumes().get(0).root(), ssd, store.diskVolumes().get(0).root(), disk);
  }

  void stopSettling() {
    scheduled.stopSettling();
  }

  Collection<CleanArea> areas() {
    return areas.values();
  }

  // ---- questions --------------------------------------------------------------------------------

  @Override
  public HintReceipt submitHints(Hints hints, String user, boolean exempt) throws IOException {
    return queries.submitHints(hints, user, exempt);
  }

  @Override
  public OptionalInt withdraw(WorkflowId workflow) throws IOException {
    return queries.withdraw(workflow);
  }

  @Override
  public void readElsewhere(List<BlockKey> blocks) {
    queries.readElsewhere(blocks);
  }

  @Override
  public List<HintedBlock> explain(WorkflowId workflow, int from, int most) throws IOException {
    return queries.explain(workflow, from, most);
  }

  @Override
  public List<WorkflowStatus> workflows(Predicate<WorkflowId> which) throws IOException {
    return queries.workflows(which);
  }

  @Override
  public List<WorkflowStatus> endedWorkflows(Predicate<WorkflowId> which) throws IOException {
    return queries.endedWorkflows(which);
  }

  @Override
  public NodeStatus status() throws IOException {
    return queries.status();
  }

  @Override
  public List<BlockStatus> locate(List<BlockKey> blocks) throws IOException {
    return queries.locate(blocks);
  }

  /** The blocks that were read most often, see the engine. */
  List<BlockStatus> mostRead(int most) throws IOException {
    return queries.mostRead(most);
  }

  @Override
  public Map<String, String> settings(Map<String, String> changes) throws IOException {
    return queries.settings(changes);
  }
}
