// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * The members as this node knows them, what it holds among them, and the pulls that fill it.
 *
 * <p>Changes of the members, yielding shards to a later primary and the end of that, and the
 * beginning of pulls exclude each other by this object's lock: what one of them does to the shares
 * would otherwise be lost if another replaced them. {@link #shares} is read without it. A write
 * reads the shares under the lock of its record: a pull by the next primary, which takes that lock
 * after the yield, sees the write, or the write sees the yield. Thread-safe.
 */
final class Membership {
  /**
   * Time between two pulls of what was given up, so that a primary that calls and can't be called
   * does not keep reads from its replica.
   */
  private static final long MIN_PULL_AGAIN_MILLIS = 60_000;

  /** How long after the last change of members records of foreign shards are kept. */
  static final long FOREIGN_KEPT_MILLIS = 60_000;

  /** How long a yielded shard waits for members that make the other node its primary. */
  private static final long MAX_YIELD_MILLIS = 30_000;

  /** Receives changes of the members and the results of pulls. */
  interface Listener {
    /** There are other members. Called under the membership's lock, before any pull begins. */
    void membersChanged(Ring ring);

    /** A pull brought a part of what a member holds. Any thread. */
    void pulled(Member source, Peers.Pulled part);
  }

  private final String id;
  private final int replicas;
  private final Peers peers;
  private final LongSupplier wall;
  private final LongSupplier steady;
  private final Listener listener;
  private final List<Refill> refills = new CopyOnWriteArrayList<>();

  // Written under the lock; read by any thread.
  private volatile Shares shares;
  private volatile long changedMillis;
  private volatile long reportedMillis;

  /**
   * When a primary was pulled from again last, by its id, since the members changed. Guarded by
   * this.
   */
  private final Map<String, Long> pulledAgain = new HashMap<>();

  /** When shards were yielded last; 0 if none are. Guarded by this. */
  private long yieldedMillis;

  /** The latest report by a clock that is ahead, and when it arrived. Guarded by this. */
  private long aheadMillis = Long.MIN_VALUE;

  private long aheadArrivedMillis;

  /**
   * This node became a member, and its followers have not been made to pull yet. Written under the
   * lock; read by any thread.
   */
  private volatile boolean joined;

  /**
   * @param wallMillis for times of reports
   * @param steadyMillis for how long something lasts
   */
  Membership(
      String id,
      int replicas,
      Peers peers,
      LongSupplier wallMillis,
      LongSupplier steadyMillis,
      Listener listener) {
    this.id = id;
    this.replicas = replicas;
    this.peers = peers;
    this.wall = wallMillis;
    this.steady = steadyMillis;
    this.listener = listener;
    this.shares = Shares.nothing(replicas);
  }

  // ---- members ----------------------------------------------------------------------------------

  /** This node's shares among the current members. */
  Shares shares() {
    return shares;
  }

  /** The members, with the time of the latest news of them. */
  View view() {
    return shares.view.reportedAt(reportedMillis);
  }

  /** Age of the latest news of the members; 0 if there were none. */
  long viewAgeMillis() {
    return reportedMillis == 0 ? 0 : Math.max(0, wall.getAsLong() - reportedMillis);
  }

  /**
   * True if the last change of members is long enough ago to drop records of foreign shards. Before
   * there are members no shard is foreign: a restarted node keeps what its journal had.
   */
  boolean isSettled(long nowMillis) {
    return !shares.view.members().isEmpty() && nowMillis - changedMillis > FOREIGN_KEPT_MILLIS;
  }

  /** See {@link DirectoryNode#found}. */
  synchronized void found(View view, Ring ring) {
    reportedMillis = view.reportedMillis();
    changedMillis = steady.getAsLong();
    shares = Shares.founded(view, ring, id);
  }

  /** Takes later news of the members; earlier ones are ignored. */
  synchronized void learn(View reported) {
    learnDated(dated(reported));
  }

  /**
   * News by a clock that is ahead date from when they arrived first: their own time would keep out
   * all later ones, and a long pull repeats the same news with each part.
   */
  private View dated(View reported) {
    long now = wall.getAsLong();
    if (!reported.isAhead(now)) {
      return reported;
    }
    if (reported.reportedMillis() > aheadMillis) {
      aheadMillis = reported.reportedMillis();
      aheadArrivedMillis = now;
    }
    return reported.reportedAt(aheadArrivedMillis);
  }

  private void learnDated(View view) {
    boolean wasAhead = View.isAhead(reportedMillis, wall.getAsLong());
    if (view.reportedMillis() <= reportedMillis && !wasAhead) {
      return;
    }
    reportedMillis = view.reportedMillis();
    Shares before = shares;
    if (before.view.sameMembers(view)) {
      return;
    }
    List<Shares.Source> sources = new ArrayList<>();
    Shares next = before.next(view, id, replicas, sources);
    changedMillis = steady.getAsLong();
    shares = next;
    listener.membersChanged(next.ring);
    refills.forEach(Refill::stop);
    refills.clear();
    pulledAgain.clear();
    sources.forEach(source -> refill(next, source).step());
    joined |= before.self == null && next.self != null;
  }

  /**
   * Adopts the caller's members if they are later, and stops answering for the shards whose primary
   * the caller is from now on. Later writes of this node are replicated to the caller where the
   * caller is a replica. Excludes {@link #learn}, so that yielded shards stay so.
   *
   * @return false if this node has later members than the caller
   */
  synchronized boolean yieldTo(View reported, BitSet takeOver) {
    View view = dated(reported);
    learnDated(view);
    if (!shares.view.sameMembers(view) && view.reportedMillis() < reportedMillis) {
      return false;
    }
    if (!takeOver.isEmpty()) {
      yieldedMillis = steady.getAsLong();
      shares.giveUp(takeOver);
    }
    return true;
  }

  /** Takes yielded shards back if no other members followed in time. */
  synchronized void endYield(long nowMillis) {
    if (yieldedMillis > 0 && nowMillis - yieldedMillis > MAX_YIELD_MILLIS) {
      yieldedMillis = 0;
      shares.takeBack();
    }
  }

  // ---- pulls ------------------------------------------------------------------------------------

  private Refill refill(Shares of, Shares.Source source) {
    Refill refill =
        new Refill(of, source, peers, steady, part -> listener.pulled(source.member, part));
    refills.add(refill);
    return refill;
  }

  /**
   * A primary replicated to this node: pulls again what it could not replicate, or what was given
   * up when it was pulled last.
   *
   * @param missed whether the primary did not send all changes
   */
  void replicatedFrom(String primary, boolean missed) {
    if (!missed && !shares.gaveUp(primary)) {
      return;
    }
    Refill refill;
    synchronized (this) {
      if (!missed) {
        long now = steady.getAsLong();
        Long last = pulledAgain.get(primary);
        if (last != null && now - last < MIN_PULL_AGAIN_MILLIS) {
          return;
        }
        pulledAgain.put(primary, now);
      }
      Shares.Source source = shares.missedFrom(primary, missed);
      if (source == null) {
        return;
      }
      refill = refill(shares, source);
    }
    refill.step();
  }

  /**
   * Continues the pulls. Once those that followed this node's joining have ended, returns the
   * members that must pull from it: before a restart it may have replicated a change to some of
   * them and not to others. Otherwise returns none.
   */
  Set<Member> stepRefills() {
    refills.forEach(Refill::step);
    refills.removeIf(Refill::isDone);
    return joined ? endJoining() : Set.of();
  }

  /** Later members begin other pulls, which are to end first. */
  private synchronized Set<Member> endJoining() {
    if (!joined || !refills.isEmpty()) {
      return Set.of();
    }
    joined = false;
    return shares.followers();
  }

  /** Whether pulls go on. */
  boolean isRefilling() {
    return !refills.isEmpty();
  }
}
