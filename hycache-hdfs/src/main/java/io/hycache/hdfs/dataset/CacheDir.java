// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.hdfs.conf.DataDirMode;
import io.hycache.hdfs.conf.DataDirMode.TooWideException;
import io.hycache.hdfs.conf.HyCacheKeys;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
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

  private final File parent;
  private final OwnedDirectory own;
  private final boolean topAllowed;
  private volatile boolean open;

  /** Reason of the last refusal, until the directory is opened; null if it was not refused. */
  private volatile @Nullable String refusal;

  /**
   * @param parent the configured directory
   * @param name name of this DataNode's directory in it
   * @param dataDirs paths of the DataNode's data directories
   * @param topAllowed whether it may lie on the root file system
   * @param mode widest mode allowed for the configured directory and this DataNode's
   */
  CacheDir(File parent, String name, List<String> dataDirs, boolean topAllowed, DataDirMode mode) {
    this.parent = parent;
    this.own = new OwnedDirectory(new File(parent, name), dataDirs, mode);
    this.topAllowed = topAllowed;
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

  /**
   * Prepares the directory for use.
   *
   * @throws IOException if the SSD is not mounted, or the directory must not be used
   */
  synchronized void open() throws IOException {
    if (!parent.isDirectory()) {
      throw new NoSuchFileException(parent.getPath());
    }
    if (!topAllowed && FileSystemNumber.isOfTop(parent.toPath())) {
      throw refuse(
          new FileSystemException(
              parent.getPath(),
              null,
              "expected a directory on a mounted SSD, found one on the machine's root file system,"
                  + " which clean copies would fill. Fix: mount the SSD, or, if this is intended,"
                  + " set "
                  + HyCacheKeys.CACHE_DIRS_ALLOW_ROOT
                  + "=true"));
    }
    try {
      own.claim();
    } catch (TooWideException e) {
      throw refuse(e);
    }
    refusal = null;
    open = true;
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
