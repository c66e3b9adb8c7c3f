// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import io.hycache.core.localdir.LocalDirStatus.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes files from the HDDs to which no link of the tree leads any more.
 *
 * <p>A file is removed if it was without a link in two inventories a grace period apart and was not
 * written in between. One inventory would be enough, because a removed link can't come back; the
 * second protects processes that have read a link's text and not opened the file yet. Used by one
 * thread.
 */
final class Sweeper {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

  /** When a file without a link was first found. */
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
   * Removes the files whose grace period is over.
   *
   * @param inventory taken after the last call
   * @param takenNanos when the inventory was begun
   * @return number of files without a link whose grace period is not over
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
            matchRights(inTree, directory, inventory);
          } else {
            idle.push(relative);
          }
        });
    for (Path relative : idle) {
      hdd.removeIfEmpty(relative);
    }
  }

  /**
   * Revokes the search rights of users who may no longer search the directory in the tree. Grants
   * new ones only if no file in it belongs to another directory, which may have fewer.
   */
  private void matchRights(Path inTree, Directory onHdd, Inventory inventory) {
    try (Directory directory = layout.hold(inTree)) {
      if (directory != null) {
        int us = layout.caller().uid;
        SearchRights rights = SearchRights.of(directory, us);
        if (onHdd.mark().uid == us && rights.areFor(onHdd)) {
          if (rights.addTo(onHdd) && holdsOthers(inventory.straysIn(onHdd.path()))) {
            rights = rights.within(onHdd);
          }
          rights.give(onHdd);
        }
      }
    } catch (IOException e) {
      LOG.debug("could not update the rights: directory={}", onHdd, e);
    }
  }

  /** Whether one of the links leads to a file of its owner's: any user can make other links. */
  private boolean holdsOthers(List<Path> strays) throws IOException {
    for (Path stray : strays) {
      FileMark link = layout.mark(stray);
      TreeLayout.Target target = layout.find(stray);
      FileMark file = target == null ? null : layout.mark(target);
      if (link != null && file != null && layout.caller().isOwnersOrOurs(link, file)) {
        return true;
      }
    }
    return false;
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
