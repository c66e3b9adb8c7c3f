package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;

/**
 * Keeps what the running jobs will read again, weighed in bytes: the heuristic placement of
 * HyCache.
 *
 * <p>Idea: the reference sequence R = (r_1..r_m) of the running jobs is known. At a position in R
 *
 * <ul>
 *   <li>only the next block of R that is not resident is a candidate (the caller picks it), and it
 *       is fetched only if R holds it again after that position;
 *   <li>gain of the candidate = its references after its fetch position x size; cost of a resident
 *       = its references left x size, 0 if none is known;
 *   <li>a candidate that fits is fetched and nothing goes. Otherwise residents go in increasing
 *       order of cost until it fits; as soon as the accumulated cost is not smaller than the gain,
 *       the candidate is bypassed and nothing goes at all.
 * </ul>
 *
 * <p>Among equal costs the block that was seen earlier goes first: hinted or, without hints,
 * admitted. A resident without references that is read nevertheless counts as seen then, so without
 * any hint the order of eviction is that of LRU. A read miss is decided by the same rules as a
 * hint. A candidate that turns out to be resident is bypassed with {@link Reason#ON_SSD_CLEAN}.
 *
 * <p>Complexity: residents are kept in a tree ordered by cost that each event updates in O(log n),
 * so a decision with k victims is O(k + log n) instead of a sort of all n residents. An access to a
 * resident with references, and to any block that is not resident, is O(1).
 *
 * <p>Memory: about 140 bytes besides its key for each resident, about 100 for each hinted block
 * that is not.
 *
 * <p>Approximate: products of references and bytes stop at {@link Long#MAX_VALUE}. The sequence has
 * no exact position, since tasks run in parallel; counts that fall as reads are seen stand for it.
 *
 * <p>Source: Zhao, Qiao, Raicu, the caching middleware for distributed file systems that continues
 * HyCache, Algorithms 4 and 5; there for files, here for block replicas.
 */
final class HeuristicPolicy extends Rule<HeuristicPolicy.Entry> {

  private static final String UNIT = "references x bytes";

  /** What is known of a block that is resident, hinted, or both. */
  static final class Entry extends KnownBlock {
    /** References x size; changed only while the entry is out of the tree. */
    long cost;

    /**
     * Decides among equal costs: when it was first seen, as long as its references are known, and
     * then when it was used last without a known reference. Changed only out of the tree.
     */
    long turn;

    /** The access that used up its last reference has not been told yet. */
    boolean lastOneDue;

    private Entry(BlockKey block, long tick) {
      super(block, tick);
      this.turn = tick;
    }

    static int byCost(Entry a, Entry b) {
      int byCost = Long.compare(a.cost, b.cost);
      return byCost != 0 ? byCost : Long.compare(a.turn, b.turn);
    }
  }

  private final TreeSet<Entry> residents = new TreeSet<>(Entry::byCost);

  @Override
  Entry entry(BlockKey block, long tick) {
    return new Entry(block, tick);
  }

  @Override
  public void onAccess(BlockKey block, long sizeBytes, long nowNanos) {
    Entry entry = find(block);
    if (entry == null || !entry.resident) {
      return;
    }
    if (entry.references > 0) {
      return;
    }
    if (entry.lastOneDue) {
      entry.lastOneDue = false;
      return;
    }
    residents.remove(entry);
    entry.turn = tick();
    residents.add(entry);
  }

  @Override
  public void onAdmitted(BlockKey block, long sizeBytes, long nowNanos) {
    Entry entry = entryOf(block);
    if (entry.resident) {
      residents.remove(entry);
    }
    entry.resident = true;
    entry.sizeBytes = sizeBytes;
    entry.cost = product(entry.references, sizeBytes);
    residents.add(entry);
  }

  @Override
  public void onRemoved(BlockKey block) {
    Entry entry = find(block);
    if (entry == null || !entry.resident) {
      return;
    }
    residents.remove(entry);
    entry.resident = false;
    forgetIfIdle(entry);
  }

  @Override
  public void onReferences(BlockKey block, long remaining) {
    Entry entry = find(block);
    if (entry == null) {
      if (remaining == 0) {
        return;
      }
      entry = entryOf(block);
    }
    if (entry.resident) {
      residents.remove(entry);
      entry.references = remaining;
      entry.turn = entry.firstSeen;
      entry.lastOneDue = remaining == 0;
      entry.cost = product(remaining, entry.sizeBytes);
      residents.add(entry);
    } else {
      entry.references = remaining;
      forgetIfIdle(entry);
    }
  }

  /** Not weighed here; kept for a rule that follows. */
  @Override
  public void onNextUse(BlockKey block, long atNanos) {
    Entry entry = find(block);
    if (entry == null) {
      if (atNanos == KnownBlock.NEVER) {
        return;
      }
      entry = entryOf(block);
    }
    entry.nextUse = atNanos;
    forgetIfIdle(entry);
  }

  @Override
  public int nextToGo(BlockKey[] into, int count) {
    return 0;
  }

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    Entry entry = find(candidate.block());
    if (entry != null && entry.resident) {
      return Decision.bypass(Reason.ON_SSD_CLEAN);
    }
    if (candidate.sizeBytes() > capacityBytes) {
      return Decision.bypass(Reason.TOO_LARGE);
    }
    if (candidate.referencesAfterFetch() <= 0) {
      return Decision.bypass(Reason.NO_LATER_REFERENCE);
    }
    long missingBytes = candidate.sizeBytes() - freeBytes;
    if (missingBytes <= 0) {
      return Decision.admit(List.of());
    }
    long gain = gain(candidate);
    long costs = 0;
    List<BlockKey> victims = new ArrayList<>();
    for (Entry victim : residents) {
      costs = sum(costs, victim.cost);
      if (costs >= gain) {
        return Decision.bypass(Reason.COST_NOT_BELOW_GAIN)
            .because((double) gain, (double) costs, UNIT);
      }
      victims.add(victim.block);
      missingBytes -= victim.sizeBytes;
      if (missingBytes <= 0) {
        return Decision.admit(victims).because((double) gain, (double) costs, UNIT);
      }
    }
    return Decision.bypass(Reason.NO_ROOM);
  }

  @Override
  public Iterable<BlockKey> evictionOrder() {
    return () -> {
      Iterator<Entry> entries = residents.iterator();
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return entries.hasNext();
        }

        @Override
        public BlockKey next() {
          return entries.next().block;
        }
      };
    };
  }

  @Override
  public int residents() {
    return residents.size();
  }

  /** References left x size of a resident; 0 for any other block. */
  long cost(BlockKey block) {
    Entry entry = find(block);
    return entry == null || !entry.resident ? 0 : entry.cost;
  }

  /** References after its fetch position x size of a candidate. */
  static long gain(Candidate candidate) {
    return product(candidate.referencesAfterFetch(), candidate.sizeBytes());
  }

  /** a x b for a, b &gt;= 0, at most Long.MAX_VALUE. */
  private static long product(long a, long b) {
    return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
  }

  /** a + b for a, b &gt;= 0, at most Long.MAX_VALUE. */
  private static long sum(long a, long b) {
    return a + b < 0 ? Long.MAX_VALUE : a + b;
  }
}
