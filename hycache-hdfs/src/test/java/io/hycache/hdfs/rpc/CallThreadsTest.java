// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallThreadsTest {
  private final CallThreads threads = new CallThreads("test-", 8);
  private final CompletableFuture<Boolean> released = new CompletableFuture<>();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  @AfterEach
  void close() {
    threads.close();
  }

  private CompletableFuture<String> call(String address, CompletableFuture<?> until) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    threads.execute(
        address,
        answer,
        () -> {
          int now = running.incrementAndGet();
          most.accumulateAndGet(now, Math::max);
          Object unused = until.join();
          running.decrementAndGet();
          answer.complete(address);
        });
    return answer;
  }

  @Test
  void nodesThatNeverAnswer_holdAQuarterOfTheThreadsEach() {
    List<CompletableFuture<String>> hung = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      hung.add(call("a:1", released));
      hung.add(call("b:1", released));
      hung.add(call("c:1", released));
    }
    CompletableFuture<Boolean> now = CompletableFuture.completedFuture(true);
    for (int i = 0; i < 100; i++) {
      assertEquals("d:1", call("d:1", now).join());
    }
    assertTrue(most.get() <= 7, "running=" + most.get());
    assertTrue(hung.stream().noneMatch(CompletableFuture::isDone));
    released.complete(true);
    hung.forEach(CompletableFuture::join);
  }

  @Test
  void queueOfANode_isBounded_andThatOfAnotherIsNotAffected() {
    for (int i = 0; i < 2 + CallThreads.MAX_QUEUED_CALLS_OF_NODE; i++) {
      assertFalse(call("a:1", released).isDone());
    }
    RejectedExecutionException refused =
        assertThrows(RejectedExecutionException.class, () -> call("a:1", released));
    assertEquals("too many calls wait: address=a:1", refused.getMessage());
    assertEquals("b:1", call("b:1", CompletableFuture.completedFuture(true)).join());
    released.complete(true);
  }

  @Test
  void callThatThrows_fails_andTheNextIsMade() {
    CompletableFuture<String> answer = new CompletableFuture<>();
    for (int i = 0; i < 5; i++) {
      threads.execute(
          "a:1",
          answer,
          () -> {
            throw new OutOfMemoryError("injected");
          });
    }
    assertThrows(Exception.class, answer::join);
    assertEquals("a:1", call("a:1", CompletableFuture.completedFuture(true)).join());
  }

  @Test
  void close_callsThatWaitFail() {
    CompletableFuture<String> last = new CompletableFuture<>();
    for (int i = 0; i < 5; i++) {
      last = call("a:1", released);
    }
    threads.close();
    assertTrue(last.isCompletedExceptionally());
    assertThrows(RejectedExecutionException.class, () -> call("a:1", released));
    released.complete(true);
  }
}
