// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Locks a tree against other daemons, by a file in the SSD's own directory. */
final class TreeLock implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(TreeLock.class);
  private static final String NAME = "lock";

  /** Locks of closed trees whose moves have not ended: the JVM would release unreachable ones. */
  private static final Set<FileLock> LEFT_BEHIND = ConcurrentHashMap.newKeySet();

  private final Path ssd;
  private final FileChannel file;
  private final FileLock lock;

  private TreeLock(Path ssd, FileChannel file, FileLock lock) {
    this.ssd = ssd;
    this.file = file;
    this.lock = lock;
  }

  /**
   * Acquires the lock.
   *
   * @throws IOException if another daemon holds it, or the file can't be opened
   */
  static TreeLock take(Path ssd, Corner corner) throws IOException {
    Path path = corner.own().at(NAME);
    FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = tryLock(file);
      if (lock == null) {
        throw new IOException(
            "ssd="
                + ssd
                + " is served by another daemon, which holds "
                + corner.own().path().resolve(NAME)
                + ". Fix: stop that daemon, or configure another directory");
      }
      return new TreeLock(ssd, file, lock);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** Keeps the lock until the process ends, since moves may still be running. */
  void leaveBehind() {
    LEFT_BEHIND.add(lock);
  }

  @Override
  public void close() {
    try {
      lock.release();
      file.close();
    } catch (IOException e) {
      LOG.debug("could not unlock: ssd={}", ssd, e);
    }
  }
}
