// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All links of a tree as they were at one instant. Immutable.
 *
 * <p>Idea: a walk over a tree that other processes change can miss a link that is renamed from a
 * directory not yet visited into one already visited. So each directory's times are recorded before
 * it is read. After the walk they are compared again and changed directories are read again, until
 * a complete pass finds no change. Then, at the instant before that pass, all directories were as
 * they had been read. If the file system's clock is coarse, a directory must also have been
 * unchanged for one tick before it was read. The number of passes is bounded: a tree that keeps
 * changing yields no inventory this time.
 *
 * <p>All links to an HDD of the tree count: links created by jobs themselves, links to a directory
 * there, links in staging, and links with the tree's id in their text, in case an HDD is now
 * mounted elsewhere. Links that lead there through other links are followed, but not if this
 * process is root.
 */
final class Inventory {
  private static final Logger LOG = LoggerFactory.getLogger(Inventory.class);
  private static final int MAX_PASSES = 40;

  /** Number of leading names of an overlong path to log. */
  private static final int LOGGED_NAMES = 8;

  private final TreeLayout layout;
  private final Set<Path> named;
  private final Set<Path> namedAnywhere;
  private final Set<Path> directories;
  private final List<Path> strays;

  /** {@link #strays} by the directory on an HDD that contains their file. */
  private final Map<Path, List<Path>> straysIn = new HashMap<>();

  private Inventory(
      TreeLayout layout,
      Set<Path> named,
      Set<Path> namedAnywhere,
      Set<Path> directories,
      List<Path> strays) {
    this.layout = layout;
    this.named = named;
    this.namedAnywhere = namedAnywhere;
    this.directories = directories;
    this.strays = strays;
  }

  /** True if a link leads to this file or to a directory above it. */
  boolean names(HddRoot hdd, Path file) {
    for (Path at = file; at != null && !at.equals(hdd.home()); at = at.getParent()) {
      if (named.contains(at) || namedAnywhere.contains(hdd.home().relativize(at))) {
        return true;
      }
    }
    return named.contains(hdd.home());
  }

  /** True if the tree has this directory; suffixes of names on HDDs are ignored. */
  boolean hasDirectory(Path plainRelative) {
    return directories.contains(plainRelative);
  }

  /** Links in the tree whose file has a different path on its HDD. */
  List<Path> strays() {
    return strays;
  }

  /** The {@link #strays} whose file is in a directory on an HDD. */
  List<Path> straysIn(Path onHdd) {
    return straysIn.getOrDefault(onHdd, List.of());
  }

  @Override
  public String toString() {
    return "ssd=" + layout.ssd() + " named=" + named.size() + " strays=" + strays.size();
  }

  /** Takes inventories. Used by one thread. */
  static final class Taker {
    /** A directory's times and contents when it was read. */
    private static final class Seen {
      final FileMark before;
      final long atMicros;
      final Set<Path> below = new HashSet<>();
      final Map<Path, Path> links = new HashMap<>();

      Seen(FileMark before, long atMicros) {
        this.before = before;
        this.atMicros = atMicros;
      }
    }

    private final TreeLayout layout;
    private final LongSupplier wallMicros;
    private final long tickMicros;
    private final Consumer<Path> hook;

    /** By path; a directory precedes its subdirectories. */
    private Map<Path, Seen> directories = new LinkedHashMap<>();

    private boolean changed;
    private boolean loggedTooLong;

    /**
     * @param tickMicros resolution of the file system's time stamps
     * @param hook called with each directory right after it was read
     */
    Taker(TreeLayout layout, LongSupplier wallMicros, long tickMicros, Consumer<Path> hook) {
      this.layout = layout;
      this.wallMicros = wallMicros;
      this.tickMicros = tickMicros;
      this.hook = hook;
    }

    /**
     * Takes an inventory.
     *
     * @return null if the tree kept changing, or has directories beyond the maximum path length
     * @throws IOException if a directory can't be read, without which an inventory would be
     *     incomplete
     */
    @Nullable Inventory take() throws IOException {
      directories = new LinkedHashMap<>();
      try {
        Inventory inventory = find();
        loggedTooLong = false;
        return inventory;
      } catch (LinuxCalls.TooLongException e) {
        if (!loggedTooLong) {
          loggedTooLong = true;
          LOG.warn(
              "Nothing is swept: a directory exceeds the maximum path length, and links in it can't"
                  + " be found. Fix: remove it, below {}",
              start(e.getFile()));
        }
        return null;
      } finally {
        directories = new LinkedHashMap<>();
      }
    }

    /** The leading names of a path as text, which show whose directory it is. */
    private String start(String relative) {
      List<String> names = Arrays.asList(relative.split("/", LOGGED_NAMES + 1));
      return layout.ssd()
          + "/"
          + String.join("/", names.subList(0, Math.min(names.size(), LOGGED_NAMES)));
    }

