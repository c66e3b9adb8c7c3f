// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.spi;

import io.hycache.core.model.BlockKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers the engine's questions about blocks whose events were dropped. Thread-safe; answers come
 * from memory, but for {@link Sighting#home}.
 */
public interface Census {
  /** For a host without an answer: no block is looked up again. */
  Census NONE =
      new Census() {
        @Override
        public @Nullable Sighting look(BlockKey block) {
          throw new IllegalStateException("this host cannot look a block up again: block=" + block);
        }

        @Override
        public List<BlockKey> blocks() {
          return List.of();
        }
      };

  /** What the DataNode holds of a block now; null if it has no finalized replica. */
  @Nullable Sighting look(BlockKey block);

  /** All blocks with a finalized replica. O(n). */
  List<BlockKey> blocks();
}
