// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import io.hycache.core.move.RateLimit;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory on one HDD that belongs to one tree. Only this process's user can change names in
 * it. It is held open only during operations, so that its device can be unmounted in between.
 * Thread-safe.
 */
final class HddRoot {
  private static final Logger LOG = LoggerFactory.getLogger(HddRoot.class);

  static final Path STAGING = Path.of(".staging");

  private final Path root;
  private final Caller caller;
  private final Path home;
  private final FileStore store;
  private final RateLimit limit;
  private final AtomicLong reservedBytes = new AtomicLong();

  /** Time until which it gets no files; null if it has not failed. */
  private volatile @Nullable Long restUntilNanos;

  /**
   * @param root a real path
   * @param bytesPerSec rate limit of moves from or to this HDD
   */
  HddRoot(Path root, String treeId, long bytesPerSec, Caller caller) throws IOException {
    this.root = root;
    this.caller = caller;
    this.limit = new RateLimit(bytesPerSec);
    this.home = root.resolve(treeId);
    this.store = Files.getFileStore(root);
  }

  /** The configured directory. */
  Path root() {
    return root;
  }

  /** The directory of the tree's files, with the same relative paths as in the tree. */
  Path home() {
    return home;
  }

  /**
   * Creates the required directories, with search rights for the users who can search the tree's
   * root.
   *
   * @throws IOException if something is in the way; the message names it
   */
  void prepare(Directory top) throws IOException {
    Path name = home.getFileName();
    try (Directory parent = Directory.open(root, caller)) {
      boolean made = parent.make(name);
      try (Directory held = parent.below(name)) {
        if (held == null) {
          throw new IOException(
              home + ": expected a directory, found something else. Fix: move it away");
        }
        int owner = held.mark().uid;
        if (owner != caller.uid && !caller.isRoot()) {
          throw new IOException(
              home
                  + ": expected owner uid="
                  + caller.uid
                  + ", found uid="
                  + owner
                  + ". Fix: serve the tree as that user, or chown the directory");
        }
        makeOurs(held);
        held.inheritNothing();
        SearchRights.of(top, caller.uid).give(held);
        held.makeOurs(STAGING).close();
        held.sync();
      }
      if (made) {
        parent.sync();
      } else if (caller.isRoot()) {
        takeOver();
      }
    }
  }

  private void makeOurs(Directory held) throws IOException {
    if (held.mark().uid != caller.uid) {
      Files.setAttribute(held.self(), "unix:uid", caller.uid, LinkOption.NOFOLLOW_LINKS);
    }
  }

  /**
   * Takes ownership of directories that an earlier version assigned to the owners of their
   * counterparts in the tree. Users who could search them still can. Parents come first, so that no
   * other user can change names in a directory when its turn comes.
   */
  private void takeOver() throws IOException {
    walk(
        (relative, directory) -> {
          if (!relative.equals(STAGING)) {
            SearchRights rights = SearchRights.of(directory, caller.uid);
            makeOurs(directory);
            directory.inheritNothing();
            rights.give(directory);
          }
        });
  }

  /** Visits directories. */
  interface Visit {
    /**
     * Called once per directory, before its subdirectories.
     *
     * @param relative to {@link #home}
     */
    void in(Path relative, Directory directory) throws IOException;
  }

  /**
   * Visits home and all directories below it, with one descriptor and without recursion, however
   * deep they are. Directories beyond the maximum path length are skipped: no link can name them.
   *
   * @throws IOException if home is missing or belongs to another user, or a directory can't be read
   */
  void walk(Visit visit) throws IOException {
    Deque<Path> left = new ArrayDeque<>();
    left.push(Directory.SELF);
    while (!left.isEmpty()) {
      Path relative = left.pop();
      try (Directory held = holdHome();
          Directory directory = held.below(relative)) {
        if (directory == null) {
          continue;
        }
        visit.in(relative, directory);
        for (Path name : directory.names()) {
          FileMark mark = directory.mark(name);
          if (mark != null && mark.isDirectory()) {
            left.push(relative.resolve(name));
          }
        }
      } catch (LinuxCalls.TooLongException e) {
        LOG.warn("skipped directories beyond the maximum path length: below={}", home);
      }
    }
  }