    private @Nullable Inventory find() throws IOException {
      readAll(layout.ssd());
      for (int pass = 0; pass < MAX_PASSES; pass++) {
        changed = false;
        again();
        if (!directories.containsKey(layout.ssd())) {
          throw new IOException("the tree does not exist any more: ssd=" + layout.ssd());
        }
        if (!changed) {
          return collect();
        }
        if (tickMicros > 0) {
          LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(tickMicros + tickMicros / 4));
        }
      }
      return null;
    }

    /** Reads a directory and those below it that are new or replaced. */
    private void readAll(Path from) throws IOException {
      Deque<Path> left = new ArrayDeque<>();
      left.push(from);
      while (!left.isEmpty()) {
        Path directory = left.pop();
        Seen old = directories.get(directory);
        Map<Path, FileMark> below = new HashMap<>();
        Seen seen = list(directory, below);
        if (seen == null) {
          changed = true;
          forget(directory);
          continue;
        }
        if (old != null) {
          for (Path gone : old.below) {
            if (!below.containsKey(gone)) {
              forget(gone);
            }
          }
        }
        directories.put(directory, seen);
        below.forEach(
            (path, mark) -> {
              seen.below.add(path);
              Seen known = directories.get(path);
              if (known == null || !known.before.sameInode(mark)) {
                forget(path);
                left.push(path);
              }
            });
        hook.accept(directory);
      }
    }

    private void forget(Path from) {
      Deque<Path> left = new ArrayDeque<>();
      left.push(from);
      while (!left.isEmpty()) {
        Seen seen = directories.remove(left.pop());
        if (seen != null) {
          seen.below.forEach(left::push);
        }
      }
    }

    /**
     * Reads a single directory. Holds one descriptor at a time, however deep the tree is.
     *
     * @return null if it does not exist or is no longer a directory
     */
    private @Nullable Seen list(Path directory, Map<Path, FileMark> directories)
        throws IOException {
      try (Directory held = layout.hold(layout.relative(directory))) {
        if (held == null) {
          return null;
        }
        Seen seen = new Seen(held.mark(), wallMicros.getAsLong());
        for (Path name : held.names()) {
          FileMark mark = held.mark(name);
          if (mark != null && mark.isLink()) {
            Path text = TreeLayout.text(held, name);
            if (text != null) {
              seen.links.put(name, text);
            }
          } else if (mark != null && mark.isDirectory() && mark.dev == seen.before.dev) {
            directories.put(directory.resolve(name), mark);
          }
        }
        return seen;
      } catch (NoSuchFileException | NotDirectoryException e) {
        return null;
      }
    }

    /** Compares all directories again and rereads those that changed. */
    private void again() throws IOException {
      for (Map.Entry<Path, Seen> entry : List.copyOf(directories.entrySet())) {
        Path directory = entry.getKey();
        Seen seen = entry.getValue();
        if (directories.get(directory) != seen) {
          continue; // reread already, or removed
        }
        FileMark now = look(directory);
        if (now == null || !now.sameInode(seen.before) || isStale(seen, now)) {
          changed = true;
          readAll(directory);
        }
      }
    }

    private @Nullable FileMark look(Path directory) throws IOException {
      try (Directory held = layout.hold(layout.relative(directory))) {
        return held == null ? null : held.mark();
      }
    }

    private boolean isStale(Seen seen, FileMark now) {
      return now.mtimeMicros != seen.before.mtimeMicros
          || now.ctimeMicros != seen.before.ctimeMicros
          || (tickMicros > 0 && now.changedMicros() > seen.atMicros - tickMicros);
    }

    private Inventory collect() {
      Inventory inventory =
          new Inventory(
              layout, new HashSet<>(), new HashSet<>(), new HashSet<>(), new ArrayList<>());
      directories.forEach(
          (directory, seen) -> {
            inventory.directories.add(TreeLayout.plain(layout.relative(directory)));
            seen.links.forEach((name, text) -> link(directory.resolve(name), text, inventory));
          });
      return inventory;
    }

    private void link(Path link, Path text, Inventory into) {
      TreeLayout.Target target = layout.targetOf(text);
      if (target != null) {
        into.named.add(target.path);
        if (!layout.hides(link) && !layout.isAtHome(link, target)) {
          into.strays.add(link);
          into.straysIn
              .computeIfAbsent(target.path.getParent(), directory -> new ArrayList<>())
              .add(link);
        }
        return;
      }
      into.named.add(text);
      Path id = Path.of(layout.id());
      for (int i = 0; i + 1 < text.getNameCount(); i++) {
        if (text.getName(i).equals(id)) {
          into.namedAnywhere.add(text.subpath(i + 1, text.getNameCount()));
        }
      }
      if (layout.caller().isRoot()) {
        return; // root does not follow users' links, which may lead to a hanging mount
      }
      try {
        into.named.add(link.toRealPath());
      } catch (IOException e) {
        // A dangling link.
      }
    }
  }
}
