// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import com.google.common.collect.Iterables;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.policy.ForwardingPolicy;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The current policy, which may be replaced while the DataNode runs. An exception of a method that
 * notifies it is reported, and does not reach the caller, who is in the middle of a change. Owned
 * by the planner's thread; a replacement is O(residents log residents + hinted blocks).
 */
final class LivePolicy extends ForwardingPolicy {
  /** Reads of a resident that are replayed to a new policy, and after a restart. */
  static final int MAX_REPLAYED_READS = 16;

  private final LiveConfig config;
  private final Consumer<RuntimeException> failures;
  private CachePolicy current;

  /**
   * @param failures notified when the policy fails: it may hold other blocks than it should
   */
  LivePolicy(LiveConfig config, CachePolicy first, Consumer<RuntimeException> failures) {
    this.config = config;
    this.failures = failures;
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
   * #MAX_REPLAYED_READS}. Those that the old one left out are to be passed on by {@link
   * Residents#reconcile}. If the new one throws, the old one stays.
   *
   * @param replayReferences passes all references left to a policy
   */
  void replace(
      CachePolicy next, BlockTable table, Consumer<CachePolicy> replayReferences, long now) {
    List<CacheKey> residents = order(table.size());
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

  /** The order of eviction, as far as the policy gives it. */
  private List<CacheKey> order(int most) {
    List<CacheKey> order = new ArrayList<>();
    try {
      Iterables.limit(current.evictionOrder(), most).forEach(order::add);
    } catch (RuntimeException e) {
      failures.accept(e);
    }
    return order;
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

  private void report(Consumer<CachePolicy> event) {
    try {
      event.accept(current);
    } catch (RuntimeException e) {
      failures.accept(e);
    }
  }

  @Override
  public void onAccess(Access access) {
    report(policy -> policy.onAccess(access));
  }

  @Override
  public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    report(policy -> policy.onAdmitted(key, sizeBytes, nowNanos));
  }

  @Override
  public void onRemoved(CacheKey key) {
    report(policy -> policy.onRemoved(key));
  }

  @Override
  public void onDeleted(CacheKey key) {
    report(policy -> policy.onDeleted(key));
  }

  @Override
  public void onTime(long nowNanos) {
    report(policy -> policy.onTime(nowNanos));
  }

  @Override
  public void onReferences(CacheKey key, long remaining) {
    report(policy -> policy.onReferences(key, remaining));
  }

  @Override
  public void onNextUse(CacheKey key, long atNanos) {
    report(policy -> policy.onNextUse(key, atNanos));
  }

  @Override
  public void onUsedWithoutAccess(CacheKey key) {
    report(policy -> policy.onUsedWithoutAccess(key));
  }

  @Override
  public void onClass(CacheKey key, String name) {
    report(policy -> policy.onClass(key, name));
  }
}
