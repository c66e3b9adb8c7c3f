// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import com.google.common.collect.Iterables;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.policy.NextUseIndex.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Base class of policies that use the time of a block's next use. */
abstract class NextUsePolicy extends Rule<Entry> {
  private final NextUseIndex index;
  private long now;

  /** Bytes requested by the last access, and in how many requests; -1 before the first. */
  private long requestBytes = -1;

  private int requests = 1;

  /**
   * @param bySize whether victims are ranked by more than their next use
   * @param alsoNearest whether residents with the nearest next use are looked up, too
   */
  NextUsePolicy(boolean bySize, boolean alsoNearest) {
    index = new NextUseIndex(bySize, alsoNearest);
  }

  /** Decides about a candidate that is used again and does not fit without eviction. */
  abstract Decision choose(Candidate candidate, Entry known, long missingBytes, long capacityBytes);

  /** All residents in their current eviction order. */
  Iterable<Entry> order() {
    return index.farthestFirst();
  }

  /** Whether a candidate that fits is worth its fetch. */
  boolean worthFetching(Candidate candidate, Entry known) {
    return true;
  }

  /** Whether to fetch a candidate without any known future use if it fits without eviction. */
  boolean fetchesUnknown() {
    return false;
  }

  /** Sets the next use of a block, and its probability. */
  final void expect(Entry entry, long at, double certainty) {
    entry.nextUse = at;
    entry.certainty = (float) certainty;
    if (entry.resident) {
      index.moved(entry);
    }
  }

  /** Sets the announced next use of a block. */
  void announced(Entry entry, long atNanos) {
    entry.announcedAt = atNanos;
    expect(entry, atNanos, 1);
  }

  /**
   * A block that was read some time ago is decided on. Here nothing more is known of it than {@link
   * #find} returns.
   */
  @Nullable Entry recall(CacheKey key) {
    return find(key);
  }

  /** Called after a resident was evicted. */
  void left(Entry entry) {}

  final NextUseIndex index() {
    return index;
  }

  /** Time of the last event. */
  final long now() {
    return now;
  }

  /** Disk time of the last access, which was to a block of this size. */
  final double requestSeconds(DiskTime disk, long sizeBytes) {
    return requestBytes < 0
        ? disk.seconds(sizeBytes)
        : disk.secondsOfParts(requests, requestBytes, sizeBytes);
  }

  @Override
  final Entry entry(CacheKey key, long tick) {
    return new Entry(key, tick);
  }

  @Override
  public final int nextToGo(CacheKey[] into, int count) {
    return index.nextToGo(into, count);
  }

  /** Not used here; kept for a rule that takes over. */
  @Override
  public final void onReferences(CacheKey key, long remaining) {
    Entry entry = find(key);
    if (entry == null) {
      if (remaining == 0) {
        return;
      }
      entry = entryOf(key);
    }
    entry.references = remaining;
    forgetIfIdle(entry);
  }

  @Override
  public final void onNextUse(CacheKey key, long atNanos) {
    Entry entry = find(key);
    if (entry == null) {
      if (atNanos == KnownBlock.NEVER) {
        return;
      }
      entry = entryOf(key);
    }
    announced(entry, atNanos);
    forgetIfIdle(entry);
  }

  @Override
  public void onTime(long nowNanos) {
    now = nowNanos;
  }

  @Override
  public void onAccess(Access access) {
    now = access.timeNanos();
    requestBytes = access.requestBytes();
    requests = access.requests();
  }

  @Override
  public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    now = nowNanos;
    Entry entry = entryOf(key);
    if (entry.resident) {
      index.remove(entry);
    }
    entry.resident = true;
    entry.sizeBytes = sizeBytes;
    index.add(entry);
  }

  @Override
  public void onRemoved(CacheKey key) {
    Entry entry = find(key);
    if (entry == null || !entry.resident) {
      return;
    }
    index.remove(entry);
    entry.resident = false;
    left(entry);
    forgetIfIdle(entry);
  }

  @Override
  public final Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    boolean read = candidate.trigger() == Candidate.Trigger.READ_MISS;
    Entry entry = read ? recall(candidate.key()) : find(candidate.key());
    if (entry != null && entry.resident) {
      return Decision.bypass(Reason.ON_SSD_CLEAN);
    }
    if (candidate.sizeBytes() > capacityBytes) {
      return Decision.bypass(Reason.TOO_LARGE);
    }
    if (candidate.trigger() == Candidate.Trigger.HINT && candidate.referencesAfterFetch() <= 0) {
      // The fetch would save no more than it costs: the one read that it is made for.
      return Decision.bypass(Reason.NO_LATER_REFERENCE);
    }
    long missingBytes = candidate.sizeBytes() - freeBytes;
    if (entry == null || entry.nextUse == KnownBlock.NEVER) {
      return missingBytes <= 0 && fetchesUnknown()
          ? Decision.admit(List.of())
          : Decision.bypass(Reason.NO_LATER_REFERENCE);
    }
    if (missingBytes > 0) {
      return choose(candidate, entry, missingBytes, capacityBytes);
    }
    return worthFetching(candidate, entry)
        ? Decision.admit(List.of())
        : Decision.bypass(Reason.COST_NOT_BELOW_GAIN);
  }

  @Override
  public final Iterable<CacheKey> evictionOrder() {
    return Iterables.transform(order(), entry -> entry.key);
  }

  @Override
  public final int residents() {
    return index.size();
  }
}
