// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class LastTaskTest {
  @Test
  void thenShutDown_noThreadCanBeStarted_shutsDownWithoutTheTask() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            0,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> full.get() ? new NoThread() : new Thread(task));
    executor.submit(() -> {}).get();
    while (executor.getPoolSize() > 0) {
      Thread.sleep(1);
    }
    full.set(true);
    LastTask.thenShutDown(
        executor,
        () -> {
          throw new AssertionError();
        });
    assertTrue(executor.isShutdown());
  }
}
