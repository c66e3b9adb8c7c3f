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
 * Keeps the data files of the DISK replicas that were read last open.
 *
 * <p>Idea: an open descriptor pins the file's inode and the directory entries of its whole path in
 * the kernel's memory, so opening it again for the next read costs no disk operation. With the
 * checksum file on SSD that leaves one disk operation of a cold small read: the data itself. The
 * descriptors are never read from; each read opens its own.
 *
 * <p>Least recently used goes first. A deleted or changed replica is closed at once, because an
 * open descriptor would keep its space. Thread-safe; O(1); one descriptor and about 1 KB of kernel
 * memory a file.
 */
final class OpenFiles {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);

  /** Bounds how long a file that was read while it was being deleted keeps its space. */
  private static final Duration IDLE = Duration.ofMinutes(1);

  private final Cache<BlockKey, FileInputStream> open;
  private final boolean none;

  /**
   * @param most files kept open at a time; 0 keeps none
   */
  OpenFiles(int most) {
    none = most == 0;
    open =
        CacheBuilder.newBuilder()
            .maximumSize(most)
            .concurrencyLevel(1)
            .expireAfterAccess(IDLE)
            .<BlockKey, FileInputStream>removalListener(OpenFiles::close)
            .build();
  }

  private static void close(RemovalNotification<BlockKey, FileInputStream> gone) {
    FileInputStream stream = gone.getValue();
    if (stream != null) {
      try {
        stream.close();
      } catch (IOException e) {
        LOG.debug("closing a kept descriptor failed: block={}", gone.getKey(), e);
      }
    }
  }

  /** The file was just opened for a read: keep it open from now on. */
  void keep(BlockKey block, File data) throws IOException {
    if (!none && open.getIfPresent(block) == null) {
      open.put(block, new FileInputStream(data));
    }
  }

  /** Gives a file up. */
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
