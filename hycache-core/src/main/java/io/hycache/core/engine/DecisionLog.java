// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Weighing;
import io.hycache.core.stats.LastDecision;
import io.hycache.core.table.BlockEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The last decision on each block, with its figures, for the blocks decided on most recently. O(1);
 * about 200 bytes for each of at most {@link #MAX_BLOCKS} blocks. Single-threaded.
 */
final class DecisionLog {
  static final int MAX_BLOCKS = 16_384;

  private static final class Entry {
    final String policy;
    final long atNanos;
    final String trigger;
    final Reason outcome;
    final Candidate candidate;
    final long freeBytes;
    final int victims;
    final @Nullable Weighing weighing;

    Entry(
        String policy,
        long atNanos,
        String trigger,
        Reason outcome,
        Candidate candidate,
        long freeBytes,
        Decision decision) {
      this.policy = policy;
      this.atNanos = atNanos;
      this.trigger = trigger;
      this.outcome = outcome;
      this.candidate = candidate;
      this.freeBytes = freeBytes;
      // Not the decision itself, which would keep all its victims in memory.
      this.victims = decision.victims().size();
      this.weighing = decision.weighing();
    }
  }

  /** By block, the oldest first. */
  private final Map<CacheKey, Entry> entries = new LinkedHashMap<>();

  private final Supplier<String> policy;

  /**
   * @param policy the name of the policy that decides, at the time of a decision
   */
  DecisionLog(Supplier<String> policy) {
    this.policy = policy;
  }

  private void put(CacheKey block, Entry entry) {
    entries.remove(block);
    entries.put(block, entry);
    if (entries.size() > MAX_BLOCKS) {
      entries.remove(entries.keySet().iterator().next());
    }
  }

  /** Records a decision of the policy on a candidate. */
  void decided(Candidate candidate, long freeBytes, Decision decision, long now) {
    put(
        candidate.key(),
        new Entry(
            policy.get(),
            now,
            candidate.trigger().name(),
            decision.reason(),
            candidate,
            freeBytes,
            decision));
  }

  /** Records that a block is fetched ahead of its read, against the decision of the policy. */
  void fetchedAhead(Candidate candidate, long freeBytes, Decision decision, long now) {
    put(
        candidate.key(),
        new Entry(
            policy.get(), now, "READ_AHEAD", Reason.FETCHED_AHEAD, candidate, freeBytes, decision));
  }

  /** Records that a block is copied because a directive pins it; no policy was asked. */
  void pinned(Candidate candidate, long freeBytes, Decision decision, long now) {
    put(
        candidate.key(),
        new Entry(policy.get(), now, "DIRECTIVE", Reason.PINNED, candidate, freeBytes, decision));
  }

  /** Records that victims make way for a candidate. */
  void madeWay(
      List<BlockEntry> victims,
      Reason why,
      Candidate candidate,
      long freeBytes,
      Decision decision,
      long now) {
    Entry entry = new Entry(policy.get(), now, "MADE_WAY", why, candidate, freeBytes, decision);
    victims.forEach(victim -> put(victim.key(), entry));
  }

  void forget(BlockKey block) {
    entries.remove(block);
  }

  /** The last decision on a block; null if none is remembered. */
  @Nullable LastDecision of(BlockKey block, long now) {
    Entry e = entries.get(block);
    return e == null
        ? null
        : new LastDecision(
            e.policy,
            TimeUnit.NANOSECONDS.toMillis(Math.max(0, now - e.atNanos)),
            e.trigger,
            e.outcome.name(),
            e.candidate.sizeBytes(),
            e.freeBytes,
            e.victims,
            e.candidate.referencesAfterFetch(),
            e.weighing);
  }
}
