package io.hycache.core.localdir;

import io.hycache.core.localdir.LocalDirStatus.Figure;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes from the HDDs what no link of the tree leads to any more.
 *
 * <p>A file goes if it was unnamed in two inventories that are a grace period apart and nobody
 * wrote to it in between. One inventory would do, because a name that is gone can't come back; the
 * second is there for whoever has looked a link's text up and not opened it yet. Used by one
 * thread.
 */
final class Sweeper {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

  /** When an unnamed file was first found so. */
  private static final class Orphan {
    final FileMark mark;
    final long sinceNanos;

    Orphan(FileMark mark, long sinceNanos) {
      this.mark = mark;
      this.sinceNanos = sinceNanos;
    }
  }

  private final TreeLayout layout;
  private final HddNames names;
  private final LocalDirCounters counters;
  private final long graceNanos;
  private Map<Path, Orphan> orphans = new HashMap<>();

  Sweeper(TreeLayout layout, HddNames names, LocalDirCounters counters, long graceNanos) {
    this.layout = layout;
    this.names = names;
    this.counters = counters;
    this.graceNanos = graceNanos;
  }

  /**
   * Removes what may go by now.
   *
   * @param inventory taken after the last call
   * @param takenNanos when it was begun
   * @return files that are unnamed and wait for their grace to end
   */
  int sweep(Inventory inventory, long takenNanos) {
    Map<Path, Orphan> waiting = new HashMap<>();
    for (HddRoot hdd : layout.hdds()) {
      try {
        sweep(hdd, Directory.SELF, hdd.holdHome(), inventory, takenNanos, waiting);
      } catch (IOException e) {
        LOG.warn("sweeping stopped: hdd={}", hdd, e);
      }
    }
    orphans = waiting;
    return waiting.size();
  }

  private void sweep(
      HddRoot hdd,
      Path relative,
      Directory opened,
      Inventory inventory,
      long takenNanos,
      Map<Path, Orphan> waiting)
      throws IOException {
    List<Path> below = new ArrayList<>();
    try (opened) {
      for (Path name : opened.names()) {
        FileMark mark = opened.mark(name);
        Path path = relative.resolve(name);
        if (mark == null || path.equals(HddRoot.STAGING)) {
          continue;
        }
        if (mark.isDirectory()) {
          below.add(path);
        } else {
          file(hdd, opened, name, mark, inventory, takenNanos, waiting);
        }
      }
    }
    for (Path path : below) {
      Directory next = hdd.hold(path);
      if (next != null) {
        sweep(hdd, path, next, inventory, takenNanos, waiting);
        removeIfIdle(hdd, path, inventory);
      }
    }
  }

  private void file(
      HddRoot hdd,
      Directory directory,
      Path name,
      FileMark mark,
      Inventory inventory,
      long takenNanos,
      Map<Path, Orphan> waiting)
      throws IOException {
    Path file = directory.path().resolve(name);
    if (names.isFresh(file) || inventory.names(hdd, file)) {
      return;
    }
    Orphan known = orphans.get(file);
    if (known == null || !known.mark.sameSave(mark)) {
      waiting.put(file, new Orphan(mark, takenNanos));
    } else if (takenNanos - known.sinceNanos < graceNanos) {
      waiting.put(file, known);
    } else if (!names.isFresh(file)) {
      Files.deleteIfExists(directory.at(name));
      counters.count(Figure.SWEPT_FILES);
      counters.add(Figure.SWEPT_BYTES, mark.nlink == 1 ? mark.size : 0);
      LOG.debug("swept: file={} sizeBytes={}", file, mark.size);
    }
  }

  private static void removeIfIdle(HddRoot hdd, Path relative, Inventory inventory)
      throws IOException {
    Path parent = relative.getParent();
    if (inventory.hasDirectory(TreeLayout.plain(relative))) {
      return;
    }
    try (Directory directory = hdd.hold(parent == null ? Directory.SELF : parent)) {
      if (directory != null) {
        Files.deleteIfExists(directory.at(relative.getFileName()));
      }
    } catch (DirectoryNotEmptyException e) {
      // Something in it still waits.
    }
  }
}
