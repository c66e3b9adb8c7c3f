// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.device;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Identifies the file system that a file lies on. */
public final class FileSystemNumber {
  private static final Path TOP = Path.of("/");

  private FileSystemNumber() {}

  /** Returns {@code st_dev}; 0 on platforms without it. */
  public static long of(Path path) throws IOException {
    try {
      Object number = Files.getAttribute(path, "unix:dev");
      return number instanceof Number ? ((Number) number).longValue() : 0;
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      return 0;
    }
  }

  /**
   * Returns what a directory shares its file system with if that is none of an SSD of its own: an
   * SSD that is not mounted leaves an empty directory on the file system of its mount point.
   *
   * @param number of the directory's file system; 0 if it is unknown
   * @param root number of the machine's root file system
   * @param disks number of the file system of each DISK directory
   * @return null if it shares none of these
   */
  public static @Nullable String sharedWith(long number, long root, Map<File, Long> disks) {
    if (number == 0) {
      return null;
    }
    if (number == root) {
      return "the machine's root file system";
    }
    for (Map.Entry<File, Long> disk : disks.entrySet()) {
      if (disk.getValue() == number) {
        return "the file system of the DISK directory " + disk.getKey();
      }
    }
    return null;
  }

  /** Returns the number of the machine's root file system. */
  public static long ofRoot() throws IOException {
    return of(TOP);
  }
}
