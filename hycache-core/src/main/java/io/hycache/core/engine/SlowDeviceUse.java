// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.spi.SlowDevice;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The users' load on each slow device, so that background moves can yield to it.
 *
 * <p>Three questions, because moves disturb in different ways. A write-back yields to any use of
 * the device. A promotion reads, and often runs ahead of the very job that streams from that
 * device: it yields only to users who wait for the head. Those make many small reads, or a few slow
 * ones: reads that moves delay are few because of the moves. A block that is read only once is
 * worth the head's time only while nobody uses it: its copy begins on an idle device. Owned by the
 * planner's thread; O(devices) an update.
 */
final class SlowDeviceUse {
  /** A device is in use for this long after its last read or write. */
  private static final long RECENT_USE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A stream reads a packet every few milliseconds: one that has not for this long has ended. */
  private static final long IDLE_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /**
   * How long users count as waiting after the last sign of it. Random reads leave out a second now
   * and then; a move that took that for the end would delay the next ones.
   */
  private static final long WAITING_AFTER_LAST_SIGN_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** With more small reads than this in a second, a user waits for the head. */
  static final int MAX_IDLE_SMALL_READS = 3;

  /** The use of one device. */
  private static final class Use {
    long lastWrittenNanos = Long.MIN_VALUE;
    long secondBeganNanos;
    long smallReadsBefore;
    long slowReadsBefore;
    long lastWaitedNanos = Long.MIN_VALUE;

    void begin(SlowDevice device, long now) {
      secondBeganNanos = now;
      smallReadsBefore = device.smallReads();
      slowReadsBefore = device.slowReads();
    }

    boolean nowWaitedFor(SlowDevice device) {
      return device.smallReads() - smallReadsBefore > MAX_IDLE_SMALL_READS
          || device.slowReads() > slowReadsBefore;
    }
  }

  private final Map<String, Use> uses = new HashMap<>();
  private long updatedNanos;

  /** Samples the devices' counters; to be called in each round. */
  void update(Iterable<SlowDevice> devices, Set<String> beingWritten, long now) {
    for (SlowDevice device : devices) {
      Use use = uses.get(device.id());
      if (use == null) {
        use = new Use();
        use.begin(device, now);
        uses.put(device.id(), use);
      }
      if (beingWritten.contains(device.id())) {
        use.lastWrittenNanos = now;
      }
      if (use.nowWaitedFor(device)) {
        use.lastWaitedNanos = now;
      }
      if (now - use.secondBeganNanos >= RECENT_USE_NANOS) {
        use.begin(device, now);
      }
    }
    updatedNanos = now;
  }

  /** True if a user read from the device or wrote to it within the last second. */
  boolean inUse(SlowDevice device, long now) {
    Use use = uses.get(device.id());
    return isRecent(device.lastReadNanos(), now)
        || (use != null && isRecent(use.lastWrittenNanos, now));
  }

  /** True if no user reads from the device or writes to it at this time. */
  boolean isIdle(SlowDevice device, long now) {
    Use use = uses.get(device.id());
    long read = device.lastReadNanos();
    return (read == Long.MIN_VALUE || now - read >= IDLE_AFTER_NANOS)
        && (use == null || !isRecent(use.lastWrittenNanos, now));
  }

  /** True if users wait for the device's head, or did a few seconds ago. */
  boolean isWaitedFor(String device) {
    Use use = uses.get(device);
    return use != null && isWaitedFor(use);
  }

  private boolean isWaitedFor(Use use) {
    return use.lastWaitedNanos != Long.MIN_VALUE
        && updatedNanos - use.lastWaitedNanos < WAITING_AFTER_LAST_SIGN_NANOS;
  }

  /** True if users wait for the head of any device. */
  boolean anyWaitedFor() {
    return uses.values().stream().anyMatch(this::isWaitedFor);
  }

  private static boolean isRecent(long nanos, long now) {
    return nanos != Long.MIN_VALUE && now - nanos < RECENT_USE_NANOS;
  }
}
