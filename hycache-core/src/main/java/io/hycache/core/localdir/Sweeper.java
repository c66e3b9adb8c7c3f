package io.hycache.core.localdir;

import io.hycache.core.localdir.LocalDirStatus.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
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
        sweep(hdd, inventory, takenNanos, waiting);
      } catch (IOException e) {
        LOG.warn("sweeping stopped: hdd={}", hdd, e);
      }
    }
    orphans = waiting;
    return waiting.size();
  }

  private void sweep(HddRoot hdd, Inventory inventory, long takenNanos, Map<Path, Orphan> waiting)
      throws IOException {
    Deque<Path> idle = new ArrayDeque<>();
    hdd.walk(
        (relative, directory) -> {
          if (relative.equals(HddRoot.STAGING)) {
            return;
          }
          for (Path name : directory.names()) {
            FileMark mark = directory.mark(name);
            if (mark != null && !mark.isDirectory()) {
              file(hdd, directory, name, mark, inventory, takenNanos, waiting);
            }
          }
          Path inTree = TreeLayout.plain(relative);
          if (inventory.hasDirectory(inTree)) {
            matchRights(inTree, directory);
          } else {
            idle.push(relative);
          }
        });
    for (Path relative : idle) {
      hdd.removeIfEmpty(relative);
    }
  }

  /** Who may not pass the directory in the tree any more may not pass that on the HDD. */
  private void matchRights(Path inTree, Directory onHdd) {
    try (Directory directory = layout.hold(inTree)) {
      if (directory != null) {
        int us = layout.caller().uid;
        SearchRights rights = SearchRights.of(directory, us);
        if (onHdd.mark().uid == us && rights.areFor(onHdd)) {
          rights.give(onHdd);
        }
      }
    } catch (IOException e) {
      LOG.debug("rights left as they are: directory={}", onHdd, e);
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
}
