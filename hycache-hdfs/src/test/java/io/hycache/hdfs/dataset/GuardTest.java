// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GuardTest {
  private final Counters counters = new Counters();
  private final Guard guard = new Guard(3, counters);

  private void failOnce() {
    assertEquals(
        "plain",
        guard.call(
            "test",
            "plain",
            () -> {
              throw new IOException("made to fail");
            }));
  }

  @Test
  void call_passesOurAnswerOn() {
    assertEquals("ours", guard.call("test", "plain", () -> "ours"));
    assertEquals(0, counters.get(Counter.FAILURES));
  }

  @Test
  void failuresInARow_trip_andOurCodeIsNotCalledAnyMore() {
    failOnce();
    failOnce();
    assertFalse(guard.tripped());
    failOnce();
    assertTrue(guard.tripped());
    assertEquals(3, counters.get(Counter.FAILURES));
    AtomicInteger calls = new AtomicInteger();
    guard.run("test", calls::incrementAndGet);
    assertEquals("plain", guard.call("test", "plain", () -> "ours" + calls.incrementAndGet()));
    assertEquals(0, calls.get());
  }

  @Test
  void trip_listenerIsCalledOnce_alsoIfItComesLate() {
    AtomicInteger calls = new AtomicInteger();
    guard.onTrip(calls::incrementAndGet);
    guard.trip("first");
    guard.trip("second");
    failOnce();
    assertEquals(1, calls.get());
    AtomicInteger late = new AtomicInteger();
    guard.onTrip(late::incrementAndGet);
    guard.trip("third");
    assertEquals(1, late.get());
  }

  @Test
  void success_startsTheCountAnew() {
    for (int i = 0; i < 10; i++) {
      failOnce();
      failOnce();
      guard.run("test", () -> {});
    }
    assertFalse(guard.tripped());
    assertEquals(20, counters.get(Counter.FAILURES));
  }

  @Test
  void failuresCaughtElsewhere_countToo() {
    guard.failed("planner", new IllegalStateException("made to fail"));
    guard.failed("planner", new NoClassDefFoundError("made to fail"));
    guard.failed("planner", new IllegalStateException("made to fail"));
    assertTrue(guard.tripped());
  }

  /** Some of HDFS's threads end with an Error, such as the one for the NameNode's commands. */
  @Test
  void error_isCaughtAndCounted() {
    for (Error error :
        List.of(new NoSuchMethodError("another Hadoop line"), new OutOfMemoryError("injected"))) {
      guard.run(
          "test",
          () -> {
            throw error;
          });
    }
    assertEquals(2, counters.get(Counter.FAILURES));
  }
}
