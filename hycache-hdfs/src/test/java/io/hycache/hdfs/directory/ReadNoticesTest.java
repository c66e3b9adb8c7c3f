// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.Member;
import io.hycache.core.model.BlockKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReadNoticesTest {
  private final Map<String, Member> members = new HashMap<>();
  private final List<String> calls = new ArrayList<>();
  private final List<CompletableFuture<Boolean>> answers = new ArrayList<>();

  private int flushesRequested;

  private final ReadNotices notices =
      new ReadNotices(
          "self",
          members::get,
          (to, reads) -> {
            calls.add(to.id() + " " + reads.size());
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            answers.add(answer);
            return answer;
          },
          () -> flushesRequested++);

  private void member(String id) {
    members.put(id, new Member(id, id + ":1"));
  }

  private static BlockKey block(long id) {
    return new BlockKey("p", id);
  }

  @Test
  void aFlushIsRequested_whileSomethingWaits() {
    member("a");
    assertFalse(notices.add(block(1), List.of("unknown")));
    notices.flushIfWaiting();
    assertEquals(0, flushesRequested);
    assertTrue(notices.add(block(1), List.of("a")));
    assertEquals(1, flushesRequested);
    notices.flushIfWaiting();
    assertEquals(2, flushesRequested);
    notices.flush();
    assertTrue(notices.add(block(2), List.of("a")));
    assertEquals(3, flushesRequested);
    notices.flush();
    assertEquals(1, calls.size(), "the first call is under way");
    answers.get(0).complete(true);
    assertEquals(4, flushesRequested, "what came during a call");
    notices.flush();
    answers.get(1).complete(true);
    notices.flushIfWaiting();
    assertEquals(4, flushesRequested);
  }

  @Test
  void flush_oneCallAtATimeToEachDataNode() {
    member("a");
    member("b");
    assertTrue(notices.add(block(1), List.of("a", "b")));
    assertTrue(notices.add(block(2), List.of("a")));
    assertEquals(3, notices.waiting());
    notices.flush();
    assertEquals(List.of("a 2", "b 1"), List.of(calls.get(0), calls.get(1)));
    assertTrue(notices.add(block(3), List.of("a")));
    notices.flush();
    assertEquals(2, calls.size(), "the first call to a is under way");
    answers.get(0).complete(true);
    notices.flush();
    assertEquals(List.of("a 1"), calls.subList(2, 3));
    assertEquals(0, notices.waiting());
  }

  @Test
  void flush_callFails_itsNoticesAreLostAndTheNextGoOn() {
    member("a");
    assertTrue(notices.add(block(1), List.of("a")));
    notices.flush();
    answers.get(0).completeExceptionally(new IOException("down"));
    notices.flush();
    assertEquals(1, calls.size());
    assertTrue(notices.add(block(2), List.of("a")));
    notices.flush();
    assertEquals(List.of("a 1", "a 1"), calls);
  }

  @Test
  void flush_someCallsCannotBeMade_theOthersAre_andAllAreLater() {
    List<String> ids = List.of("a", "b", "c");
    ids.forEach(this::member);
    Set<String> failing = new HashSet<>(Set.of("a", "c"));
    ReadNotices some =
        new ReadNotices(
            "self",
            members::get,
            (to, reads) -> {
              calls.add(to.id() + " " + reads.size());
              if (failing.contains(to.id())) {
                throw new NoClassDefFoundError(to.id());
              }
              return CompletableFuture.completedFuture(true);
            },
            () -> flushesRequested++);
    assertTrue(some.add(block(1), ids));
    NoClassDefFoundError first = assertThrows(NoClassDefFoundError.class, some::flush);
    assertEquals("a", first.getMessage());
    assertEquals(List.of("a 1", "b 1", "c 1"), calls);
    assertEquals(0, some.waiting());
    failing.clear();
    assertTrue(some.add(block(2), ids));
    some.flush();
    assertEquals(List.of("a 1", "b 1", "c 1"), calls.subList(3, 6));
  }

  @Test
  void add_thisDataNode_isRefused() {
    member("self");
    member("a");
    assertFalse(notices.add(block(1), List.of("self")));
    assertTrue(notices.add(block(1), List.of("self", "a")));
    assertEquals(1, notices.waiting());
  }

  @Test
  void add_noMember_isRefused() {
    member("a");
    assertFalse(notices.add(block(1), List.of("nobody")));
    assertTrue(notices.add(block(1), List.of("nobody", "a")));
    members.clear();
    notices.flush();
    assertEquals(List.of(), calls, "it has left meanwhile");
    assertEquals(0, notices.waiting());
  }

  @Test
  void add_beyondTheBound_isRefused_andCallsAreBounded() {
    member("a");
    for (int i = 0; i < ReadNotices.MAX_WAITING_FOR_ONE; i++) {
      assertTrue(notices.add(block(i), List.of("a")));
    }
    assertFalse(notices.add(block(0), List.of("a")));
    for (int i = ReadNotices.MAX_WAITING_FOR_ONE; i < ReadNotices.MAX_WAITING; i++) {
      String other = "other" + i / ReadNotices.MAX_WAITING_FOR_ONE;
      member(other);
      assertTrue(notices.add(block(i), List.of("a", other)));
    }
    member("last");
    assertFalse(notices.add(block(0), List.of("last")), "in all");
    notices.flush();
    assertTrue(calls.contains("a " + ReadNotices.MAX_CALL_READS), calls.toString());
    assertTrue(notices.add(block(0), List.of("a")));
  }
}
