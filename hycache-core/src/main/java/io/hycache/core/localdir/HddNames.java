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
 * Gives files their names on an HDD: the path in the tree, with {@code .~1~}, {@code .~2~} and so
 * on where something else has the name. Never over a file. Thread-safe.
 */
final class HddNames {
  private static final int ATTEMPTS = 1_000;

  /** A name that was given, in its directory, which is held. */
  static final class Given implements Closeable {
    /** What a link in the tree says. */
    final Path path;

    private final Directory directory;

    private Given(Directory directory, Path name) {
      this.directory = directory;
      this.path = directory.path().resolve(name);
    }

    /** The name for calls that don't follow links. */
    private Path at() throws IOException {
      return directory.at(path.getFileName());
    }

    /** Takes the name away again. */
    void remove() throws IOException {
      Files.deleteIfExists(at());
    }

    @Override
    public void close() {
      directory.close();
    }
  }

  private final TreeLayout layout;

  /** Names that were given and that no link in the tree may lead to yet. */
  private final Set<Path> fresh = ConcurrentHashMap.newKeySet();

  HddNames(TreeLayout layout) {
    this.layout = layout;
  }

  /** True of a name that is not to be swept although no link leads to it. */
  boolean isFresh(Path name) {
    return fresh.contains(name);
  }

  /** Ends what {@link #give} began, once a link leads to the name or none ever will. */
  void settled(Path name) {
    fresh.remove(name);
  }

  /**
   * Gives a file on an HDD a further name; both are on the device when it returns.
   *
   * @param file any name that it has
   * @param path what it is called in the tree
   * @param inTree the directory of that path
   * @return the name, which counts as fresh
   * @throws NoSuchFileException if the file, a directory of the path in the tree, or the HDD is
   *     gone
   */
  Given give(HddRoot hdd, HeldFile file, Path path, Directory inTree) throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
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
        // The sweeper found a new directory empty.
      } finally {
        if (given == null && parent != null) {
          parent.close();
        }
      }
    }
    throw new IOException(hdd + " has " + ATTEMPTS + " files of the name " + path);
  }

  /** Null if the sweeper found the new directory empty. */
  private @Nullable Given give(Directory parent, HeldFile file, Path name) throws IOException {
    for (int evasion = 0; evasion < ATTEMPTS; evasion++) {
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
        // The next one.
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

  /** Makes the directories that a file needs, for those to pass who may pass those in the tree. */
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
   * @param top whether the parent is the HDD's home, in which a name is taken
   */
  private Directory makeDirectory(Directory parent, Path name, SearchRights rights, boolean top)
      throws IOException {
    for (int evasion = 0; evasion < ATTEMPTS; evasion++) {
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
        if (made || (there.mark().uid == layout.caller().uid && rights.areFor(there))) {
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
    throw new IOException(parent + " has no room for a directory of the name " + name);
  }
}
