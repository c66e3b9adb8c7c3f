package io.hycache.core.localdir;

import io.hycache.core.move.RateLimit;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** The part of one HDD that belongs to one tree. Thread-safe. */
final class HddRoot {
  static final String STAGING = ".staging";

  private final Path root;
  private final Path home;
  private final FileStore store;
  private final RateLimit limit;
  private final AtomicLong reservedBytes = new AtomicLong();

  /**
   * @param bytesPerSec bound of the moves from or to this HDD
   */
  HddRoot(Path root, String treeId, long bytesPerSec) throws IOException {
    this.root = root;
    this.limit = new RateLimit(bytesPerSec);
    this.home = root.resolve(treeId);
    this.store = Files.getFileStore(root);
  }

  /** The configured directory. */
  Path root() {
    return root;
  }

  /** Where the tree's files are, by the same relative paths as in the tree. */
  Path home() {
    return home;
  }

  /** Where half copies are. */
  Path staging() {
    return home.resolve(STAGING);
  }

  /** Bounds all copies from or to this HDD together. */
  RateLimit limit() {
    return limit;
  }

  /** What the file system has for us. */
  long usableBytes() throws IOException {
    return store.getUsableSpace();
  }

  /** What can still be promised to a move; 0 if the device doesn't answer. */
  long roomBytes() {
    try {
      return Math.max(0, usableBytes() - reservedBytes.get());
    } catch (IOException e) {
      return 0;
    }
  }

  /** Sets room aside; false if there is not enough. */
  synchronized boolean reserve(long bytes) {
    if (roomBytes() < bytes) {
      return false;
    }
    reservedBytes.addAndGet(bytes);
    return true;
  }

  void release(long bytes) {
    reservedBytes.addAndGet(-bytes);
  }

  @Override
  public String toString() {
    return root.toString();
  }
}
