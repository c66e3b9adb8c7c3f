// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.spi;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Residency;
import java.util.List;
import java.util.function.Consumer;

/**
 * The SSD contents of the other DataNodes, through the directory. Thread-safe; no call blocks.
 * Answers may be stale, which costs performance but never correctness.
 */
public interface Neighbours {

  /**
   * Publishes that a block arrived on a fast device of this DataNode, changed its state there, or
   * left.
   */
  void publish(BlockKey block, Residency residency, long sizeBytes);

  /**
   * Asks whether another DataNode holds a block's data on a fast device.
   *
   * @param answer called exactly once, on any thread, within a bounded time; with false, too, if no
   *     DataNode can be asked
   */
  void ask(BlockKey block, Consumer<Boolean> answer);

  /**
   * Reports to other DataNodes a full read here of a block that is hinted to them. Best effort: the
   * report may be lost.
   *
   * @param hinted ids of the DataNodes
   * @return false if there is no room for it, or none of them is known
   */
  boolean reportRead(BlockKey block, List<String> hinted);
}
