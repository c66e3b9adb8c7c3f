// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.RemovalNotification;
import io.hycache.core.model.BlockKey;
import io.hycache.core.move.RequestedTask;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
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

  private final Cache<BlockKey, FileInputStream> open;
  private final boolean none;
  private final ScheduledExecutorService timer;
  private final RequestedTask idle;

  /**
   * @param most maximum of open files; 0 disables the cache
   */
  OpenFiles(int most) {
    this(most, Daemons.timer("HyCacheOpenFiles"), System::nanoTime);
  }

  /**
   * @param timer closes idle files; its thread waits for the device of a deleted file. Is shut down
   *     by {@link #close()}
   */
  OpenFiles(int most, ScheduledExecutorService timer, LongSupplier nanoTime) {
    this.timer = timer;
    idle = new RequestedTask(timer, IDLE_TIMEOUT.toMillis(), this::closeIdle);
    none = most == 0;
    open =
        CacheBuilder.newBuilder()
            .maximumSize(most)
            .concurrencyLevel(1)
            .expireAfterAccess(IDLE_TIMEOUT)
            .ticker(
                new Ticker() {
                  @Override
                  public long read() {
                    return nanoTime.getAsLong();
                  }
                })
            .<BlockKey, FileInputStream>removalListener(OpenFiles::close)
            .build();
  }

  private static void close(RemovalNotification<BlockKey, FileInputStream> gone) {
    FileInputStream stream = gone.getValue();
    if (stream != null) {
      try {
        stream.close();
      } catch (IOException e) {
        LOG.debug("could not close a kept descriptor: block={}", gone.getKey(), e);
      }
    }
  }

  /** Keeps the file open that was just opened for a read. */
  void keep(BlockKey block, File data) throws IOException {
    if (!none && open.getIfPresent(block) == null) {
      open.put(block, new FileInputStream(data));
      idle.request();
    }
  }

  private void closeIdle() {
    try {
      open.cleanUp();
    } finally {
      if (open.size() > 0) {
        idle.request();
      }
    }
  }

  /** Closes a file. */
  void release(BlockKey block) {
    open.invalidate(block);
  }

  void releaseAll() {
    open.invalidateAll();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    releaseAll();
  }

  long size() {
    return open.size();
  }
}
