// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import io.hycache.core.spi.BlockMover.Throttle;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Copies the bytes of a file. Tests override it to simulate a full or failing device. */
class FileCopier {
  private static final int MAX_CHUNK_BYTES = 2 << 20;

  /**
   * Maximum number of unflushed bytes of a copy. Beyond a threshold of dirty pages the kernel
   * blocks every writer, including jobs that write to the SSD, although a slow HDD caused the
   * backlog.
   */
  private static final long MAX_UNFLUSHED_BYTES = 2 << 20;

  /**
   * Creates a file with the bytes of another.
   *
   * @return the number of bytes copied
   */
  long copy(FileChannel source, Path to, Throttle throttle)
      throws IOException, InterruptedException {
    try (FileChannel target =
        FileChannel.open(
            to,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(
                Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)))) {
      long at = 0;
      long dirty = 0;
      while (true) {
        int chunk = throttle.chunkBytes(MAX_CHUNK_BYTES);
        long copied = source.transferTo(at, chunk, target);
        if (copied <= 0) {
          return at;
        }
        at += copied;
        dirty += copied;
        if (dirty >= MAX_UNFLUSHED_BYTES) {
          target.force(false);
          dirty = 0;
        }
        throttle.take(copied);
      }
    }
  }

  /** Fsyncs a file or a directory. */
  static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
