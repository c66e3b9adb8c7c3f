// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Reason;
import io.hycache.core.table.BlockEntry;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The reasons why replicas that are being written to DISK are not written to SSD, until they are
 * finalized and have an entry in the block table. O(1); the oldest of more than {@link #MAX_BLOCKS}
 * is forgotten. Single-threaded.
 */
final class WrittenToDisk {
  static final int MAX_BLOCKS = 16_384;

  private final Map<BlockKey, Reason> reasons = new LinkedHashMap<>();

  void because(BlockKey block, Reason reason) {
    reasons.remove(block);
    reasons.put(block, reason);
    if (reasons.size() > MAX_BLOCKS) {
      reasons.remove(reasons.keySet().iterator().next());
    }
  }

  /** The block's replica was entered in the table: sets its reason. */
  void finalized(BlockEntry entry) {
    Reason reason = reasons.remove(entry.key());
    if (reason != null && entry.home() == Home.DISK) {
      entry.setReason(reason);
    }
  }

  void gone(BlockKey block) {
    reasons.remove(block);
  }
}
