package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.FastDevice;
import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.move.FileOperation;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.io.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names and files of the clean copies on one fast device: {@code <root>/hycache/<pool>/<xx>/
 * blk_<id>_<gs>_<length>_<number>.{data,meta}}. A file appears under its name only when it is
 * complete and synced; until then it ends in {@code .tmp}. A name is not used twice: the number
 * differs. Outside {@code current/}, so HDFS never looks at it.
 */
final class CleanArea implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CleanArea.class);
  static final String DIRECTORY = "hycache";
  private static final int IDLE_SECONDS = 10;
  private static final long USUAL_UNIT_BYTES = 4096;
  private static final long MOST_UNIT_BYTES = 1 << 20;
  private static final int MOST_SCAN_THREADS = 8;
  private static final String TEMPORARY = ".tmp";
  private static final String DATA = ".data";
  private static final String CHECKSUMS = ".meta";
  private static final String BLOCK = "blk_";

  private final File root;
  private final DeviceWatch watch;
  private final DataDirMode mode;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong dataBytes = new AtomicLong();

  /** Bytes that a file takes at least, and in multiples; 0: not yet known. */
  private final AtomicLong unitBytes = new AtomicLong();

  /** Files to be removed; false: it failed once. No more than there are files in the area. */
  private final Map<File, Boolean> doomed = new ConcurrentHashMap<>();

  /** Files that are being made: not for others to judge. */
  private final Set<File> inTheMaking = ConcurrentHashMap.newKeySet();

  /** Block pools whose files were looked through. */
  private final Set<String> lookedThrough = ConcurrentHashMap.newKeySet();

  /** Block pools whose heat was taken up. */
  private final Set<String> warmed = ConcurrentHashMap.newKeySet();

  /** A pass over what is to be removed waits for the remover, which so has one task to do. */
  private final AtomicBoolean removing = new AtomicBoolean();

  /** Begins anywhere: what an earlier process left may have any number. */
  private final AtomicInteger lastNumber = new AtomicInteger(ThreadLocalRandom.current().nextInt());

  private final ThreadPoolExecutor remover;

  /**
   * @param root see {@link #root}
   * @param mode of what is made below the root
   */
  CleanArea(File root, DeviceWatch watch, DataDirMode mode) {
    this.root = root;
    this.watch = watch;
    this.mode = mode;
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

  /** The device's directory: a volume's or one of {@code hycache.cache.dirs}. */
  File root() {
    return root;
  }

  DeviceWatch watch() {
    return watch;
  }

  /** Mode of what is made below {@link #root}. A hard link of a replica's file keeps HDFS's. */
  DataDirMode mode() {
    return mode;
  }

  /**
   * What the device's file system gives space in. Only the first word counts, and none once {@link
   * #allocatedBytes} was asked: what was counted is to be taken off as it was put on.
   */
  void allocatesBy(long bytes) {
    if (bytes > 0 && bytes <= MOST_UNIT_BYTES) {
      unitBytes.compareAndSet(0, bytes);
    }
  }

  /** True once {@link #allocatesBy} has nothing more to say. */
  boolean knowsUnit() {
    return unitBytes.get() > 0;
  }

  /**
   * What a file of a length takes on the device: a checksum file of 15 bytes takes a block of the
   * file system, too.
   */
  long allocatedBytes(long lengthBytes) {
    unitBytes.compareAndSet(0, USUAL_UNIT_BYTES);
    return FastDevice.allocatedBytes(lengthBytes, unitBytes.get());
  }

  /** Bytes that the clean copies in the index take on the device. */
  long bytes() {
    return bytes.get();
  }

  /** Of these, the data: checksum files don't make way for writes. */
  long dataBytes() {
    return dataBytes.get();
  }

  void count(Part part, long delta) {
    bytes.addAndGet(delta);
    if (part == Part.DATA) {
      dataBytes.addAndGet(delta);
    }
  }

  @Override
  public void close() {
    watch.close();
    remover.shutdown();
  }

  /** A number for a new file, 0 to 2^31 - 1. */
  int nextNumber() {
    return lastNumber.incrementAndGet() & Integer.MAX_VALUE;
  }

  /** The name a complete copy has. */
  File file(Replica replica, Part part, int number) {
    BlockKey block = replica.block();
    return new File(
        root,
        DIRECTORY
            + File.separatorChar
            + block.pool()
            + File.separatorChar
            + bucket(block)
            + File.separatorChar
            + name(replica, part, number));
  }

  private static String bucket(BlockKey block) {
    int bucket = (int) (block.id() >> 8) & 0xff;
    return new String(
        new char[] {Character.forDigit(bucket >> 4, 16), Character.forDigit(bucket & 0xf, 16)});
  }

  private static String name(Replica replica, Part part, int number) {
    return BLOCK
        + replica.block().id()
        + "_"
        + replica.generationStamp()
        + "_"
        + replica.lengthBytes()
        + "_"
        + number
        + (part == Part.DATA ? DATA : CHECKSUMS);
  }

  /**
   * A new file is going to be made: makes the directory that it will lie in, and keeps {@link
   * #scan} off it. {@link #made} must follow, also if this throws.
   *
   * @throws IOException if that can't be, or another file system lies where the device was: then
   *     nothing is made there
   */
  void prepare(File file) throws IOException {
    inTheMaking.add(file);
    watch.checkPresent();
    FileOperation.MKDIR.before(file.getParentFile());
    makeDirectories(file.getParentFile());
  }

  /** A new file is in the index, or was removed. */
  void made(File file) {
    inTheMaking.remove(file);
  }

  private boolean isInTheMaking(File bucket, String name) {
    boolean temporary = name.endsWith(TEMPORARY);
    return inTheMaking.contains(
        new File(bucket, temporary ? name.substring(0, name.length() - TEMPORARY.length()) : name));
  }

  /** True if a file is to be removed. */
  boolean isDoomed(File file) {
    return doomed.containsKey(file);
  }

  /** The name that a new file has until it is complete. */
  static File temporary(File file) {
    return new File(file.getPath() + TEMPORARY);
  }

  /** Gives a complete, synced file its name and syncs the directory. */
  void publish(File temporary, File file) throws IOException {
    FileOperation.RENAME.before(file);
    Files.move(temporary.toPath(), file.toPath(), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    FileOperation.SYNC.before(file.getParentFile());
    IOUtils.fsync(file.getParentFile());
  }

  /** Makes what is missing below the device's directory, but never that one. */
  private void makeDirectories(File dir) throws IOException {
    if (!dir.isDirectory()) {
      if (!dir.getParentFile().equals(root)) {
        makeDirectories(dir.getParentFile());
      }
      mode.makeDirectory(dir.toPath());
    }
  }

  /**
   * Removes a file that is in no area; a failure is logged and costs space until the next start.
   */
  static void unlink(File file) {
    try {
      FileOperation.UNLINK.before(file);
      Files.deleteIfExists(file.toPath());
    } catch (IOException e) {
      LOG.warn("could not remove a half copy: file={}", file, e);
    }
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

  /** True until {@link #looked(String)}: after that all that lies here is this process's. */
  boolean isFirstLook(String pool) {
    return !lookedThrough.contains(pool);
  }

  /** The pool's files here are known. */
  void looked(String pool) {
    lookedThrough.add(pool);
  }

  /** True the first time: the pool's heat is to be taken up. */
  boolean isFirstWarmth(String pool) {
    return warmed.add(pool);
  }

  /** The pool is gone; if it comes again it is looked through again. */
  void forget(String pool) {
    lookedThrough.remove(pool);
  }

  /**
   * Everything of a pool in the area but what is in the making; removes temporary and foreign files
   * on the way. There may be a million: of checksum files the name has to do. The lengths of data
   * files take time, one read of the cold device after the other, so that several threads look at
   * once.
   */
  List<CleanFile> scan(String pool) throws IOException {
    List<CleanFile> found = new ArrayList<>();
    File dir = new File(new File(root, DIRECTORY), pool);
    if (!dir.isDirectory()) {
      return found;
    }
    ExecutorService readers =
        Executors.newFixedThreadPool(
            Math.min(MOST_SCAN_THREADS, Runtime.getRuntime().availableProcessors()),
            Daemons.named("HyCacheScan"));
    try {
      List<Future<List<CleanFile>>> buckets = new ArrayList<>();
      for (String bucket : names(dir)) {
        buckets.add(readers.submit(() -> scanBucket(pool, new File(dir, bucket))));
      }
      for (Future<List<CleanFile>> bucket : buckets) {
        found.addAll(await(bucket));
      }
      return found;
    } catch (ExecutionException e) {
      throw new IOException("can't look through " + dir + ": " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while looking through " + dir);
    } finally {
      readers.shutdownNow();
    }
  }

  private <T> T await(Future<T> answer)
      throws IOException, InterruptedException, ExecutionException {
    while (true) {
      try {
        return answer.get(1, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        if (watch.sick()) {
          throw new IOException("SSD out of use while it was looked through: root=" + root, e);
        }
      }
    }
  }

  private List<CleanFile> scanBucket(String pool, File bucket) throws IOException {
    List<CleanFile> found = new ArrayList<>();
    if (!bucket.isDirectory()) {
      remove(bucket);
      return found;
    }
    for (String name : names(bucket)) {
      if (isInTheMaking(bucket, name)) {
        continue;
      }
      CleanFile clean = parse(pool, bucket, name);
      if (clean == null) {
        remove(new File(bucket, name));
      } else {
        found.add(clean);
      }
    }
    return found;
  }

  private static String[] names(File dir) throws IOException {
    FileOperation.LIST.before(dir);
    String[] names = dir.list();
    if (names == null) {
      throw new NotDirectoryException(dir.getPath());
    }
    return names;
  }

  /** The file of that name in a bucket; null if no complete copy has that name there. */
  private @Nullable CleanFile parse(String pool, File bucket, String name) {
    Part part = name.endsWith(DATA) ? Part.DATA : Part.CHECKSUM;
    int stamp = name.indexOf('_', BLOCK.length());
    int length = name.indexOf('_', stamp + 1);
    int number = name.indexOf('_', length + 1);
    int end = name.lastIndexOf('.');
    if (!name.startsWith(BLOCK) || stamp < 0 || length < 0 || number < 0 || end < number) {
      return null;
    }
    try {
      Replica replica =
          new Replica(
              new BlockKey(pool, Long.parseLong(name, BLOCK.length(), stamp, 10)),
              Long.parseLong(name, stamp + 1, length, 10),
              Long.parseLong(name, length + 1, number, 10));
      int its = Integer.parseInt(name, number + 1, end, 10);
      // What parses may still be written otherwise, or lie where nobody would look for it.
      if (!name.equals(name(replica, part, its))
          || !bucket.getName().equals(bucket(replica.block()))) {
        return null;
      }
      return part == Part.CHECKSUM
          ? CleanFile.unmeasured(this, replica, its)
          : CleanFile.found(this, replica, its, new File(bucket, name).length());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
