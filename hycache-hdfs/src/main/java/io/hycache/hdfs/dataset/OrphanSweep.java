package io.hycache.hdfs.dataset;

import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.io.File;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes from the SSDs what no DataNode asks for any more: clean copies of block pools that are
 * gone, and directories of earlier lives of this DataNode in {@code hycache.cache.dirs}.
 *
 * <p>A pool is gone if the dataset doesn't have it and no data directory has {@code
 * current/<pool>}, some minutes after the start: that of a NameNode that is merely down, or has not
 * registered yet, is still there. While a data directory can't be looked at, no pool is gone. A
 * thread of its own does it, so that nobody waits for a million files.
 */
final class OrphanSweep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OrphanSweep.class);
  private static final String POOL = "BP-";
  private static final long FIRST_MINUTES = 5;
  private static final long EVERY_MINUTES = 60;

  /** Where the DataNode's block pools are. */
  interface Pools {
    /** Pools that the dataset has. */
    Set<String> inUse();

    /** All data directories: those configured and those of the volumes. */
    Set<File> dataDirs();
  }

  private final Pools pools;
  private final Supplier<Collection<CleanArea>> areas;
  private final List<CacheDir> cacheDirs;
  private final Counters counters;
  private final CountDownLatch closed = new CountDownLatch(1);

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

  /** Begins, some minutes from now. Call once. */
  void start() {
    Daemons.named("HyCacheOrphans").newThread(this::run).start();
  }

  private void run() {
    try {
      long minutes = FIRST_MINUTES;
      while (!closed.await(minutes, TimeUnit.MINUTES)) {
        minutes = EVERY_MINUTES;
        try {
          sweep();
        } catch (RuntimeException | Error e) {
          failed(e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void failed(Throwable e) {
    try {
      counters.increment(Counter.FAILURES);
      LOG.warn(
          "clean copies of removed block pools or earlier DataNodes were not removed, it is tried again",
          e);
    } catch (RuntimeException | Error again) {
      // No memory for a line: the next pass says more.
    }
  }

  /** One pass. Returns the files removed. */
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
            "removed clean copies of a block pool that is gone: pool={} device={} files={}",
            pool,
            area.root(),
            files);
      } catch (IOException e) {
        LOG.warn(
            "could not remove clean copies of a block pool that is gone: pool={} device={}",
            pool,
            area.root(),
            e);
      }
    }
    return removed;
  }

  private boolean isGone(String pool) {
    if (closed.getCount() == 0 || pools.inUse().contains(pool)) {
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
    closed.countDown();
  }
}
