// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.util.Map;

/** Movers for tests of promotions and demotions. */
final class TestMovers {
  private TestMovers() {}

  /** A mover whose volumes are in no use, and that notifies of nothing. */
  static HdfsMover of(ReplicaStore store, CleanCopies copies, Map<String, CleanArea> areas) {
    return new HdfsMover(
        store,
        copies,
        areas,
        new Guests(),
        volume -> new DiskUse(),
        file -> {},
        copy -> {},
        () -> false);
  }
}
