package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All links of a tree as they were at one instant. Immutable.
 *
 * <p>Idea: a walk over a tree that others change can miss a link that is renamed from a directory
 * still to come into one already seen. Each directory's times are taken before it is read; after
 * the walk they are looked at again, and a directory that changed since is read again, until a
 * whole pass finds none that did. Then every directory was as it was read at the instant before
 * that pass, all of them at once. Where the file system's clock is coarse, a directory also has to
 * have been left alone for a tick before it was read. Passes are bounded: a tree that never stands
 * still has no inventory this time.
 *
 * <p>Whatever leads to an HDD of the tree counts: links that jobs made themselves, links to a
 * directory there, links in staging, and links with the tree's id in their text, in case an HDD is
 * mounted elsewhere now.
 */
final class Inventory {
  private static final int PASSES = 40;

  private final TreeLayout layout;
  private final Set<Path> named;
  private final Set<Path> namedAnywhere;
  private final Set<Path> directories;
  private final List<Path> strays;

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

  /** True if the tree has this directory; names on HDDs are compared without their suffixes. */
  boolean hasDirectory(Path plainRelative) {
    return directories.contains(plainRelative);
  }

  /** Links in the tree whose file has another path on its HDD. */
  List<Path> strays() {
    return strays;
  }

  @Override
  public String toString() {
    return "ssd=" + layout.ssd() + " named=" + named.size() + " strays=" + strays.size();
  }

  /** Makes inventories. Used by one thread. */
  static final class Taker {
    /** One directory as it was read. */
    private static final class Seen {
      final FileMark before;
      final long atMicros;
      final Map<Path, Seen> below = new HashMap<>();
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
    private boolean changed;

    /**
     * @param tickMicros slack of the file system's clock
     * @param hook told of each directory right after it was read
     */
    Taker(TreeLayout layout, LongSupplier wallMicros, long tickMicros, Consumer<Path> hook) {
      this.layout = layout;
      this.wallMicros = wallMicros;
      this.tickMicros = tickMicros;
      this.hook = hook;
    }

    /**
     * Makes one.
     *
     * @return null if the tree did not stand still for long enough
     * @throws IOException if a directory can't be read; an inventory without it is worth nothing
     */
    @Nullable Inventory take() throws IOException {
      Seen top = read(layout.ssd(), null);
      if (top == null) {
        throw new IOException("the tree is gone: ssd=" + layout.ssd());
      }
      for (int pass = 0; pass < PASSES; pass++) {
        changed = false;
        top = again(layout.ssd(), top);
        if (top == null) {
          throw new IOException("the tree is gone: ssd=" + layout.ssd());
        }
        if (!changed) {
          return collect(top);
        }
        if (tickMicros > 0) {
          LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(tickMicros + tickMicros / 4));
        }
      }
      return null;
    }

    /** Reads a directory; what is below and still the same directory is kept. */
    private @Nullable Seen read(Path directory, @Nullable Seen old) throws IOException {
      Map<Path, FileMark> directories = new HashMap<>();
      Seen seen = list(directory, directories);
      if (seen == null) {
        changed = true;
        return null;
      }
      for (Map.Entry<Path, FileMark> entry : directories.entrySet()) {
        Path path = entry.getKey();
        Seen known = old == null ? null : old.below.get(path);
        Seen below =
            known != null && known.before.sameInode(entry.getValue()) ? known : read(path, null);
        if (below != null) {
          seen.below.put(path, below);
        }
      }
      hook.accept(directory);
      return seen;
    }

    /**
     * Reads a directory alone; no more than one is held at a time, however deep the tree is.
     *
     * @return null if it is not there, or not a directory any more
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
              seen.links.put(directory.resolve(name), text);
            }
          } else if (mark != null && mark.isDirectory()) {
            directories.put(directory.resolve(name), mark);
          }
        }
        return seen;
      } catch (NoSuchFileException | NotDirectoryException e) {
        return null;
      }
    }

    /** Looks at all directories again and reads those that changed. */
    private @Nullable Seen again(Path directory, Seen seen) throws IOException {
      FileMark now = look(directory);
      Seen current = seen;
      if (now == null || !now.sameInode(seen.before) || isStale(seen, now)) {
        changed = true;
        current = read(directory, seen);
        if (current == null) {
          return null;
        }
      }
      for (Map.Entry<Path, Seen> entry : List.copyOf(current.below.entrySet())) {
        Seen below = again(entry.getKey(), entry.getValue());
        if (below == null) {
          current.below.remove(entry.getKey());
        } else {
          current.below.put(entry.getKey(), below);
        }
      }
      return current;
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

    private Inventory collect(Seen top) {
      Inventory inventory =
          new Inventory(
              layout, new HashSet<>(), new HashSet<>(), new HashSet<>(), new ArrayList<>());
      collect(layout.ssd(), top, inventory);
      return inventory;
    }

    private void collect(Path directory, Seen seen, Inventory into) {
      into.directories.add(TreeLayout.plain(layout.relative(directory)));
      seen.links.forEach((link, text) -> link(link, text, into));
      seen.below.forEach((path, below) -> collect(path, below, into));
    }

    private void link(Path link, Path text, Inventory into) {
      TreeLayout.Target target = layout.targetOf(text);
      if (target != null) {
        into.named.add(target.path);
        if (!layout.hides(link) && !layout.isAtHome(link, target)) {
          into.strays.add(link);
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
      try {
        into.named.add(link.toRealPath());
      } catch (IOException e) {
        // It leads nowhere.
      }
    }
  }
}
