// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import com.google.common.collect.ImmutableList;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.policy.ForwardingPolicy;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.util.List;
import java.util.function.Consumer;

/**
 * The current policy, which may be replaced while the DataNode runs. Owned by the planner's thread;
 * a replacement is O(residents log residents + hinted blocks).
 */
final class LivePolicy extends ForwardingPolicy {
  /** Reads of a resident that are replayed to a new policy, and after a restart. */
  static final int MAX_REPLAYED_READS = 16;

  private final LiveConfig config;
  private CachePolicy current;

  LivePolicy(LiveConfig config, CachePolicy first) {
    this.config = config;
    current = first;
  }

  /** Its name, and after a colon that of the policy that it follows at present, if any. */
  String name() {
    String followed = current.follows();
    String name = config.get().policy();
    return followed.isEmpty() ? name : name + ":" + followed;
  }

  /**
   * Replaces the policy. The new one gets the references left, and the residents in the order in
   * which they would have left, which restores recency, and frequency up to {@link
   * #MAX_REPLAYED_READS}. If either policy throws, the old one stays.
   *
   * @param replayReferences passes all references left to a policy
   */
  void replace(
      CachePolicy next, BlockTable table, Consumer<CachePolicy> replayReferences, long now) {
    List<CacheKey> residents = ImmutableList.copyOf(current.evictionOrder());
    replayReferences.accept(next);
    for (CacheKey key : residents) {
      BlockEntry entry = table.get(key);
      if (entry != null) {
        next.onAdmitted(key, entry.sizeBytes(), now);
        replayReads(next, entry, now);
      }
    }
    current = next;
  }

  /** Passes a resident's earlier reads to a policy. */
  static void replayReads(CachePolicy policy, BlockEntry entry, long now) {
    Access access = new Access().set(entry.key(), entry.sizeBytes(), entry.sizeBytes(), now);
    for (int i = 0; i < Math.min(entry.reads(), MAX_REPLAYED_READS); i++) {
      policy.onAccess(access);
    }
  }

  @Override
  protected CachePolicy current() {
    return current;
  }
}
