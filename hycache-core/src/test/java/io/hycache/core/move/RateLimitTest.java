// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  private static long millis(long begunNanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
  }

  @Test
  void take_neverFasterThanTheRate() throws Exception {
    RateLimit limit = new RateLimit(1_000_000);
    long begun = System.nanoTime();
    for (int i = 0; i < 4; i++) {
      limit.take(100_000);
    }
    // The first chunk passes at once; each later one waits for the one before.
    assertTrue(millis(begun) >= 290, "millis=" + millis(begun));
  }

  @Test
  void set_slower_holdsFromTheNextChunkOn() throws Exception {
    RateLimit limit = new RateLimit(1L << 40);
    limit.take(1 << 20);
    limit.set(1_000_000);
    limit.take(200_000);
    long begun = System.nanoTime();
    limit.take(1);
    assertTrue(millis(begun) >= 190, "millis=" + millis(begun));
  }

  @Test
  void set_faster_endsTheSlowRate() throws Exception {
    RateLimit limit = new RateLimit(1_000);
    limit.set(1L << 40);
    long begun = System.nanoTime();
    for (int i = 0; i < 10; i++) {
      limit.take(1_000_000);
    }
    // At 1,000 bytes per second this would take hours.
    assertTrue(millis(begun) < 60_000, "millis=" + millis(begun));
  }

  @Test
  void take_interrupted_throwsBeforeItWaits() {
    RateLimit limit = new RateLimit(1);
    Thread.currentThread().interrupt();
    assertEquals(
        "move interrupted",
        assertThrows(InterruptedException.class, () -> limit.take(1 << 20)).getMessage());
  }

  @Test
  void take_interruptedWhileItWaits_throws() throws Exception {
    RateLimit limit = new RateLimit(1);
    limit.take(1 << 20);
    FutureTask<Throwable> waiting =
        new FutureTask<>(() -> assertThrows(InterruptedException.class, () -> limit.take(1 << 20)));
    Thread thread = new Thread(waiting, "waits for twelve days");
    thread.start();
    thread.interrupt();
    assertEquals(InterruptedException.class, waiting.get(20, TimeUnit.SECONDS).getClass());
  }
}
