// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * File operations, with a test hook before each: tests count the operations and make one fail,
 * wait, or be the last. Without an observer the hook costs one volatile read.
 *
 * <p>There is one observer for all DataNodes of a JVM, which distinguishes them by the file.
 * Thread-safe.
 */
public enum FileOperation {
  /** Open an existing file. */
  OPEN,
  /** Read a part of a file or all of it. */
  READ,
  /** Create a file, or open one for writing. */
  CREATE,
  /** Write a part of a file or all of it. */
  WRITE,
  /** Sync a file or a directory. */
  SYNC,
  /** Create a directory and its parents. */
  MKDIR,
  /** Hard-link a file; the argument is the new name. */
  LINK,
  /** Rename a file; the argument is the new name. */
  RENAME,
  /** Remove a file. */
  UNLINK,
  /** List a directory. */
  LIST,
  /** Mark a file as that of a guest. */
  MARK,
  /** Read whether a file is marked as that of a guest. */
  MARKED,
  /** Probe an SSD. */
  PROBE,
  /** Switch HDFS's replica map to the copy that a move made; the argument is the copy. */
  SWITCH;

  /**
   * Syncs a file or a directory.
   *
   * @throws IOException if the device did not take it. Hadoop's {@code IOUtils.fsync} ignores that
   *     for a directory, although files that were renamed into it may be gone after a crash
   */
  public static void sync(File file) throws IOException {
    SYNC.before(file);
    try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Notified before each operation. */
  interface Observer {
    /**
     * May block; an exception is thrown as if the operation had failed.
     *
     * @throws IOException as the operation would
     */
    void before(FileOperation operation, File file) throws IOException;
  }

  private static volatile @Nullable Observer observer;

  /** Sets the observer; null removes it. For tests. */
  static void observe(@Nullable Observer next) {
    observer = next;
  }

  /**
   * Must be called right before the operation.
   *
   * @throws IOException if a test injects a failure
   */
  public void before(File file) throws IOException {
    Observer watching = observer;
    if (watching != null) {
      watching.before(this, file);
    }
  }
}
