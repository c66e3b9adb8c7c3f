// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.config.HyCacheConfig;

/** The settings in force, shared by the planner's parts. Owned by the planner's thread. */
final class LiveConfig {
  private HyCacheConfig current;

  LiveConfig(HyCacheConfig first) {
    this.current = first;
  }

  HyCacheConfig get() {
    return current;
  }

  void set(HyCacheConfig next) {
    current = next;
  }
}
