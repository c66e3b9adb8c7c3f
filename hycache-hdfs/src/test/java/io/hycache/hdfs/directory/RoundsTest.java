// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import io.hycache.core.move.RequestedTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RoundsTest {
  @Test
  void anError_isCountedAndRests_andTheRoundsGoOn() {
    AtomicLong nanos = new AtomicLong();
    AtomicInteger calls = new AtomicInteger();
    Rounds rounds = new Rounds(nanos::get);
    Runnable round =
        rounds.guarded(
            20,
            () -> {
              if (calls.incrementAndGet() <= 3) {
                throw new OutOfMemoryError("injected");
              }
            });
    for (int i = 0; i < 1000; i++) {
      round.run();
      nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(20));
    }
    assertEquals(3, rounds.failures());
    // After 2, 4 and 8 times the usual pause: 14 rounds in place of 3, then every one.
    assertEquals(1000 - (14 - 3), calls.get());
  }

  @Test
  void errorsWithoutEnd_restForAMinuteAtMost() {
    AtomicLong nanos = new AtomicLong();
    AtomicInteger calls = new AtomicInteger();
    Rounds rounds = new Rounds(nanos::get);
    Runnable round =
        rounds.guarded(
            20,
            () -> {
              calls.incrementAndGet();
              throw new OutOfMemoryError("injected");
            });
    for (int second = 0; second < 3600; second++) {
      round.run();
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }
    assertEquals(calls.get(), rounds.failures());
    int slow = 3600 / 60;
    assertTrue(calls.get() >= slow && calls.get() <= slow + 12, "calls=" + calls);
  }

  @Test
  void soon_callsBeforeItRunsAreOne_andCallsAfterItBeganAreAnother() throws Exception {
    Rounds rounds = new Rounds(System::nanoTime);
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    try {
      CountDownLatch busy = new CountDownLatch(1);
      CountDownLatch held = new CountDownLatch(1);
      timer.execute(
          () -> {
            busy.countDown();
            Uninterruptibles.awaitUninterruptibly(held);
          });
      assertTrue(busy.await(10, TimeUnit.SECONDS));
      Semaphore begun = new Semaphore(0);
      Semaphore mayEnd = new Semaphore(0);
      RequestedTask soon =
          rounds.soon(
              1,
              timer,
              () -> {
                begun.release();
                mayEnd.acquireUninterruptibly();
              });
      soon.request();
      soon.request();
      soon.request();
      assertEquals(1, timer.getQueue().size());
      held.countDown();
      assertTrue(begun.tryAcquire(10, TimeUnit.SECONDS));
      soon.request(); // what it is about may have come too late for the action that has begun
      mayEnd.release(2);
      assertTrue(begun.tryAcquire(10, TimeUnit.SECONDS));
      assertEquals(0, timer.getQueue().size());
    } finally {
      timer.shutdownNow();
    }
    AtomicInteger calls = new AtomicInteger();
    rounds.soon(1, timer, calls::incrementAndGet).request();
    assertEquals(0, calls.get(), "the timer has ended");
  }
}
