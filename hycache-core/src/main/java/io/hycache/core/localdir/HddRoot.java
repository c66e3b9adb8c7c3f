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
 * The part of one HDD that belongs to one tree. Only this process's user may change names in it; it
 * is held only while something is done in it, so that its device can be unmounted in between.
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

  /**
   * @param root a real path
   * @param bytesPerSec bound of the moves from or to this HDD
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

  /** Where the tree's files are, by the same relative paths as in the tree. */
  Path home() {
    return home;
  }

  /**
   * Makes what has to be there, for those to pass who may pass the tree's root.
   *
   * @throws IOException that says what is in the way
   */
  void prepare(Directory top) throws IOException {
    Path name = home.getFileName();
    try (Directory parent = Directory.open(root, caller)) {
      boolean made = parent.make(name);
      try (Directory held = parent.below(name)) {
        if (held == null) {
          throw new IOException(home + " is in the way; it has to be a directory");
        }
        int owner = held.mark().uid;
        if (owner != caller.uid && !caller.isRoot()) {
          throw new IOException(
              home
                  + " belongs to uid="
                  + owner
                  + "; serve the tree as that user, or chown it to uid="
                  + caller.uid);
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
   * Makes directories ours alone that an earlier version gave to the owners of those in the tree,
   * with their rights. Who could pass them still can. A directory comes before those in it, so that
   * nobody can change names in it by then.
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

  /** What is done in each directory. */
  interface Visit {
    /**
     * Called once for each directory, before those in it.
     *
     * @param relative to {@link #home}
     */
    void in(Path relative, Directory directory) throws IOException;
  }

  /**
   * Visits home and all directories below it, one descriptor and no stack however deep they are.
   * What has no path that a link could have is passed over.
   *
   * @throws IOException if home is not there or not ours, or a directory can't be read
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
        LOG.warn("deeper than any path, left alone: below={}", home);
      }
    }
  }

  /**
   * Holds {@link #home}.
   *
   * @throws IOException if it is not there, since the device is not mounted, or not ours
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
                + mark.rightsText());
      }
      return held;
    } catch (IOException | RuntimeException e) {
      held.close();
      throw e;
    }
  }

  /**
   * Holds a directory of the tree's files; null if it is not there, nor if home is not.
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

  /** Holds the directory of half copies. */
  Directory holdStaging() throws IOException {
    Directory held = hold(STAGING);
    if (held == null) {
      throw new NoSuchFileException(home.resolve(STAGING).toString());
    }
    return held;
  }

  /** The files of the tree in it, half copies too. */
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

  /** Removes all directories of the tree, home too, that have no file below them. */
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

  /** Removes a directory, unless something is in it. */
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
      // Something is in it again.
    }
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
