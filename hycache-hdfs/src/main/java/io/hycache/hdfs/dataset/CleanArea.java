package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.FastDevice;
import io.hycache.hdfs.conf.DataDirMode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.io.IOUtils;
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
  private static final long USUAL_UNIT_BYTES = 4096;
  private static final long MOST_UNIT_BYTES = 1 << 20;
  private static final String TEMPORARY = ".tmp";

  private final File root;
  private final DeviceWatch watch;
  private final DataDirMode mode;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong dataBytes = new AtomicLong();

  /** Bytes that a file takes at least, and in multiples; 0: not yet known. */
  private final AtomicLong unitBytes = new AtomicLong();

  /** Files that are being made: not for others to judge. */
  private final Set<File> inTheMaking = ConcurrentHashMap.newKeySet();

  /** Block pools whose files were looked through. */
  private final Set<String> lookedThrough = ConcurrentHashMap.newKeySet();

  /** Block pools whose heat was taken up. */
  private final Set<String> warmed = ConcurrentHashMap.newKeySet();

  /** Begins anywhere: what an earlier process left may have any number. */
  private final AtomicInteger lastNumber = new AtomicInteger(ThreadLocalRandom.current().nextInt());

  private final AreaRemover remover;

  /**
   * @param root see {@link #root}
   * @param mode of what is made below the root
   */
  CleanArea(File root, DeviceWatch watch, DataDirMode mode) {
    this.root = root;
    this.watch = watch;
    this.mode = mode;
    this.remover = new AreaRemover(root);
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
    remover.close();
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
            + CleanName.bucket(block)
            + File.separatorChar
            + CleanName.name(replica, part, number));
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

  /** True if a file of this name is being made: it is not for others to judge. */
  boolean isInTheMaking(File bucket, String name) {
    boolean temporary = name.endsWith(TEMPORARY);
    return inTheMaking.contains(
        new File(bucket, temporary ? name.substring(0, name.length() - TEMPORARY.length()) : name));
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

  /** True if a file is to be removed. */
  boolean isDoomed(File file) {
    return remover.isDoomed(file);
  }

  /** See {@link AreaRemover#remove}. */
  void remove(File file) {
    remover.remove(file);
  }

  /** See {@link AreaRemover#unlinkLater}. */
  void unlinkLater(File file) {
    remover.unlinkLater(file);
  }

  /** The device is looked at: what could not be removed before is tried again. Never waits. */
  void looked() {
    remover.looked();
  }

  /** Files that are to be removed and still there. */
  int filesToRemove() {
    return remover.filesToRemove();
  }

  /** Waits until all that was to be removed was tried, after {@link #close}; for tests. */
  boolean awaitRemovals() throws InterruptedException {
    return remover.awaitRemovals();
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

  /** Everything of a pool in the area but what is in the making, see {@link AreaScan#files}. */
  List<CleanFile> scan(String pool) throws IOException {
    return new AreaScan(this, pool).files();
  }
}
