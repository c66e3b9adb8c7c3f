// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.config.HyCacheConfig.Mode;

/**
 * Whether HyCache is active on this DataNode: the configured mode, until the guard trips.
 * Thread-safe.
 */
final class Activity {
  private final Mode mode;
  private final Guard guard;

  Activity(Mode mode, Guard guard) {
    this.mode = mode;
    this.guard = guard;
  }

  Mode mode() {
    return mode;
  }

  /** Returns true in mode {@code off} and in pass-through, where all calls go to plain HDFS. */
  boolean off() {
    return mode == Mode.OFF || guard.tripped();
  }

  /** Returns true in mode {@code active} unless in pass-through. */
  boolean active() {
    return mode == Mode.ACTIVE && !guard.tripped();
  }
}
