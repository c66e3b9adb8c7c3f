// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.move.DeviceHealth;
import io.hycache.core.move.HostLimit;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.QuietLog;
import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.device.DirectIo;
import io.hycache.hdfs.device.FileSystemNumber;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitors one device on its own thread, so that a hanging device does not block others. HDDs are
 * asked, but not probed.
 *
 * <p>Every two seconds it rewrites a file of 4 KB and reads another one, with direct I/O where the
 * file system supports it. This detects read errors, a file system that turned read-only, and a
 * frozen device. The rewritten file is not synced, because a sync would wait for the writes of
 * others and measure their load instead of the device.
 *
 * <p>A full file system and a limit of the host ({@link HostLimit}) do not make a device sick: a
 * full device still serves reads, and is demoted from. If another file system is mounted in the
 * device's place (it was unmounted), the device is out of use without a probe until it returns:
 * nothing is written there.
 *
 * <p>Thread-safe.
 */
final class DeviceWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceWatch.class);
  private static final long PROBE_INTERVAL_MILLIS = 2000;
  private static final long PROBE_TIMEOUT_MILLIS = 500;
  private static final int PROBE_BYTES = 4096;

  /** File system operations of a watch; tests replace them. */
  interface Files {
    FileChannel open(Path file, Set<OpenOption> options) throws IOException;

    /** Creates a directory if it does not exist; its parent must exist. */
    void makeDirectory(Path dir) throws IOException;

    /** Returns the number of the file system that a file lies on; 0 if unsupported. */
    long fileSystem(Path path) throws IOException;
  }

  /** Returns the real operations, which create files and directories with a mode. */
  static Files files(DataDirMode mode) {
    return new Files() {
      @Override
      public FileChannel open(Path file, Set<OpenOption> options) throws IOException {
        return mode.open(file, options);
      }

      @Override
      public void makeDirectory(Path dir) throws IOException {
        mode.makeDirectory(dir);
      }

      @Override
      public long fileSystem(Path path) throws IOException {
        return FileSystemNumber.of(path);
      }
    };
  }

  /**
   * Each HDD is asked by a thread of its own, which ends between two questions while the DataNode
   * has nothing to do, but not between those of a write: three a second, and two more.
   */
  private static final long QUERY_THREAD_IDLE_MILLIS = 500;

  private final Path root;
  private final Path mounted;
  private final Files files;
  private final Counters counters;
  private final DeviceHealth health = new DeviceHealth();
  private final QuietLog outLog = new QuietLog(LOG);
  private final QuietLog backLog = new QuietLog(LOG);

  /** Its thread ends while the device is neither probed nor asked. */
  private final ScheduledThreadPoolExecutor thread = Daemons.timer("HyCacheDeviceWatch");

  private final ByteBuffer written = ByteBuffer.allocateDirect(PROBE_BYTES);
  private final ByteBuffer read = aligned(ByteBuffer.allocateDirect(2 * PROBE_BYTES));
  private @Nullable OpenOption pastThePageCache = DirectIo.OPTION;
  private boolean directWorked;
  private boolean readable;
  private boolean limitLogged;

  /** The file system number at the first answer or probe of the device; null before. */
  private final AtomicReference<@Nullable Long> fileSystem = new AtomicReference<>();

  /** True while another file system is mounted in the device's place. */
  private volatile boolean away;

  private volatile boolean wasOutOfUse;

  private volatile @Nullable Future<?> probing;
  private @Nullable Future<?> asked;

  /**
   * Creates a watch that answers queries but does not probe.
   *
   * @param root directory of the device
   */
  DeviceWatch(File root) {
    this(root, root, files(DataDirMode.OWNER_ONLY), new Counters());
    thread.setKeepAliveTime(QUERY_THREAD_IDLE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * @param mounted the directory that must stay on its file system after the first answer: the
   *     root, or the configured directory that contains it
   * @param counters counts failures of the host that are not the device's fault
   */
  DeviceWatch(File root, File mounted, Files files, Counters counters) {
    this.root = root.toPath();
    this.mounted = mounted.toPath();
    this.files = files;
    this.counters = counters;
    thread.setRemoveOnCancelPolicy(true);
  }

  /**
   * Returns an aligned slice of a buffer, as long as a probe, for direct I/O. A buffer that is
   * aligned already has space for two probes, so the slice is limited.
   */
  static ByteBuffer aligned(ByteBuffer twice) {
    return twice.alignedSlice(PROBE_BYTES).limit(PROBE_BYTES).slice();
  }

  /**
   * Starts probing. A directory inside the configured one is probed only after it has answered a
   * query. Must be called once.
   */
  DeviceWatch start() {
    probing =
        thread.scheduleWithFixedDelay(
            this::probeGuarded, 0, PROBE_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    return this;
  }

  @Override
  public void close() {
    Future<?> p = probing;
    if (p != null) {
      p.cancel(false);
    }
    thread.shutdownNow();
  }

  /** Returns true while the device must not be used. Used on the read path: no lock, no I/O. */
  boolean sick() {
    return sick(System.nanoTime());
  }

  /** As {@link #sick()}, at that time. For tests. */
  boolean sick(long nowNanos) {
    boolean sick = away || health.sick(nowNanos);
    if (sick && !wasOutOfUse) {
      wasOutOfUse = true;
    }
    return sick;
  }

  /** Returns true after the device was sick or missing, until {@link #isInUseAgain}. */
  boolean wasOutOfUse() {
    return wasOutOfUse;
  }

  /** Clears {@link #wasOutOfUse}, after the files on the device were marked as unverified. */
  void isInUseAgain() {
    wasOutOfUse = false;
  }

  /** Returns the number of its file system; 0 until the device has answered. */
  long fileSystem() {
    Long number = fileSystem.get();
    return number == null ? 0 : number;
  }

  /** Returns true once the device has answered, and while it is neither sick nor missing. */
  boolean isKnownGood() {
    return fileSystem.get() != null && !sick();
  }

  /**
   * Records that a user's read of a clean copy failed.
   *
   * @return false if neither the device nor the file was at fault, see {@link HostLimit}
   */
  boolean readFailed(Exception why) {
    if (HostLimit.isCause(why)) {
      counters.increment(Counter.HOST_LIMITS);
      return false;
    }
    logChange(health.failed(System.nanoTime(), false), null);
    return true;
  }

  /**
   * Checks that the device is still mounted, and returns the number of its file system. Does I/O.
   *
   * @throws IOException if another file system is mounted there, or the check fails
   */
  long checkPresent() throws IOException {
    long now = files.fileSystem(mounted);
    if (!isPresent(now)) {
      throw new IOException("another file system is mounted in the device's place: root=" + root);
    }
    return now;
  }

  private boolean isPresent(long now) {
    Long first = fileSystem.get();
    boolean elsewhere = first != null && first != now;
    if (elsewhere != away) {
      wasOutOfUse |= elsewhere;
      away = elsewhere;
      LOG.warn(
          elsewhere
              ? "device out of use: another file system is in its place, is it mounted? root={}"
              : "device is back: root={}",
          root);
    }
    return !elsewhere;
  }

  /**
   * Runs a query on the device's own thread.
   *
   * @return null if it does not answer within half a second, or has not answered the previous query
   * @throws IOException if the query failed
   */
  synchronized <T> @Nullable T ask(Callable<T> question) throws IOException {
    if (asked != null && !asked.isDone()) {
      return null;
    }
    try {
      Future<T> answer =
          thread.submit(
              () -> {
                health.probing(System.nanoTime()); // a device that never answers is sick
                try {
                  long now = checkPresent();
                  T found = question.call();
                  fileSystem.compareAndSet(null, now);
                  return found;
                } finally {
                  health.notProbed();
                }
              });
      asked = answer;
      return answer.get(PROBE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | RejectedExecutionException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (ExecutionException e) {
      throw new IOException("device does not answer: root=" + root, e.getCause());
    }
  }

  private void probeGuarded() {
    try {
      probe();
    } catch (Throwable e) { // otherwise the executor would cancel the probes
      health.notProbed();
    }
  }

  /** Makes one probe, on the device's thread. */
  void probe() {
    if (fileSystem.get() == null && !mounted.equals(root)) {
      // No query was answered yet, or the configured directory must not be used.
      return;
    }
    health.probing(System.nanoTime());
    try {
      long now = files.fileSystem(mounted);
      if (!isPresent(now)) {
        health.notProbed();
        return;
      }
      fileSystem.compareAndSet(null, now);
      Path dir = root.resolve(CleanArea.DIRECTORY);
      FileOperation.PROBE.before(dir.toFile());
      unlessFull(() -> writeIn(dir, "probe.write"));
      Path file = dir.resolve("probe.read");
      unlessFull(() -> prepare(file));
      if (readable) {
        read(file);
      }
      logChange(health.probed(System.nanoTime()), null);
    } catch (IOException | RuntimeException e) {
      if (thread.isShutdown()) {
        return;
      }
      if (HostLimit.isCause(e)) {
        limited(e);
      } else {
        logChange(health.failed(System.nanoTime(), true), e);
      }
    } catch (Error e) {
      // Otherwise the executor would cancel the probes.
      try {
        limited(e);
      } catch (Error again) {
        health.notProbed();
      }
    }
  }

  private void limited(Throwable e) {
    health.notProbed();
    counters.increment(Counter.HOST_LIMITS);
    if (!limitLogged) {
      limitLogged = true;
      LOG.warn("could not probe an SSD because of a limit of the host: root={}", root, e);
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  /** A device without a free block can't be written to, but still serves reads. */
  private void unlessFull(Step step) throws IOException {
    try {
      step.run();
    } catch (IOException e) {
      if (!HostLimit.isFull(e)) {
        throw e;
      }
      counters.increment(Counter.HOST_LIMITS);
      LOG.debug("no space for a probe: root={}", root, e);
    }
  }

  private void writeIn(Path dir, String name) throws IOException {
    Path file = dir.resolve(name);
    try {
      write(file, false);
    } catch (NoSuchFileException e) {
      files.makeDirectory(dir);
      write(file, false);
    }
  }

  private void write(Path file, boolean sync) throws IOException {
    written.clear();
    try (FileChannel out =
        files.open(file, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE))) {
      while (written.hasRemaining()) {
        out.write(written, written.position());
      }
      if (sync) {
        out.force(true);
      }
    }
  }

  /** A probe file of an earlier process is reused: on a full device no other could be created. */
  private void prepare(Path file) throws IOException {
    if (readable) {
      return;
    }
    if (!java.nio.file.Files.isRegularFile(file) || java.nio.file.Files.size(file) < PROBE_BYTES) {
      write(file, true);
    }
    readable = true;
  }

  private void read(Path file) throws IOException {
    OpenOption direct = pastThePageCache;
    try {
      readOnce(file);
      directWorked |= pastThePageCache != null;
    } catch (IOException e) {
      if (direct == null || directWorked || e instanceof EOFException || HostLimit.isCause(e)) {
        throw e;
      }
      // Some file systems open a file for direct reads and then refuse them, or require larger ones
      // than a probe. If the device is at fault, the next probe is direct again.
      pastThePageCache = null;
      try {
        readOnce(file);
      } catch (IOException again) {
        pastThePageCache = direct;
        throw again;
      }
      LOG.info("SSD is probed through the page cache: root={}", root, e);
    }
  }

  private void readOnce(Path file) throws IOException {
    read.clear();
    try (FileChannel in = open(file)) {
      while (read.hasRemaining()) {
        if (in.read(read, read.position()) < 0) {
          readable = false;
          throw new EOFException("probe file is truncated: file=" + file);
        }
      }
    }
  }

  private FileChannel open(Path file) throws IOException {
    OpenOption direct = pastThePageCache;
    if (direct != null) {
      try {
        return files.open(file, Set.of(StandardOpenOption.READ, direct));
      } catch (UnsupportedOperationException | IOException e) {
        if (HostLimit.isCause(e)) {
          throw e;
        }
        LOG.debug("direct reads are not supported: root={}", root, e);
        pastThePageCache = null;
      }
    }
    return files.open(file, Set.of(StandardOpenOption.READ));
  }

  private void logChange(@Nullable String change, @Nullable Exception why) {
    if (change != null) {
      (health.sick(System.nanoTime()) ? outLog : backLog)
          .warn(why, "SSD {}: root={}", change, root);
    }
  }
}
