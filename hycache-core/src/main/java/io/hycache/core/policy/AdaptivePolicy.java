// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import com.google.common.collect.Iterables;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.LatestEntries;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Weighing;
import io.hycache.core.spi.CachePolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The default policy: does what the policy does that would have cost least lately, and nothing that
 * would have cost notably more disk time than LRU.
 *
 * <p>Idea: no policy is best for all workloads, and hints may be right, wrong, late, or cover some
 * jobs only. So several policies contend, each with a simulated cache of its own ({@link Contest}).
 * The leader is the one of least cost, disk time plus the price of SSD writes, among those that
 * save disk time against LRU. It keeps the lead only while its disk time is at most LRU's and a
 * small slack. The real cache follows the leader's simulated one: a block is fetched if the leader
 * holds it, and blocks that the leader does not hold are evicted first. After a change of leader
 * the cache thus approaches that of the new leader one miss at a time, at no cost of its own. While
 * a leader that uses hints leaves the cache nearly empty, free room goes to blocks that were read,
 * of which no hint says anything, and which the best contender without hints would hold.
 *
 * <p>Where the price of SSD writes exceeds the default, what exceeds it counts as disk time, too:
 * an operator who sets it accepts more disk time than that of LRU for fewer SSD writes. The lead
 * then changes only if that saves more than what the change itself writes ({@link
 * Contest#isWorthItsWrites}).
 *
 * <p>With more than {@link Contest#MAX_BLOCKS} blocks in a simulated cache, the contenders see a
 * sample of all blocks, and the real cache follows one more simulated cache, which is of the
 * leader's policy and sees all blocks. After a change of leader it begins with the residents. The
 * sample becomes larger again when there are fewer blocks for long.
 *
 * <p>Contenders: {@code lru}, {@code lirs}, {@code arc}, {@code s3-fifo}, {@code reuse}, {@code
 * hit-density} and {@code hit-value}; from the first hint on also {@code heuristic}, {@code
 * pro-rata}, with and without estimates from earlier reads, and {@code belady-size}. The first
 * leader is {@code hit-value}, which spares the SSD, or {@code lirs} where its writes cost nothing,
 * and with the first hint {@code heuristic}: it counts the hinted references, and so does no harm
 * while it is not yet known whether blocks are read in the announced order. Where hints are good, a
 * policy that uses them leads; where they do harm, none does for long, and hinted blocks are
 * bypassed with {@link Reason#HINTS_NOT_USED}.
 *
 * <p>Costs decay with a half-life of {@link Contest#MIN_HALF_LIFE} accesses or twice the number of
 * blocks in the cache, whichever is more, both counted in the sample.
 *
 * <p>Complexity: that of the leader's policy per event, O(log n), and that of all contenders per
 * event of a block in the sample; O(n) when the leader or the rate changes. Memory: that of the
 * leader's policy and about 130 bytes per resident; for the contenders about 1 KB per block in the
 * sample, at most 30 MB in all.
 *
 * <p>Source: ours. Following the best of several policies by simulating them is "Master/Fiat" in A.
 * Blum, C. Burch, "On-line learning and the metrical task system problem" (Machine Learning 39,
 * 2000), and R. Gramacy et al., "Adaptive caching by refetching" (NIPS'02), section 3; here without
 * refetching. Simulating a sample of the blocks is that of {@link BlockSample}.
 */
final class AdaptivePolicy implements CachePolicy, Warmable, Contender.Watcher {
  /** Accesses, at least, between two changes of the leader, each of which visits all residents. */
  private static final int MIN_LEAD = 64;

  private static final int MAX_DECIDED = 4_096;

  /** A leader that holds less than this part of the capacity leaves the cache empty. */
  private static final double EMPTY = 0.25;

  private final KnownHints hints = new KnownHints();
  private final Contest contest;

  /** Residents that the cache to follow holds, the least recently read first. */
  private final RecencyTable shared = new RecencyTable();

  /** Residents that it does not hold, and which therefore leave first. */
  private final RecencyTable strays = new RecencyTable();

  /** Blocks whose fetch was decided and has not been reported yet. */
  private final Set<CacheKey> decided = Collections.newSetFromMap(LatestEntries.map(MAX_DECIDED));

  private long capacityBytes = -1;
  private long now;
  private int untilNextLead;

  /** The block that was admitted last, and when: further accesses at that time are replayed. */
  private @Nullable CacheKey lastAdmitted;

  private long lastAdmittedNanos;

  /** The block of the last access, if the contenders have taken it. */
  private @Nullable CacheKey lastRead;

  AdaptivePolicy(DiskTime disk, long seed) {
    this(disk, seed, disk.writePrice() == 0 ? "lirs" : "hit-value");
  }

  /**
   * @param first name of the first leader, one that needs no hints
   */
  AdaptivePolicy(DiskTime disk, long seed, String first) {
    contest = new Contest(disk, seed, first, this, hints);
  }

  /** Name of the contender that has the lead. */
  @Override
  public String follows() {
    return contest.leader().name;
  }

  /** The part of all blocks that the contenders see; 1 at first. */
  double rate() {
    return contest.rate();
  }

  /** Blocks in all contenders' simulated caches together. */
  int simulatedBlocks() {
    return contest.blocks();
  }

  private Contender followed() {
    return contest.followed();
  }

  // ---- events -----------------------------------------------------------------------------------

  @Override
  public void onAccess(Access access) {
    now = access.timeNanos();
    hints.read(access.key());
    boolean unused = use(shared, access.key()) || use(strays, access.key());
    if (capacityBytes < 0 || isReplayed(access)) {
      // The size of the cache is known from the first decision on.
      contest.replay(access);
      return;
    }
    lastRead = access.key();
    untilNextLead = Math.max(0, untilNextLead - 1);
    boolean costsChanged = contest.access(access, residents());
    if (contest.isSampleTooSmall()) {
      contest.widen(all(), now);
      return;
    }
    if (!costsChanged) {
      return;
    }
    if (untilNextLead == 0) {
      Contender best = contest.best();
      if (best == contest.leader() || contest.isWorthItsWrites(best, this::isResident)) {
        follow(best);
      } else {
        untilNextLead = MIN_LEAD;
      }
    }
  }

  /** Whether the host passes on earlier reads of a block that it has just reported as resident. */
  private boolean isReplayed(Access access) {
    return access.timeNanos() == lastAdmittedNanos && Objects.equals(access.key(), lastAdmitted);
  }

  private void follow(Contender next) {
    if (next == contest.leader()) {
      return;
    }
    int turn = contest.isSampled() ? residents() : residents() / 8;
    untilNextLead = Math.max(MIN_LEAD, turn);
    List<Resident> all = all();
    contest.lead(next, all, now);
    all.forEach(resident -> place(resident.key, resident.sizeBytes));
  }

  // ---- residents --------------------------------------------------------------------------------

  private boolean isResident(CacheKey key) {
    return isIn(shared, key) || isIn(strays, key);
  }

  private static boolean isIn(RecencyTable table, CacheKey key) {
    return table.find(key) != RecencyTable.ABSENT;
  }

  /** Moves a block to the end of a table, if it is there. */
  private static boolean use(RecencyTable table, CacheKey key) {
    int row = table.find(key);
    if (row != RecencyTable.ABSENT) {
      table.use(row);
    }
    return row != RecencyTable.ABSENT;
  }

  private static boolean remove(RecencyTable table, CacheKey key) {
    int row = table.findOnce(key);
    if (row != RecencyTable.ABSENT) {
      table.remove(row);
    }
    return row != RecencyTable.ABSENT;
  }

  /** Size of a resident; -1 of a block that is none. */
  private long residentBytes(CacheKey key) {
    RecencyTable table = isIn(shared, key) ? shared : strays;
    int row = table.find(key);
    return row == RecencyTable.ABSENT ? -1 : table.sizeBytes(row);
  }

  /** All residents, those that the leader does not hold first. */
  private List<Resident> all() {
    List<Resident> all = new ArrayList<>(residents());
    for (RecencyTable table : List.of(strays, shared)) {
      for (ReadFetchPolicy.Order order = table.order(); order.next(); ) {
        all.add(new Resident(order.key(), order.sizeBytes()));
      }
    }
    return all;
  }

  /** Moves a resident to the end of the table in which it belongs, or adds it there. */
  private void place(CacheKey key, long sizeBytes) {
    boolean isShared = followed().holds(key);
    boolean unused = remove(isShared ? strays : shared, key);
    RecencyTable table = isShared ? shared : strays;
    if (use(table, key)) {
      table.setSizeBytes(table.find(key), sizeBytes);
    } else {
      table.add(key, sizeBytes);
    }
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
    long sizeBytes = changed == followed() ? residentBytes(key) : -1;
    if (sizeBytes >= 0) {
      place(key, sizeBytes);
    }
  }

  @Override
  public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    now = nowNanos;
    lastAdmitted = key;
    lastAdmittedNanos = nowNanos;
    boolean asDecided = decided.remove(key);
    boolean resized = isResident(key);
    if (resized || !asDecided) {
      contest.admitted(key, sizeBytes, resized, now);
    }
    place(key, sizeBytes);
  }

  @Override
  public void onRemoved(CacheKey key) {
    if (remove(shared, key) || remove(strays, key)) {
      contest.removed(key);
    }
  }

  @Override
  public void onDeleted(CacheKey key) {
    onRemoved(key);
    decided.remove(key);
    contest.deleted(key);
  }

  @Override
  public void onTime(long nowNanos) {
    now = nowNanos;
    contest.time(nowNanos);
  }

  @Override
  public void onReferences(CacheKey key, long remaining) {
    hints.setReferences(key, remaining);
    if (remaining != 0) {
      useHints();
    }
    contest.references(key, remaining);
  }

  @Override
  public void onNextUse(CacheKey key, long atNanos) {
    hints.setNextUse(key, atNanos);
    if (atNanos != KnownBlock.NEVER) {
      useHints();
    }
    contest.nextUse(key, atNanos);
  }

  @Override
  public void onUsedWithoutAccess(CacheKey key) {
    hints.usedWithoutAccess();
    contest.usedWithoutAccess(key);
  }

  /**
   * Lets the policies contend that use hints. They begin with the cost of the leader, and one of
   * them in the lead: the first workflow's hints are followed until they do harm.
   */
  private void useHints() {
    if (!contest.hintsContend()) {
      contest.useHints(all(), now);
      follow(contest.firstHinted());
      if (contest.isSampled()) {
        // Otherwise one hint could keep the lead of a policy that fetches nothing without hints for
        // as many accesses as there are residents.
        untilNextLead = MIN_LEAD;
      }
    }
  }

  @Override
  public void onClass(CacheKey key, String name) {
    contest.classed(key, name);
  }

  // ---- decisions --------------------------------------------------------------------------------

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacity) {
    resize(capacity);
    CacheKey key = candidate.key();
    if (isResident(key)) {
      return Decision.bypass(Reason.ON_SSD_CLEAN);
    }
    if (candidate.sizeBytes() > capacity) {
      return Decision.bypass(Reason.TOO_LARGE);
    }
    boolean hint = candidate.trigger() == Candidate.Trigger.HINT;
    if (hint && candidate.referencesAfterFetch() <= 0) {
      return Decision.bypass(Reason.NO_LATER_REFERENCE);
    }
    Contender followed = followed();
    if (hint && !followed.usesHints) {
      return Decision.bypass(Reason.HINTS_NOT_USED);
    }
    if (hint) {
      contest.offer(candidate, now);
    } else if (!followed.holds(key) && !Objects.equals(key, lastRead)) {
      boolean unused = followed.offer(candidate, now);
    }
    Decision theirs = followed.lastDecision(key);
    long missingBytes = candidate.sizeBytes() - freeBytes;
    if (!followed.holds(key)) {
      if (missingBytes <= 0 && isForSpareRoom(candidate)) {
        return admit(key, List.of());
      }
      return theirs != null && !theirs.isAdmit()
          ? theirs
          : Decision.bypass(Reason.COST_NOT_BELOW_GAIN);
    }
    List<CacheKey> victims = victims(candidate, missingBytes);
    if (victims == null) {
      return Decision.bypass(Reason.NO_ROOM);
    }
    Decision ours = admit(key, victims);
    Weighing weighing = theirs == null ? null : theirs.weighing();
    return weighing == null
        ? ours
        : ours.because(weighing.gain(), weighing.cost(), weighing.unit());
  }

  private Decision admit(CacheKey key, List<CacheKey> victims) {
    decided.add(key);
    return Decision.admit(victims);
  }

  /**
   * Whether a block may have free room because a leader that uses hints leaves the cache empty: it
   * was read, and no hint says whether it will be read again, so what would be done without hints
   * is done. Otherwise hints that are of no use here would leave an SSD empty for all others. Where
   * the leader uses the cache, hinted blocks come first: others would make their readers faster,
   * and with more of their reads the lead would change to a policy without hints.
   */
  private boolean isForSpareRoom(Candidate candidate) {
    return candidate.trigger() != Candidate.Trigger.HINT
        && followed().usesHints
        && followed().usedBytes() < EMPTY * capacityBytes
        && !hints.speakOf(candidate.key())
        && contest.isHeldWithoutHints(candidate.key());
  }

  /**
   * Residents to evict for so many bytes, those first that the leader does not hold; null if there
   * are not enough. The leader's cache has room for the candidate. If the real one has not, as
   * writes take space that the leader does not know of, a block that the leader holds makes way for
   * a block that was read and leaves after it, but not for a hint: the hint of the one that made
   * way would have it fetched again at once.
   */
  private @Nullable List<CacheKey> victims(Candidate candidate, long bytes) {
    List<CacheKey> victims = new ArrayList<>();
    long missing = bytes;
    for (ReadFetchPolicy.Order rest = strays.order(); missing > 0 && rest.next(); ) {
      victims.add(rest.key());
      missing -= rest.sizeBytes();
    }
    if (missing <= 0) {
      return victims;
    }
    if (candidate.trigger() == Candidate.Trigger.HINT) {
      return null;
    }
    for (CacheKey next : followed().evictionOrder()) {
      if (next.equals(candidate.key())) {
        return null;
      }
      long sizeBytes = residentBytes(next);
      if (sizeBytes >= 0) {
        victims.add(next);
        missing -= sizeBytes;
        if (missing <= 0) {
          return victims;
        }
      }
    }
    return null;
  }

  private void resize(long capacity) {
    if (capacity == capacityBytes) {
      return;
    }
    boolean first = capacityBytes < 0;
    capacityBytes = capacity;
    if (first) {
      contest.begin(capacity, all(), now);
    } else {
      contest.resize(capacity);
    }
  }

  @Override
  public Iterable<CacheKey> evictionOrder() {
    return Iterables.concat(
        () -> ReadFetchPolicy.keys(strays.order()),
        Iterables.filter(followed().evictionOrder(), this::isResident));
  }

  @Override
  public int warm(CacheKey[] keys, int count) {
    return shared.warm(keys, count) + contest.warm(keys, count);
  }

  @Override
  public int nextToGo(CacheKey[] into, int count) {
    CachePolicy policy = followed().policy;
    return policy instanceof Warmable ? ((Warmable) policy).nextToGo(into, count) : 0;
  }

  @Override
  public int residents() {
    return shared.size() + strays.size();
  }
}
