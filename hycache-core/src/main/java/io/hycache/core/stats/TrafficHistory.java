// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import io.hycache.core.stats.Counters.Counter;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What was read from SSD and from DISK, and what was moved, in each of the last {@link #MINUTES}
 * minutes: a ring of the increments of some counters, {@value #MINUTES} longs for each {@link
 * Series}, which is 80 kB. {@link #sample} is O(1), but for minutes in which it was not called.
 * Thread-safe.
 */
public final class TrafficHistory {
  /** Minutes that are kept. */
  public static final int MINUTES = 24 * 60;

  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** A counter whose increments are kept. */
  public enum Series {
    SSD_READ_BYTES("ssdReadBytes", Counter.BYTES_READ_FAST),
    DISK_READ_BYTES("diskReadBytes", Counter.BYTES_READ_SLOW),
    SSD_READS("ssdReads", Counter.BLOCKS_READ_FAST),
    DISK_READS("diskReads", Counter.BLOCKS_READ_SLOW),
    SSD_WRITTEN_BYTES("ssdWrittenBytes", Counter.BYTES_WRITE_FAST),
    PROMOTED_BYTES("promotedBytes", Counter.BYTES_PROMOTED),
    DEMOTED_BYTES("demotedBytes", Counter.BYTES_DEMOTED);

    private final String key;
    private final Counter counter;

    Series(String key, Counter counter) {
      this.key = key;
      this.counter = counter;
    }

    /** Its name in JSON. */
    public String key() {
      return key;
    }
  }

  /** What is kept of a series. */
  private static final class Ring {
    final long[] increments = new long[MINUTES];
    long last;

    Ring(long now) {
      last = now;
    }
  }

  private final Counters counters;
  private final Map<Series, Ring> rings = new EnumMap<>(Series.class);

  /** The time of the last sample. */
  private long endNanos;

  /** Complete minutes in the rings, 0 to {@link #MINUTES}. */
  private int size;

  /** Place of the next minute in each ring. */
  private int next;

  /**
   * Begins with the counters as they are.
   *
   * @param nowNanos of a monotonic clock
   */
  public TrafficHistory(Counters counters, long nowNanos) {
    this.counters = counters;
    this.endNanos = nowNanos;
    for (Series series : Series.values()) {
      rings.put(series, new Ring(counters.get(series.counter)));
    }
  }

  /**
   * Keeps what was counted since the last sample, as the last complete minute's. Minutes without a
   * sample have zeros. To be called once in a minute: the time since the last sample is rounded to
   * minutes, so that a call that is late by seconds neither leaves one out nor has two. A call less
   * than half a minute after the last has no effect.
   *
   * @param nowNanos of the same clock
   */
  public synchronized void sample(long nowNanos) {
    long passed = (nowNanos - endNanos + MINUTE_NANOS / 2) / MINUTE_NANOS;
    if (passed <= 0) {
      return;
    }
    endNanos = nowNanos;
    int missed = (int) Math.min(passed, MINUTES) - 1;
    for (int i = 0; i < missed; i++) {
      rings.values().forEach(ring -> ring.increments[next] = 0);
      advance();
    }
    rings.forEach(
        (series, ring) -> {
          long now = counters.get(series.counter);
          ring.increments[next] = now - ring.last;
          ring.last = now;
        });
    advance();
  }

  private void advance() {
    next = (next + 1) % MINUTES;
    size = Math.min(size + 1, MINUTES);
  }

  /** All complete minutes. O(minutes). */
  public synchronized Snapshot snapshot() {
    Map<Series, long[]> values = new EnumMap<>(Series.class);
    int first = Math.floorMod(next - size, MINUTES);
    int upToEnd = Math.min(size, MINUTES - first);
    rings.forEach(
        (series, ring) -> {
          long[] oldestFirst = new long[size];
          System.arraycopy(ring.increments, first, oldestFirst, 0, upToEnd);
          System.arraycopy(ring.increments, 0, oldestFirst, upToEnd, size - upToEnd);
          values.put(series, oldestFirst);
        });
    return new Snapshot(size, endNanos, values);
  }

  /** The minutes up to some time. Immutable. */
  public static final class Snapshot {
    private final int minutes;
    private final long endNanos;
    private final Map<Series, long[]> values;

    private Snapshot(int minutes, long endNanos, Map<Series, long[]> values) {
      this.minutes = minutes;
      this.endNanos = endNanos;
      this.values = values;
    }

    /** Number of minutes, 0 to {@link #MINUTES}. */
    public int minutes() {
      return minutes;
    }

    /** When the last minute ended, by the clock of the samples. */
    public long endNanos() {
      return endNanos;
    }

    /** The increments of a series in each minute, the oldest first. */
    public long[] values(Series series) {
      return values.getOrDefault(series, new long[0]).clone();
    }
  }
}
