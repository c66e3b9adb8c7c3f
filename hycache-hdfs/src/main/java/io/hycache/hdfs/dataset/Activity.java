package io.hycache.hdfs.dataset;

import io.hycache.core.config.HyCacheConfig.Mode;

/** What HyCache does on this DataNode: its mode, until the guard trips. Thread-safe. */
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

  /** True in mode {@code off} and in pass-through: plain HDFS answers. */
  boolean off() {
    return mode == Mode.OFF || guard.tripped();
  }

  /** True in mode {@code active}, unless in pass-through. */
  boolean active() {
    return mode == Mode.ACTIVE && !guard.tripped();
  }
}
