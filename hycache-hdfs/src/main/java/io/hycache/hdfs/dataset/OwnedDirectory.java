// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hycache.hdfs.conf.DataDirMode;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.zip.CRC32;
import org.apache.hadoop.io.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory owned by one DataNode and named by its UUID, next to those of other DataNodes on the
 * machine.
 *
 * <p>Idea: a reformatted DataNode gets a new UUID, and its directory under the old one is never
 * used again. So each directory is locked while its DataNode runs ({@code in_use.lock}, as in
 * HDFS's storage directories), and its file {@code owner} lists the DataNode's data directories. A
 * sibling directory that is not locked and whose listed data directories are all this DataNode's
 * own was used by this DataNode under an earlier UUID, because no other can have these data
 * directories.
 *
 * <p>Not thread-safe except for {@link #close}.
 */
final class OwnedDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OwnedDirectory.class);
  static final String LOCK = "in_use.lock";
  static final String OWNER = "owner";
  private static final String VERSION = "hycache-owner 1";
  private static final String DATA = "data=";
  private static final String CRC = "crc=";

  private final File directory;
  private final List<String> dataDirs;
  private final DataDirMode mode;
  private @Nullable FileChannel lock;
  private boolean closed;

  /**
   * @param dataDirs paths of the DataNode's data directories
   * @param mode widest mode allowed for the directory and its parent
   */
  OwnedDirectory(File directory, List<String> dataDirs, DataDirMode mode) {
    this.directory = directory;
    this.dataDirs = List.copyOf(dataDirs);
    this.mode = mode;
  }

  File directory() {
    return directory;
  }

  /**
   * Creates the directory if its parent exists, locks it and writes its owner file. Does nothing if
   * it is claimed already.
   *
   * @throws DataDirMode.TooWideException if it or its parent is accessible to other users; then
   *     nothing is created in them
   * @throws IOException if another process has locked it, or I/O failed
   */
  synchronized void claim() throws IOException {
    if (closed) {
      throw new IOException("closed: directory=" + directory);
    }
    FileChannel held = lock;
    if (held != null && directory.isDirectory()) {
      return;
    }
    release();
    mode.requireOf(directory.getParentFile().toPath(), directory.toPath());
    mode.makeDirectory(directory.toPath());
    FileChannel locked = tryLock(directory);
    if (locked == null) {
      throw new IOException("another DataNode uses the directory: directory=" + directory);
    }
    try {
      writeOwner();
    } catch (IOException e) {
      locked.close();
      throw e;
    }
    lock = locked;
  }

  private void release() {
    FileChannel held = lock;
    lock = null;
    if (held != null) {
      try {
        held.close();
      } catch (IOException e) {
        LOG.debug("unlocking failed: directory={}", directory, e);
      }
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    release();
  }

  /**
   * Returns a channel that holds the lock until it is closed; null if the directory is locked by
   * another.
   */
  private @Nullable FileChannel tryLock(File directory) throws IOException {
    Path file = directory.toPath().resolve(LOCK);
    FileChannel channel =
        mode.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    boolean got = false;
    try {
      FileLock lock = channel.tryLock();
      // A process that removed the directory meanwhile held the lock before.
      got = lock != null && Files.exists(file);
    } catch (OverlappingFileLockException e) {
      // Locked by another DataNode in this process.
    } finally {
      if (!got) {
        channel.close();
      }
    }
    return got ? channel : null;
  }

  private void writeOwner() throws IOException {
    if (dataDirs.equals(readOwner(directory))) {
      return;
    }
    StringBuilder text = new StringBuilder(VERSION).append('\n');
    dataDirs.forEach(dir -> text.append(DATA).append(dir).append('\n'));
    String crc = crc(text.toString());
    text.append(CRC).append(crc).append('\n');
    Path file = directory.toPath().resolve(OWNER);
    Path fresh = file.resolveSibling(OWNER + ".tmp");
    try (OutputStream out =
        Channels.newOutputStream(
            mode.open(
                fresh,
                Set.of(
                    StandardOpenOption.WRITE,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING)))) {
      out.write(text.toString().getBytes(UTF_8));
    }
    IOUtils.fsync(fresh.toFile());
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    IOUtils.fsync(directory);
  }

  private static String crc(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(UTF_8));
    return Long.toHexString(crc.getValue());
  }

  /**
   * Returns the data directories of a directory's owner; null if they are not known for certain.
   */
  static @Nullable List<String> readOwner(File directory) throws IOException {
    String text;
    try {
      text = Files.readString(directory.toPath().resolve(OWNER));
    } catch (NoSuchFileException e) {
      return null;
    }
    int end = text.lastIndexOf(CRC);
    if (!text.startsWith(VERSION + '\n')
        || end < 0
        || !text.substring(end).equals(CRC + crc(text.substring(0, end)) + '\n')) {
      return null;
    }
    List<String> dirs = new ArrayList<>();
    for (String line : text.substring(0, end).split("\n", -1)) {
      if (line.startsWith(DATA)) {
        dirs.add(line.substring(DATA.length()));
      }
    }
    return dirs;
  }

  /**
   * Removes sibling directories that the same DataNode used under an earlier UUID. Directories
   * whose owner is not certain are kept and logged once with advice.
   *
   * @param isOurs returns whether a directory contains nothing but files of HyCache
   * @return number of files removed
   */
  long removeEarlierLives(Predicate<File> isOurs) {
    File[] beside = directory.getParentFile().listFiles(File::isDirectory);
    long removed = 0;
    if (beside == null) {
      return 0;
    }
    for (File other : beside) {
      if (!other.equals(directory) && !Files.isSymbolicLink(other.toPath()) && isOurs.test(other)) {
        removed += removeIfEarlierLife(other);
      }
    }
    return removed;
  }

  private long removeIfEarlierLife(File other) {
    try {
      List<String> owner = readOwner(other);
      if (owner == null) {
        LOG.warn(
            "found a directory of an older version that may belong to a removed DataNode. Fix: if no"
                + " DataNode on this machine has the UUID {}, remove directory={}",
            other.getName(),
            other);
        return 0;
      }
      if (owner.isEmpty() || !dataDirs.containsAll(owner)) {
        return 0;
      }
      FileChannel locked = tryLock(other);
      if (locked == null) {
        return 0;
      }
      try (locked) {
        long files = TreeRemoval.remove(other.toPath(), path -> !path.endsWith(LOCK));
        Files.deleteIfExists(other.toPath().resolve(LOCK));
        Files.deleteIfExists(other.toPath());
        LOG.info(
            "removed a directory of this DataNode under an earlier UUID: directory={} files={}",
            other,
            files);
        return files;
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("could not remove a directory of this DataNode under an earlier UUID: {}", other, e);
      return 0;
    }
  }
}
