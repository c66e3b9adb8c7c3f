package io.hycache.core.engine;

import io.hycache.core.spi.SlowDevice;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Who uses which slow device, so that background moves can step back.
 *
 * <p>Two questions, because two kinds of moves disturb in two ways. A write-back steps back for
 * whoever uses the device. A promotion reads, and often runs ahead of the very job that streams
 * from that device: it steps back for users who wait for the head, that is, who read little at a
 * time and often, or for long: reads that moves hold up are few because of the moves. Owned by the
 * planner's thread; O(devices) an update.
 */
final class SlowDeviceUse {
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Users who come at random leave a second out now and then; a move that took it for the end would
   * be in the way of the next ones.
   */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** More small reads than this in a second are a user who waits for the head. */
  static final int FEW_SMALL_READS = 3;

  /** What is known of a device. */
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
      return device.smallReads() - smallReadsBefore > FEW_SMALL_READS
          || device.slowReads() > slowReadsBefore;
    }
  }

  private final Map<String, Use> uses = new HashMap<>();
  private long updatedNanos;

  /** To be called often: what happens between two calls is seen by the second. */
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
      if (now - use.secondBeganNanos >= RECENT_NANOS) {
        use.begin(device, now);
      }
    }
    updatedNanos = now;
  }

  /** Somebody read from it or wrote to it within the last second. */
  boolean inUse(SlowDevice device, long now) {
    Use use = uses.get(device.id());
    return isRecent(device.lastReadNanos(), now)
        || (use != null && isRecent(use.lastWrittenNanos, now));
  }

  /** Users wait for its head, or did a few seconds ago. */
  boolean isWaitedFor(String device) {
    Use use = uses.get(device);
    return use != null && isWaitedFor(use);
  }

  private boolean isWaitedFor(Use use) {
    return use.lastWaitedNanos != Long.MIN_VALUE
        && updatedNanos - use.lastWaitedNanos < PATIENCE_NANOS;
  }

  /** {@link #isWaitedFor} of any device. */
  boolean anyWaitedFor() {
    return uses.values().stream().anyMatch(this::isWaitedFor);
  }

  private static boolean isRecent(long nanos, long now) {
    return nanos != Long.MIN_VALUE && now - nanos < RECENT_NANOS;
  }
}
