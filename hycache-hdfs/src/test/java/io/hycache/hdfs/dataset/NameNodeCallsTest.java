// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NameNodeCallsTest {
  private final CountDownLatch answer = new CountDownLatch(1);
  private final BlockingQueue<String> made = new LinkedBlockingQueue<>();
  private final NameNodeCalls<String> calls = new NameNodeCalls<>(30_000);

  private void hang() throws IOException {
    try {
      answer.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    made.add("late");
  }

  @Test
  void make_otherNameNodeDoesNotAnswer_isMade() throws Exception {
    assertTrue(calls.begin("standby", this::hang));
    calls.make("active", () -> made.add("at once"));
    assertEquals("at once", made.poll());
    answer.countDown();
    assertEquals("late", made.poll(30, TimeUnit.SECONDS));
  }

  @Test
  void make_sameNameNodeIsCalled_waitsForThat() throws Exception {
    assertTrue(calls.begin("active", this::hang));
    assertFalse(calls.begin("active", this::hang));
    Thread caller =
        new Thread(
            () -> {
              try {
                calls.make("active", () -> made.add("after it"));
              } catch (IOException e) {
                made.add(e.toString());
              }
            });
    caller.start();
    while (caller.getState() != Thread.State.TIMED_WAITING) {
      assertTrue(caller.isAlive(), "it did not wait");
      Thread.sleep(1);
    }
    answer.countDown();
    assertEquals("late", made.poll(30, TimeUnit.SECONDS));
    assertEquals("after it", made.poll(30, TimeUnit.SECONDS));
    caller.join();
  }

  @Test
  void make_noAnswerInTime_failsAtOnceUntilTheCallHasEnded() throws Exception {
    NameNodeCalls<String> impatient = new NameNodeCalls<>(1);
    IOException e = assertThrows(IOException.class, () -> impatient.make("active", this::hang));
    assertEquals("no answer in time: nameNode=active", e.getMessage());
    e = assertThrows(IOException.class, () -> impatient.make("active", this::hang));
    assertEquals("an earlier call was not answered in time: nameNode=active", e.getMessage());
    answer.countDown();
    assertEquals("late", made.poll(30, TimeUnit.SECONDS));
    while (!impatient.begin("active", () -> made.add("again"))) {
      Thread.sleep(1);
    }
    assertEquals("again", made.poll(30, TimeUnit.SECONDS));
  }

  @Test
  void make_callFails_itsExceptionIsThrown() {
    IOException cause = new IOException("standby");
    assertEquals(
        cause,
        assertThrows(
            IOException.class,
            () ->
                calls.make(
                    "active",
                    () -> {
                      throw cause;
                    })));
  }
}
