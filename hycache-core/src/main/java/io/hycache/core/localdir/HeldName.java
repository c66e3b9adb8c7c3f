// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.file.Path;

/** A path of the tree whose directory is held open. Closing the directory is up to its opener. */
final class HeldName {
  final Path path;
  final Directory parent;

  /** A path to the name in the held directory. */
  final Path at;

  HeldName(Path path, Directory parent) throws IOException {
    this.path = path;
    this.parent = parent;
    this.at = parent.at(path.getFileName());
  }

  /** Whether the name still leads to the unchanged file or link. */
  boolean isStill(FileMark mark) throws IOException {
    FileMark now = FileMark.ifAny(at);
    return now != null && now.unchanged(mark);
  }

  /** Whether the name still leads to the same file or link, changed or not. */
  boolean leadsTo(FileMark mark) throws IOException {
    FileMark now = FileMark.ifAny(at);
    return now != null && now.sameInode(mark);
  }

  /** Identifies the name, by whatever path it was reached. */
  String key() throws IOException {
    FileMark directory = parent.mark();
    return directory.dev + ":" + directory.ino + "/" + path.getFileName();
  }
}
