// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import io.hycache.hdfs.conf.DataDirMode;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What a machine says of a directory, its file system and its device. Changes nothing. */
interface DirectoryProbe {
  /** Numbers of files that a file system can have. Immutable. */
  final class Inodes {
    final long all;
    final long free;

    /**
     * @param all 0 if the file system has no limit
     */
    Inodes(long all, long free) {
      this.all = all;
      this.free = free;
    }
  }

  /** Random reads of 4 KiB from files below a directory. Immutable. */
  final class Reads {
    final int count;
    final long medianNanos;

    /** Why nothing was read; empty if something was. */
    final String notRead;

    private Reads(int count, long medianNanos, String notRead) {
      this.count = count;
      this.medianNanos = medianNanos;
      this.notRead = notRead;
    }

    static Reads of(int count, long medianNanos) {
      return new Reads(count, medianNanos, "");
    }

    static Reads none(String why) {
      return new Reads(0, 0, why);
    }
  }

  boolean isDirectory(Path dir);

  /** Whether this process may list it, enter it and write to it. */
  boolean isAccessible(Path dir);

  String owner(Path dir) throws IOException;

  /** The user of this process. */
  String user();

  /** Number of the file system; 0 if it is unknown. */
  long fileSystem(Path dir) throws IOException;

  /** Number of the machine's root file system; 0 if it is unknown. */
  long rootFileSystem() throws IOException;

  /** Whether the kernel takes the device for a spinning disk; null if it does not say. */
  @Nullable Boolean isRotational(long fileSystem);

  /** Whether extended attributes {@code user.*} can be set on files in it. */
  boolean keepsUserAttributes(Path dir) throws IOException;

  /**
   * Looks at the directory's mode.
   *
   * @throws DataDirMode.TooWideException if more users may enter it than the mode allows
   */
  void requireMode(Path dir, DataDirMode mode) throws IOException;

  long sizeBytes(Path dir) throws IOException;

  /** What this process may still write. */
  long freeBytes(Path dir) throws IOException;

  /** Starts a process. */
  Inodes inodes(Path dir) throws IOException;

  /**
   * Finds files for at most a second, and reads from them for at most half a second, past the page
   * cache.
   *
   * @throws IOException if the device fails
   */
  Reads randomReads(Path dir) throws IOException;
}
