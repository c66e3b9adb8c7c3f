// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestedTaskTest {
  @Test
  void request_noThreadCanBeCreated_theNextOneRuns() throws Exception {
    AtomicBoolean failed = new AtomicBoolean();
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              if (failed.compareAndSet(false, true)) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return new Thread(task);
            });
    CountDownLatch ran = new CountDownLatch(1);
    RequestedTask task = new RequestedTask(timer, 0, ran::countDown);
    task.request();
    assertEquals(1, ran.getCount());
    task.request();
    assertTrue(ran.await(30, TimeUnit.SECONDS));
    timer.shutdownNow();
  }

  @Test
  void request_severalBeforeTheTaskBegins_areOne() throws Exception {
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    AtomicInteger runs = new AtomicInteger();
    RequestedTask task = new RequestedTask(timer, 0, runs::incrementAndGet);
    CountDownLatch held = new CountDownLatch(1);
    timer.execute(
        () -> {
          try {
            held.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    task.request();
    task.request();
    held.countDown();
    timer.shutdown();
    assertTrue(timer.awaitTermination(30, TimeUnit.SECONDS));
    assertEquals(1, runs.get());
  }
}
