// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;

/**
 * Receives what other threads report to the planner. Implementations are thread-safe, never wait,
 * and handle the report later on the planner's thread.
 */
interface PlannerEvents {
  /** A move ended with this outcome. Outcomes are never dropped. */
  void moveEnded(Runnable outcome);

  /**
   * The neighbours answered whether another DataNode holds a block on SSD.
   *
   * @param elsewhere true if one does
   */
  void neighboursAnswered(BlockKey block, boolean elsewhere);
}
