// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.FastDevice;
import io.hycache.core.spi.SlowDevice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gets what the planner learns of replicas, reads and devices, in the order in which it learns it.
 * Called by the planner's thread; no call blocks.
 */
interface Onlooker {
  /** For a planner that nobody looks at. */
  Onlooker NONE = new Onlooker() {};

  /** As {@link HyCacheEngine#onReplica}. */
  default void replica(Replica replica, Home home, @Nullable String device) {}

  /** As {@link HyCacheEngine#onGone}. */
  default void gone(BlockKey block) {}

  /** As {@link HyCacheEngine#onClean}. */
  default void cleanFound(BlockKey block, Part part, String device, long bytes) {}

  /** As {@link HyCacheEngine#onCleanDropped}. */
  default void cleanDropped(BlockKey block) {}

  /**
   * Bytes of a block were read.
   *
   * @param source see {@link ReadSources}
   * @param owned whether a storage policy keeps the replica on SSD
   */
  default void read(long source, BlockKey block, long bytes, boolean owned) {}

  /** The devices as they were found now. */
  default void looked(List<FastDevice> fast, List<SlowDevice> slow) {}

  /** A round ends. */
  default void maintain(long nowNanos) {}
}
