// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.move.HostLimit;
import io.hycache.core.move.RequestedTask;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the data files of recently read DISK replicas open.
 *
 * <p>Idea: an open descriptor pins the inode and the directory entries of the whole path in memory,
 * so that opening the file again costs no disk operation. With the checksum file on SSD a cold
 * small read then costs one disk operation, for the data itself. The descriptors are never read
 * from; each read opens its own.
 *
 * <p>Eviction is LRU. The descriptor of a deleted or changed replica is closed at once, because it
 * would keep the file's space allocated. What is idle is closed by a timer, whether files are
 * opened meanwhile or not. Thread-safe; O(1); one descriptor and about 1 KB of kernel memory per
 * file.
 */
final class OpenFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);

  /**
   * Idle time after which a descriptor is closed; bounds how long a file that was read while it was
   * deleted keeps its space allocated.
   */
  private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(1);

  private static final class Kept {
    final FileInputStream stream;
    long usedNanos;

    Kept(FileInputStream stream, long usedNanos) {
      this.stream = stream;
      this.usedNanos = usedNanos;
    }
  }

  /** In the order of their last use, the oldest first. Guarded by itself. */
  private final Map<BlockKey, Kept> open = new LinkedHashMap<>(16, 0.75f, true);

  private final int most;
  private final Counters counters;
  private final LongSupplier nanoTime;
  private final ScheduledExecutorService timer;
  private final RequestedTask idle;

  /**
   * @param most maximum of open files; 0 disables the cache
   * @param counters counts files that a limit of the host does not let it keep open
   */
  OpenFiles(int most, Counters counters) {
    this(most, counters, Daemons.timer("HyCacheOpenFiles"), System::nanoTime);
  }

  /**
   * @param timer closes idle files; its thread waits for the device of a deleted file. Is shut down
   *     by {@link #close()}
   */
  OpenFiles(int most, Counters counters, ScheduledExecutorService timer, LongSupplier nanoTime) {
    this.counters = counters;
    this.timer = timer;
    idle = new RequestedTask(timer, IDLE_TIMEOUT.toMillis(), this::closeIdle);
    this.most = most;
    this.nanoTime = nanoTime;
  }

  /**
   * Keeps the file open that was just opened for a read, if it can: it may have been deleted since,
   * and the process may be at its limit of open files. Then the next read opens it without help.
   */
  void keep(BlockKey block, File data) {
    if (most == 0 || isKept(block)) {
      return;
    }
    FileInputStream stream;
    try {
      stream = new FileInputStream(data);
    } catch (IOException e) {
      if (HostLimit.isCause(e)) {
        counters.increment(Counter.HOST_LIMITS);
      }
      LOG.debug("could not keep a file open: block={}", block, e);
      return;
    }
    Kept before;
    Kept oldest = null;
    synchronized (open) {
      before = open.put(block, new Kept(stream, nanoTime.getAsLong()));
      if (open.size() > most) {
        Iterator<Kept> all = open.values().iterator();
        oldest = all.next();
        all.remove();
      }
    }
    close(before);
    close(oldest);
    idle.request();
  }

  private boolean isKept(BlockKey block) {
    synchronized (open) {
      Kept kept = open.get(block);
      if (kept != null) {
        kept.usedNanos = nanoTime.getAsLong();
      }
      return kept != null;
    }
  }

  private void closeIdle() {
    List<Kept> gone = new ArrayList<>();
    boolean rest;
    synchronized (open) {
      long now = nanoTime.getAsLong();
      Iterator<Kept> all = open.values().iterator();
      while (all.hasNext()) {
        Kept kept = all.next();
        if (now - kept.usedNanos < IDLE_TIMEOUT.toNanos()) {
          break;
        }
        gone.add(kept);
        all.remove();
      }
      rest = !open.isEmpty();
    }
    if (rest) {
      idle.request();
    }
    gone.forEach(OpenFiles::close);
  }

  /** Closes a file. */
  void release(BlockKey block) {
    Kept kept;
    synchronized (open) {
      kept = open.remove(block);
    }
    close(kept);
  }

  void releaseAll() {
    List<Kept> gone;
    synchronized (open) {
      gone = new ArrayList<>(open.values());
      open.clear();
    }
    gone.forEach(OpenFiles::close);
  }

  /** Outside of the lock: the close of a deleted file waits for its device. */
  private static void close(@Nullable Kept kept) {
    if (kept != null) {
      try {
        kept.stream.close();
      } catch (IOException e) {
        LOG.debug("could not close a kept descriptor", e);
      }
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    releaseAll();
  }

  long size() {
    synchronized (open) {
      return open.size();
    }
  }
}
