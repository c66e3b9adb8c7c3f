// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.config.PartitionRule;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.cost.Partition;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.policy.Policies;
import io.hycache.core.policy.Replay;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.KnownSequence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One policy with one capacity on one trace. */
final class Simulation {
  /** The name under which nothing is ever admitted. */
  static final String NONE = "none";

  private static final int OCCUPANCY_POINTS = 200;
  private static final long DEFAULT_WINDOW_MILLIS = 600_000;
  private static final int ACCESSES_PER_PROGRESS = 1 << 16;

  /** What came out. */
  static final class Result {
    final String policy;
    final long capacityBytes;
    final Replay.Totals totals;

    /** Bytes on the SSD at {@link #OCCUPANCY_POINTS} moments, evenly over the accesses. */
    final long[] occupancy;

    /** How the SSD was split at these moments. */
    final Partition[] splits;

    final double seconds;

    /** Disk-head time by window; null if the trace has no times. */
    final DiskMeter.@Nullable Load load;

    /** Parameters of one of the {@link Baselines}; null for other policies. */
    @Nullable String admission;

    /** Whether one of the {@link Baselines} writes more than its rate with any parameter. */
    boolean overRate;

    /** The hints that it stands for; null if none were asked for. */
    @Nullable HintQuality hints;

    /** Where the residents lay; null with one fast tier. */
    @Nullable TierPlaces tiers;

    Result(
        String policy,
        long capacityBytes,
        Replay.Totals totals,
        long[] occupancy,
        Partition[] splits,
        double seconds,
        DiskMeter.@Nullable Load load) {
      this.policy = policy;
      this.capacityBytes = capacityBytes;
      this.totals = totals;
      this.occupancy = occupancy;
      this.splits = splits;
      this.seconds = seconds;
      this.load = load;
    }

    /** The same result, standing for hints of this quality. */
    Result withHints(HintQuality quality) {
      Result copy = new Result(policy, capacityBytes, totals, occupancy, splits, seconds, load);
      copy.admission = admission;
      copy.overRate = overRate;
      copy.hints = quality;
      copy.tiers = tiers;
      return copy;
    }
  }

  private final Trace trace;
  private final DiskTime disk;
  private final long seed;
  private final PartitionRule partition;
  private final int period;
  private final HintQuality hints;
  private long windowMillis = DEFAULT_WINDOW_MILLIS;

  /** Sizes of the fast tiers, by their sum. */
  private final Map<Long, List<Long>> tiers = new HashMap<>();

  private @Nullable WriteRate writeRate;
  private @Nullable Column nextUses;
  private int @Nullable [] references;

  /** With one cache. */
  Simulation(Trace trace, DiskTime disk, long seed) {
    this(trace, disk, seed, PartitionRule.SHARED, 1, HintQuality.PERFECT);
  }

  /**
   * @param period accesses between two steps of the borders when they follow the load, &gt; 0
   */
  Simulation(
      Trace trace,
      DiskTime disk,
      long seed,
      PartitionRule partition,
      int period,
      HintQuality hints) {
    this.hints = hints;
    this.trace = trace;
    this.disk = disk;
    this.seed = seed;
    this.partition = partition;
    this.period = period;
  }

  /** Sets the length of the windows of {@link DiskMeter}, &gt; 0. */
  Simulation window(long millis) {
    windowMillis = millis;
    return this;
  }

  /** Sets what {@link Baselines} may write; null: no limit. */
  Simulation writeRate(@Nullable WriteRate rate) {
    writeRate = rate;
    return this;
  }

  /**
   * Splits the SSD of a capacity, the sum of these, into tiers.
   *
   * @throws IllegalArgumentException if that capacity is split otherwise, or the SSD into shares
   */
  Simulation tiers(List<Long> sizes) {
    if (sizes.size() > 1 && !partition.isShared()) {
      throw new IllegalArgumentException(
          "--capacity: expected one tier with --partition " + partition + ", found " + sizes);
    }
    List<Long> before = tiers.put(sizes.stream().mapToLong(Long::longValue).sum(), sizes);
    if (before != null && !before.equals(sizes)) {
      throw new IllegalArgumentException(
          "--capacity: expected sums that differ, found " + before + " and " + sizes);
    }
    return this;
  }

