package io.hycache.hdfs.dataset;

import io.hycache.core.move.DeviceHealth;
import io.hycache.hdfs.move.FileOperation;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches one fast device from a thread of its own, so that one that hangs holds up nobody else.
 *
 * <p>Every two seconds it rewrites a file of 4 KB and reads another one, past the page cache where
 * the file system allows that: a read error, a file system that turned read-only, and a frozen
 * device all show. What it rewrites is left to the page cache, because a sync would wait for all
 * that others have written, and tell of their load instead of the device.
 *
 * <p>Thread-safe.
 */
final class DeviceWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceWatch.class);
  private static final long EVERY_MILLIS = 2000;
  private static final long ANSWER_MILLIS = 500;
  private static final int PROBE_BYTES = 4096;

  private final Path root;
  private final DeviceHealth health = new DeviceHealth();
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, Daemons.named("HyCacheDeviceWatch"));
  private final ByteBuffer written = ByteBuffer.allocateDirect(PROBE_BYTES);
  private final ByteBuffer read =
      ByteBuffer.allocateDirect(2 * PROBE_BYTES).alignedSlice(PROBE_BYTES).limit(PROBE_BYTES);
  private @Nullable OpenOption pastThePageCache = direct();
  private boolean readable;
  private volatile @Nullable Future<?> probing;
  private @Nullable Future<?> asked;

  /**
   * @param root directory of the device
   */
  DeviceWatch(File root) {
    this.root = root.toPath();
    thread.setRemoveOnCancelPolicy(true);
  }

  /** Begins to probe. Call once. */
  DeviceWatch start() {
    probing = thread.scheduleWithFixedDelay(this::probe, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
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

  /** True while the device must not be used. For the read path: no lock, no I/O. */
  boolean sick() {
    return health.sick(System.nanoTime());
  }

  /** A user's read of a file of ours failed. */
  void readFailed() {
    tell(health.failed(System.nanoTime(), false), null);
  }

  /**
   * Asks the device something, on its own thread.
   *
   * @return null if it doesn't answer within half a second, or hasn't answered the last question
   * @throws IOException if the question failed
   */
  synchronized <T> @Nullable T ask(Callable<T> question) throws IOException {
    if (asked != null && !asked.isDone()) {
      return null;
    }
    try {
      Future<T> answer = thread.submit(question);
      asked = answer;
      return answer.get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | RejectedExecutionException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (ExecutionException e) {
      throw new IOException("device does not answer: root=" + root, e.getCause());
    }
  }

  private void probe() {
    health.probing(System.nanoTime());
    try {
      Path dir = root.resolve(CleanArea.DIRECTORY);
      FileOperation.PROBE.before(dir.toFile());
      Files.createDirectories(dir);
      write(dir.resolve("probe.write"), false);
      read(dir.resolve("probe.read"));
      tell(health.probed(System.nanoTime()), null);
    } catch (IOException | RuntimeException e) {
      if (!thread.isShutdown()) {
        tell(health.failed(System.nanoTime(), true), e);
      }
    }
  }

  private void write(Path file, boolean sync) throws IOException {
    written.clear();
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      while (written.hasRemaining()) {
        out.write(written, written.position());
      }
      if (sync) {
        out.force(true);
      }
    }
  }

  private void read(Path file) throws IOException {
    if (!readable) {
      write(file, true);
      readable = true;
    }
    read.clear();
    try (FileChannel in = open(file)) {
      while (read.hasRemaining()) {
        if (in.read(read, read.position()) < 0) {
          readable = false;
          throw new EOFException("probe file is cut off: file=" + file);
        }
      }
    }
  }

  private FileChannel open(Path file) throws IOException {
    OpenOption direct = pastThePageCache;
    if (direct != null) {
      try {
        return FileChannel.open(file, StandardOpenOption.READ, direct);
      } catch (UnsupportedOperationException | IOException e) {
        LOG.debug("no direct reads: root={}", root, e);
        pastThePageCache = null;
      }
    }
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  /** The JDK's option for O_DIRECT; looked up because it is not part of the platform's API. */
  private static @Nullable OpenOption direct() {
    try {
      for (Object option :
          Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
        if (option.toString().equals("DIRECT")) {
          return (OpenOption) option;
        }
      }
    } catch (ClassNotFoundException | RuntimeException e) {
      LOG.debug("this JDK has no direct reads", e);
    }
    return null;
  }

  private void tell(@Nullable String change, @Nullable Exception why) {
    if (change != null) {
      LOG.warn("SSD {}: root={}", change, root, why);
    }
  }
}
