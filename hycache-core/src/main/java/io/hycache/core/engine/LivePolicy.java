package io.hycache.core.engine;

import com.google.common.collect.ImmutableList;
import io.hycache.core.model.BlockKey;
import io.hycache.core.policy.ForwardingPolicy;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.util.List;

/**
 * The policy in force, which may give way to another while the DataNode runs. Owned by the
 * planner's thread; a hand-over is O(residents log residents + hinted blocks).
 */
final class LivePolicy extends ForwardingPolicy {
  /** A successor hears of so many of a resident's reads, as after a restart. */
  static final int READS = 16;

  private CachePolicy current;

  LivePolicy(CachePolicy first) {
    current = first;
  }

  /**
   * Another one takes over: it is told the references left, and the residents in the order in which
   * they would have gone, so that recency is what it was and frequency at least {@link #READS}
   * deep.
   *
   * @param tellReferences tells the policy in force of all references that are left
   */
  void replace(CachePolicy next, BlockTable table, Runnable tellReferences, long now) {
    List<BlockKey> residents = ImmutableList.copyOf(current.evictionOrder());
    current = next;
    tellReferences.run();
    for (BlockKey key : residents) {
      BlockEntry entry = table.get(key);
      if (entry != null) {
        next.onAdmitted(key, entry.sizeBytes(), now);
        heard(next, entry, now);
      }
    }
  }

  /** Tells a policy of a resident's reads of before. */
  static void heard(CachePolicy policy, BlockEntry entry, long now) {
    BlockKey key = entry.key();
    for (int i = 0; i < Math.min(entry.reads(), READS); i++) {
      policy.onAccess(key, entry.sizeBytes(), now);
    }
  }

  @Override
  protected CachePolicy current() {
    return current;
  }
}