  /**
   * Opens {@link #home}.
   *
   * @throws IOException if it is missing, because the device is not mounted, or belongs to another
   *     user
   */
  Directory holdHome() throws IOException {
    Directory held = Directory.open(home, caller);
    try {
      FileMark mark = held.mark();
      if (caller.isRoot() && (mark.uid != caller.uid || mark.isWritableForOthers())) {
        throw new IOException(
            home
                + ": expected a directory that only root can write to, found uid="
                + mark.uid
                + " mode="
                + mark.rightsText()
                + ". Fix: chown it to root and chmod go-w it");
      }
      return held;
    } catch (IOException | RuntimeException e) {
      held.close();
      throw e;
    }
  }

  /**
   * Opens a directory of the tree's files; null if it or home does not exist.
   *
   * @param relative to {@link #home}
   */
  @Nullable Directory hold(Path relative) throws IOException {
    try (Directory held = holdHome()) {
      return held.below(relative);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Opens the directory of partial copies. */
  Directory holdStaging() throws IOException {
    Directory held = hold(STAGING);
    if (held == null) {
      throw new NoSuchFileException(home.resolve(STAGING).toString());
    }
    return held;
  }

  /** Number of files of the tree on this HDD, including partial copies. */
  long files() throws IOException {
    long[] files = new long[1];
    walk(
        (relative, directory) -> {
          for (Path name : directory.names()) {
            FileMark mark = directory.mark(name);
            if (mark != null && !mark.isDirectory()) {
              files[0]++;
            }
          }
        });
    return files[0];
  }

  /** Removes all directories of the tree, including home, that have no file below them. */
  void removeEmptyDirectories() throws IOException {
    Deque<Path> directories = new ArrayDeque<>();
    walk((relative, directory) -> directories.push(relative));
    for (Path relative : directories) {
      if (!relative.equals(Directory.SELF)) {
        removeIfEmpty(relative);
      }
    }
    try (Directory parent = Directory.open(root, caller)) {
      removeIfEmpty(parent, home.getFileName());
    }
  }

  /** Removes a directory if it is empty. */
  void removeIfEmpty(Path relative) throws IOException {
    Path above = relative.getParent();
    try (Directory parent = hold(above == null ? Directory.SELF : above)) {
      if (parent != null) {
        removeIfEmpty(parent, relative.getFileName());
      }
    }
  }

  private static void removeIfEmpty(Directory parent, Path name) throws IOException {
    FileMark mark = parent.mark(name);
    if (mark == null || !mark.isDirectory()) {
      return;
    }
    try {
      Files.deleteIfExists(parent.at(name));
    } catch (DirectoryNotEmptyException e) {
      // It is no longer empty.
    }
  }

  /** The rate limit shared by all copies from or to this HDD. */
  RateLimit limit() {
    return limit;
  }

  /** Free space that this process may use. */
  long usableBytes() throws IOException {
    return store.getUsableSpace();
  }

  /** Space not yet reserved by moves; 0 if the device does not respond. */
  long roomBytes() {
    try {
      return Math.max(0, usableBytes() - reservedBytes.get());
    } catch (IOException e) {
      return 0;
    }
  }

  /** Reserves space for a move; false if there is not enough. */
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

  /** Passes it over until a time, since it failed. */
  void restUntil(long nanos) {
    restUntilNanos = nanos;
  }

  /** Whether it failed a short time ago. */
  boolean isResting(long nowNanos) {
    Long until = restUntilNanos;
    return until != null && nowNanos - until < 0;
  }

  @Override
  public String toString() {
    return root.toString();
  }
}
