// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Weighing;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The default policy: does what the policy does that would have cost least lately, and never what
 * would have cost more disk time than LRU.
 *
 * <p>Idea: no policy is best for all workloads, and hints may be right, wrong, late, or cover some
 * jobs only. So several policies contend. Each is simulated with every access in a cache of its own
 * of the same size ({@link Contender}). The leader is the one of least cost, disk time plus the
 * price of SSD writes, among those that save disk time against LRU; it leads no longer than its
 * disk time does not exceed that of LRU. The real cache follows the leader's simulated one: a block
 * is fetched if the leader holds it, and blocks that the leader does not hold are evicted first.
 * After a change of leader the cache thus approaches that of the new leader one miss at a time, at
 * no cost of its own.
 *
 * <p>Contenders: {@code lru}, {@code lirs}, {@code arc}, {@code s3-fifo}, {@code reuse} and {@code
 * hit-density}; from the first hint on also {@code pro-rata}, with and without estimates from
 * earlier reads, and {@code belady-size}. Where hints are good, one of the latter leads; where they
 * do harm, none does for long, and hinted blocks are bypassed with {@link Reason#HINTS_NOT_USED}.
 *
 * <p>The real cache is charged by the same rules. While it costs more than LRU would have, such as
 * after many changes of the leader, a contender must save as much more to take the lead.
 *
 * <p>Costs decay with a half-life of {@link #MIN_HALF_LIFE} accesses or twice the number of blocks
 * in the cache, whichever is more.
 *
 * <p>Complexity: that of the contenders, O(log n) per event; O(n) when the leader changes. Memory:
 * that of the contenders, about 1 KB per resident.
 *
 * <p>Source: ours. Following the best of several policies by simulating them is "Master/Fiat" in A.
 * Blum, C. Burch, "On-line learning and the metrical task system problem" (Machine Learning 39,
 * 2000), and R. Gramacy et al., "Adaptive caching by refetching" (NIPS'02), section 3; here without
 * refetching.
 */
final class AdaptivePolicy implements CachePolicy, Contender.Watcher {
  static final int MIN_HALF_LIFE = 8_192;

  /** Trust in announcements from which on hints need not have saved anything yet. */
  private static final double GOOD_TRUST = 0.9;

  /** Part of LRU's disk time that a contender must save to take the lead. */
  private static final double MIN_GAIN = 0.005;

  /** Accesses, at least, between two changes of the leader, each of which visits all residents. */
  private static final int MIN_LEAD = 64;

  private static final int MAX_DECIDED = 4_096;

  private final List<Contender> contenders = new ArrayList<>();
  private final List<Contender> hinted = new ArrayList<>();
  private final Contender lru;

  /** The policy of the contender that uses both hints and earlier reads. */
  private final ProRataPolicy mixed;

  private Contender leader;

  private final BlockMap<Resident> residents = new BlockMap<>();

  /** Residents that the leader holds, the least recently read first. */
  private final ResidentList shared = new ResidentList();

  /** Residents that the leader does not hold, and which therefore leave first. */
  private final ResidentList strays = new ResidentList();

  /** Hinted references left to each block; blocks without any are not in the map. */
  private final Map<CacheKey, Long> references = new HashMap<>();

  /** Blocks whose fetch was decided and has not been reported yet. */
  private final Set<CacheKey> decided = new LinkedHashSet<>();

  private long capacityBytes = -1;
  private final DiskTime disk;

  /** Recent disk time of the real cache, in decayed seconds. */
  private double realSeconds;

  private long lastRequestBytes;
  private long now;
  private int untilNextLead;

  /** The block that was admitted last, and when: further accesses at that time are replayed. */
  private @Nullable CacheKey lastAdmitted;

  private long lastAdmittedNanos;

  /** The block of the last access, if the contenders have taken it. */
  private @Nullable CacheKey lastRead;

  AdaptivePolicy(DiskTime disk, long seed) {
    this.disk = disk;
    for (String name : List.of("lru", "lirs", "arc", "s3-fifo", "reuse", "hit-density")) {
      contenders.add(new Contender(name, false, Policies.create(name, disk, seed), disk, this));
    }
    mixed = new ProRataPolicy(disk, new ReuseEstimator());
    hinted.add(new Contender("hinted-reuse", true, mixed, disk, this));
    for (String name : List.of("pro-rata", "belady-size")) {
      hinted.add(new Contender(name, true, Policies.create(name, disk, seed), disk, this));
    }
    lru = contenders.get(0);
    leader = lru;
  }

  /** Name of the contender that is followed. */
  String leader() {
    return leader.name;
  }

  /** Blocks in all simulated caches together. */
  int simulatedBlocks() {
    return contenders.stream().mapToInt(Contender::blocks).sum();
  }

  // ---- events -----------------------------------------------------------------------------------

  @Override
  public void onAccess(Access access) {
    now = access.timeNanos();
    Resident resident = residents.get(access.key());
    if (resident != null && resident.list != null) {
      ResidentList list = resident.list;
      list.remove(resident);
      list.addLast(resident);
    }
    if (capacityBytes < 0 || isReplayed(access)) {
      // The size of the cache is known from the first decision on.
      contenders.forEach(each -> each.policy.onAccess(access));
      return;
    }
    lastRead = access.key();
    long left = references.isEmpty() ? 0 : references.getOrDefault(access.key(), 0L);
    int halfLife = Math.max(MIN_HALF_LIFE, 2 * residents.size());
    double factor = 1 - Math.log(2) / halfLife;
    realSeconds *= factor;
    charge(access, resident);
    for (Contender each : contenders) {
      each.decay(factor);
      each.access(access, left);
    }
    if (--untilNextLead <= 0) {
      follow(best());
    }
  }

  /** Adds what an access costs the real cache, by the rules of {@link Contender}. */
  private void charge(Access access, @Nullable Resident resident) {
    lastRequestBytes = access.requestBytes();
    boolean covers = access.isWrite() && access.requestBytes() == access.sizeBytes();
    if (resident == null && !covers) {
      realSeconds += disk.seconds(access.requestBytes());
    }
  }

  /** Whether the host passes on earlier reads of a block that it has just reported as resident. */
  private boolean isReplayed(Access access) {
    return access.timeNanos() == lastAdmittedNanos && Objects.equals(access.key(), lastAdmitted);
  }

  /** The leader if it is still no slower than LRU, or a contender of less cost. */
  private Contender best() {
    boolean stays =
        leader.diskSeconds() <= lru.diskSeconds() && !(references.isEmpty() && isLost(leader));
    Contender best = stays ? leader : lru;
    double least = best.cost();
    double lrus = lru.diskSeconds();
    double gain = MIN_GAIN + Math.max(0, realSeconds / lrus - 1);
    boolean trusted = mixed.trust() >= GOOD_TRUST;
    for (Contender each : contenders) {
      if (references.isEmpty() && isLost(each)) {
        continue;
      }
      double cost = each.cost();
      double most = lrus * (1 - (each.usesHints && trusted ? gain - MIN_GAIN : gain));
      if (cost < least && each.diskSeconds() <= most) {
        least = cost;
        best = each;
      }
    }
    return best;
  }

  /** Whether a contender can do nothing without hints. */
  private boolean isLost(Contender contender) {
    return contender.usesHints && contender.policy != mixed;
  }

  private void follow(Contender next) {
    if (next == leader) {
      return;
    }
    leader = next;
    untilNextLead = Math.max(MIN_LEAD, residents.size() / 8);
    all().forEach(this::place);
  }

  /** All residents, those that the leader does not hold first. */
  private List<Resident> all() {
    return ImmutableList.copyOf(Iterables.concat(strays, shared));
  }

  /** Moves a resident to the list in which it belongs. */
  private void place(Resident resident) {
    ResidentList list = leader.holds(resident.key) ? shared : strays;
    resident.leaveList();
    list.addLast(resident);
  }

  @Override
  public void arrived(Contender in, CacheKey key) {
    replace(in, key);
  }

  @Override
  public void left(Contender from, CacheKey key) {
    replace(from, key);
  }

  private void replace(Contender changed, CacheKey key) {
    Resident resident = changed == leader ? residents.get(key) : null;
    if (resident != null) {
      place(resident);
    }
  }

  @Override
  public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    now = nowNanos;
    lastAdmitted = key;
    lastAdmittedNanos = nowNanos;
    boolean asDecided = decided.remove(key);
    Resident resident = residents.get(key);
    boolean resized = resident != null;
    if (!resized && asDecided && Objects.equals(key, lastRead)) {
      realSeconds += disk.seconds(sizeBytes) - disk.seconds(Math.min(lastRequestBytes, sizeBytes));
    }
    if (resident == null) {
      resident = new Resident(key, sizeBytes);
      residents.add(resident);
    } else {
      resident.leaveList();
      resident.sizeBytes = sizeBytes;
    }
    for (Contender each : contenders) {
      if (resized ? each.holds(key) : !asDecided) {
        each.insert(key, sizeBytes, nowNanos);
      }
    }
    place(resident);
  }

  @Override
  public void onRemoved(CacheKey key) {
    Resident resident = residents.remove(key);
    if (resident == null) {
      return;
    }
    resident.leaveList();
    // What others hold stays: they are not to blame for an eviction.
    leader.remove(key);
  }

  @Override
  public void onDeleted(CacheKey key) {
    onRemoved(key);
    decided.remove(key);
    contenders.forEach(each -> each.remove(key));
  }

  @Override
  public void onTime(long nowNanos) {
    now = nowNanos;
    hinted.forEach(each -> each.policy.onTime(nowNanos));
  }

  @Override
  public void onReferences(CacheKey key, long remaining) {
    if (remaining == 0) {
      references.remove(key);
    } else {
      references.put(key, remaining);
      useHints();
    }
    hinted.forEach(each -> each.policy.onReferences(key, remaining));
  }

  @Override
  public void onNextUse(CacheKey key, long atNanos) {
    if (atNanos != KnownBlock.NEVER) {
      useHints();
    }
    hinted.forEach(each -> each.policy.onNextUse(key, atNanos));
  }

  /**
   * Lets the policies contend that use hints. They begin with the cost of the leader, and one of
   * them in the lead: the first workflow's hints are followed until they do harm.
   */
  private void useHints() {
    if (hintsContend()) {
      return;
    }
    for (Contender each : hinted) {
      each.takeCosts(leader);
      fill(each);
      contenders.add(each);
    }
    follow(hinted.get(0));
  }

  /** Whether the policies that use hints contend: from the first hint on. */
  private boolean hintsContend() {
    return contenders.contains(hinted.get(0));
  }

  /** Gives a contender's cache the size of the real one, and all residents. */
  private void fill(Contender contender) {
    if (capacityBytes < 0) {
      return; // later, with all others
    }
    contender.setCapacityBytes(capacityBytes);
    for (Resident resident : all()) {
      contender.insert(resident.key, resident.sizeBytes, now);
    }
  }

  @Override
  public void onClass(CacheKey key, String name) {
    contenders.forEach(each -> each.policy.onClass(key, name));
    if (!hintsContend()) {
      hinted.forEach(each -> each.policy.onClass(key, name));
    }
  }

  // ---- decisions --------------------------------------------------------------------------------

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacity) {
    resize(capacity);
    CacheKey key = candidate.key();
    if (residents.get(key) != null) {
      return Decision.bypass(Reason.ON_SSD_CLEAN);
    }
    if (candidate.sizeBytes() > capacity) {
      return Decision.bypass(Reason.TOO_LARGE);
    }
    boolean hint = candidate.trigger() == Candidate.Trigger.HINT;
    if (hint && candidate.referencesAfterFetch() <= 0) {
      return Decision.bypass(Reason.NO_LATER_REFERENCE);
    }
    if (hint && !leader.usesHints) {
      return Decision.bypass(Reason.HINTS_NOT_USED);
    }
    if (hint) {
      for (Contender each : hinted) {
        boolean unused = !each.holds(key) && each.offer(candidate, now);
      }
    } else if (!leader.holds(key) && !Objects.equals(key, lastRead)) {
      boolean unused = leader.offer(candidate, now);
    }
    Decision theirs = leader.lastDecision(key);
    if (!leader.holds(key)) {
      return theirs != null && !theirs.isAdmit()
          ? theirs
          : Decision.bypass(Reason.COST_NOT_BELOW_GAIN);
    }
    List<CacheKey> victims = victims(candidate.sizeBytes() - freeBytes);
    if (victims == null) {
      return Decision.bypass(Reason.NO_ROOM);
    }
    if (decided.size() >= MAX_DECIDED) {
      decided.remove(decided.iterator().next());
    }
    decided.add(key);
    Decision ours = Decision.admit(victims);
    Weighing weighing = theirs == null ? null : theirs.weighing();
    return weighing == null
        ? ours
        : ours.because(weighing.gain(), weighing.cost(), weighing.unit());
  }

  /** Residents to evict for so many bytes; null if all of them are not enough. */
  private @Nullable List<CacheKey> victims(long bytes) {
    List<CacheKey> victims = new ArrayList<>();
    long missing = bytes;
    if (missing > 0) {
      for (CacheKey victim : evictionOrder()) {
        Resident resident = residents.get(victim);
        if (resident == null || missing <= 0) {
          break;
        }
        victims.add(victim);
        missing -= resident.sizeBytes;
      }
    }
    return missing > 0 ? null : victims;
  }

  private void resize(long capacity) {
    if (capacity == capacityBytes) {
      return;
    }
    boolean first = capacityBytes < 0;
    capacityBytes = capacity;
    contenders.forEach(first ? this::fill : each -> each.setCapacityBytes(capacity));
  }

  @Override
  public Iterable<CacheKey> evictionOrder() {
    return Iterables.concat(
        Iterables.transform(strays, resident -> resident.key),
        Iterables.filter(leader.evictionOrder(), key -> residents.get(key) != null));
  }

  @Override
  public int residents() {
    return residents.size();
  }
}
