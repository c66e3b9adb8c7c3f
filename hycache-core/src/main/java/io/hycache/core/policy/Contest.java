// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Policies that contend for the lead, each with a simulated cache of its own ({@link Contender}),
 * and the cache to follow, which is that of the leader.
 *
 * <p>Idea: the contenders see only the blocks of a sample, in caches that are smaller by the same
 * rate. At first the sample is all blocks, and the leader's cache is the one to follow. When a
 * simulated cache holds more than {@link #MAX_BLOCKS} blocks, the rate is halved until none holds
 * more than {@link #MAX_SAMPLED_BLOCKS}, and so on. From then on, the cache to follow is one of the
 * leader's policy that sees all blocks: at first the leader's cache as it was, so that nothing is
 * lost, while a new one takes its place in the contest; after a change of leader a new one, which
 * begins with the residents, in the order of their last reads, and all hints that are known. As it
 * knows nothing else of the past, a change is made less often.
 *
 * <p>Costs are compared among contenders only, which all see the same blocks, so they need no
 * scale. The rate rises only when a flood of small blocks is over that left a sample of less than
 * {@link #MIN_SAMPLED_BLOCKS}: the contest begins anew, with a sample as large as the residents
 * allow, but the leader and its cache stay.
 *
 * <p>Complexity: that of the leader's policy per access, and that of all contenders per access to a
 * block in the sample; O(n) when the leader or the rate changes. Memory: about 1 KB per block in
 * the sample, and about 20 MB for the windows of {@link ReuseEstimator}s; about 60 bytes per
 * resident and the memory of the leader's policy. Not thread-safe.
 *
 * <p>Source: C. Waldspurger, N. Park, A. Garthwaite, I. Ahmad, "Efficient MRC construction with
 * SHARDS" (FAST'15), the fixed-size variant; for simulated caches of any policy: C. Waldspurger, T.
 * Saemundsson, I. Ahmad, N. Park, "Cache modeling and optimization using miniature simulations"
 * (ATC'17), section 3.
 */
final class Contest {
  /** Blocks in a simulated cache, at most, while the sample is all blocks. */
  static final int MAX_BLOCKS = 16_384;

  /** The same of a smaller sample: few, so that most accesses cost no more than the leader's. */
  static final int MAX_SAMPLED_BLOCKS = 2_048;

  /** Blocks in a sample, at least, if there are so many: fewer say too little. */
  static final int MIN_SAMPLED_BLOCKS = MAX_SAMPLED_BLOCKS / 8;

  static final int MIN_HALF_LIFE = 8_192;

  /** Accesses for which a sample may be smaller. */
  static final int MAX_ACCESSES_OF_FEW = MIN_HALF_LIFE;

  /** Trust in announcements from which on hints need not have saved anything yet. */
  private static final double GOOD_TRUST = 0.9;

  /**
   * Part of LRU's disk time, and of the cost of a leader that may stay, that a contender must save
   * to take the lead.
   */
  private static final double MIN_GAIN = 0.005;

  /** Reads by which a leader may cost more than LRU or another before it changes. */
  private static final int SLACK_READS = 2;

  /**
   * Part of LRU's disk time by which a leader that uses no hints may cost more, too: it learns from
   * earlier reads, of which there are few at first, and a change costs as much.
   */
  private static final double SLACK = 0.015;

  /** The same in reads, at most. */
  private static final int MAX_SLACK_READS = 40;

  private static final int SMOOTHED_READS = 64;

  /**
   * Part of what the next leader's simulated cache holds beside the residents that is taken to be
   * written to SSD after a change; the rest leaves it before it is read again.
   */
  private static final double WRITTEN = 0.5;

  /** Counts the hinted references. */
  private static final String COUNTING = "heuristic";

  /** Uses both hints and earlier reads. */
  private static final String MIXED = "hinted-reuse";

  private static final List<String> UNHINTED =
      List.of("lru", "lirs", "arc", "s3-fifo", "reuse", "hit-density", "hit-value");
  private static final List<String> HINTED = List.of(COUNTING, MIXED, "pro-rata", "belady-size");

  private final DiskTime disk;
  private final long seed;
  private final Contender.Watcher watcher;
  private final KnownHints hints;
  private final List<Contender> contenders = new ArrayList<>();

  /** Those that use hints; they contend from the first hint on. */
  private final List<Contender> hinted = new ArrayList<>();

  private final BlockSample sample = new BlockSample();
  private final CacheKey[] soon = new CacheKey[Replay.AHEAD];
  private Contender lru;
  private Contender mixed;
  private Contender leader;
  private Contender followed;
  private long capacityBytes = -1;

  /** Accesses since the sample was last large enough, or of all blocks. */
  private int accessesOfFew;

  /** Disk time of a read, as of the last {@value #SMOOTHED_READS}, and how many there were. */
  private double meanReadSeconds;

  private long reads;

  /**
   * @param first name of the first leader, one that needs no hints
   * @param watcher notified of changes in all caches
   * @param hints kept up to date by the caller, before it calls
   */
  Contest(DiskTime disk, long seed, String first, Contender.Watcher watcher, KnownHints hints) {
    this.disk = disk;
    this.seed = seed;
    this.watcher = watcher;
    this.hints = hints;
    UNHINTED.forEach(name -> contenders.add(make(name)));
    HINTED.forEach(name -> hinted.add(make(name)));
    lru = contenders.get(0);
    mixed = hinted.get(1);
    leader = contenders.get(UNHINTED.indexOf(first));
    followed = leader;
  }

  private Contender make(String name) {
    CachePolicy policy =
        name.equals(MIXED)
            ? new ProRataPolicy(disk, new ReuseEstimator())
            : name.equals(COUNTING)
                ? new HeuristicPolicy(disk.writePrice())
                : Policies.create(name, disk, seed);
    return new Contender(name, HINTED.contains(name), policy, disk, watcher);
  }

  /** The contender that has the lead. */
  Contender leader() {
    return leader;
  }

  /** The cache of the leader's policy to follow; sees all blocks. */
  Contender followed() {
    return followed;
  }

  /** Whether the contenders see a part of all blocks only. */
  boolean isSampled() {
    return !sample.isAll();
  }

  /** Whether the cache to follow is not the leader's. */
  private boolean followsAnother() {
    return followed != leader;
  }

  /** The part of all blocks that the contenders see. */
  double rate() {
    return sample.rate();
  }

  /** Blocks in the simulated caches of all contenders. */
  int blocks() {
    return contenders.stream().mapToInt(Contender::blocks).sum();
  }

  /** Whether it has long been too small, although there are enough blocks. */
  boolean isSampleTooSmall() {
    return accessesOfFew > MAX_ACCESSES_OF_FEW;
  }

  private boolean areFew(int residents) {
    return isSampled()
        && residents * sample.rate() < MIN_SAMPLED_BLOCKS
        && contenders.stream().allMatch(each -> each.blocks() < MIN_SAMPLED_BLOCKS);
  }

  private void each(CacheKey key, Consumer<Contender> action) {
    if (sample.has(key)) {
      contenders.forEach(action);
    }
    if (followsAnother()) {
      action.accept(followed);
    }
  }

  // ---- events -----------------------------------------------------------------------------------

  /**
   * Simulates an access.
   *
   * @param residents number of blocks that the real cache holds
   * @return whether the block is in the sample, so that costs have changed
   */
  boolean access(Access access, int residents) {
    accessesOfFew = areFew(residents) ? accessesOfFew + 1 : 0;
    long left = hints.references(access.key());
    if (followsAnother()) {
      followed.access(access, left);
    }
    if (!sample.has(access.key())) {
      return false;
    }
    double halfLife = Math.max(MIN_HALF_LIFE, 2 * residents * sample.rate());
    double factor = 1 - Math.log(2) / halfLife;
    meanReadSeconds +=
        (disk.seconds(access.sizeBytes()) - meanReadSeconds) / Math.min(++reads, SMOOTHED_READS);
    for (int i = 0; i < contenders.size(); i++) {
      Contender contender = contenders.get(i);
      contender.decay(factor);
      contender.access(access, left);
    }
    bound(access.timeNanos());
    return true;
  }

  /** As {@link BlockMap#warm}, for all caches that see the blocks. */
  int warm(CacheKey[] keys, int count) {
    int seen = followed.warm(keys, count);
    if (followsAnother()) {
      int sampled = sample.pick(keys, count, soon);
      for (int i = 0; i < contenders.size(); i++) {
        seen += contenders.get(i).warm(soon, sampled);
      }
    }
    return seen;
  }

  /** Passes an earlier access to the policies, without a simulation. */
  void replay(Access access) {
    each(access.key(), contender -> contender.policy.onAccess(access));
  }

  /**
   * A block was admitted to the real cache without a decision, or its size changed.
   *
   * @param resized whether it was there before
   */
  void admitted(CacheKey key, long sizeBytes, boolean resized, long now) {
    each(
        key,
        contender -> {
          if (!resized || contender.holds(key)) {
            contender.insert(key, sizeBytes, now);
          }
        });
    bound(now);
  }

  /** A block left the real cache. What other contenders hold stays: an eviction is not theirs. */
  void removed(CacheKey key) {
    if (followed.holds(key)) {
      followed.lose(key);
      if (followsAnother() && sample.has(key)) {
        leader.lose(key);
      }
    }
  }

  void deleted(CacheKey key) {
    each(key, contender -> contender.delete(key));
  }

  void classed(CacheKey key, String name) {
    each(key, contender -> contender.policy.onClass(key, name));
    if (!hintsContend() && sample.has(key)) {
      hinted.forEach(contender -> contender.policy.onClass(key, name));
    }
  }

  void time(long nowNanos) {
    hinted.forEach(contender -> contender.policy.onTime(nowNanos));
    if (followsAnother()) {
      followed.policy.onTime(nowNanos);
    }
  }

  void references(CacheKey key, long remaining) {
    eachHinted(key, contender -> contender.policy.onReferences(key, remaining));
  }

  void nextUse(CacheKey key, long atNanos) {
    eachHinted(key, contender -> contender.policy.onNextUse(key, atNanos));
  }

  void usedWithoutAccess(CacheKey key) {
    eachHinted(key, contender -> contender.policy.onUsedWithoutAccess(key));
  }

  private void eachHinted(CacheKey key, Consumer<Contender> action) {
    if (sample.has(key)) {
      hinted.forEach(action);
    }
    if (followsAnother() && followed.usesHints) {
      action.accept(followed);
    }
  }

  /** Offers a candidate of a hint to all that use hints. */
  void offer(Candidate candidate, long now) {
    CacheKey key = candidate.key();
    eachHinted(
        key,
        contender -> {
          boolean unused = !contender.holds(key) && contender.offer(candidate, now);
        });
  }

  // ---- the lead ---------------------------------------------------------------------------------

  /**
   * Whether the one of least cost among those that use no hints holds a block; of a block that is
   * not in the sample nothing is known, and it counts as held.
   */
  boolean isHeldWithoutHints(CacheKey key) {
    if (!sample.has(key)) {
      return true;
    }
    Contender best = lru;
    for (int i = 0; i < contenders.size(); i++) {
      Contender each = contenders.get(i);
      if (!each.usesHints && each.cost() < best.cost()) {
        best = each;
      }
    }
    return best.holds(key);
  }

  /** The leader if it is still no slower than LRU, or a contender of less cost. */
  Contender best() {
    boolean hintsLeft = hints.anyReferences();
    double lrus = lru.diskSecondsAndDearWrites();
    double learning = Math.min(SLACK * lrus, MAX_SLACK_READS * meanReadSeconds);
    double slack = SLACK_READS * meanReadSeconds + (leader.usesHints ? 0 : learning);
    boolean stays =
        leader.diskSecondsAndDearWrites() <= lrus + slack && (hintsLeft || !needsHints(leader));
    Contender best = stays ? leader : lru;
    double least = best.cost() - (stays ? MIN_GAIN * best.cost() + slack : 0);
    boolean trusted = ((ProRataPolicy) mixed.policy).trust() >= GOOD_TRUST;
    for (int i = 0; i < contenders.size(); i++) {
      Contender each = contenders.get(i);
      if (!hintsLeft && needsHints(each)) {
        continue;
      }
      double cost = each.cost();
      double most = each.usesHints && trusted ? lrus : lrus * (1 - MIN_GAIN);
      if (cost < least && each.diskSecondsAndDearWrites() <= most) {
        least = cost;
        best = each;
      }
    }
    return best;
  }

  /**
   * Whether a change of leader is worth the SSD writes until the real cache holds what that of the
   * next leader does, as far as they cost more than at the default price. Past costs do not contain
   * them: a contender has filled its simulated cache long ago. One that uses hints is not charged:
   * hinted blocks have to be written whenever it takes the lead. O(n) at such a price, O(1) at
   * others.
   *
   * @param isResident whether the real cache holds a block
   */
  boolean isWorthItsWrites(Contender next, Predicate<CacheKey> isResident) {
    if (disk.secondsBeyondDefault(1) == 0 || next.usesHints) {
      return true;
    }
    double bytes = WRITTEN * next.bytesBeside(isResident);
    return leader.cost() - next.cost() > disk.secondsBeyondDefault(bytes);
  }

  /** Whether a contender can do nothing without hints. */
  private boolean needsHints(Contender contender) {
    return contender.usesHints && contender != mixed;
  }

  /**
   * Gives a contender the lead.
   *
   * @param residents of the real cache, in the order of their last reads
   */
  void lead(Contender next, Iterable<Resident> residents, long now) {
    leader = next;
    followed = next;
    if (isSampled()) {
      Contender full = make(next.name);
      if (full.usesHints) {
        full.policy.onTime(now);
        hints.passTo(full.policy, key -> true);
      }
      fill(full, residents, now);
      followed = full;
    }
  }

  /** Whether the policies that use hints contend. */
  boolean hintsContend() {
    return contenders.contains(mixed);
  }

  /** Lets them contend, with the cost of the leader and all residents. */
  void useHints(Iterable<Resident> residents, long now) {
    for (Contender each : hinted) {
      each.takeCosts(leader);
      if (capacityBytes >= 0) {
        fill(each, residents, now);
      }
      contenders.add(each);
    }
  }

  /** The one to lead after {@link #useHints}. */
  Contender firstHinted() {
    return hinted.get(0);
  }

  // ---- capacity and sample ----------------------------------------------------------------------

  /** The size of the real cache is known. */
  void begin(long capacity, List<Resident> residents, long now) {
    capacityBytes = capacity;
    while (residents.size() * sample.rate() > maxBlocks()) {
      halve(now);
    }
    contenders.forEach(each -> fill(each, residents, now));
    if (followsAnother()) {
      fill(followed, residents, now);
    }
  }

  /** The size of the real cache changed. */
  void resize(long capacity) {
    capacityBytes = capacity;
    contenders.forEach(this::resize);
    if (followsAnother()) {
      resize(followed);
    }
  }

  private void resize(Contender contender) {
    contender.setCapacityBytes(
        seesAll(contender) ? capacityBytes : (long) (capacityBytes * sample.rate()));
  }

  /** Whether a cache is for all blocks: once there is a smaller sample, only the one to follow. */
  private boolean seesAll(Contender contender) {
    return sample.isAll() || !(contenders.contains(contender) || hinted.contains(contender));
  }

  /** Gives a cache its size, and the residents that it sees. */
  private void fill(Contender contender, Iterable<Resident> residents, long now) {
    resize(contender);
    boolean all = seesAll(contender);
    for (Resident resident : residents) {
      if (all || sample.has(resident.key)) {
        contender.insert(resident.key, resident.sizeBytes, now);
      }
    }
  }

  /**
   * Begins the contest anew, with a sample as large as the residents allow. The leader keeps the
   * cache to follow, which has seen all blocks.
   */
  void widen(List<Resident> residents, long now) {
    accessesOfFew = 0;
    sample.reset();
    while (residents.size() * sample.rate() > maxBlocks()) {
      sample.halve();
    }
    Set<Contender> all = new LinkedHashSet<>(contenders);
    all.addAll(hinted);
    for (Contender old : all) {
      boolean leads = old == leader;
      Contender fresh = leads && sample.isAll() ? followed : make(old.name);
      replace(old, fresh);
      leader = leads ? fresh : leader;
      if (fresh != followed) {
        begin(fresh, residents, now);
      }
    }
    followed.decay(0);
  }

  /** Gives a new contender its hints, and its cache if it contends already. */
  private void begin(Contender fresh, List<Resident> residents, long now) {
    if (fresh.usesHints) {
      fresh.policy.onTime(now);
      hints.passTo(fresh.policy, sample::has);
    }
    if (contenders.contains(fresh)) {
      fill(fresh, residents, now);
    }
  }

  private int maxBlocks() {
    return sample.isAll() ? MAX_BLOCKS : MAX_SAMPLED_BLOCKS;
  }

  /** Halves the rate while a contender holds more blocks than it may. */
  private void bound(long now) {
    for (int i = 0; i < contenders.size(); i++) {
      while (contenders.get(i).blocks() > maxBlocks() && sample.canBeHalved()) {
        halve(now);
      }
    }
  }

  private void halve(long now) {
    sample.halve();
    if (!followsAnother()) {
      Contender sampled = make(leader.name);
      sampled.takeCosts(leader);
      replace(leader, sampled);
      if (sampled.usesHints) {
        sampled.policy.onTime(now);
        hints.passTo(sampled.policy, sample::has);
      }
      resize(sampled);
      leader.copyTo(sampled, sample::has, now);
      leader = sampled;
    }
    for (Contender each : hinted) {
      hints.withdrawFrom(each.policy, key -> !sample.has(key));
    }
    for (Contender each : contenders) {
      each.retain(sample::has);
      resize(each);
    }
  }

  private void replace(Contender old, Contender by) {
    Collections.replaceAll(contenders, old, by);
    Collections.replaceAll(hinted, old, by);
    lru = lru == old ? by : lru;
    mixed = mixed == old ? by : mixed;
  }
}
