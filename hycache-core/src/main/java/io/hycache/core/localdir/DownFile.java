// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file on an HDD and the one link in the tree that leads to it, both held until closed. */
final class DownFile implements Closeable {
  final HeldName spot;
  final FileMark link;
  final TreeLayout.Target target;
  final HeldFile file;

  private DownFile(HeldName spot, FileMark link, TreeLayout.Target target, HeldFile file) {
    this.spot = spot;
    this.link = link;
    this.target = target;
    this.file = file;
  }

  /**
   * Finds the file on an HDD that a path of the tree links to.
   *
   * @return null if there is none, or if link, directory and file do not belong to one owner
   */
  static @Nullable DownFile find(TreeLayout layout, Path path) throws IOException {
    Directory parent = layout.holdParent(path);
    DownFile down = null;
    try {
      down = parent == null ? null : find(layout, new HeldName(path, parent));
      return down;
    } finally {
      if (down == null && parent != null) {
        parent.close();
      }
    }
  }

  private static @Nullable DownFile find(TreeLayout layout, HeldName spot) throws IOException {
    Caller caller = layout.caller();
    FileMark directory = spot.parent.mark();
    try (HeldFile link = spot.parent.hold(spot.path.getFileName())) {
      if (link == null || !link.mark.isLink() || link.mark.nlink != 1) {
        return null;
      }
      TreeLayout.Target target =
          layout.targetOf(spot.parent.path().resolve(link.text()).normalize());
      HeldFile file = target == null ? null : layout.hold(target);
      if (target == null || file == null) {
        return null;
      }
      if (file.mark.isFile()
          && caller.isOwnersOrOurs(link.mark, file.mark)
          && caller.isOwnersOrOurs(directory, file.mark)) {
        return new DownFile(spot, link.mark, target, file);
      }
      file.close();
      return null;
    }
  }

  @Override
  public void close() {
    file.close();
    spot.parent.close();
  }
}
