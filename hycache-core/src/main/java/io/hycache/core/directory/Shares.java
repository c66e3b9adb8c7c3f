// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/*
 * A shard that this node has, in one of three states:
 *
 *   PULLING --(all sources answered or were given up)--> READY --(a later primary asked)--> YIELDED
 *      ^                                                   |                                   |
 *      `------(its primary says that changes were missed)--'        READY <--(30 s, same members)
 *
 * A replica that gave up pulling from a shard's primary answers reads with what it has, but lacks
 * changes that the primary considers sent. So it pulls again when that primary calls next, and when
 * the members change.
 *
 * Only a READY primary takes writes. A new primary pulls from the old one, which yields before it
 * answers: so two never write at the same time, whatever the order in which nodes learn of members.
 * A primary that can't be reached but is still a member is waited for.
 */
/** What a node holds among one set of members. The states are thread-safe, the rest is fixed. */
final class Shares {
  private static final int NONE = 0;
  private static final int PULLING = 1;
  private static final int READY = 2;
  private static final int YIELDED = 3;

  private static final int BITS = 2;
  private static final int MASK = (1 << BITS) - 1;
  private static final int STATES_PER_INT = Integer.SIZE / BITS;

  final View view;
  final Ring ring;
  final @Nullable Member self;

  private final Set<String> memberIds = new HashSet<>();

  /** This node's role, by shard; -1 if it has none. */
  private final byte[] roles = new byte[Ring.SHARDS];

  /** By shard, {@value #BITS} bits each. */
  private final AtomicIntegerArray states = new AtomicIntegerArray(Ring.SHARDS / STATES_PER_INT);

  /** Sources that have not been pulled yet. Guarded by this. */
  private int left;

  /** The same by shard; null if there are none. Guarded by this. */
  private int @Nullable [] leftByShard;

  /** Shards whose primary was given up when it was pulled last. Guarded by this. */
  private final BitSet givenUp = new BitSet(Ring.SHARDS);

  /** The shards to pull from one member. */
  static final class Source {
    final Member member;
    final BitSet shards = new BitSet(Ring.SHARDS);

    /** Shards whose primary this node is now. */
    final BitSet takeOver = new BitSet(Ring.SHARDS);

    Source(Member member) {
      this.member = member;
    }
  }

  private Shares(View view, Ring ring, @Nullable Member self) {
    this.view = view;
    this.ring = ring;
    this.self = self;
    ring.members().forEach(member -> memberIds.add(member.id()));
  }

  /** Shares of a node that knows no members. */
  static Shares nothing(int replicas) {
    Shares out = new Shares(View.NONE, new Ring(List.of(), replicas), null);
    Arrays.fill(out.roles, (byte) -1);
    return out;
  }

  /** Shares of a node whose members all begin with it, so that none holds a record yet. */
  static Shares founded(View view, Ring ring, String selfId) {
    Member me = ring.member(selfId);
    Shares out = new Shares(view, ring, me);
    for (int shard = 0; shard < Ring.SHARDS; shard++) {
      int role = me == null ? -1 : ring.roleOf(shard, me);
      out.roles[shard] = (byte) role;
      out.set(shard, role < 0 ? NONE : READY);
    }
    return out;
  }

  /**
   * The shares after a change of members. O(shards * replicas).
   *
   * @param sources receives the sources to pull from
   */
  Shares next(View later, String selfId, int replicas, Collection<Source> sources) {
    Ring next = new Ring(later.members(), replicas);
    Member me = next.member(selfId);
    Shares out = new Shares(later, next, me);
    boolean first = self == null;
    List<Member> others = new ArrayList<>(later.members());
    others.removeIf(m -> m.id().equals(selfId));
    Ring before = first ? new Ring(others, replicas) : ring;
    Map<Member, Source> bySource = new HashMap<>();
    int[] toPull = new int[Ring.SHARDS];
    for (int shard = 0; shard < Ring.SHARDS; shard++) {
      int role = me == null ? -1 : next.roleOf(shard, me);
      out.roles[shard] = (byte) role;
      if (role < 0) {
        continue;
      }
      boolean had = isComplete(shard);
      if (had && before.owner(shard, 0).equals(next.owner(shard, 0))) {
        out.set(shard, READY);
        continue;
      }
      // Changes that the old primary sent to some replicas only are exchanged among those.
      out.set(shard, had && role > 0 ? READY : PULLING);
      Set<Member> from = new LinkedHashSet<>();
      if (!before.members().isEmpty()) {
        from.addAll(before.owners(shard));
      }
      from.addAll(next.owners(shard));
      for (Member source : from) {
        Member now = next.member(source.id());
        if (source.id().equals(selfId) || now == null) {
          continue;
        }
        Source one = bySource.computeIfAbsent(now, Source::new);
        one.shards.set(shard);
        if (role == 0) {
          one.takeOver.set(shard);
        }
        toPull[shard]++;
      }
      if (toPull[shard] == 0) {
        out.set(shard, READY);
      }
    }
    out.left = bySource.size();
    out.leftByShard = bySource.isEmpty() ? null : toPull;
    sources.addAll(bySource.values());
    return out;
  }

  /** Whether a pull from a primary was given up and has not begun again. */
  synchronized boolean gaveUp(String primary) {
    Member from = givenUp.isEmpty() ? null : ring.member(primary);
    return from != null && givenUp.stream().anyMatch(shard -> ring.owner(shard, 0).equals(from));
  }

  /**
   * The shards to pull again from a primary; null if none.
   *
   * @param all whether it did not send all changes; otherwise those that were given up
   */
  synchronized @Nullable Source missedFrom(String primary, boolean all) {
    Member from = ring.member(primary);
    if (from == null || self == null) {
      return null;
    }
    Source out = new Source(from);
    int[] toPull = leftByShard == null ? new int[Ring.SHARDS] : leftByShard;
    for (int shard = 0; shard < Ring.SHARDS; shard++) {
      if (follows(shard, from) && (all || givenUp.get(shard))) {
        out.shards.set(shard);
        toPull[shard]++;
        givenUp.clear(shard);
        set(shard, PULLING);
      }
    }
    if (out.shards.isEmpty()) {
      return null;
    }
    left++;
    leftByShard = toPull;
    return out;
  }

  /** Whether this node is a replica of a shard with this primary. */
  private boolean follows(int shard, Member primary) {
    return roles[shard] > 0 && ring.owner(shard, 0).equals(primary);
  }

  /**
   * No more is pulled from a source.
   *
   * @param complete false if it was given up
   */
  synchronized void done(Source source, boolean complete) {
    int[] toPull = leftByShard;
    if (toPull == null) {
      throw new IllegalStateException("expected a source that is left, found none: " + this);
    }
    source.shards.stream()
        .forEach(
            shard -> {
              if (!complete && follows(shard, source.member)) {
                givenUp.set(shard);
              }
              if (--toPull[shard] == 0) {
                change(shard, PULLING, READY);
              }
            });
    if (--left == 0) {
      leftByShard = null;
    }
  }

  /**
   * Yields shards to another node, which is their primary now. Other shards than those whose
   * primary this node was are ignored.
   */
  void giveUp(BitSet shards) {
    shards.stream()
        .filter(shard -> roles[shard] == 0)
        .forEach(shard -> change(shard, READY, YIELDED));
  }

  /** Takes yielded shards back: the members have not changed. */
  void takeBack() {
    for (int shard = 0; shard < Ring.SHARDS; shard++) {
      change(shard, YIELDED, READY);
    }
  }

  // ---- states -----------------------------------------------------------------------------------

  private int state(int shard) {
    return (states.get(shard / STATES_PER_INT) >>> shift(shard)) & MASK;
  }

  private void set(int shard, int state) {
    int mask = MASK << shift(shard);
    int bits = state << shift(shard);
    int unused = states.updateAndGet(shard / STATES_PER_INT, word -> (word & ~mask) | bits);
  }

  /** Changes the state of a shard if it is as expected. */
  private void change(int shard, int from, int to) {
    int mask = MASK << shift(shard);
    int expected = from << shift(shard);
    int bits = to << shift(shard);
    int unused =
        states.updateAndGet(
            shard / STATES_PER_INT,
            word -> (word & mask) == expected ? (word & ~mask) | bits : word);
  }

  private static int shift(int shard) {
    return (shard % STATES_PER_INT) * BITS;
  }

  // ---- members ----------------------------------------------------------------------------------

  boolean isMember(String id) {
    return memberIds.contains(id);
  }

  /** Whether this node has the shard in some role. */
  boolean has(int shard) {
    return roles[shard] >= 0;
  }

  boolean isReadyPrimary(int shard) {
    return roles[shard] == 0 && state(shard) == READY;
  }

  boolean isReady(int shard) {
    return roles[shard] >= 0 && state(shard) == READY;
  }

  /** Whether this node has the shard and all changes that its primary sent or that it pulled. */
  private synchronized boolean isComplete(int shard) {
    return isReady(shard) && !givenUp.get(shard);
  }

  /** The members that follow this node in some shard. */
  Set<Member> followers() {
    Set<Member> out = new LinkedHashSet<>();
    for (int shard = 0; shard < Ring.SHARDS; shard++) {
      for (int role = 1; roles[shard] == 0 && role < ring.replicas(); role++) {
        out.add(ring.owner(shard, role));
      }
    }
    return out;
  }

  /** Shards of this node that are not ready. */
  int pulling() {
    int sum = 0;
    for (int shard = 0; shard < Ring.SHARDS; shard++) {
      sum += roles[shard] >= 0 && state(shard) != READY ? 1 : 0;
    }
    return sum;
  }

  /** Shards that this node is the primary of. */
  int primaries() {
    int sum = 0;
    for (byte role : roles) {
      sum += role == 0 ? 1 : 0;
    }
    return sum;
  }

  @Override
  public String toString() {
    return "Shares " + ring + " states=" + pulling() + " pulling";
  }
}