  PartitionRule partition() {
    return partition;
  }

  /** What the future holds, worked out once for all runs. */
  synchronized void prepare(String policy) {
    if (Policies.needsFuture(policy) && !partition.isShared()) {
      throw new IllegalArgumentException(
          "--partition: expected shared with --policy "
              + policy
              + ", which knows the future of one cache, not of two, found "
              + partition
              + ". Fix: leave out one of the two options");
    }
    if (Policies.needsFuture(policy) && references == null) {
      nextUses = nextUses();
      references = trace.references();
    }
  }

  /** {@link Trace#nextUses}, worked out once. */
  synchronized Column nextUses() {
    if (nextUses == null) {
      nextUses = trace.nextUses();
    }
    return nextUses;
  }

  /**
   * Runs it.
   *
   * @param progress receives the number of accesses done, now and then
   */
  Result run(String policyName, long capacityBytes, IntConsumer progress) {
    return Baselines.isName(policyName)
        ? new Baselines(trace, disk, seed, this, writeRate).run(policyName, capacityBytes, progress)
        : runUnlimited(policyName, capacityBytes, progress);
  }

  /** The same without {@link #writeRate}. */
  Result runUnlimited(String policyName, long capacityBytes, IntConsumer progress) {
    if (Baselines.isName(policyName)) {
      return new Baselines(trace, disk, seed, this, null).run(policyName, capacityBytes, progress);
    }
    return run(policyName, () -> policy(policyName, disk, seed), capacityBytes, progress);
  }

  /** A policy by its name, which may be {@link #NONE}. */
  static CachePolicy policy(String name, DiskTime disk, long seed) {
    return name.equals(NONE) ? new NoCache() : Policies.create(name, disk, seed);
  }

  /** Runs the policies that are made for it. */
  Result run(
      String policyName, Supplier<CachePolicy> made, long capacityBytes, IntConsumer progress) {
    DiskMeter.check(trace.spanMillis(), windowMillis);
    prepare(policyName);
    List<CachePolicy> policies = new ArrayList<>();
    List<Long> sizes = tiers.getOrDefault(capacityBytes, List.of(capacityBytes));
    SplitReplay replay =
        new SplitReplay(
            () -> {
              policies.add(sizes.size() > 1 ? new TierPlaces(made.get(), sizes) : made.get());
              return policies.get(policies.size() - 1);
            },
            partition,
            capacityBytes,
            disk,
            period);
    CachePolicy policy = policies.get(0);
    Ahead ahead = new Ahead(trace);
    Column known = Policies.needsFuture(policyName) && !hints.isNone() ? nextUses : null;
    ImperfectHints imperfect =
        known == null || hints.isPerfect() ? null : new ImperfectHints(trace, hints, known, policy);
    Column next = imperfect == null ? known : null;
    int[] left = next == null || references == null ? null : references.clone();
    if (next != null) {
      policy.onSequence(ahead);
    }
    boolean @Nullable [] classed = trace.hasClasses() ? new boolean[trace.objects()] : null;
    long[] occupancy = new long[OCCUPANCY_POINTS];
    Partition[] splits = new Partition[OCCUPANCY_POINTS];
    Arrays.fill(splits, replay.split());
    long began = System.nanoTime();
    int length = trace.length();
    Soon soon = new Soon(left);
    DiskMeter meter = new DiskMeter(disk, windowMillis);
    boolean metered = trace.hasTimes() || trace.hasContinued();
    int point = 0;
    int pointEnd = lastOf(point, length);
    for (int at = 0; at < length; at++) {
      int i = at % Replay.AHEAD;
      if (i == 0) {
        soon.take(at);
        replay.warm(soon.keys, soon.count);
      }
      CacheKey key = soon.keys[i];
      if (classed != null && !trace.isWrite(at) && !classed[(int) key.id()]) {
        classed[(int) key.id()] = true;
        String name = trace.classOf((int) key.id());
        if (name != null) {
          policies.forEach(each -> each.onClass(key, name));
        }
      }
      if (next != null) {
        ahead.position = at;
        policy.onReferences(key, soon.left[i]);
        policy.onNextUse(key, next.get(at) == length ? Long.MAX_VALUE : next.get(at));
      }
      int referencesLeft = soon.left[i];
      if (imperfect != null) {
        imperfect.before(at);
        referencesLeft = imperfect.left((int) key.id());
      }
      replay.access(
          key, soon.sizes[i], trace.requestBytes(at), trace.isWrite(at), referencesLeft, at);
      if (metered) {
        meter.after(trace, at, replay.totals());
      }
      if (at % ACCESSES_PER_PROGRESS == 0) {
        progress.accept(at);
      }
      if (at == pointEnd) {
        // Of a short trace an access stands for several points.
        int nextPoint = (int) ((at + 1L) * OCCUPANCY_POINTS / length);
        Arrays.fill(occupancy, point, nextPoint, replay.usedBytes());
        Arrays.fill(splits, point, nextPoint, replay.split());
        point = nextPoint;
        pointEnd = lastOf(point, length);
      }
    }
    replay.flush();
    Replay.Totals totals = replay.totals();
    totals.hddOperations -= meter.mergedOperations();
    totals.moveOperations -= meter.mergedOperations();
    progress.accept(length);
    Result result =
        new Result(
            policyName,
            capacityBytes,
            totals,
            occupancy,
            splits,
            (System.nanoTime() - began) / 1e9,
            trace.hasTimes() ? meter.load(trace.spanMillis()) : null);
    result.tiers = policy instanceof TierPlaces ? (TierPlaces) policy : null;
    return result;
  }

