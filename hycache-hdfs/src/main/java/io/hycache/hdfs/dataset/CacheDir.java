// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.conf.DataDirMode.TooWideException;
import io.hycache.hdfs.conf.HyCacheKeys;
import io.hycache.hdfs.device.FileSystemNumber;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This DataNode's directory in one of {@code hycache.cache.dirs}. Thread-safe. */
final class CacheDir implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheDir.class);

  /** File names in a directory of HyCache, see {@link OwnedDirectory} and {@link CleanArea}. */
  private static final Set<String> NAMES =
      Set.of(
          CleanArea.DIRECTORY,
          OwnedDirectory.OWNER,
          OwnedDirectory.OWNER + ".tmp",
          OwnedDirectory.LOCK);

  private static final String MISSING =
      "expected a directory on a mounted SSD, found none. Fix: mount the SSD, or make the directory"
          + " on it; it is not made here, where it could fill another file system";

  private final File parent;
  private final OwnedDirectory own;
  private final Set<File> diskDirs;
  private final boolean anywhere;
  private volatile boolean open;

  /** Number of the file system that was found to be an SSD's own; 0 before. Guarded by this. */
  private long ownFileSystem;

  /** Reason of the last refusal, until the directory is opened; null if it was not refused. */
  private volatile @Nullable String refusal;

  /**
   * @param parent the configured directory
   * @param name name of this DataNode's directory in it
   * @param dataDirs paths of the DataNode's data directories
   * @param diskDirs the DataNode's data directories of the slow tier
   * @param anywhere whether it may lie on the root file system, or on that of one of diskDirs
   * @param mode widest mode allowed for the configured directory and this DataNode's
   */
  CacheDir(
      File parent,
      String name,
      List<String> dataDirs,
      Set<File> diskDirs,
      boolean anywhere,
      DataDirMode mode) {
    this.parent = parent;
    this.own = new OwnedDirectory(new File(parent, name), dataDirs, mode);
    this.diskDirs = Set.copyOf(diskDirs);
    this.anywhere = anywhere;
  }

  /** Returns this DataNode's directory. */
  File root() {
    return own.directory();
  }

  /** Returns the configured directory. If it is missing the SSD is not mounted. */
  File parent() {
    return parent;
  }

  /** Returns true once {@link #open} has succeeded. */
  boolean isOpen() {
    return open;
  }

  /** Returns true if the directory must not be used; the log gives the reason. */
  boolean isRefused() {
    return refusal != null;
  }

  /** Returns why the directory is not used; null if it was not refused. */
  @Nullable String refusal() {
    return refusal;
  }

  /** Called when the directory could not be looked at: if it was never there, that is a refusal. */
  synchronized void failed(IOException e) {
    boolean missing =
        e instanceof NoSuchFileException || e.getCause() instanceof NoSuchFileException;
    if (missing && !open) {
      var unused = refuse(new FileSystemException(parent.getPath(), null, MISSING));
    }
  }

  /**
   * Prepares the directory for use.
   *
   * @throws IOException if the SSD is not mounted, or the directory must not be used
   */
  synchronized void open() throws IOException {
    if (!parent.isDirectory()) {
      throw new NoSuchFileException(parent.getPath());
    }
    String others = anywhere ? null : whoseFileSystem();
    if (others != null) {
      throw refuse(
          new FileSystemException(
              parent.getPath(),
              null,
              "expected a directory on a mounted SSD, found one on "
                  + others
                  + ", which clean copies would fill. Fix: mount the SSD, or, if this is intended,"
                  + " set "
                  + HyCacheKeys.CACHE_DIRS_ALLOW_ROOT
                  + "=true"));
    }
    try {
      own.claim();
    } catch (TooWideException e) {
      throw refuse(e);
    }
    if (refusal != null) {
      LOG.info("a directory of {} is used now: directory={}", HyCacheKeys.CACHE_DIRS, parent);
      refusal = null;
    }
    open = true;
  }

  /**
   * See {@link FileSystemNumber#sharedWith}; SSD volumes may share theirs. The disks are looked at
   * only until the SSD is known: one that hangs must not hold up the thread of a healthy SSD.
   */
  private @Nullable String whoseFileSystem() throws IOException {
    long number = FileSystemNumber.of(parent.toPath());
    if (number == ownFileSystem) {
      return null;
    }
    Map<File, Long> disks = new LinkedHashMap<>();
    for (File disk : diskDirs) {
      if (disk.exists()) {
        disks.put(disk, FileSystemNumber.of(disk.toPath()));
      }
    }
    String others = FileSystemNumber.sharedWith(number, FileSystemNumber.ofRoot(), disks);
    if (others == null) {
      ownFileSystem = number;
    }
    return others;
  }

  /**
   * Logs each reason once, because opening the directory is retried at each check of the devices.
   */
  private FileSystemException refuse(FileSystemException why) {
    String reason = why.getReason();
    if (!reason.equals(refusal)) {
      LOG.warn(
          "a directory of {} is not used: directory={}: {}",
          HyCacheKeys.CACHE_DIRS,
          parent,
          reason);
    }
    refusal = reason;
    return why;
  }

  /**
   * Removes sibling directories that this DataNode used under an earlier UUID. Returns the number
   * of files removed.
   */
  long removeEarlierLives() {
    return open ? own.removeEarlierLives(CacheDir::isOurs) : 0;
  }

  private static boolean isOurs(File directory) {
    String[] names = directory.list();
    return names != null && Set.of(names).contains(CleanArea.DIRECTORY) && isOurs(names);
  }

  private static boolean isOurs(String[] names) {
    return NAMES.containsAll(Set.of(names));
  }

  @Override
  public void close() {
    own.close();
  }
}
