// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.directory.Member;
import io.hycache.core.directory.Peers;
import io.hycache.hdfs.dataset.Stubs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class EpochAnnouncerTest {
  private static final Member A = new Member("a", "a:1");
  private static final Member B = new Member("b", "b:1");

  /** Each call: who is called, in whose name, with which epoch and operations. */
  private final List<String> calls = new ArrayList<>();

  private final Set<Member> away = new HashSet<>();
  private final Peers peers = Stubs.noPeers(Map.of("run", this::called));
  private final EpochAnnouncer announcer = new EpochAnnouncer("dn", peers);

  private Object called(Object[] arguments) {
    Member to = (Member) arguments[0];
    calls.add(to.id() + " " + arguments[1] + " " + arguments[2] + " " + arguments[3]);
    return away.contains(to)
        ? CompletableFuture.failedFuture(new IOException("away"))
        : CompletableFuture.completedFuture(List.of());
  }

  @Test
  void round_eachMemberIsCalledOnce_andAgainWithALaterEpochOrWhenItJoinsAgain() {
    announcer.round(List.of(A), 5);
    announcer.round(List.of(A, B), 5);
    announcer.round(List.of(A, B), 5);
    assertEquals(List.of("a dn 5 []", "b dn 5 []"), calls);
    calls.clear();
    announcer.round(List.of(A, B), 6);
    assertEquals(List.of("a dn 6 []", "b dn 6 []"), calls);
    calls.clear();
    announcer.retainMembers(List.of(A));
    announcer.round(List.of(A, B), 6);
    assertEquals(List.of("b dn 6 []"), calls);
  }

  @Test
  void round_memberDoesNotAnswer_isCalledAgainUntilItDoes() {
    away.add(A);
    announcer.round(List.of(A, B), 5);
    announcer.round(List.of(A, B), 5);
    away.clear();
    announcer.round(List.of(A, B), 5);
    announcer.round(List.of(A, B), 5);
    assertEquals(List.of("a dn 5 []", "b dn 5 []", "a dn 5 []", "a dn 5 []"), calls);
  }
}
