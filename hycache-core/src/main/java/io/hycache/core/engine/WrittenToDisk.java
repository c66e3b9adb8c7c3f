package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Reason;
import io.hycache.core.table.BlockEntry;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Why replicas that are being written to DISK are not written to SSD, until they are finalized and
 * the block table has an entry for each. O(1); the oldest of more than {@link #MOST} is forgotten.
 * Owned by one thread.
 */
final class WrittenToDisk {
  static final int MOST = 16_384;

  private final Map<BlockKey, Reason> reasons = new LinkedHashMap<>();

  void because(BlockKey block, Reason reason) {
    reasons.remove(block);
    reasons.put(block, reason);
    if (reasons.size() > MOST) {
      reasons.remove(reasons.keySet().iterator().next());
    }
  }

  /** The block's replica is in the table. */
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
