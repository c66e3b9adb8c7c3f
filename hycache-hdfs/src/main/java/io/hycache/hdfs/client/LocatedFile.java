// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import java.util.List;
import org.apache.hadoop.fs.Path;

/** A file with its finished blocks, by offset. Immutable. */
final class LocatedFile {
  final Path path;
  final List<BlockReplicas> blocks;

  /** What was left out, and why; one line each. */
  final List<String> notes;

  LocatedFile(Path path, List<BlockReplicas> blocks, List<String> notes) {
    this.path = path;
    this.blocks = blocks;
    this.notes = notes;
  }
}
