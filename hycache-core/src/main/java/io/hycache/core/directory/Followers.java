// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** The queues of changes to the other replicas, one for each member. Thread-safe. */
final class Followers {
  private final Map<String, Follower> byMember = new ConcurrentHashMap<>();
  private final String self;
  private final Peers peers;
  private final RecordStore store;
  private final Membership membership;
  private final LongSupplier clock;

  /**
   * @param self id of this node
   */
  Followers(
      String self,
      Peers peers,
      RecordStore store,
      Membership membership,
      LongSupplier clockMillis) {
    this.self = self;
    this.peers = peers;
    this.store = store;
    this.membership = membership;
    this.clock = clockMillis;
  }

  /** The other replicas of a shard, whose acknowledgement the batch awaits from now on. */
  List<Follower> of(int shard, Shares shares, Batch batch) {
    List<Follower> out = new ArrayList<>(2);
    for (int role = 1; role < shares.ring.replicas(); role++) {
      out.add(of(shares.ring.owner(shard, role)));
    }
    batch.awaits(out);
    return out;
  }

  private Follower of(Member member) {
    Follower known = byMember.get(member.id());
    return known != null ? known : create(member);
  }

  /** The member may have another address since the caller read the members. */
  private synchronized Follower create(Member member) {
    Member current = membership.shares().ring.member(member.id());
    Member now = current == null ? member : current;
    return byMember.computeIfAbsent(
        now.id(), unused -> new Follower(now, self, peers, store::whole, clock));
  }

  /** Drops the queues to those who are no longer members, or moved to another address. */
  synchronized void retainMembers(Ring ring) {
    byMember.values().removeIf(follower -> !follower.isOf(ring));
  }

  /** Has these members pull what they may have missed. */
  void miss(Collection<Member> members) {
    members.forEach(member -> of(member).miss());
  }

  /**
   * Notifies those that missed changes and have not been notified yet.
   *
   * @return whether there were any
   */
  boolean nudge() {
    boolean any = false;
    for (Follower follower : byMember.values()) {
      any |= follower.nudge();
    }
    return any;
  }
}
