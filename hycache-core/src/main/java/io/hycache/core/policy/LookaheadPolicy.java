package io.hycache.core.policy;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.KnownSequence;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides for manifests: the best of a few rules, found by rehearsing them on what is to come.
 *
 * <p>Idea: {@link ProRataPolicy} weighs disk time by the next use and is the best rule most of the
 * time, but none is best on every sequence: a strict test may block equal swaps for ever, a
 * farthest next use may be a tiny block. Where the sequence is known, a few rules are rehearsed
 * from the present state to its end ({@link Replay}), and the one that costs the disks least
 * decides until the next rehearsal, after an eighth of the sequence. Going on as before is always
 * among the choices, so a rehearsal of all blocks never makes a sequence costlier than the first
 * choice was; and {@code heuristic} is among the first choices.
 *
 * <p>A sequence of many blocks is rehearsed with a sample: blocks by their hash, the capacity in
 * proportion to the sample's bytes (Waldspurger et al., "Cache modeling and optimization using
 * miniature simulations", ATC'17). Where no sequence is known, as in a DataNode, this is {@link
 * ProRataPolicy} with what it concludes from earlier reads.
 *
 * <p>Complexity: O(log n) for each event; rehearsals cost as much as about {@link #REHEARSALS} / 2
 * times the rules' own work on the sample, spread over the sequence: O(log n) an access.
 *
 * <p>Memory: that of the rule in force, and during a rehearsal that of a rule for the sample.
 *
 * <p>Approximate: a sample may choose a rule that is not the best for all.
 *
 * <p>Source: ours.
 */
final class LookaheadPolicy extends ForwardingPolicy implements Warmable {
  static final int REHEARSALS = 8;
  private static final int SAMPLE_BLOCKS = 16_384;
  private static final int LEAST_SAMPLE_ACCESSES = 1000;

  private final DiskTime disk;
  private final Map<String, Supplier<Rule<?>>> rules = new LinkedHashMap<>();

  /** Of all reads without a sequence, so that what they taught outlasts one. */
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

  /** The rule in force. */
  String rule() {
    return sequence == null ? "reuse" : rule;
  }

  @Override
  public void onSequence(KnownSequence told) {
    sequence = told.length() > told.position() ? told : null;
    nextRehearsal = told.position();
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

  /** Tells a new rule all that the old one knew. O(n log n). */
  private void take(Rule<?> next) {
    current.handOver(next, now);
    current = next;
  }

  @Override
  public void onClass(BlockKey block, String name) {
    reuse.belongs(block, name);
  }

  @Override
  public void onAccess(BlockKey block, long sizeBytes, long nowNanos) {
    now = nowNanos;
    super.onAccess(block, sizeBytes, nowNanos);
  }

  @Override
  public void onAdmitted(BlockKey block, long sizeBytes, long nowNanos) {
    now = nowNanos;
    super.onAdmitted(block, sizeBytes, nowNanos);
  }

  @Override
  public int warm(BlockKey[] blocks, int count) {
    return current.warm(blocks, count);
  }

  @Override
  public int nextToGo(BlockKey[] into, int count) {
    return current.nextToGo(into, count);
  }

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacity) {
    capacityBytes = capacity;
    KnownSequence ahead = sequence;
    // As long as nothing has to go, all rules do about the same.
    if (ahead != null && freeBytes < candidate.sizeBytes() && ahead.position() >= nextRehearsal) {
      rehearse(ahead);
    }
    return super.decide(candidate, freeBytes, capacity);
  }

  // ---- rehearsal --------------------------------------------------------------------------------

  private void rehearse(KnownSequence ahead) {
    nextRehearsal = ahead.position() + Math.max(1, ahead.length() / REHEARSALS);
    Rehearsal rehearsal = Rehearsal.of(ahead, current, capacityBytes, SAMPLE_BLOCKS);
    if (rehearsal.accesses() < LEAST_SAMPLE_ACCESSES && rehearsal.isSample()) {
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
