// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import java.util.List;
import org.apache.hadoop.fs.Path;

/** A file with its finished blocks, by offset. Immutable. */
final class LocatedFile {
  final Path path;

  /** Length of the file, with what was left out. */
  final long lengthBytes;

  final List<BlockReplicas> blocks;

  /** What was left out, and why; one line each. */
  final List<String> notes;

  LocatedFile(Path path, long lengthBytes, List<BlockReplicas> blocks, List<String> notes) {
    this.path = path;
    this.lengthBytes = lengthBytes;
    this.blocks = blocks;
    this.notes = notes;
  }
}
