// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.RemovalNotification;
import io.hycache.core.model.BlockKey;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the data files of recently read DISK replicas open.
 *
 * <p>Idea: an open descriptor pins the inode and the directory entries of the whole path in memory,
 * so that opening the file again costs no disk operation. With the checksum file on SSD a cold
 * small read then costs one disk operation, for the data itself. The descriptors are never read
 * from; each read opens its own.
 *
 * <p>Eviction is LRU. The descriptor of a deleted or changed replica is closed at once, because it
 * would keep the file's space allocated. Thread-safe; O(1); one descriptor and about 1 KB of kernel
 * memory per file.
 */
final class OpenFiles {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);

  /**
   * Idle time after which a descriptor is closed; bounds how long a file that was read while it was
   * deleted keeps its space allocated.
   */
  private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(1);

  private final Cache<BlockKey, FileInputStream> open;
  private final boolean none;

  /**
   * @param most maximum of open files; 0 disables the cache
   */
  OpenFiles(int most) {
    none = most == 0;
    open =
        CacheBuilder.newBuilder()
            .maximumSize(most)
            .concurrencyLevel(1)
            .expireAfterAccess(IDLE_TIMEOUT)
            .<BlockKey, FileInputStream>removalListener(OpenFiles::close)
            .build();
  }

  private static void close(RemovalNotification<BlockKey, FileInputStream> gone) {
    FileInputStream stream = gone.getValue();
    if (stream != null) {
      try {
        stream.close();
      } catch (IOException e) {
        LOG.debug("could not close a kept descriptor: block={}", gone.getKey(), e);
      }
    }
  }

  /** Keeps the file open that was just opened for a read. */
  void keep(BlockKey block, File data) throws IOException {
    if (!none && open.getIfPresent(block) == null) {
      open.put(block, new FileInputStream(data));
    }
  }

  /** Closes a file. */
  void release(BlockKey block) {
    open.invalidate(block);
  }

  void releaseAll() {
    open.invalidateAll();
  }

  long size() {
    return open.size();
  }
}