  /** The last access of those that one point of the occupancy stands for. */
  private static int lastOf(int point, int length) {
    return (int) (((point + 1L) * length - 1) / OCCUPANCY_POINTS);
  }

  /** The next few accesses: what lies anywhere in memory is looked up for all of them at once. */
  private final class Soon {
    final CacheKey[] keys = new CacheKey[Replay.AHEAD];
    final long[] sizes = new long[Replay.AHEAD];

    /** References after each; 0 if they are not needed. */
    final int[] left = new int[Replay.AHEAD];

    private final int[] objects = new int[Replay.AHEAD];
    private final int @Nullable [] leftOf;
    int count;

    /** Written only, so that prefetching loads are not optimized away. */
    @SuppressWarnings("UnusedVariable")
    private long looks;

    /**
     * @param leftOf references to each object from here on; null if they are not needed
     */
    Soon(int @Nullable [] leftOf) {
      this.leftOf = leftOf;
    }

    void take(int at) {
      count = Math.min(keys.length, trace.length() - at);
      for (int i = 0; i < count; i++) {
        int object = trace.object(at + i);
        objects[i] = object;
        looks += trace.key(object).id();
        sizes[i] = trace.sizeBytes(at + i);
        left[i] = leftOf == null ? 0 : --leftOf[object];
      }
      // G1 orders a reference that is stored before the next load, so all are loaded by now.
      for (int i = 0; i < count; i++) {
        keys[i] = trace.key(objects[i]);
      }
    }
  }

  /** The trace, as policies see it that know the future. */
  private static final class Ahead implements KnownSequence {
    private final Trace trace;
    private int position;

    Ahead(Trace trace) {
      this.trace = trace;
    }

    @Override
    public long length() {
      return trace.length();
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public CacheKey key(long at) {
      return trace.key(trace.object((int) at));
    }

    @Override
    public long sizeBytes(long at) {
      return trace.sizeBytes((int) at);
    }

    @Override
    public long requestBytes(long at) {
      return trace.requestBytes((int) at);
    }

    @Override
    public boolean isWrite(long at) {
      return trace.isWrite((int) at);
    }
  }

  /** Never admits: what the HDDs do without an SSD. */
  private static final class NoCache implements CachePolicy {
    @Override
    public void onAccess(Access access) {}

    @Override
    public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {}

    @Override
    public void onRemoved(CacheKey key) {}

    @Override
    public Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
      return Decision.bypass(Reason.MODE_OFF);
    }

    @Override
    public Iterable<CacheKey> evictionOrder() {
      return List.of();
    }

    @Override
    public int residents() {
      return 0;
    }
  }
}
