package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** The part of one HDD that belongs to one tree. Thread-safe. */
class HddRoot {
  static final String STAGING = ".staging";

  private final Path root;
  private final Path home;
  private final FileStore store;
  private final AtomicLong reservedBytes = new AtomicLong();

  HddRoot(Path root, String treeId) throws IOException {
    this.root = root;
    this.home = root.resolve(treeId);
    this.store = Files.getFileStore(root);
  }

  /** The configured directory. */
  final Path root() {
    return root;
  }

  /** Where the tree's files are, by the same relative paths as in the tree. */
  final Path home() {
    return home;
  }

  /** Where half copies are. */
  final Path staging() {
    return home.resolve(STAGING);
  }

  /** What the file system has for us. */
  long usableBytes() throws IOException {
    return store.getUsableSpace();
  }

  /** What can still be promised to a move; 0 if the device doesn't answer. */
  final long roomBytes() {
    try {
      return Math.max(0, usableBytes() - reservedBytes.get());
    } catch (IOException e) {
      return 0;
    }
  }

  /** Sets room aside; false if there is not enough. */
  final synchronized boolean reserve(long bytes) {
    if (roomBytes() < bytes) {
      return false;
    }
    reservedBytes.addAndGet(bytes);
    return true;
  }

  final void release(long bytes) {
    reservedBytes.addAndGet(-bytes);
  }

  @Override
  public final String toString() {
    return root.toString();
  }
}
