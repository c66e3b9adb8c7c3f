// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class SharedCallsTest {
  private static final Member A = FakeNetwork.member("a");
  private static final Member B = FakeNetwork.member("b");

  /** A call that waits for the test to answer it. */
  private static final class Sent {
    final Member node;
    final String publisher;
    final long epoch;
    final List<Operation> operations;
    final CompletableFuture<List<Outcome>> answer = new CompletableFuture<>();

    Sent(Member node, String publisher, long epoch, List<Operation> operations) {
      this.node = node;
      this.publisher = publisher;
      this.epoch = epoch;
      this.operations = List.copyOf(operations);
    }

    String keys() {
      List<String> keys = new ArrayList<>();
      operations.forEach(operation -> keys.add(operation.key()));
      return String.join(" ", keys);
    }

    /** Each operation's outcome says which one it is of. */
    void answer() {
      List<Outcome> outcomes = new ArrayList<>();
      operations.forEach(o -> outcomes.add(Outcome.failed(Outcome.Status.REFUSED, o.key())));
      answer.complete(outcomes);
    }
  }

  private final List<Sent> sent = new ArrayList<>();
  private final Queue<Runnable> timers = new ArrayDeque<>();
  private long now = 1000;
  private final SharedCalls calls =
      new SharedCalls(
          new Peers() {
            @Override
            public CompletableFuture<List<Outcome>> run(
                Member node, String publisher, long epoch, List<Operation> operations) {
              Sent call = new Sent(node, publisher, epoch, operations);
              sent.add(call);
              return call.answer;
            }

            @Override
            public CompletableFuture<List<String>> replicate(
                Member node, String from, boolean missed, List<Change> changes) {
              return CompletableFuture.completedFuture(List.of(node.id(), from));
            }

            @Override
            public CompletableFuture<Pulled> pull(
                Member node, View view, BitSet takeOver, BitSet shards, String at) {
              return CompletableFuture.completedFuture(new Pulled(List.of(), List.of(), at));
            }

            @Override
            public CompletableFuture<View> view(Member node) {
              return CompletableFuture.completedFuture(new View(7, List.of(node)));
            }
          },
          (millis, action) -> timers.add(action),
          () -> now);

  private CompletableFuture<List<Outcome>> run(String... keys) {
    List<Operation> operations = new ArrayList<>();
    for (String key : keys) {
      operations.add(Operation.append(key, FakeNetwork.bytes("e")));
    }
    return calls.run(A, "", 0, operations);
  }

  private void start(String... keys) {
    CompletableFuture<?> unused = run(keys);
  }

  private void start(Member node, String publisher, long epoch, List<Operation> operations) {
    CompletableFuture<?> unused = calls.run(node, publisher, epoch, operations);
  }

  private static String texts(CompletableFuture<List<Outcome>> answer) {
    assertTrue(answer.isDone());
    List<String> out = new ArrayList<>();
    answer.join().forEach(outcome -> out.add(outcome.text()));
    return String.join(" ", out);
  }

  private List<String> sentKeys() {
    List<String> out = new ArrayList<>();
    sent.forEach(call -> out.add(call.keys()));
    return out;
  }

  private void waitUntilLate() {
    now += SharedCalls.MAX_WAIT_MILLIS;
    timers.remove().run();
  }

  @Test
  void run_alone_isSentAtOnce() {
    CompletableFuture<List<Outcome>> first = run("1", "2");
    assertEquals(List.of("1 2"), sentKeys());
    sent.get(0).answer();
    assertEquals("1 2", texts(first));
    assertEquals(0, timers.size());
    assertEquals(0, calls.lanes());
    CompletableFuture<List<Outcome>> second = run("3");
    sent.get(1).answer();
    assertEquals("3", texts(second));
  }

  @Test
  void run_whileACallIsUnderWay_goesWithOthersInTheNext() {
    start("1");
    CompletableFuture<List<Outcome>> two = run("2");
    CompletableFuture<List<Outcome>> threeAndFour = run("3", "4");
    CompletableFuture<List<Outcome>> five = run("5");
    assertEquals(List.of("1"), sentKeys());
    sent.get(0).answer();
    assertEquals(List.of("1", "2 3 4 5"), sentKeys());
    assertFalse(two.isDone());
    sent.get(1).answer();
    assertEquals("2", texts(two));
    assertEquals("3 4", texts(threeAndFour));
    assertEquals("5", texts(five));
    assertEquals(0, calls.lanes());
  }

  @Test
  void run_againFromAnAnswer_isInTheNextCall() {
    CompletableFuture<List<Outcome>> again = run("1").thenCompose(unused -> run("3"));
    start("2");
    sent.get(0).answer();
    assertEquals(List.of("1", "2 3"), sentKeys());
    sent.get(1).answer();
    assertEquals("3", texts(again));
  }

  @Test
  void run_otherNodeAddressPublisherOrEpoch_isAnotherCall() {
    List<Operation> one = List.of(Operation.get("k"));
    start(A, "", 0, one);
    start(B, "", 0, one);
    start(new Member("a", "elsewhere:1"), "", 0, one);
    start(A, "p", 1, one);
    start(A, "p", 2, one);
    assertEquals(5, sent.size());
    assertEquals(B, sent.get(1).node);
    assertEquals("elsewhere:1", sent.get(2).node.address());
    assertEquals("p", sent.get(3).publisher);
    assertEquals(2, sent.get(4).epoch);
  }

  @Test
  void run_callFails_failsForAllInItAndForNoOther() {
    start("1");
    CompletableFuture<List<Outcome>> two = run("2");
    CompletableFuture<List<Outcome>> three = run("3");
    sent.get(0).answer();
    CompletableFuture<List<Outcome>> four = run("4");
    IllegalStateException failure = new IllegalStateException("lost");
    sent.get(1).answer.completeExceptionally(failure);
    assertSame(failure, assertThrows(CompletionException.class, two::join).getCause());
    assertSame(failure, assertThrows(CompletionException.class, three::join).getCause());
    sent.get(2).answer();
    assertEquals("4", texts(four));
  }

  @Test
  void run_wrongNumberOfAnswers_isSeenByAllInTheCall() {
    start("1");
    CompletableFuture<List<Outcome>> two = run("2");
    CompletableFuture<List<Outcome>> three = run("3");
    sent.get(0).answer();
    sent.get(1).answer.complete(List.of(Outcome.of(Outcome.Status.OK, 1, 1)));
    assertEquals(List.of(), two.join());
    assertEquals(List.of(), three.join());
  }

  @Test
  void run_callHangs_othersGoBesideItAfterTheMostTheyWait() {
    CompletableFuture<List<Outcome>> hangs = run("1");
    CompletableFuture<List<Outcome>> two = run("2");
    now += SharedCalls.MAX_WAIT_MILLIS - 1;
    timers.remove().run();
    assertEquals(List.of("1"), sentKeys());
    now++;
    timers.remove().run();
    assertEquals(List.of("1", "2"), sentKeys());
    // The second call is waited for as the first was.
    CompletableFuture<List<Outcome>> three = run("3");
    assertEquals(2, sent.size());
    sent.get(1).answer();
    assertEquals("2", texts(two));
    assertEquals(List.of("1", "2", "3"), sentKeys());
    sent.get(2).answer();
    assertEquals("3", texts(three));
    sent.get(0).answer();
    assertEquals("1", texts(hangs));
    assertEquals(0, calls.lanes());
  }

  @Test
  void run_allCallsHang_noMoreThanTheMost() {
    for (int i = 0; i < SharedCalls.MAX_CALLS; i++) {
      start("h" + i);
      start("w" + i);
      waitUntilLate();
    }
    assertEquals(SharedCalls.MAX_CALLS, sent.size());
    start("x");
    assertEquals(0, timers.size());
    assertEquals(SharedCalls.MAX_CALLS, sent.size());
    sent.get(0).answer();
    assertEquals(SharedCalls.MAX_CALLS + 1, sent.size());
    assertTrue(sent.get(SharedCalls.MAX_CALLS).keys().endsWith(" x"));
  }

  @Test
  void run_manyOperationsOrBytesWait_fillSeveralCalls() {
    start("1");
    String[] most = new String[DirectoryNode.MAX_CALL_OPERATIONS];
    Arrays.fill(most, "k");
    start(most);
    start("2");
    sent.get(0).answer();
    assertEquals(DirectoryNode.MAX_CALL_OPERATIONS, sent.get(1).operations.size());
    byte[] large = new byte[Operation.MAX_VALUE_BYTES];
    for (int i = 0; i < 17; i++) {
      start(A, "", 0, List.of(Operation.put("large", large, 0)));
    }
    sent.get(1).answer();
    assertEquals(16, sent.get(2).operations.size());
    sent.get(2).answer();
    assertEquals(2, sent.get(3).operations.size());
  }

  @Test
  void run_tooManyWait_fails() {
    start("1");
    for (int i = 0; i < SharedCalls.MAX_WAITING; i++) {
      start("k");
    }
    CompletableFuture<List<Outcome>> tooMany = run("x");
    assertTrue(
        assertThrows(CompletionException.class, tooMany::join).getCause()
            instanceof RejectedExecutionException);
    sent.get(0).answer();
    assertEquals(SharedCalls.MAX_WAITING, sent.get(1).operations.size());
  }

  @Test
  void run_tooManyBytesWait_fails() {
    Operation large = Operation.put("k", new byte[Operation.MAX_VALUE_BYTES], 0);
    List<Operation> many = Collections.nCopies(200, large);
    start("1");
    long calls = 0;
    CompletableFuture<List<Outcome>> last;
    do {
      last = this.calls.run(A, "", 0, many);
      calls++;
    } while (!last.isCompletedExceptionally());
    assertEquals(SharedCalls.MAX_WAITING_BYTES / (200L * large.bytes()) + 2, calls);
  }

  @Test
  void run_invalidOperation_isSentAlone() {
    start("1");
    start("");
    start(A, "", 0, List.of(Operation.list("k", "a".repeat(Operation.MAX_KEY_CHARS + 1))));
    assertEquals(3, sent.size());
    start("2");
    assertEquals(3, sent.size());
  }

  @Test
  void otherCalls_arePassedOn() {
    assertEquals(List.of("a", "me"), calls.replicate(A, "me", false, List.of()).join());
    assertEquals("at", calls.pull(A, View.NONE, new BitSet(), new BitSet(), "at").join().next());
    assertEquals(List.of(A), calls.view(A).join().members());
  }
}
