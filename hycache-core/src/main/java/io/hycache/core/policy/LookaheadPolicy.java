// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.KnownSequence;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The policy for manifests: simulates a few rules on the known sequence and applies the best.
 *
 * <p>Idea: {@link ProRataPolicy}, which weighs disk time by next use, is the best rule for most
 * sequences, but no rule is best for all: a strict comparison may block equal swaps for ever, and
 * the block with the farthest next use may be tiny. Where the sequence is known, a few rules are
 * simulated from the present state to its end ({@link Replay}). The one with the least disk time
 * decides until the next rehearsal, an eighth of the sequence later. Keeping the current rule is
 * always among the choices, so a rehearsal of all blocks never makes a sequence costlier than the
 * first choice was; {@code heuristic} is among the first choices.
 *
 * <p>A sequence of many blocks is sampled: blocks by their hash, the capacity in proportion to the
 * sample's bytes (Waldspurger et al., "Cache modeling and optimization using miniature
 * simulations", ATC'17). Where no sequence is known, as in a DataNode, this is {@link
 * ProRataPolicy} with its estimates from earlier reads.
 *
 * <p>Complexity: O(log n) per event; rehearsals cost about {@link #REHEARSALS_PER_SEQUENCE} / 2
 * times the rules' own work on the sample, spread over the sequence: O(log n) per access.
 *
 * <p>Memory: that of the current rule, and during a rehearsal that of one rule for the sample.
 *
 * <p>Approximate: the best rule for the sample may not be the best for all blocks.
 *
 * <p>Source: ours.
 */
final class LookaheadPolicy extends ForwardingPolicy implements Warmable {
  static final int REHEARSALS_PER_SEQUENCE = 8;
  private static final int SAMPLE_BLOCKS = 16_384;
  private static final int MIN_SAMPLE_ACCESSES = 1000;

  private final DiskTime disk;
  private final Map<String, Supplier<Rule<?>>> rules = new LinkedHashMap<>();

  /** Fed with all reads outside a sequence, so that its statistics outlive each sequence. */
  private final ReuseEstimator reuse = new ReuseEstimator();

  private String rule = "pro-rata";
  private Rule<?> current;
  private @Nullable KnownSequence sequence;
  private long nextRehearsal;
  private long capacityBytes = -1;
  private long now;

  LookaheadPolicy(DiskTime disk) {
    this.disk = disk;
    rules.put("pro-rata", () -> new ProRataPolicy(disk, null));
    rules.put("belady-size", () -> new BeladySizePolicy(disk));
    rules.put("heuristic", HeuristicPolicy::new);
    rules.put("belady", BeladyPolicy::new);
    current = new ProRataPolicy(disk, reuse);
  }

  @Override
  protected CachePolicy current() {
    return current;
  }

  /** Name of the current rule. */
  String rule() {
    return sequence == null ? "reuse" : rule;
  }

  @Override
  public void onSequence(KnownSequence newSequence) {
    sequence = newSequence.length() > newSequence.position() ? newSequence : null;
    nextRehearsal = newSequence.position();
    if (sequence == null) {
      take(new ProRataPolicy(disk, reuse));
    } else {
      take(make(rule));
    }
  }

  private Rule<?> make(String name) {
    Supplier<Rule<?>> maker = rules.get(name);
    if (maker == null) {
      throw new IllegalStateException("no such rule: " + name);
    }
    return maker.get();
  }

  /** Replaces the current rule; the new one receives the state of the old one. O(n log n). */
  private void take(Rule<?> next) {
    current.handOver(next, now);
    current = next;
  }

  @Override
  public void onClass(CacheKey key, String name) {
    reuse.belongs(key, name);
  }

  @Override
  public void onAccess(Access access) {
    now = access.timeNanos();
    super.onAccess(access);
  }

  @Override
  public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    now = nowNanos;
    super.onAdmitted(key, sizeBytes, nowNanos);
  }

  @Override
  public int warm(CacheKey[] keys, int count) {
    return current.warm(keys, count);
  }

  @Override
  public int nextToGo(CacheKey[] into, int count) {
    return current.nextToGo(into, count);
  }

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacity) {
    capacityBytes = capacity;
    KnownSequence ahead = sequence;
    // While nothing needs to be evicted, all rules behave about the same.
    if (ahead != null && freeBytes < candidate.sizeBytes() && ahead.position() >= nextRehearsal) {
      rehearse(ahead);
    }
    return super.decide(candidate, freeBytes, capacity);
  }

  // ---- rehearsal --------------------------------------------------------------------------------

  private void rehearse(KnownSequence ahead) {
    nextRehearsal = ahead.position() + Math.max(1, ahead.length() / REHEARSALS_PER_SEQUENCE);
    Rehearsal rehearsal = Rehearsal.of(ahead, current, capacityBytes, SAMPLE_BLOCKS);
    if (rehearsal.accesses() < MIN_SAMPLE_ACCESSES && rehearsal.isSample()) {
      return;
    }
    String best = rule;
    double least = rehearsal.diskSeconds(make(rule), disk);
    for (String name : rules.keySet()) {
      if (!name.equals(rule)) {
        double seconds = rehearsal.diskSeconds(make(name), disk);
        if (seconds < least) {
          least = seconds;
          best = name;
        }
      }
    }
    if (!best.equals(rule)) {
      rule = best;
      take(make(best));
    }
  }
}
