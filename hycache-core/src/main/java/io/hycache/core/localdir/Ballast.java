// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import io.hycache.core.move.HostLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few blocks of the SSD held in reserve. On a file system without a free block not even a
 * symbolic link can be created, and creating links is how space is freed. Thread-safe.
 */
final class Ballast {
  private static final Logger LOG = LoggerFactory.getLogger(Ballast.class);

  /** Enough for the links of many streams. */
  private static final int BALLAST_BYTES = 64 << 10;

  /** The ballast is recreated only if it takes at most 1/16 of the free space. */
  private static final int MIN_FREE_BALLASTS = 16;

  private final Path file;

  /**
   * @param file its path, on the SSD
   */
  Ballast(Path file) {
    this.file = file;
  }

  /** Creates the ballast if it is missing and there is enough free space. */
  synchronized void keep() {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      if (Files.exists(file)
          || file.toFile().getParentFile().getUsableSpace()
              < (long) BALLAST_BYTES * MIN_FREE_BALLASTS) {
        return;
      }
      Files.write(fresh, new byte[BALLAST_BYTES]);
      FileCopier.sync(fresh); // its blocks are allocated now
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      LOG.debug("could not create the ballast: file={}", file, e);
    }
  }

  /** An operation that needs at most one block. */
  interface Making {
    void make() throws IOException;
  }

  /** Runs a small operation; if there is no space for it, releases the ballast and retries once. */
  void ifFull(Making making) throws IOException {
    try {
      making.make();
    } catch (IOException e) {
      if (!isNoSpace(e)) {
        throw e;
      }
      giveUp();
      making.make();
    }
  }

  private synchronized void giveUp() throws IOException {
    Files.deleteIfExists(file);
  }

  /** True if the failure means a full device or quota, judged by its message. */
  static boolean isNoSpace(IOException failure) {
    return HostLimit.isFull(failure);
  }
}
