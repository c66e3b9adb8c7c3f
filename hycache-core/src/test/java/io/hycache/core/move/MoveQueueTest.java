// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MoveQueueTest {
  private static void pass(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void offer_runsInOrderOnDaemonThreads() throws Exception {
    List<String> ran = new CopyOnWriteArrayList<>();
    CountDownLatch done = new CountDownLatch(3);
    try (MoveQueue queue = new MoveQueue("TestMover", 1, 8)) {
      for (int i = 0; i < 3; i++) {
        int n = i;
        assertTrue(
            queue.offer(
                () -> {
                  ran.add(n + Thread.currentThread().getName() + Thread.currentThread().isDaemon());
                  done.countDown();
                }));
      }
      assertTrue(done.await(20, TimeUnit.SECONDS));
    }
    assertEquals(List.of("0TestMover-1true", "1TestMover-1true", "2TestMover-1true"), ran);
  }

  @Test
  void offer_full_refusesAndDoesNotCount() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch gate = new CountDownLatch(1);
    try (MoveQueue queue = new MoveQueue("TestMover", 1, 2)) {
      assertTrue(
          queue.offer(
              () -> {
                begun.countDown();
                pass(gate);
              }));
      assertTrue(begun.await(20, TimeUnit.SECONDS));
      assertTrue(queue.offer(() -> {}));
      assertTrue(queue.offer(() -> {}));
      assertFalse(queue.offer(() -> {}));
      assertEquals(3, queue.unfinished());
      gate.countDown();
    }
  }

  @Test
  void move_throws_threadAndCountSurvive() throws Exception {
    CountDownLatch after = new CountDownLatch(1);
    try (MoveQueue queue = new MoveQueue("TestMover", 1, 4)) {
      Thread.UncaughtExceptionHandler quiet = (thread, e) -> {};
      queue.offer(
          () -> {
            Thread.currentThread().setUncaughtExceptionHandler(quiet);
            throw new IllegalStateException("failure injected by the test");
          });
      queue.offer(after::countDown);
      assertTrue(after.await(20, TimeUnit.SECONDS));
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (queue.unfinished() > 0 && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }
      assertEquals(0, queue.unfinished());
    }
  }

  @Test
  void close_interruptsRunning_dropsWaiting_refusesNew() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    List<String> ran = new CopyOnWriteArrayList<>();
    MoveQueue queue = new MoveQueue("TestMover", 1, 4);
    queue.offer(
        () -> {
          begun.countDown();
          pass(new CountDownLatch(1));
          if (Thread.currentThread().isInterrupted()) {
            interrupted.countDown();
          }
        });
    queue.offer(() -> ran.add("waiting"));
    assertTrue(begun.await(20, TimeUnit.SECONDS));
    queue.close();
    assertTrue(interrupted.await(20, TimeUnit.SECONDS));
    assertEquals(List.of(), ran);
    assertFalse(queue.offer(() -> ran.add("late")));
  }
}
