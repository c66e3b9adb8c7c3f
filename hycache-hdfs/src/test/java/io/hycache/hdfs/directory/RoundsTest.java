// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import io.hycache.core.move.RequestedTask;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
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

  /** A timer whose time does not pass: it keeps the last delay and task. */
  private static final class Stopped extends ScheduledThreadPoolExecutor {
    private long delayMillis = -1;
    private Runnable task = () -> {};

    Stopped() {
      super(0);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable next, long delay, TimeUnit unit) {
      if (isShutdown()) {
        throw new RejectedExecutionException();
      }
      delayMillis = unit.toMillis(delay);
      task = next;
      return super.schedule(() -> null, 1, TimeUnit.DAYS);
    }

    /** Runs the task; returns the delay of the next one. */
    long step() {
      task.run();
      return delayMillis;
    }
  }

  @Test
  void every_isRareWithoutMoreToDo_andFrequentAfterMoreOrAnError() {
    AtomicLong nanos = new AtomicLong();
    AtomicInteger calls = new AtomicInteger();
    List<Boolean> more = List.of(true, false, false, true);
    Rounds rounds = new Rounds(nanos::get);
    Stopped timer = new Stopped();
    rounds.every(
        20,
        1000,
        timer,
        () -> {
          int call = calls.getAndIncrement();
          if (call == more.size()) {
            throw new OutOfMemoryError("injected");
          }
          return call < more.size() && more.get(call);
        });
    assertEquals(0, timer.delayMillis);
    List<Long> delays = new ArrayList<>();
    for (int i = 0; i < more.size() + 1; i++) {
      delays.add(timer.step());
    }
    assertEquals(List.of(20L, 1000L, 1000L, 20L, 20L), delays);
    assertEquals(1, rounds.failures());
    assertEquals(20, timer.step(), "it rests after an error");
    assertEquals(more.size() + 1, calls.get());
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(40));
    assertEquals(1000, timer.step());
    timer.shutdownNow();
    timer.step(); // the last one, which is not followed by another
    assertEquals(more.size() + 3, calls.get());
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
