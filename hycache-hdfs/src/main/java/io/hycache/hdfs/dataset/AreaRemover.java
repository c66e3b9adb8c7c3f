package io.hycache.hdfs.dataset;

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
 * Removes files of one area, on the caller's thread or on one of its own, and tries again what
 * could not be removed. Thread-safe.
 */
final class AreaRemover implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AreaRemover.class);
  private static final int IDLE_SECONDS = 10;

  private final File root;

  /** Files to be removed; false: it failed once. No more than there are files in the area. */
  private final Map<File, Boolean> doomed = new ConcurrentHashMap<>();

  /** A pass over what is to be removed waits for the remover, which so has one task to do. */
  private final AtomicBoolean removing = new AtomicBoolean();

  private final ThreadPoolExecutor remover;

  /**
   * @param root of the area; for the log
   */
  AreaRemover(File root) {
    this.root = root;
    this.remover =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(2),
            Daemons.named("HyCacheRemover"));
    this.remover.allowCoreThreadTimeOut(true);
  }

  /** True if a file is to be removed. */
  boolean isDoomed(File file) {
    return doomed.containsKey(file);
  }

  /** Removes a file that is not in the index; if that fails, it is tried again at each look. */
  void remove(File file) {
    doomed.put(file, Boolean.TRUE);
    unlinkDoomed(file);
  }

  /**
   * Removes a file soon, on a thread of the device's own: HDFS's threads, which drop copies of what
   * is about to change, don't wait for it. Until then it is not in the index and serves nobody.
   */
  void unlinkLater(File file) {
    doomed.put(file, Boolean.TRUE);
    removeDoomedSoon();
  }

  /** The device is looked at: what could not be removed before is tried again. Never waits. */
  void looked() {
    if (!doomed.isEmpty()) {
      removeDoomedSoon();
    }
  }

  /** Files that are to be removed and still there. */
  int filesToRemove() {
    return doomed.size();
  }

  /** Waits until all that was to be removed was tried, after {@link #close}; for tests. */
  boolean awaitRemovals() throws InterruptedException {
    return remover.awaitTermination(IDLE_SECONDS, TimeUnit.SECONDS);
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
      LOG.debug("stopping; the next start removes what is left: root={}", root, e);
    } finally {
      if (!begun) { // also if there is no memory for a thread
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
    } catch (IOException | RuntimeException | Error e) { // others are still to be removed
      doomed.replace(file, Boolean.FALSE);
      if (first) {
        LOG.warn("could not remove a clean copy, it is tried again: file={}", file, e);
      }
    }
  }

  @Override
  public void close() {
    remover.shutdown();
  }
}
