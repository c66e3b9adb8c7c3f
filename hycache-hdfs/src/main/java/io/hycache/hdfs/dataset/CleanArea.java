// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
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
 * The clean copies' files on one fast device: {@code <root>/hycache/<pool>/<xx>/
 * blk_<id>_<gs>_<length>_<number>.{data,meta}}. A file gets its name when it is complete and
 * synced; until then the name ends in {@code .tmp}. Names are unique because of the number. The
 * directory lies outside {@code current/}, where HDFS does not look. Thread-safe.
 */
final class CleanArea implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CleanArea.class);
  static final String DIRECTORY = "hycache";
  private static final long DEFAULT_ALLOCATION_UNIT_BYTES = 4096;
  private static final long MAX_ALLOCATION_UNIT_BYTES = 1 << 20;
  private static final String TEMPORARY = ".tmp";

  private final File root;
  private final DeviceWatch watch;
  private final DataDirMode mode;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong dataBytes = new AtomicLong();

  /** The file system's allocation unit; 0 until known. */
  private final AtomicLong unitBytes = new AtomicLong();

  /** Files that are being created, which a scan must skip. */
  private final Set<File> inTheMaking = ConcurrentHashMap.newKeySet();

  /** Block pools whose files were scanned. */
  private final Set<String> lookedThrough = ConcurrentHashMap.newKeySet();

  /** Block pools whose heat was loaded. */
  private final Set<String> warmed = ConcurrentHashMap.newKeySet();

  /** Starts at a random number, because files of an earlier process may have any. */
  private final AtomicInteger lastNumber = new AtomicInteger(ThreadLocalRandom.current().nextInt());

  private final AreaRemover remover;
  private volatile boolean closed;

  /**
   * @param root see {@link #root}
   * @param mode of files and directories created below the root
   */
  CleanArea(File root, DeviceWatch watch, DataDirMode mode) {
    this.root = root;
    this.watch = watch;
    this.mode = mode;
    this.remover = new AreaRemover(root);
  }

  /** Returns the device's directory: a volume root or one of {@code hycache.cache.dirs}. */
  File root() {
    return root;
  }

  DeviceWatch watch() {
    return watch;
  }

  /**
   * Returns the mode of files and directories created below {@link #root}. Hard links of a
   * replica's files keep HDFS's mode.
   */
  DataDirMode mode() {
    return mode;
  }

  /**
   * Sets the file system's allocation unit. Only the first call has an effect, and none after
   * {@link #allocatedBytes} was called, so that the same amount is added for a file and subtracted
   * later.
   */
  void allocatesBy(long bytes) {
    if (bytes > 0 && bytes <= MAX_ALLOCATION_UNIT_BYTES) {
      unitBytes.compareAndSet(0, bytes);
    }
  }

  /** Returns true once the allocation unit is set. */
  boolean knowsUnit() {
    return unitBytes.get() > 0;
  }

  /**
   * Returns the bytes allocated to a file of a length: a checksum file of 15 bytes takes a whole
   * allocation unit.
   */
  long allocatedBytes(long lengthBytes) {
    unitBytes.compareAndSet(0, DEFAULT_ALLOCATION_UNIT_BYTES);
    return FastDevice.allocatedBytes(lengthBytes, unitBytes.get());
  }

  /** Returns the bytes allocated to clean copies in the index. */
  long bytes() {
    return bytes.get();
  }

  /** Returns the part of {@link #bytes} that is data; checksum files are not evicted for writes. */
  long dataBytes() {
    return dataBytes.get();
  }

  void count(Part part, long delta) {
    bytes.addAndGet(delta);
    if (part == Part.DATA) {
      dataBytes.addAndGet(delta);
    }
  }

  /** Returns true once the device was removed or the node has stopped. */
  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    watch.close();
    remover.close();
  }

  /** Returns the number of a new file, 0 to 2^31 - 1. */
  int nextNumber() {
    return lastNumber.incrementAndGet() & Integer.MAX_VALUE;
  }

  /** Returns the path of a complete file. */
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
   * Prepares the creation of a file: creates its directory, and makes {@link #scan} skip it. {@link
   * #made} must follow, also if this throws.
   *
   * @throws IOException if the directory can't be created, or another file system is mounted in the
   *     device's place; then nothing is created
   */
  void prepare(File file) throws IOException {
    inTheMaking.add(file);
    watch.checkPresent();
    FileOperation.MKDIR.before(file.getParentFile());
    makeDirectories(file.getParentFile());
  }

  /** Ends {@link #prepare}: the file is in the index or was removed. */
  void made(File file) {
    inTheMaking.remove(file);
  }

  /** Returns true if the file of this name is being created. */
  boolean isInTheMaking(File bucket, String name) {
    boolean temporary = name.endsWith(TEMPORARY);
    return inTheMaking.contains(
        new File(bucket, temporary ? name.substring(0, name.length() - TEMPORARY.length()) : name));
  }

  /** Returns the name of a file until it is complete. */
  static File temporary(File file) {
    return new File(file.getPath() + TEMPORARY);
  }

  /** Renames a complete, synced file to its name and syncs the directory. */
  void publish(File temporary, File file) throws IOException {
    FileOperation.RENAME.before(file);
    Files.move(temporary.toPath(), file.toPath(), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    FileOperation.SYNC.before(file.getParentFile());
    IOUtils.fsync(file.getParentFile());
  }

  /** Creates missing directories below the device's directory, but never that one. */
  private void makeDirectories(File dir) throws IOException {
    if (!dir.isDirectory()) {
      if (!dir.getParentFile().equals(root)) {
        makeDirectories(dir.getParentFile());
      }
      mode.makeDirectory(dir.toPath());
    }
  }

  /**
   * Removes a file outside of the areas. A failure is logged; the file's space is lost until the
   * next start.
   */
  static void unlink(File file) {
    try {
      FileOperation.UNLINK.before(file);
      Files.deleteIfExists(file.toPath());
    } catch (IOException e) {
      LOG.warn("could not remove an incomplete copy: file={}", file, e);
    }
  }

  /** See {@link AreaRemover#isDoomed}. */
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

  /** See {@link AreaRemover#looked}. */
  void looked() {
    remover.looked();
  }

  /** See {@link AreaRemover#filesToRemove}. */
  int filesToRemove() {
    return remover.filesToRemove();
  }

  /** See {@link AreaRemover#awaitRemovals}. */
  boolean awaitRemovals() throws InterruptedException {
    return remover.awaitRemovals();
  }

  /** Returns true until {@link #looked(String)}; files that appear later are this process's own. */
  boolean isFirstLook(String pool) {
    return !lookedThrough.contains(pool);
  }

  /** Marks a pool as scanned. */
  void looked(String pool) {
    lookedThrough.add(pool);
  }

  /** Returns true on the first call for a pool, whose heat must be loaded then. */
  boolean isFirstWarmth(String pool) {
    return warmed.add(pool);
  }

  /** Forgets a pool, so that it is scanned again when it returns. */
  void forget(String pool) {
    lookedThrough.remove(pool);
  }

  /** Returns the complete files of a pool, see {@link AreaScan#files}. */
  List<CleanFile> scan(String pool) throws IOException {
    return new AreaScan(this, pool).files();
  }
}
