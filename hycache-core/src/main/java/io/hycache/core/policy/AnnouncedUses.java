// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.CacheKey;
import io.hycache.core.policy.NextUseIndex.Entry;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The announced uses of a policy's blocks, and how far they can be relied on.
 *
 * <p>Idea: a hint is not a read. An announcement is <em>kept</em> if its block is read, here or on
 * another holder, at about the announced time, that is, at most half of the announced wait too
 * early or too late. It is <em>broken</em> if the read comes at another time, or not until a
 * quarter of the wait and twice the usual lateness have passed; then it is forgotten. The share of
 * kept announcements among the recent ones is the trust in all that are pending.
 *
 * <p>What an announcement does not say counts, too. Where hints cover all reads, a block without an
 * announcement is not read again, whatever its past; where they cover some jobs only, its past
 * counts. So the share of repeated reads that came without an announcement is recorded, separately
 * for blocks that had announcements before and for those that never had one.
 *
 * <p>O(log n) per announcement, amortized; O(1) per read. About 40 bytes per pending announcement.
 * Not thread-safe.
 */
final class AnnouncedUses {
  /** The weight of one announcement in the moving average of the trust is 1 / this. */
  private static final double TRUST_SMOOTHING = 128;

  /** The weight of one read in the moving averages of lateness and coverage is 1 / this. */
  private static final double READ_SMOOTHING = 64;

  /** Low enough to be harmless; above 0, so that an announcement is never as good as none. */
  private static final double MIN_TRUST = 0.001;

  private static final int MIN_STALE = 1024;

  private static final class Promise {
    final Entry entry;
    final long at;
    final long due;

    Promise(Entry entry, long at, long due) {
      this.entry = entry;
      this.at = at;
      this.due = due;
    }

    boolean isPending() {
      return entry.announcedAt == at;
    }
  }

  private final PriorityQueue<Promise> promises =
      new PriorityQueue<>(Comparator.comparingLong(promise -> promise.due));

  private double trust = 1;
  private double lateness = 1;
  private double surprisesOfUnhinted = 0.5;
  private double surprisesOfHinted = 0.5;

  /** Announcements that were replaced or forgotten while they are in the queue. */
  private int stale;

  /** The entry whose announcement was replaced last, presumably because of the next read. */
  private @Nullable Entry replaced;

  private long replacedAt;
  private long replacedWait;

  /** The entry whose very first announcement was the last one made. */
  private @Nullable Entry first;

  /** The entry of the last announcement. */
  private @Nullable Entry latest;

  /** Announcements in the queue, including some that were replaced. */
  int pending() {
    return promises.size();
  }

  /** Probability that a pending announcement is kept, 0.001 to 1. */
  double trust() {
    return trust;
  }

  /** Probability that the next read of a block without an announcement comes without one. */
  double surprises(Entry entry) {
    return entry.hinted ? surprisesOfHinted : surprisesOfUnhinted;
  }

  /**
   * Sets or withdraws the announced use of a block.
   *
   * @param atNanos {@link KnownBlock#NEVER} to withdraw it
   */
  void announce(Entry entry, long atNanos, long now) {
    if (entry.announcedAt == atNanos) {
      return;
    }
    if (entry.announcedAt != KnownBlock.NEVER) {
      replaced = entry;
      replacedAt = entry.announcedAt;
      replacedWait = entry.announcedWait;
      stale++;
    }
    latest = entry;
    entry.announcedAt = atNanos;
    if (atNanos == KnownBlock.NEVER) {
      return;
    }
    if (!entry.hinted) {
      entry.hinted = true;
      first = entry;
    }
    entry.announcedWait = Math.max(1, atNanos - now);
    double slack = entry.announcedWait / 4.0 + 2 * lateness;
    promises.add(new Promise(entry, atNanos, ProRataPolicy.later(atNanos, (long) slack)));
    if (stale > MIN_STALE + promises.size() / 2) {
      promises.removeIf(promise -> !promise.isPending());
      stale = 0;
    }
  }

  /**
   * Records a read, after the announcements that changed because of it.
   *
   * @param entry null if nothing is known of the block now
   * @param again whether it was read before
   */
  void read(CacheKey key, @Nullable Entry entry, boolean again, long now) {
    boolean kept = false;
    boolean wasAnnounced = isOfReplaced(key);
    if (wasAnnounced) {
      kept = learnFromReplaced(now);
    } else if (entry != null && entry != latest && entry.announcedAt <= now) {
      // The host did not withdraw the announcement that this read fulfils.
      kept = true;
      learn(true);
      entry.announcedAt = KnownBlock.NEVER;
      stale++;
    }
    if (again) {
      double surprise = kept ? 0 : 1;
      if (wasAnnounced || (entry != null && entry.hinted && entry != first)) {
        surprisesOfHinted += (surprise - surprisesOfHinted) / READ_SMOOTHING;
      } else {
        surprisesOfUnhinted += (surprise - surprisesOfUnhinted) / READ_SMOOTHING;
      }
    }
    useIsOver();
  }

  /**
   * Records a use that is no read here, after the announcements that changed because of it: it
   * keeps what was announced as a read does, but says nothing of reads without an announcement.
   */
  void usedWithoutAccess(CacheKey key, long now) {
    if (isOfReplaced(key)) {
      boolean unused = learnFromReplaced(now);
    }
    useIsOver();
  }

  /** Its entry may be gone since its last announcement was withdrawn. */
  private boolean isOfReplaced(CacheKey key) {
    return replaced != null && replaced.key.equals(key);
  }

  /** Learns, and returns, whether a use now keeps the announcement that was replaced last. */
  private boolean learnFromReplaced(long now) {
    double off = Math.abs((double) now - replacedAt);
    boolean kept = off <= replacedWait / 2.0 + 2 * lateness;
    learn(kept);
    if (kept) {
      lateness += (off - lateness) / READ_SMOOTHING;
    }
    return kept;
  }

  private void useIsOver() {
    replaced = null;
    latest = null;
    first = null;
  }

  /**
   * Forgets the announcements that are overdue.
   *
   * @param forgotten receives each block whose announcement is forgotten
   */
  void breakOverdue(long now, Consumer<Entry> forgotten) {
    for (Promise next = promises.peek(); next != null && next.due < now; next = promises.peek()) {
      promises.remove();
      if (next.isPending()) {
        learn(false);
        next.entry.announcedAt = KnownBlock.NEVER;
        forgotten.accept(next.entry);
      } else {
        stale--;
      }
    }
  }

  private void learn(boolean kept) {
    trust = Math.max(MIN_TRUST, trust + ((kept ? 1 : 0) - trust) / TRUST_SMOOTHING);
  }
}
