// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.policy.ForwardingPolicy;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.CachePolicy;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * LRU behind a gate: what the gate refuses is bypassed. The simple baselines of Baleen (FAST'24)
 * are such gates. For simulations, where an access is numbered by its time.
 */
final class Admission extends ForwardingPolicy {
  /** Decides about an object that just missed and would be admitted. */
  interface Gate {
    /**
     * Decides.
     *
     * @param at the number of the access
     */
    boolean admits(Candidate candidate, int at);
  }

  private final CachePolicy lru = Policies.create("lru");
  private final Gate gate;

  /** By object: its last access. */
  private final int[] usedAt;

  private int now;
  private long evictions;
  private double ages;

  /**
   * @param objects of the trace
   */
  Admission(Gate gate, int objects) {
    this.gate = gate;
    this.usedAt = new int[objects];
  }

  @Override
  protected CachePolicy current() {
    return lru;
  }

  @Override
  public void onAccess(Access access) {
    now = (int) access.timeNanos();
    usedAt[(int) access.key().id()] = now;
    super.onAccess(access);
  }

  @Override
  public void onRemoved(CacheKey key) {
    evictions++;
    ages += now - usedAt[(int) key.id()];
    super.onRemoved(key);
  }

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    Decision decision = super.decide(candidate, freeBytes, capacityBytes);
    return !decision.isAdmit() || gate.admits(candidate, now)
        ? decision
        : Decision.bypass(Reason.COST_NOT_BELOW_GAIN);
  }

  /** Mean number of accesses from the last use of an object to its eviction; infinite if none. */
  double evictionAge() {
    return evictions == 0 ? Double.POSITIVE_INFINITY : ages / evictions;
  }

  /** Admits with a fixed probability; the draws are the same whatever the probability. */
  static Gate coinFlip(double probability, long seed) {
    return (candidate, at) -> {
      long hash = CacheKey.idHash(seed) * 0x9E3779B97F4A7C15L + at;
      hash = (hash ^ (hash >>> 30)) * 0xBF58476D1CE4E5B9L;
      hash = (hash ^ (hash >>> 27)) * 0x94D049BB133111EBL;
      return ((hash ^ (hash >>> 31)) >>> 11) * 0x1p-53 < probability;
    };
  }

  /**
   * Refuses an object until it was refused so often while its name is in the history. Names leave
   * the history in the order in which they came.
   *
   * @param rejects &gt;= 1
   * @param history number of names, &gt;= 1
   */
  static Gate rejectX(int rejects, int history) {
    Map<CacheKey, Integer> misses =
        new LinkedHashMap<>() {
          @Override
          protected boolean removeEldestEntry(Map.Entry<CacheKey, Integer> eldest) {
            return size() > history;
          }
        };
    return (candidate, at) -> misses.merge(candidate.key(), 1, Integer::sum) > rejects;
  }
}
