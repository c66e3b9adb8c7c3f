// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Identifies the file system that a file lies on. */
final class FileSystemNumber {
  private static final Path TOP = Path.of("/");

  private FileSystemNumber() {}

  /** Returns {@code st_dev}; 0 on platforms without it. */
  static long of(Path path) throws IOException {
    try {
      Object number = Files.getAttribute(path, "unix:dev");
      return number instanceof Number ? ((Number) number).longValue() : 0;
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      return 0;
    }
  }

  /** Returns true if a file lies on the root file system. */
  static boolean isOfTop(Path path) throws IOException {
    long number = of(path);
    return number != 0 && number == of(TOP);
  }
}
