// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.QuietLog;
import java.io.File;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes files from the SSDs that no DataNode uses any more: clean copies of removed block pools,
 * and directories in {@code hycache.cache.dirs} that this DataNode used under an earlier UUID.
 *
 * <p>A pool counts as removed if the dataset does not have it and no data directory contains {@code
 * current/<pool>}, some minutes after the start; the pool of a NameNode that is down or has not
 * registered yet still has that directory. While a data directory is unreadable, no pool counts as
 * removed. A sweep has a thread of its own while it lasts, because it may remove a million files.
 * Thread-safe.
 */
final class OrphanSweep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OrphanSweep.class);

  private final QuietLog failureLog = new QuietLog(LOG);
  private static final String POOL = "BP-";
  private static final long INITIAL_DELAY_MINUTES = 5;
  private static final long PERIOD_MINUTES = 60;

  /** Provides the DataNode's block pools and data directories. */
  interface Pools {
    /** Returns the block pools of the dataset. */
    Set<String> inUse();

    /** Returns all data directories, configured ones and those of the volumes. */
    Set<File> dataDirs();
  }

  private final Pools pools;
  private final Supplier<Collection<CleanArea>> areas;
  private final List<CacheDir> cacheDirs;
  private final Counters counters;
  private volatile boolean closed;

  OrphanSweep(
      Pools pools,
      Supplier<Collection<CleanArea>> areas,
      List<CacheDir> cacheDirs,
      Counters counters) {
    this.pools = pools;
    this.areas = areas;
    this.cacheDirs = cacheDirs;
    this.counters = counters;
  }

  /** Schedules the first sweep on a timer, whose thread does not sweep. Must be called once. */
  void start(ScheduledExecutorService timer) {
    schedule(timer, INITIAL_DELAY_MINUTES);
  }

  private void schedule(ScheduledExecutorService timer, long minutes) {
    try {
      ScheduledFuture<?> unused = timer.schedule(() -> begin(timer), minutes, TimeUnit.MINUTES);
    } catch (RejectedExecutionException e) {
      LOG.debug("stopping", e);
    }
  }

  private void begin(ScheduledExecutorService timer) {
    boolean begun = false;
    try {
      Daemons.named("HyCacheOrphans").newThread(() -> run(timer)).start();
      begun = true;
    } finally {
      if (!begun) {
        schedule(timer, PERIOD_MINUTES); // no thread could be created
      }
    }
  }

  private void run(ScheduledExecutorService timer) {
    try {
      sweep();
    } catch (RuntimeException | Error e) {
      failed(e);
    } finally {
      schedule(timer, PERIOD_MINUTES);
    }
  }

  private void failed(Throwable e) {
    try {
      counters.increment(Counter.FAILURES);
      failureLog.warn(
          e,
          "could not remove clean copies of removed block pools or earlier DataNodes, will retry");
    } catch (RuntimeException | Error again) {
      // Out of memory while logging; the next pass logs again.
    }
  }

  /** Makes one pass. Returns the number of files removed. */
  long sweep() {
    long removed = 0;
    for (CleanArea area : areas.get()) {
      if (!area.watch().sick()) {
        removed += removePools(area);
      }
    }
    for (CacheDir dir : cacheDirs) {
      removed += dir.removeEarlierLives();
    }
    counters.add(Counter.ORPHANS_REMOVED, removed);
    return removed;
  }

  private long removePools(CleanArea area) {
    File dir = new File(area.root(), CleanArea.DIRECTORY);
    String[] names = dir.list((parent, name) -> name.startsWith(POOL));
    long removed = 0;
    if (names == null) {
      return 0;
    }
    for (String pool : names) {
      if (!isGone(pool)) {
        continue;
      }
      try {
        area.watch().checkPresent();
        long files = TreeRemoval.remove(new File(dir, pool).toPath(), path -> isGone(pool));
        removed += files;
        LOG.info(
            "removed clean copies of a removed block pool: pool={} device={} files={}",
            pool,
            area.root(),
            files);
      } catch (IOException e) {
        failureLog.warn(
            e,
            "could not remove clean copies of a removed block pool: pool={} device={}",
            pool,
            area.root());
      }
    }
    return removed;
  }

  private boolean isGone(String pool) {
    if (closed || pools.inUse().contains(pool)) {
      return false;
    }
    Set<File> dirs = new HashSet<>(pools.dataDirs());
    for (File dir : dirs) {
      File current = new File(dir, "current");
      if (current.list() == null || new File(current, pool).exists()) {
        return false;
      }
    }
    return !dirs.isEmpty();
  }

  @Override
  public void close() {
    closed = true;
  }
}
