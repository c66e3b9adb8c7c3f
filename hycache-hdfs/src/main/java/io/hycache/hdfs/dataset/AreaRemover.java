// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.stats.QuietLog;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes files of one area, on the caller's thread or its own, and retries failed removals.
 * Thread-safe.
 */
final class AreaRemover implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AreaRemover.class);

  private final QuietLog failureLog = new QuietLog(LOG);
  private static final int THREAD_KEEP_ALIVE_SECONDS = 10;

  private final File root;

  /**
   * Files that must be removed; false after a failed attempt. Bounded by the number of files in the
   * area.
   */
  private final Map<File, Boolean> doomed = new ConcurrentHashMap<>();

  /** True while a removal pass is queued, so that at most one is. */
  private final AtomicBoolean removing = new AtomicBoolean();

  private final ThreadPoolExecutor remover;

  /**
   * @param root root of the area, for log lines
   */
  AreaRemover(File root) {
    this.root = root;
    this.remover =
        new ThreadPoolExecutor(
            1,
            1,
            THREAD_KEEP_ALIVE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(2),
            Daemons.named("HyCacheRemover"));
    this.remover.allowCoreThreadTimeOut(true);
  }

  /** Returns true if a file is queued for removal. */
  boolean isDoomed(File file) {
    return doomed.containsKey(file);
  }

  /**
   * Removes a file that is not in the index. A failed removal is retried at each {@link #looked}.
   */
  void remove(File file) {
    doomed.put(file, Boolean.TRUE);
    unlinkDoomed(file);
  }

  /**
   * Removes a file on the device's own thread, so that HDFS's threads, which drop copies before a
   * replica changes, do not wait for it. The file must have left the index.
   */
  void unlinkLater(File file) {
    doomed.put(file, Boolean.TRUE);
    removeDoomedSoon();
  }

  /**
   * Called at each check of the device: retries failed removals on the device's own thread. Never
   * blocks.
   */
  void looked() {
    if (!doomed.isEmpty()) {
      removeDoomedSoon();
    }
  }

  /** Returns the number of files queued for removal. */
  int filesToRemove() {
    return doomed.size();
  }

  /** Waits until the queued removals were attempted, after {@link #close}. For tests. */
  boolean awaitRemovals() throws InterruptedException {
    return remover.awaitTermination(THREAD_KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
  }

  private void removeDoomedSoon() {
    if (!removing.compareAndSet(false, true)) {
      return;
    }
    boolean begun = false;
    try {
      remover.execute(
          () -> {
            removing.set(false);
            doomed.keySet().forEach(this::unlinkDoomed);
          });
      begun = true;
    } catch (RejectedExecutionException e) {
      LOG.debug("stopping; the next start removes the remaining files: root={}", root, e);
    } finally {
      if (!begun) { // also if no thread could be started
        removing.set(false);
      }
    }
  }

  private void unlinkDoomed(File file) {
    Boolean first = doomed.get(file);
    if (first == null) {
      return; // another thread has removed it
    }
    try {
      FileOperation.UNLINK.before(file);
      Files.deleteIfExists(file.toPath());
      doomed.remove(file);
    } catch (IOException | RuntimeException | Error e) { // go on with the other files
      doomed.replace(file, Boolean.FALSE);
      if (first) {
        failureLog.warn(e, "could not remove a clean copy, will retry: file={}", file);
      }
    }
  }

  @Override
  public void close() {
    remover.shutdown();
  }
}
