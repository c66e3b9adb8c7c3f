// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class KeptTest {
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger asked = new AtomicInteger();

  private void after(long millis) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  @Test
  void answer_isKeptUntilItIsTooOld() throws Exception {
    Kept<Integer> kept = new Kept<>(asked::incrementAndGet, 10, nanos::get);
    assertEquals(1, kept.get());
    after(9);
    assertEquals(1, kept.get());
    after(1);
    assertEquals(2, kept.get());
  }

  @Test
  void failure_isTheAskersAlone() throws Exception {
    Kept<Integer> kept =
        new Kept<>(
            () -> {
              if (asked.incrementAndGet() == 1) {
                throw new IOException("away");
              }
              return asked.get();
            },
            10,
            nanos::get);
    assertThrows(IOException.class, kept::get);
    assertEquals(2, kept.get());
  }

  @Test
  void whileOneAsks_othersGetTheOldAnswer() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Kept<Integer> kept =
        new Kept<>(
            () -> {
              if (asked.incrementAndGet() == 2) {
                begun.countDown();
                await(go);
              }
              return asked.get();
            },
            10,
            nanos::get);
    assertEquals(1, kept.get());
    after(10);
    CompletableFuture<Integer> slow = CompletableFuture.supplyAsync(() -> get(kept));
    begun.await();
    assertEquals(1, kept.get());
    go.countDown();
    assertEquals(2, slow.get());
    assertEquals(2, kept.get());
  }

  /** As when a node starts: its few threads for requests must not all wait. */
  @Test
  void whileOneAsksForTheFirst_othersWaitASecond() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Kept<Integer> kept =
        new Kept<>(
            () -> {
              begun.countDown();
              await(go);
              return asked.incrementAndGet();
            },
            10,
            nanos::get);
    CompletableFuture<Integer> slow = CompletableFuture.supplyAsync(() -> get(kept));
    begun.await();
    assertThrows(IOException.class, kept::get);
    go.countDown();
    assertEquals(1, slow.get());
    assertEquals(1, kept.get());
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static int get(Kept<Integer> kept) {
    try {
      return kept.get();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
