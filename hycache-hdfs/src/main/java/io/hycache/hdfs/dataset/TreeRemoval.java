// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Removes directory trees. Does not follow links, and pauses regularly to limit the load of the
 * device.
 */
final class TreeRemoval {
  private static final int FILES_PER_PAUSE = 64;
  private static final long PAUSE_NANOS = 2_000_000;

  private TreeRemoval() {}

  /**
   * Removes a directory tree. Directories with a file that stays are kept.
   *
   * @param may returns false for a file that must stay
   * @return number of files removed
   */
  static long remove(Path top, Predicate<Path> may) throws IOException {
    long[] files = new long[1];
    Files.walkFileTree(
        top,
        new SimpleFileVisitor<>() {
          private final Set<Path> staying = new HashSet<>();

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!may.test(file)) {
              staying.add(file.getParent());
              return FileVisitResult.CONTINUE;
            }
            Files.delete(file);
            if (++files[0] % FILES_PER_PAUSE == 0) {
              LockSupport.parkNanos(PAUSE_NANOS);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            if (staying.contains(dir)) {
              staying.add(dir.getParent());
            } else {
              Files.delete(dir);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files[0];
  }
}
