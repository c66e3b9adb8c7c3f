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
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks a tree against other daemons, by a file in the SSD's own directory.
 *
 * <p>The lock is the process's (fcntl(2)), and the process loses it when it closes any descriptor
 * of the file. So the trees of this process are in a set, and the file of one that is in it is not
 * opened.
 */
final class TreeLock implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(TreeLock.class);
  private static final String NAME = "lock";

  /** Locks of closed trees whose moves have not ended: the JVM would release unreachable ones. */
  private static final Set<FileLock> LEFT_BEHIND = ConcurrentHashMap.newKeySet();

  /** Device and inode of the files locked by this process. */
  private static final Set<String> HELD = new HashSet<>();

  private final Path ssd;
  private final String key;
  private final FileChannel file;
  private final FileLock lock;

  private TreeLock(Path ssd, String key, FileChannel file, FileLock lock) {
    this.ssd = ssd;
    this.key = key;
    this.file = file;
    this.lock = lock;
  }

  private static String key(FileMark file) {
    return file.dev + ":" + file.ino;
  }

  /**
   * Acquires the lock.
   *
   * @throws IOException if another daemon or this process holds it, or the file can't be opened
   */
  static TreeLock take(Path ssd, Corner corner) throws IOException {
    Path path = corner.own().at(NAME);
    synchronized (HELD) {
      FileMark known = FileMark.ifAny(path);
      if (known != null && HELD.contains(key(known))) {
        throw taken(ssd, corner);
      }
      FileChannel file =
          FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        FileLock lock = tryLock(file);
        if (lock == null) {
          throw taken(ssd, corner);
        }
        String key = key(FileMark.of(path));
        HELD.add(key);
        return new TreeLock(ssd, key, file, lock);
      } catch (IOException | RuntimeException e) {
        file.close();
        throw e;
      }
    }
  }

  private static IOException taken(Path ssd, Corner corner) {
    return new IOException(
        "ssd="
            + ssd
            + " is served by another daemon, which holds "
            + corner.own().path().resolve(NAME)
            + ". Fix: stop that daemon, or configure another directory");
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
    synchronized (HELD) {
      try {
        lock.release();
        file.close();
      } catch (IOException e) {
        LOG.debug("could not unlock: ssd={}", ssd, e);
      }
      HELD.remove(key);
    }
  }
}
