// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import io.hycache.core.localdir.LocalDirStatus.Figure;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A served tree with its planner, movers and sweeper. Thread-safe. */
public final class LocalDirTier implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalDirTier.class);

  private static final String RUNNING = "running";
  private static final String PLANNER = "planner";
  private static final String SWEEPER = "sweeper";

  private static final long DRAINING_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long STATUS_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long CLOSE_TIMEOUT_SECONDS = 10;

  /** Periods, or durations of the round before, after which a round is late. */
  private static final int PERIODS_UNTIL_LATE = 10;

  private static final long MIN_UNTIL_LATE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /**
   * A scan takes at most 1/4 of the planner's time, and sweeps that are asked for at most 1/4 of
   * the sweeper's.
   */
  private static final int MIN_PERIOD_PER_SCAN_TIME = 4;

  /** Least pause before a sweep that is asked for: those asked for meanwhile are one. */
  private static final long MIN_SWEEP_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final LocalDirConfig config;
  private final LocalDirPorts ports;
  private final TreeLayout layout;
  private final TreeLock lock;
  private final boolean atomicExchange;
  private final LocalDirCounters counters = new LocalDirCounters();
  private final Ballast ballast;
  private final FileMover mover;
  private final LocalDirPlanner planner;
  private final TieredTree tree;
  private final Inventory.Taker inventories;
  private final Sweeper sweeper;
  private final Map<HddRoot, ExecutorService> streams = new HashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Object sweepSignal = new Object();
  private boolean sweepDue;
  private volatile String state = "open";

  /** By thread, why its last round failed. */
  private final Map<String, String> failed = new ConcurrentSkipListMap<>();

  /** Why moves have stopped; null while they run. */
  private volatile @Nullable String stopped;

  /** When the planner's last round ended, or the tree was started. */
  private volatile long roundNanos;

  /** Time after {@link #roundNanos} at which the next round is late. */
  private volatile long untilLateNanos;

  /** Time of the last status write. */
  private long statusNanos = Long.MIN_VALUE / 2;

  private volatile boolean closed;

  private LocalDirTier(LocalDirConfig config, LocalDirPorts ports, Corner corner, TreeLock lock)
      throws IOException {
    this.config = config;
    this.ports = ports;
    this.lock = lock;
    layout = TreeLayout.open(config, corner);
    if (layout.caller().isRoot() && !layout.caller().detectsAllWriters()) {
      LOG.warn(
          "Files of other users stay where they are, since root can't find out here whether a"
              + " process writes to them: ssd={}. Fix: grant CAP_LEASE (which also needs JNA on the"
              + " class path) or CAP_SYS_PTRACE, or serve the tree as the user of its files",
          config.ssd());
    }
    FileExchange exchange =
        ports.exchange == null ? FileExchange.in(layout.staging(), ports.calls) : ports.exchange;
    atomicExchange = exchange.isAtomic();
    Writers writers = new Writers(ports.proc, layout.caller(), ports.nanos);
    Settlement settlement = new Settlement(layout, exchange, writers, ports.park);
    settlement.settleAll();
    long tickMicros = ClockTick.micros(layout.staging());
    HddNames names = new HddNames(layout);
    ballast = new Ballast(layout.ballast());
    mover =
        new FileMover(
            layout,
            config,
            new FileMover.Tools(
                exchange,
                writers,
                settlement,
                new Attributes(ports.calls),
                ports.copier,
                ports.nanos,
                ports.wallMicros,
                tickMicros,
                ports.moves),
            names,
            ballast,
            counters);
    planner =
        new LocalDirPlanner(
            layout, config, mover, counters, this::run, ports.nanos, new ConcurrentLinkedQueue<>());
    tree = new TieredTree(layout, mover, planner, counters);
    inventories = new Inventory.Taker(layout, ports.wallMicros, tickMicros, ports.inventories);
    sweeper = new Sweeper(layout, names, counters, config.sweepGrace().toNanos());
  }

  /**
   * Opens a tree: locks it against other daemons and settles moves interrupted by a crash.
   *
   * @throws IOException if the SSD or every HDD is missing or not usable, or another daemon serves
   *     the tree; the message names the path and the fix
   */
  public static LocalDirTier open(LocalDirConfig config) throws IOException {
    return open(config, new LocalDirPorts());
  }

  static LocalDirTier open(LocalDirConfig config, LocalDirPorts ports) throws IOException {
    Corner corner = Corner.open(config.ssd(), Caller.of(ports.calls));
    try {
      return open(config, ports, corner);
    } catch (IOException | RuntimeException e) {
      corner.close();
      throw e;
    }
  }

  private static LocalDirTier open(LocalDirConfig config, LocalDirPorts ports, Corner corner)
      throws IOException {
    TreeLock lock = TreeLock.take(config.ssd(), corner);
    try {
      return new LocalDirTier(config, ports, corner, lock);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Starts planner, movers and sweeper. May be called once. */
  public synchronized void start() {
    if (closed || !threads.isEmpty()) {
      throw new IllegalStateException("ssd=" + config.ssd() + " is already started or closed");
    }
    startStreams();
    roundEnded(ports.nanos.getAsLong(), 0);
    state = RUNNING;
    LOG.info("serving a tree: {} atomicExchange={} id={}", config, atomicExchange, layout.id());
    List<Path> others = layout.otherTrees();
    if (!others.isEmpty()) {
      LOG.warn(
          "The HDDs hold files of other trees. Fix: if no tree with that id is served any more (the"
              + " id of a tree is in SSD/.hycache/id), remove them: {}",
          others);
    }
    threads.add(daemon(this::plan, "HyCacheLocalDirPlanner-" + config.ssd()));
    threads.add(daemon(this::sweep, "HyCacheLocalDirSweeper-" + config.ssd()));
    threads.forEach(Thread::start);
  }

  /** Starts the movers only, for tests that run the planner themselves. */
  void startStreams() {
    for (HddRoot hdd : layout.hdds()) {
      streams.put(
          hdd,
          Executors.newSingleThreadExecutor(
              move -> daemon(move, "HyCacheLocalDirMover-" + hdd.root())));
    }
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  private void run(HddRoot hdd, Runnable move) {
    ExecutorService stream = streams.get(hdd);
    if (stopped != null) {
      return;
    }
    if (stream == null) {
      throw new IllegalStateException(hdd + " has no stream");
    }
    try {
      stream.execute(move);
    } catch (RejectedExecutionException e) {
      LOG.debug("closing; a queued move was dropped: hdd={}", hdd);
    }
  }

  private void plan() {
    Setbacks setbacks = new Setbacks();
    while (!closed) {
      long wait = config.period().toNanos();
      try {
        wait = planOnce();
        failed.remove(PLANNER);
        setbacks.over();
      } catch (IOException | RuntimeException | Error e) {
        if (!goesOn(e, setbacks, PLANNER)) {
          return;
        }
      }
      try {
        TimeUnit.NANOSECONDS.sleep(wait);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Performs a round; returns the pause before the next one in nanoseconds. */
  private long planOnce() throws IOException {
    long begun = ports.nanos.getAsLong();
    planner.round();
    long now = ports.nanos.getAsLong();
    roundEnded(now, now - begun);
    if (now - statusNanos >= STATUS_INTERVAL_NANOS) {
      statusNanos = now;
      ballast.keep();
      writeStatus();
    }
    long wait = planner.isDraining() ? DRAINING_PAUSE_NANOS : config.period().toNanos();
    return pauseAfter(now - begun, Math.min(wait, config.period().toNanos()));
  }

  private static long pauseAfter(long tookNanos, long leastNanos) {
    return Math.max(leastNanos, tookNanos * MIN_PERIOD_PER_SCAN_TIME);
  }

  private void roundEnded(long nowNanos, long tookNanos) {
    untilLateNanos =
        Math.max(
            MIN_UNTIL_LATE_NANOS,
            PERIODS_UNTIL_LATE * Math.max(config.period().toNanos(), tookNanos));
    roundNanos = nowNanos;
  }

  /**
   * Counts a failed round, logs the first failure of a series, and pauses.
   *
   * @return false if the thread must end; files then stay readable where they are and no longer
   *     move
   */
  private boolean goesOn(Throwable failure, Setbacks setbacks, String thread) {
    if (closed) {
      return false;
    }
    if (failure instanceof Error) {
      counters.count(Figure.ERRORS);
    }
    if (setbacks.isFirst(failure)) {
      LOG.warn("{} failed, continuing: ssd={}", thread, config.ssd(), failure);
    }
    if (setbacks.givesUp()) {
      stopped =
          "stopped: the "
              + thread
              + " met "
              + Setbacks.MAX_CONSECUTIVE_ERRORS
              + " errors: "
              + failure;
      LOG.error(
          "{}; files stay where they are, and no moves happen until a restart: ssd={}",
          stopped,
          config.ssd());
      writeStatus();
      return false;
    }
    failed.put(thread, "failed: the " + thread + " met " + failure);
    ports.rest.accept(setbacks.restNanos());
    return true;
  }

  private void sweep() {
    long graceNanos = config.sweepGrace().toNanos();
    Setbacks setbacks = new Setbacks();
    while (!closed) {
      long pause = MIN_SWEEP_PAUSE_NANOS;
      try {
        long begun = ports.nanos.getAsLong();
        sweepNow();
        pause = pauseAfter(ports.nanos.getAsLong() - begun, MIN_SWEEP_PAUSE_NANOS);
        failed.remove(SWEEPER);
        setbacks.over();
      } catch (IOException | RuntimeException | Error e) {
        counters.count(Figure.INVENTORIES_INCOMPLETE);
        if (!goesOn(e, setbacks, SWEEPER)) {
          return;
        }
      }
      // No longer than until the next regular sweep.
      pause = Math.min(graceNanos, pause);
      ports.sweepPause.accept(pause);
      long waitMillis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(graceNanos - pause));
      synchronized (sweepSignal) {
        try {
          if (!sweepDue && !closed) {
            sweepSignal.wait(waitMillis);
          }
        } catch (InterruptedException e) {
          return;
        }
        sweepDue = false;
      }
    }
  }

  /**
   * Takes one inventory and sweeps once.
   *
   * @return number of files without a link whose grace period is not over; -1 without an inventory
   */
  int sweepNow() throws IOException {
    synchronized (sweeper) {
      long begun = ports.nanos.getAsLong();
      Inventory inventory = inventories.take();
      layout.checkPresent();
      if (inventory == null) {
        counters.count(Figure.INVENTORIES_INCOMPLETE);
        return -1;
      }
      counters.count(Figure.INVENTORIES);
      planner.found(inventory.strays());
      return sweeper.sweep(inventory, begun);
    }
  }

  /** The current settings. */
  public LocalDirConfig config() {
    return config;
  }

  /** The tree for callers in this process. */
  public TieredTree tree() {
    return tree;
  }

  /**
   * The configured directories on HDDs that were not usable when the tree was opened. Links to
   * files there stay as they are, and do not count as down.
   */
  public List<Path> unusableHdds() {
    return layout.unusableHdds();
  }

  /** The directories of the files on HDDs, one per HDD in use. */
  public List<Path> hddHomes() {
    return layout.hdds().stream().map(HddRoot::home).collect(Collectors.toList());
  }

  /**
   * Number of files on the HDDs, including those without a link that wait for the sweeper.
   *
   * @throws IOException if an HDD can't be read
   */
  public long filesOnHdds() throws IOException {
    long files = 0;
    for (HddRoot hdd : layout.hdds()) {
      files += hdd.files();
    }
    return files;
  }

  /**
   * Removes the tree's directories on the HDDs that have no file below them.
   *
   * @throws IOException if an HDD can't be read or a right is missing
   */
  public void removeEmptyHomes() throws IOException {
    for (HddRoot hdd : layout.hdds()) {
      hdd.removeEmptyDirectories();
    }
  }

  /** A snapshot; figures about the tree are as of the planner's last round. */
  public LocalDirStatus status() {
    Map<Figure, Long> figures = counters.snapshot();
    figures.putAll(planner.gauges());
    figures.put(Figure.KEPT_FILES, layout.keptFiles());
    figures.put(Figure.HDDS_UNUSABLE, (long) layout.unusableHdds().size());
    return new LocalDirStatus(
        config.ssd(),
        config.hdds(),
        layout.unusableHdds(),
        config.policy(),
        state(),
        atomicExchange,
        TimeUnit.MICROSECONDS.toMillis(ports.wallMicros.getAsLong()),
        figures);
  }

  private String state() {
    String why = stopped;
    if (closed || !state.equals(RUNNING)) {
      return state;
    }
    if (why != null) {
      return why;
    }
    Iterator<String> failures = failed.values().iterator();
    if (failures.hasNext()) {
      return failures.next();
    }
    long age = ports.nanos.getAsLong() - roundNanos;
    return age <= untilLateNanos
        ? state
        : "late: the last round of the planner ended "
            + TimeUnit.NANOSECONDS.toSeconds(age)
            + " s ago; a device may hang";
  }

  /**
   * Files that would move down now, in order; moves nothing. For a dry run instead of {@link
   * #start}; {@link #open} has locked the tree and settled interrupted moves, though.
   *
   * @throws IllegalStateException after the start
   */
  public synchronized List<Path> wouldMoveDown() throws IOException {
    if (!threads.isEmpty()) {
      throw new IllegalStateException("ssd=" + config.ssd() + " is already served");
    }
    return planner.wouldMoveDown();
  }

  /** Corrects the name of a file on its HDD now. */
  boolean rehome(Path path) throws IOException, InterruptedException {
    return mover.rehome(layout.ssd().resolve(path)) == MoveResult.MOVED;
  }

  /** Directories on the HDDs of other trees, without the neighbours that are configured. */
  List<Path> otherTrees() {
    return layout.otherTrees();
  }

  /** Creates another planner of the same tree, for tests that run its moves themselves. */
  LocalDirPlanner plannerWith(LocalDirPlanner.Streams others) throws IOException {
    return plannerWith(others, new ConcurrentLinkedQueue<>());
  }

  /** The same with its queue of events. */
  LocalDirPlanner plannerWith(LocalDirPlanner.Streams others, Queue<Runnable> events)
      throws IOException {
    return new LocalDirPlanner(layout, config, mover, counters, others, ports.nanos, events);
  }

  /** For tests that run its rounds themselves. */
  LocalDirPlanner planner() {
    return planner;
  }

  /**
   * Takes an inventory and sweeps as soon as possible: after a pause of at least 5 s, and of four
   * times what the last sweep took, but not later than without this call.
   */
  public void sweepSoon() {
    synchronized (sweepSignal) {
      sweepDue = true;
      sweepSignal.notifyAll();
    }
  }

  private void writeStatus() {
    try {
      Path file = layout.status();
      Path fresh = file.resolveSibling("status.json.new");
      Files.writeString(fresh, status().toJson());
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      // The SSD may be full; readers of the old status see its age.
      LOG.debug("could not write the status: ssd={}", config.ssd(), e);
    }
  }

  /**
   * Ends all threads and unlocks the tree. Writes the status if the tree was started: otherwise the
   * status of its last daemon stays. Files stay where they are. No call of {@link #tree} may be in
   * progress.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    streams.values().forEach(ExecutorService::shutdownNow);
    threads.forEach(Thread::interrupt);
    sweepSoon();
    boolean ended = true;
    try {
      for (ExecutorService stream : streams.values()) {
        ended &= stream.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
      }
      for (Thread thread : threads) {
        thread.join(TimeUnit.SECONDS.toMillis(CLOSE_TIMEOUT_SECONDS));
        ended &= !thread.isAlive();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      ended = false;
    }
    if (!ended) {
      LOG.warn(
          "closed while a device does not respond; its threads are left running: ssd={}",
          config.ssd());
    }
    boolean served = state.equals(RUNNING);
    state = "closed";
    if (served) {
      writeStatus();
    }
    if (!ended) {
      // Keep the lock until the process ends: another daemon would interfere with moves in
      // progress.
      lock.leaveBehind();
      return;
    }
    lock.close();
    layout.close();
  }
}
