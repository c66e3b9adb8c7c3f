package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives files their names on an HDD: the path in the tree, with {@code .~1~}, {@code .~2~} and so
 * on where something else has the name. Never over a file. Thread-safe.
 */
final class HddNames {
  private static final int ATTEMPTS = 1_000;

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
   * @return the name, which counts as fresh
   */
  Path give(HddRoot hdd, Path file, Path path) throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      Path parent;
      try {
        parent = makeParents(hdd, path);
      } catch (NoSuchFileException e) {
        if (FileMark.ifAny(path) == null || FileMark.ifAny(hdd.home()) == null) {
          throw e;
        }
        // The sweeper found a new directory empty.
        continue;
      }
      for (int evasion = 0; evasion < ATTEMPTS; evasion++) {
        Path name = TreeLayout.evade(parent.resolve(path.getFileName()), evasion);
        if (!fresh.add(name)) {
          continue;
        }
        try {
          Files.createLink(name, file);
          FileCopier.sync(parent);
          return name;
        } catch (FileAlreadyExistsException e) {
          fresh.remove(name);
        } catch (NoSuchFileException e) {
          fresh.remove(name);
          if (FileMark.ifAny(file) == null) {
            throw e;
          }
          // The sweeper found the new directory empty.
          break;
        } catch (IOException e) {
          fresh.remove(name);
          throw e;
        }
      }
    }
    throw new IOException(hdd + " has " + ATTEMPTS + " files of the name " + path);
  }

  /** Makes the directories that a file needs, as they are in the tree. */
  private Path makeParents(HddRoot hdd, Path path) throws IOException {
    Path directory = hdd.home();
    Path inTree = layout.ssd();
    Path relative = layout.relative(path);
    for (Path name : relative.subpath(0, relative.getNameCount())) {
      inTree = inTree.resolve(name);
      if (inTree.equals(path)) {
        break;
      }
      directory = makeDirectory(directory, name, FileMark.of(inTree));
    }
    return directory;
  }

  private static Path makeDirectory(Path parent, Path name, FileMark inTree) throws IOException {
    for (int evasion = 0; evasion < ATTEMPTS; evasion++) {
      Path directory = TreeLayout.evade(parent.resolve(name), evasion);
      FileMark there = FileMark.ifAny(directory);
      if (there == null) {
        try {
          Files.createDirectory(directory);
        } catch (FileAlreadyExistsException e) {
          evasion--;
          continue;
        }
        FileCopier.sync(parent);
      } else if (!there.isDirectory()) {
        continue;
      }
      Attributes.owner(directory, inTree);
      Attributes.rights(directory, inTree);
      return directory;
    }
    throw new IOException(parent + " has no room for a directory of the name " + name);
  }
}
