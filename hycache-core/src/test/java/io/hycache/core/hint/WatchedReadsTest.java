// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.config.HintLimits;
import io.hycache.core.hint.Hints.Watched;
import io.hycache.core.model.BlockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchedReadsTest {
  private static final long LENGTH = 100;
  private static final List<String> NONE = List.of();

  private final WatchedReads watched =
      new WatchedReads(10, new HintLimits(6, 2, Duration.ofSeconds(1)));

  private static BlockKey block(long id) {
    return new BlockKey("p", id);
  }

  private static Hints hints(String workflow, long ttlMillis, Watched... what) {
    return new Hints(workflow, ttlMillis, List.of(), List.of(what));
  }

  private static Watched watch(long id, int reads, String... hinted) {
    return new Watched(block(id), reads, List.of(hinted));
  }

  private static Hints blocks(String workflow, int from, int count) {
    List<Watched> out = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      out.add(watch(from + i, 1, "a"));
    }
    return new Hints(workflow, 1000, List.of(), out);
  }

  private List<String> read(long id) {
    return watched.onRead(block(id), LENGTH, LENGTH);
  }

  @Test
  void onRead_nineTenths_isOneReadForThoseWithTheHints() {
    watched.submit(hints("w", 500, watch(1, 2, "a", "b")), "alice", false, 0);
    assertEquals(NONE, watched.onRead(block(1), LENGTH, 50));
    assertEquals(NONE, watched.onRead(block(1), LENGTH, 39));
    assertEquals(List.of("a", "b"), watched.onRead(block(1), LENGTH, 1));
    assertEquals(NONE, watched.onRead(block(1), LENGTH, 89));
    assertEquals(List.of("a", "b"), watched.onRead(block(1), LENGTH, 1000));
    assertEquals(NONE, read(1), "as many as were expected");
    assertEquals(NONE, read(2));
    assertEquals(0, watched.size());
  }

  @Test
  void onRead_blockOfTwoWorkflows_countsForTheOlderFirst() {
    watched.submit(hints("w1", 500, watch(1, 1, "a")), "alice", false, 0);
    watched.submit(hints("w2", 500, watch(1, 2, "b")), "bob", false, 0);
    assertEquals(List.of("a"), read(1));
    assertEquals(List.of("b"), read(1));
    assertEquals(List.of("b"), read(1));
    assertEquals(NONE, read(1));
  }

  @Test
  void submit_sameName_replaces() {
    watched.submit(hints("w", 500, watch(1, 5, "a"), watch(2, 5, "a")), "alice", false, 0);
    watched.submit(hints("w", 500, watch(1, 1, "b")), "bob", false, 0);
    watched.submit(hints("w", 500, watch(2, 1, "c")), "alice", false, 0);
    assertEquals(List.of("b"), read(1));
    assertEquals(NONE, read(1));
    assertEquals(List.of("c"), read(2));
    assertEquals(NONE, read(2));
  }

  @Test
  void submit_blockNamedAgain_isWatchedOnce() {
    watched.submit(
        hints("w", 500, watch(1, 1, "a"), watch(2, 1, "a"), watch(1, 3, "b")), "alice", false, 0);
    assertEquals(2, watched.size());
    assertEquals(List.of("a"), read(1));
    assertEquals(NONE, read(1));
    watched.submit(hints("w2", 500, watch(2, 1, "b")), "alice", false, 0);
    assertEquals(3, watched.size(), "another workflow's watch of the same block");
    watched.withdraw(new WorkflowId("alice", "w"));
    assertEquals(List.of("b"), read(2));
    assertEquals(0, watched.size());
  }

  @Test
  void withdrawAndExpire_endTheWatches() {
    watched.submit(hints("w1", 500, watch(1, 5, "a")), "alice", false, 0);
    watched.submit(hints("w2", 5000, watch(1, 5, "b")), "alice", false, 0);
    watched.submit(hints("w3", 5000, watch(1, 5, "c")), "root", true, 0);
    watched.withdraw(new WorkflowId("bob", "w1"));
    assertEquals(List.of("a"), read(1));
    watched.expire(499);
    assertEquals(List.of("a"), read(1));
    watched.expire(500);
    assertEquals(List.of("b"), read(1));
    watched.expire(1000);
    assertEquals(List.of("c"), read(1), "the user's TTL is at most 1000");
    watched.withdraw(new WorkflowId("root", "w3"));
    assertEquals(NONE, read(1));
    assertEquals(0, watched.size());
  }

  @Test
  void submit_beyondALimit_leavesTheRestOut() {
    watched.submit(blocks("w1", 0, 4), "alice", false, 0);
    watched.submit(blocks("w2", 10, 4), "alice", false, 0);
    assertEquals(6, watched.size(), "blocks of one user");
    assertEquals(List.of("a"), read(11));
    assertEquals(NONE, read(12));
    watched.submit(blocks("w3", 20, 1), "alice", false, 0);
    assertEquals(NONE, read(20), "workflows of one user");
    watched.submit(blocks("w1", 30, 9), "root", true, 0);
    assertEquals(10, watched.size(), "all blocks");
    assertEquals(List.of("a"), read(33));
    assertEquals(NONE, read(34));
    watched.withdraw(new WorkflowId("alice", "w1"));
    watched.limit(new HintLimits(3, 2, Duration.ofSeconds(1)));
    watched.submit(blocks("w4", 40, 9), "alice", false, 0);
    assertEquals(List.of("a"), read(40));
    assertEquals(NONE, read(41), "2 are held, one of them is used up");
  }

  @Test
  void submit_moreReadsThanAUsersReferences_areNotReported() {
    watched.submit(hints("w", 500, watch(1, Integer.MAX_VALUE, "a")), "alice", false, 0);
    watched.submit(hints("w", 500, watch(2, 7, "a")), "root", true, 0);
    for (int i = 0; i < 6; i++) {
      assertEquals(List.of("a"), read(1));
      assertEquals(List.of("a"), read(2));
    }
    assertEquals(NONE, read(1));
    assertEquals(List.of("a"), read(2), "no limit for root");
    assertEquals(0, watched.size());
  }

  @Test
  void onRead_allReadsUsedUp_freesTheUsersLimit() {
    watched.submit(blocks("w1", 0, 3), "alice", false, 0);
    watched.submit(blocks("w2", 10, 3), "alice", false, 0);
    for (int id = 0; id < 3; id++) {
      assertEquals(List.of("a"), read(id));
    }
    assertEquals(3, watched.size());
    watched.submit(blocks("w3", 20, 3), "alice", false, 0);
    assertEquals(List.of("a"), read(22));
  }
}
