// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.config.HyCacheConfig.Mode;
import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans a block pool when its replica map is loaded: adopts clean copies of an earlier process, and
 * reports replicas, guests and heat to the engine. Owns the set of loaded pools, and the thread
 * that scans off the DataNode's start path. Thread-safe; callers do not block.
 */
public final class StartupScan implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StartupScan.class);

  /**
   * The first block report may be configured to be delayed (dfs.blockreport.initialDelay); a scan
   * does not wait for it longer than this.
   */
  private static final int MAX_BLOCK_REPORT_WAIT_SECONDS = 10;

  private static final int MIN_RESCAN_DELAY_SECONDS = 5;
  private static final int MAX_RESCAN_DELAY_SECONDS = 600;

  private final ReplicaStore store;
  private final CleanCopies copies;
  private final Map<String, CleanArea> areas;
  private final Guests guests;
  private final HdfsHost host;
  private final HeatFiles heat;
  private final HyCacheEngine engine;
  private final ReplicaEvents events;
  private final CopyAdoption adoption;
  private final Mode mode;
  private final Guard guard;
  private final ScheduledExecutorService executor;

  /** Loaded block pools whose first block report has not been sent. */
  private final Set<String> unreported = ConcurrentHashMap.newKeySet();

  /** Scans, due or under way, that have not reported all replicas yet. */
  private final AtomicInteger unfinished = new AtomicInteger();

  /** Block pools whose replica map is loaded. */
  private final Set<String> pools = ConcurrentHashMap.newKeySet();

  StartupScan(
      ReplicaStore store,
      CleanCopies copies,
      Map<String, CleanArea> areas,
      Guests guests,
      HdfsHost host,
      HeatFiles heat,
      HyCacheEngine engine,
      ReplicaEvents events,
      CopyAdoption adoption,
      Mode mode,
      Guard guard) {
    this.store = store;
    this.copies = copies;
    this.areas = areas;
    this.guests = guests;
    this.host = host;
    this.heat = heat;
    this.engine = engine;
    this.events = events;
    this.adoption = adoption;
    this.mode = mode;
    this.guard = guard;
    this.executor = Daemons.timer("HyCacheStarter");
  }

  /** Returns a live view of the block pools whose replica map is loaded. */
  Set<String> pools() {
    return pools;
  }

  /** True once all replicas of at least one pool, and of all loaded ones, have been reported. */
  boolean isComplete() {
    return !pools.isEmpty() && unfinished.get() == 0;
  }

  boolean isClosed() {
    return executor.isShutdown();
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }

  /**
   * Called when a block pool's replica map is loaded. The scan runs after the first block report,
   * so as not to compete with it, or after {@value #MAX_BLOCK_REPORT_WAIT_SECONDS} seconds.
   */
  public void poolAdded(String pool) {
    if (unreported.add(pool)) {
      unfinished.incrementAndGet();
    }
    pools.add(pool);
    schedule(MAX_BLOCK_REPORT_WAIT_SECONDS, pool, () -> reported(pool));
  }

  /** Called when a block report of this pool was made or the wait for it has ended. */
  public void reported(String pool) {
    if (unreported.remove(pool)) {
      begin(pool);
    }
  }

  /** Called when a volume was added whose replicas of this pool were not scanned yet. */
  public void volumeAdded(String pool) {
    unfinished.incrementAndGet();
    begin(pool);
  }

  private void begin(String pool) {
    schedule(0, pool, () -> scan(pool, MIN_RESCAN_DELAY_SECONDS));
  }

  private void schedule(int seconds, String pool, Guard.Task action) {
    try {
      ScheduledFuture<?> unused =
          executor.schedule(
              () -> {
                try {
                  guard.run("scan block pool", action);
                } catch (Error e) { // the future is never queried
                  guard.failed("scan block pool", e);
                }
              },
              seconds,
              TimeUnit.SECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("stopping; not scanning pool={}", pool, e);
    } catch (OutOfMemoryError e) {
      // No thread could be created. The callers are HDFS's own threads, which must go on.
      guard.failed("scan block pool", e);
    }
  }

  /**
   * Scans a pool. A failed scan is repeated after {@code againSeconds}, with exponential backoff.
   */
  private void scan(String pool, int againSeconds) throws IOException {
    if (!pools.contains(pool)) {
      unfinished.decrementAndGet(); // it has left: there is nothing to report
      return;
    }
    boolean taken = false;
    try {
      scan(pool);
      taken = true;
      unfinished.decrementAndGet();
    } finally {
      if (!taken) {
        // The files found before the failure were not reported to the engine.
        areas.values().forEach(area -> area.forget(pool));
        int next = Math.min(2 * againSeconds, MAX_RESCAN_DELAY_SECONDS);
        schedule(againSeconds, pool, () -> scan(pool, next));
      }
    }
  }

  /**
   * Adopts clean copies of an earlier process before the engine is notified of the replicas. Each
   * area is scanned once per pool: files that appear later are this process's own.
   */
  private void scan(String pool) throws IOException {
    long begun = System.nanoTime();
    host.devices();
    List<CleanArea> unseen = new ArrayList<>();
    int removed = adoptAll(pool, List.copyOf(areas.values()), file -> {}, unseen);
    int[] replicas = new int[1];
    store.all(
        pool,
        replica -> {
          guests.gone(replica.block());
          engine.onReplica(replica, Home.DISK, null);
          // Report the copy right away, or the engine promotes the checksum file again.
          reportCopy(replica.block());
          if (!store.isFinalizedOnDisk(replica)) {
            // The replica has changed, and that event may have been queued before the one above.
            events.refresh(replica.block());
          }
          awaitPlanner(++replicas[0]);
        },
        view -> {
          reportGuest(view);
          awaitPlanner(++replicas[0]);
        });
    loadHeat(pool);
    LOG.info(
        "scanned block pool: pool={} replicas={} copies={} cleanFilesRemoved={} millis={}",
        pool,
        replicas[0],
        copies.size(),
        removed,
        (System.nanoTime() - begun) / 1_000_000);
    rescan(pool, unseen, MIN_RESCAN_DELAY_SECONDS);
  }

  /** Loads the heat log of each device once; later records in it are this process's own. */
  private void loadHeat(String pool) {
    if (mode == Mode.OFF) {
      return;
    }
    areas.forEach(
        (device, area) -> {
          if (area.watch().isKnownGood() && area.isFirstWarmth(pool)) {
            engine.onHeat(device, pool, heat.read(device), heat.agoNanos(device));
          }
        });
  }

  /**
   * Reports a replica that was seen on SSD. If it was demoted since, the engine may have processed
   * the demotion already; then it is asked to look the block up again.
   */
  private void reportGuest(ReplicaView seen) {
    BlockKey block = seen.replica().block();
    ReplicaView before = store.finalized(block);
    if (before != null && before.data().equals(seen.data())) {
      events.report(before, guests.home(before, areas));
      ReplicaView after = store.finalized(block);
      if (after != null && after.data().equals(seen.data())) {
        return;
      }
    }
    engine.onDoubt(block);
  }

  /**
   * Schedules another scan of areas that could not be scanned, with exponential backoff. Their
   * files are in no space accounting until then.
   */
  private void rescan(String pool, List<CleanArea> unseen, int seconds) {
    if (unseen.isEmpty()) {
      return;
    }
    schedule(
        seconds,
        pool,
        () -> {
          List<CleanArea> left = unseen; // also if the scan throws
          try {
            left = stillUnseen(pool, unseen);
          } finally {
            rescan(pool, left, Math.min(2 * seconds, MAX_RESCAN_DELAY_SECONDS));
          }
        });
  }

  /** Scans areas for the first time; returns those that still can't be scanned. */
  private List<CleanArea> stillUnseen(String pool, List<CleanArea> unseen) {
    var unused = host.devices();
    unseen.retainAll(areas.values());
    if (unseen.stream().noneMatch(area -> area.watch().isKnownGood())) {
      return unseen;
    }
    List<CleanArea> stillUnseen = new ArrayList<>();
    int removed = adoptAll(pool, unseen, this::reportFile, stillUnseen);
    LOG.info("rescanned block pool: pool={} filesRemoved={}", pool, removed);
    loadHeat(pool);
    return stillUnseen;
  }

  /**
   * Waits for the planner after every 1024 blocks: events beyond the capacity of its queue are
   * dropped.
   */
  private void awaitPlanner(int reported) {
    if (reported % 1024 == 0) {
      try {
        engine.awaitRoom();
      } catch (InterruptedException e) {
        // The node is stopping; the next blocking call observes the interrupt.
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Adopts the copies of a pool that are still valid and removes the files of all others.
   *
   * @param among areas to scan
   * @param kept receives each adopted file
   * @param unseen receives the areas that could not be scanned
   * @return number of files removed
   */
  private int adoptAll(
      String pool, List<CleanArea> among, Consumer<CleanFile> kept, List<CleanArea> unseen) {
    int removed = 0;
    for (CleanArea area : among) {
      String device = area.root().getPath();
      List<CleanFile> files = List.of();
      try {
        if (!area.watch().isKnownGood()) {
          unseen.add(area);
        } else if (area.isFirstLook(pool)) {
          files = area.scan(pool);
        }
      } catch (IOException e) {
        guard.failed("scan clean copies on " + device, e);
        unseen.add(area);
      }
      for (CleanFile file : files) {
        if (!pools.contains(pool)) {
          return removed; // the pool is being removed and its replicas are gone; keep the files
        }
        if (mode != Mode.OFF && adoption.adopt(file)) {
          kept.accept(file);
        } else {
          area.remove(file.path());
          removed++;
        }
      }
      if (!unseen.contains(area)) {
        area.looked(pool);
      }
    }
    return removed;
  }

  /** Reports the indexed copy of a block, if any. */
  private void reportCopy(BlockKey block) {
    CleanCopies.Copy copy = copies.get(block);
    if (copy != null) {
      copy.files().forEach(this::reportFile);
    }
  }

  /** Reports an adopted file, and its drop if the copy was dropped meanwhile. */
  private void reportFile(CleanFile file) {
    BlockKey block = file.replica().block();
    String device = file.area().root().getPath();
    engine.onClean(block, file.part(), device, file.allocatedBytes());
    CleanCopies.Copy copy = copies.get(block);
    boolean isData = file.part() == Part.DATA;
    if (copy == null || (isData ? copy.data() : copy.checksums()) == null) {
      // The drop may have been queued before the report above.
      engine.onCleanDropped(block);
    }
  }

  /** Called before a block pool is removed from the replica map. */
  public void poolLeaves(String pool) {
    pools.remove(pool);
  }
}
