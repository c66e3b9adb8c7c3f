// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Hostile messages, decoded and answered in this process. A long run: {@code mvn test
 * -Dtest=ProtocolFuzzTest -Dsurefire.failIfNoSpecifiedTests=false -DargLine="-Xmx1g
 * -Dhycache.fuzz.messages=10000000 -Dhycache.fuzz.seed=2"}.
 */
class ProtocolFuzzTest {
  private static final long MESSAGES = Long.getLong("hycache.fuzz.messages", 60_000);
  private static final long SEED = Long.getLong("hycache.fuzz.seed", 1);
  private static final int HUGE_ONE_IN = Integer.getInteger("hycache.fuzz.huge-one-in", 2000);
  private static final long MAX_LEFT_BYTES = 24L << 20;
  private static final long REPORT_INTERVAL_MESSAGES = 500_000;

  private final Level before = Logger.getRootLogger().getLevel();

  /** Suppresses the log line of each refused message. */
  @BeforeEach
  void quiet() {
    Logger.getRootLogger().setLevel(Level.ERROR);
  }

  @AfterEach
  void loud() {
    Logger.getRootLogger().setLevel(before);
    UserGroupInformation.reset();
  }

  @Test
  @Timeout(36_000)
  void hostileMessages_areAnsweredOrRefused_andLeaveNothing() throws Exception {
    FuzzTarget target = new FuzzTarget();
    HostileMessages messages = target.messages(SEED, HUGE_ONE_IN);
    run(target, messages, Math.min(MESSAGES / 4, 100_000));
    target.checkLimits();
    assertEquals("submissions=0 steps=0 workflows=0", target.left());
    long heap = heapBytes();
    int threads = Thread.activeCount();
    run(target, messages, MESSAGES - Math.min(MESSAGES / 4, 100_000));
    target.checkLimits();
    String at = "seed=" + SEED + " messages=" + MESSAGES;
    assertEquals("submissions=0 steps=0 workflows=0", target.left(), at);
    long left = heapBytes() - heap;
    System.out.println(
        at
            + " heapBefore="
            + heap
            + " left="
            + left
            + " threads="
            + threads
            + ".."
            + Thread.activeCount()
            + " slowestMillis="
            + TimeUnit.NANOSECONDS.toMillis(target.slowestNanos)
            + " "
            + target.answers
            + "\nslowest: "
            + target.slowest);
    assertTrue(left < MAX_LEFT_BYTES, at + ": bytes left=" + left);
    assertTrue(Thread.activeCount() <= threads + 2, at + ": threads left");
  }

  private static void run(FuzzTarget target, HostileMessages messages, long count)
      throws Exception {
    long start = System.nanoTime();
    for (long i = 0; i < count; i++) {
      HostileMessages.Message message = messages.next(i % 3 == 0);
      try {
        target.send(message);
      } catch (AssertionError e) {
        throw new AssertionError("seed=" + SEED + " " + e.getMessage(), e);
      }
      if ((i + 1) % REPORT_INTERVAL_MESSAGES == 0) {
        System.out.println(
            "messages="
                + (i + 1)
                + " seconds="
                + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)
                + " heap="
                + heapBytes());
      }
    }
  }

  private static long heapBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
