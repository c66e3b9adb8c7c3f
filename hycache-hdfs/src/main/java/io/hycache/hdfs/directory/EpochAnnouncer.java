// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static java.util.stream.Collectors.toSet;

import io.hycache.core.directory.Member;
import io.hycache.core.directory.Peers;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Announces the epoch of this DataNode to all members, so that the records of an earlier one end
 * although nothing is published in this one. Each member is called once for an epoch; one that does
 * not answer is called again. Rounds are one at a time.
 */
final class EpochAnnouncer {
  /** Calls under way, at most. */
  static final int MAX_CALLS = 100;

  private final String datanode;
  private final Peers peers;
  private final AtomicInteger calls = new AtomicInteger();

  /** The last epoch that each member has, or is being called with, by id. */
  private final Map<String, Long> announced = new ConcurrentHashMap<>();

  /**
   * @param datanode UUID of this DataNode
   */
  EpochAnnouncer(String datanode, Peers peers) {
    this.datanode = datanode;
    this.peers = peers;
  }

  /** Calls the members that do not have the epoch. Does not wait for answers. */
  void round(Collection<Member> members, long epoch) {
    for (Member member : members) {
      Long last = announced.get(member.id());
      if ((last == null || last != epoch) && calls.get() < MAX_CALLS) {
        announced.put(member.id(), epoch);
        announce(member, epoch);
      }
    }
  }

  /** A member that leaves and joins again is called again. */
  void retainMembers(Collection<Member> members) {
    announced.keySet().retainAll(members.stream().map(Member::id).collect(toSet()));
  }

  private void announce(Member member, long epoch) {
    calls.incrementAndGet();
    try {
      var unused =
          peers
              .run(member, datanode, epoch, List.of())
              .whenComplete((outcomes, failure) -> ended(member, epoch, failure == null));
    } catch (RuntimeException | Error e) {
      ended(member, epoch, false);
      throw e;
    }
  }

  private void ended(Member member, long epoch, boolean answered) {
    calls.decrementAndGet();
    if (!answered) {
      announced.remove(member.id(), epoch);
    }
  }
}
