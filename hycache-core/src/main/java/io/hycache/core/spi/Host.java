// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.spi;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the engine needs from its DataNode. Thread-safe; answers come from memory or one statfs
 * call.
 */
public interface Host {

  /** The fast devices now, without failed ones. */
  List<FastDevice> devices();

  /**
   * Ids of configured fast devices that are out of use: they failed, or may not be used, until the
   * operator fixes the problem that the host has logged; {@link #devices} leaves them out.
   */
  default List<String> devicesOutOfUse() {
    return List.of();
  }

  /** The slow devices now, without those that failed or do not respond. */
  List<SlowDevice> slowDevices();

  /** Id of the slow device that holds the finalized replica of a block; null if none does. */
  @Nullable String slowDevice(BlockKey block);

  /** The finalized replica of a block, or null if there is none. */
  @Nullable Replica finalized(BlockKey block);

  /** True if the DataNode holds a replica of the block in any state. */
  boolean exists(BlockKey block);

  /** False if a clean copy of the block would not be served, so that making one is useless. */
  default boolean servesClean(BlockKey block) {
    return true;
  }

  /** Size of the pages that pinned bytes are counted in, &gt; 0. */
  default long pageBytes() {
    return 4096;
  }

  /**
   * The time of day in milliseconds since the epoch, for what several DataNodes do at the same
   * time. It may jump: what takes time is measured with the engine's own clock.
   */
  default long wallMillis() {
    return System.currentTimeMillis();
  }

  /**
   * Notified, by the planner's thread, each time that the data of a pinned block has come to a fast
   * device, or is pinned there no more. Never throws.
   *
   * @param here true if it has come
   */
  default void pinned(BlockKey block, boolean here) {}

  /**
   * True if a clean copy of this part of the block can be served. A copy may have been dropped
   * before the end of the move that made it is reported.
   */
  boolean hasClean(BlockKey block, Part part);
}
