// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Assigns files their names on an HDD: the path in the tree, with {@code .~1~}, {@code .~2~} and so
 * on appended if the name is taken. Never replaces a file. Thread-safe.
 */
final class HddNames {
  private static final int MAX_ATTEMPTS = 1_000;

  /** An assigned name in its directory, which is held open. */
  static final class Given implements Closeable {
    /** The path to put into a link in the tree. */
    final Path path;

    private final Directory directory;

    private Given(Directory directory, Path name) {
      this.directory = directory;
      this.path = directory.path().resolve(name);
    }

    /** A path to the name for calls that do not follow links. */
    private Path at() throws IOException {
      return directory.at(path.getFileName());
    }

    /** Removes the name. */
    void remove() throws IOException {
      Files.deleteIfExists(at());
    }

    @Override
    public void close() {
      directory.close();
    }
  }

  private final TreeLayout layout;

  /** Assigned names to which no link in the tree may lead yet. */
  private final Set<Path> fresh = ConcurrentHashMap.newKeySet();

  HddNames(TreeLayout layout) {
    this.layout = layout;
  }

  /** True for a name that must not be swept although no link leads to it yet. */
  boolean isFresh(Path name) {
    return fresh.contains(name);
  }

  /** Ends the protection from the sweeper that {@link #give} began. */
  void settled(Path name) {
    fresh.remove(name);
  }

  /**
   * Gives a file on an HDD a further name and fsyncs it.
   *
   * @param file any name of the file
   * @param path its path in the tree
   * @param inTree the directory of that path
   * @return the name, protected from the sweeper until {@link #settled}
   * @throws NoSuchFileException if the file, a directory of the path in the tree, or the HDD is
   *     gone
   */
  Given give(HddRoot hdd, HeldFile file, Path path, Directory inTree) throws IOException {
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
      Given given = null;
      Directory parent = null;
      try {
        parent = makeParents(hdd, path, inTree);
        given = give(parent, file, path.getFileName());
        if (given != null) {
          return given;
        }
      } catch (NoSuchFileException e) {
        if (file.isGone() || !layout.hasParent(path) || FileMark.ifAny(hdd.home()) == null) {
          throw e;
        }
        // The sweeper removed the new directory because it was empty.
      } finally {
        if (given == null && parent != null) {
          parent.close();
        }
      }
    }
    throw new IOException(
        hdd
            + ": expected a free name within "
            + MAX_ATTEMPTS
            + " attempts, found none for "
            + path);
  }

  /** Null if the sweeper removed the new directory because it was empty. */
  private @Nullable Given give(Directory parent, HeldFile file, Path name) throws IOException {
    for (int evasion = 0; evasion < MAX_ATTEMPTS; evasion++) {
      Given given = new Given(parent, TreeLayout.evade(name, evasion));
      if (!fresh.add(given.path)) {
        continue;
      }
      boolean done = false;
      try {
        file.linkTo(given.at());
        parent.sync();
        done = true;
        return given;
      } catch (FileAlreadyExistsException e) {
        // Try the next suffix.
      } catch (NoSuchFileException e) {
        if (file.isGone()) {
          throw e;
        }
        return null;
      } finally {
        if (!done) {
          fresh.remove(given.path);
        }
      }
    }
    return null;
  }

  /**
   * Creates the directories that a file needs, with search rights for the users who can search
   * their counterparts in the tree.
   */
  private Directory makeParents(HddRoot hdd, Path path, Directory inTree) throws IOException {
    Path relative = layout.relative(path).getParent();
    int depth = relative == null ? 0 : relative.getNameCount();
    Directory onHdd = hdd.holdHome();
    boolean made = false;
    try {
      for (int i = 1; relative != null && i <= depth; i++) {
        SearchRights rights = i == depth ? rights(inTree) : rights(relative.subpath(0, i));
        Directory next = makeDirectory(onHdd, relative.getName(i - 1), rights, i == 1);
        onHdd.close();
        onHdd = next;
      }
      made = true;
      return onHdd;
    } finally {
      if (!made) {
        onHdd.close();
      }
    }
  }

  private SearchRights rights(Path relative) throws IOException {
    try (Directory inTree = layout.hold(relative)) {
      if (inTree == null) {
        throw new NoSuchFileException(layout.ssd().resolve(relative).toString());
      }
      return rights(inTree);
    }
  }

  private SearchRights rights(Directory inTree) throws IOException {
    return SearchRights.of(inTree, layout.caller().uid);
  }

  /**
   * @param top whether the parent is the HDD's home, in which one name is reserved
   */
  private Directory makeDirectory(Directory parent, Path name, SearchRights rights, boolean top)
      throws IOException {
    for (int evasion = 0; evasion < MAX_ATTEMPTS; evasion++) {
      Path evaded = TreeLayout.evade(name, evasion);
      if (top && evaded.equals(HddRoot.STAGING)) {
        continue;
      }
      boolean made = parent.make(evaded);
      Directory there = parent.below(evaded);
      if (there == null) {
        if (parent.mark(evaded) == null) {
          throw new NoSuchFileException(parent.path().resolve(evaded).toString());
        }
        continue;
      }
      boolean ready = false;
      try {
        // A file already in it may be linked from a directory with fewer rights.
        if (made
            || (there.mark().uid == layout.caller().uid
                && rights.areFor(there)
                && !rights.addTo(there))) {
          rights.give(there);
          if (made) {
            parent.sync();
          }
          ready = true;
          return there;
        }
      } finally {
        if (!ready) {
          there.close();
          if (made) {
            Files.deleteIfExists(parent.at(evaded));
          }
        }
      }
    }
    throw new IOException(
        parent
            + ": expected a free name within "
            + MAX_ATTEMPTS
            + " attempts, found none for directory "
            + name);
  }
}
