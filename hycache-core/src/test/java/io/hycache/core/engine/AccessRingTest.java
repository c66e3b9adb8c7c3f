// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AccessRingTest {
  @Test
  void record_comesOutAsItWentIn() {
    AccessRing ring = new AccessRing(4);
    assertTrue(ring.offer(3, -7, 1L << 40));
    assertTrue(ring.offer(5L << 32 | 3, -8, 1));
    assertTrue(ring.offer(0, Long.MAX_VALUE, 0));
    List<String> seen = new ArrayList<>();
    assertEquals(3, ring.drain((pool, block, bytes) -> seen.add(pool + " " + block + " " + bytes)));
    assertEquals(
        List.of("3 -7 1099511627776", "21474836483 -8 1", "0 9223372036854775807 0"), seen);
  }

  @Test
  void full_dropsUntilDrained_manyTimesAround() {
    AccessRing ring = new AccessRing(5);
    for (int round = 0; round < 1000; round++) {
      for (int i = 0; i < 8; i++) {
        assertTrue(ring.offer(0, i, 1), "rounded up to 8");
      }
      assertFalse(ring.offer(0, 8, 1));
      assertEquals(8, ring.drain((pool, block, bytes) -> {}));
      assertEquals(0, ring.drain((pool, block, bytes) -> {}));
    }
  }

  @Test
  void consumerThrows_losesOnlyItsRecord() {
    AccessRing ring = new AccessRing(8);
    ring.offer(0, 1, 1);
    ring.offer(0, 2, 1);
    try {
      ring.drain(
          (pool, block, bytes) -> {
            throw new IllegalStateException("made to fail");
          });
    } catch (IllegalStateException e) {
      assertEquals("made to fail", e.getMessage());
    }
    List<Long> left = new ArrayList<>();
    ring.drain((pool, block, bytes) -> left.add(block));
    assertEquals(List.of(2L), left);
  }

  @Test
  void aRecord_endsTheConsumersRest() throws Exception {
    AccessRing ring = new AccessRing(8);
    Thread consumer = new Thread(() -> ring.rest(TimeUnit.HOURS.toNanos(1)));
    consumer.start();
    while (consumer.getState() != Thread.State.TIMED_WAITING) {
      Thread.sleep(1);
    }
    ring.offer(0, 1, 1);
    consumer.join(TimeUnit.MINUTES.toMillis(1));
    assertFalse(consumer.isAlive());
    ring.rest(TimeUnit.HOURS.toNanos(1)); // a record waits
    assertEquals(1, ring.drain((pool, block, bytes) -> {}));
  }

  @Test
  void manyProducers_nothingLostOrTorn() throws Exception {
    int producers = 3;
    int each = 100_000;
    AccessRing ring = new AccessRing(256);
    AtomicLong accepted = new AtomicLong();
    AtomicLong acceptedBytes = new AtomicLong();
    AtomicInteger running = new AtomicInteger(producers);
    List<Thread> threads = new ArrayList<>();
    for (int p = 0; p < producers; p++) {
      int pool = p;
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  if (ring.offer(pool, i, 5L * i + pool)) {
                    accepted.incrementAndGet();
                    acceptedBytes.addAndGet(5L * i + pool);
                  }
                }
                running.decrementAndGet();
              },
              "producer-" + p);
      threads.add(thread);
      thread.start();
    }
    long[] last = {-1, -1, -1};
    long[] sums = new long[3];
    AccessRing.Consumer consumer =
        (pool, block, bytes) -> {
          sums[0]++;
          sums[1] += bytes;
          boolean whole = bytes == 5 * block + pool;
          sums[2] += whole && block > last[(int) pool] ? 0 : 1;
          last[(int) pool] = block;
        };
    while (running.get() > 0) {
      ring.drain(consumer);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    while (ring.drain(consumer) > 0) {
      // one bounded batch a call
    }
    assertEquals(accepted.get(), sums[0]);
    assertEquals(acceptedBytes.get(), sums[1]);
    assertEquals(0, sums[2], "torn or out of a producer's order");
  }
}
