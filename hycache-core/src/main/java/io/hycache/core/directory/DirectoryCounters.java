// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.concurrent.atomic.LongAdder;

/** Counts of one node. Thread-safe. */
final class DirectoryCounters {
  /** Operations that were taken on, reads included. */
  final LongAdder operations = new LongAdder();

  /** Operations and changes that were refused for lack of room or because of too much load. */
  final LongAdder shed = new LongAdder();

  /** Changes queued for other replicas, one for each replica. */
  final LongAdder replicated = new LongAdder();
}
