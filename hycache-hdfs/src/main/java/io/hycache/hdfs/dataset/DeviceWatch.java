package io.hycache.hdfs.dataset;

import io.hycache.core.move.DeviceHealth;
import io.hycache.core.move.HostLimit;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.hdfs.conf.DataDirMode;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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
 * Watches one fast device from a thread of its own, so that one that hangs holds up nobody else.
 *
 * <p>Every two seconds it rewrites a file of 4 KB and reads another one, past the page cache where
 * the file system allows that: a read error, a file system that turned read-only, and a frozen
 * device all show. What it rewrites is left to the page cache, because a sync would wait for all
 * that others have written, and tell of their load instead of the device.
 *
 * <p>A full file system and a limit of the host ({@link HostLimit}) are no sickness: a full device
 * is still read from, and drains. Another file system where the device was (it is not mounted any
 * more) takes the device out of use without a probe, until it is back: nothing is written there.
 *
 * <p>Thread-safe.
 */
final class DeviceWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceWatch.class);
  private static final long EVERY_MILLIS = 2000;
  private static final long ANSWER_MILLIS = 500;
  private static final int PROBE_BYTES = 4096;

  /** What a watch asks of the file system; tests put in their own. */
  interface Files {
    FileChannel open(Path file, Set<OpenOption> options) throws IOException;

    /** Makes one directory, if it is not there; its parent must be. */
    void makeDirectory(Path dir) throws IOException;

    /** Number of the file system that a file lies on; 0 where there are no such numbers. */
    long fileSystem(Path path) throws IOException;
  }

  /** The real ones; what is made has the mode. */
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

  private final Path root;
  private final Path mounted;
  private final Files files;
  private final Counters counters;
  private final DeviceHealth health = new DeviceHealth();
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, Daemons.named("HyCacheDeviceWatch"));
  private final ByteBuffer written = ByteBuffer.allocateDirect(PROBE_BYTES);
  private final ByteBuffer read = aligned(ByteBuffer.allocateDirect(2 * PROBE_BYTES));
  private @Nullable OpenOption pastThePageCache = direct();
  private boolean directWorked;
  private boolean readable;
  private boolean limitLogged;

  /** The file system when the device answered first or was first probed; null before. */
  private final AtomicReference<@Nullable Long> fileSystem = new AtomicReference<>();

  /** Another file system lies there now. */
  private volatile boolean away;

  private volatile boolean wasOutOfUse;

  private volatile @Nullable Future<?> probing;
  private @Nullable Future<?> asked;

  /**
   * One that only asks.
   *
   * @param root directory of the device
   */
  DeviceWatch(File root) {
    this(root, root, files(DataDirMode.OWNER_ONLY), new Counters());
  }

  /**
   * @param mounted what must stay on the file system that it is on when the device answers first:
   *     the root, or the operator's directory around it
   * @param counters count what is the host's and not the device's fault
   */
  DeviceWatch(File root, File mounted, Files files, Counters counters) {
    this.root = root.toPath();
    this.mounted = mounted.toPath();
    this.files = files;
    this.counters = counters;
    thread.setRemoveOnCancelPolicy(true);
  }

  /**
   * A part of a buffer that is as long as a probe and can be read to past the page cache. A buffer
   * that is aligned already has room for two: what is cut off is no part of the result.
   */
  static ByteBuffer aligned(ByteBuffer twice) {
    return twice.alignedSlice(PROBE_BYTES).limit(PROBE_BYTES).slice();
  }

  /**
   * Begins to probe; a directory inside the operator's, once it has answered a question. Call once.
   */
  DeviceWatch start() {
    probing =
        thread.scheduleWithFixedDelay(this::probeGuarded, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
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
    boolean sick = away || health.sick(System.nanoTime());
    if (sick && !wasOutOfUse) {
      wasOutOfUse = true;
    }
    return sick;
  }

  /** True from when the device was sick or gone until {@link #isInUseAgain}. */
  boolean wasOutOfUse() {
    return wasOutOfUse;
  }

  /** What is on the device is trusted no more than what is found at a start. */
  void isInUseAgain() {
    wasOutOfUse = false;
  }

  /** True once the device has answered, and while it is neither sick nor gone. */
  boolean isKnownGood() {
    return fileSystem.get() != null && !sick();
  }

  /**
   * A user's read of a file of ours failed.
   *
   * @return false if that was no fault of the device or of the file, see {@link HostLimit}
   */
  boolean readFailed(Exception why) {
    if (HostLimit.isCause(why)) {
      counters.increment(Counter.HOST_LIMITS);
      return false;
    }
    tell(health.failed(System.nanoTime(), false), null);
    return true;
  }

  /**
   * Looks whether the device is where it was. For threads that may do I/O.
   *
   * @throws IOException if another file system lies there, or it can't be looked
   */
  void checkPresent() throws IOException {
    if (!isPresent(files.fileSystem(mounted))) {
      throw new IOException("another file system lies where the SSD was: root=" + root);
    }
  }

  private boolean isPresent(long now) {
    Long first = fileSystem.get();
    boolean elsewhere = first != null && first != now;
    if (elsewhere != away) {
      wasOutOfUse |= elsewhere;
      away = elsewhere;
      LOG.warn(
          elsewhere
              ? "SSD out of use: another file system lies there, is it mounted? root={}"
              : "SSD is back: root={}",
          root);
    }
    return !elsewhere;
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
      Future<T> answer =
          thread.submit(
              () -> {
                long now = files.fileSystem(mounted);
                if (!isPresent(now)) {
                  throw new IOException("another file system lies where the device was");
                }
                T found = question.call();
                fileSystem.compareAndSet(null, now);
                return found;
              });
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

  private void probeGuarded() {
    try {
      probe();
    } catch (Throwable e) { // the schedule would end with it
      health.notProbed();
    }
  }

  /** One probe, on the device's thread. */
  void probe() {
    if (fileSystem.get() == null && !mounted.equals(root)) {
      // Nobody asked yet, or the operator's directory may not be used.
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
      unlessFull(
          () -> {
            files.makeDirectory(dir);
            write(dir.resolve("probe.write"), false);
          });
      Path file = dir.resolve("probe.read");
      unlessFull(() -> prepare(file));
      if (readable) {
        read(file);
      }
      tell(health.probed(System.nanoTime()), null);
    } catch (IOException | RuntimeException e) {
      if (thread.isShutdown()) {
        return;
      }
      if (HostLimit.isCause(e)) {
        limited(e);
      } else {
        tell(health.failed(System.nanoTime(), true), e);
      }
    } catch (Error e) {
      // The schedule would end with it.
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
      LOG.warn("an SSD could not be probed, for no fault of its own: root={}", root, e);
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  /** A device without a free block can't be written to, and is none the worse for reading. */
  private void unlessFull(Step step) throws IOException {
    try {
      step.run();
    } catch (IOException e) {
      if (!HostLimit.isFull(e)) {
        throw e;
      }
      counters.increment(Counter.HOST_LIMITS);
      LOG.debug("no room for a probe: root={}", root, e);
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

  /** What an earlier process left is as good: on a full device there would be no other. */
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
      // Some file systems open a file for direct reads and then refuse them, or want larger ones
      // than a probe. If it is the device that fails, the next probe is direct again.
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
          throw new EOFException("probe file is cut off: file=" + file);
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
        LOG.debug("no direct reads: root={}", root, e);
        pastThePageCache = null;
      }
    }
    return files.open(file, Set.of(StandardOpenOption.READ));
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
