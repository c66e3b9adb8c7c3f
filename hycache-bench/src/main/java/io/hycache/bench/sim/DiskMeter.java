// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.policy.Replay;
import java.util.Arrays;
import java.util.Locale;

/**
 * Disk-head time by window: an operation counts in the window of the access that caused it, and so
 * does the write of a dirty victim; the writes of dirty objects at the end count in none. The peak
 * is the window with the most; it decides how many disks a cluster needs (Baleen, FAST'24, where it
 * is P100 over windows of 10 minutes).
 *
 * <p>Accesses of one request share one operation for what they read or write past the SSD: a disk
 * positions once. O(1) an access, 8 bytes a window. Not thread-safe.
 */
final class DiskMeter {
  /** Disk-head seconds in each second, which is the number of busy disks. Immutable. */
  static final class Load {
    final double windowSeconds;

    /** In the busiest window; and when that begins, in seconds from the trace's start. */
    final double peak;

    final double peakAtSeconds;

    /** Over the whole trace. */
    final double mean;

    Load(double windowSeconds, double peak, double peakAtSeconds, double mean) {
      this.windowSeconds = windowSeconds;
      this.peak = peak;
      this.peakAtSeconds = peakAtSeconds;
      this.mean = mean;
    }
  }

  private static final long MAX_WINDOWS = 10_000_000;

  private final DiskTime disk;
  private final long windowMillis;

  /** Disk-head seconds. */
  private double[] windows = new double[16];

  private boolean positioned;
  private long merged;

  // The totals before the access.
  private long operations;
  private long bytes;
  private long misses;
  private long admitted;

  /**
   * @param windowMillis &gt; 0
   */
  DiskMeter(DiskTime disk, long windowMillis) {
    this.disk = disk;
    this.windowMillis = windowMillis;
  }

  /**
   * Refuses more windows than are of use; the memory for them must be there, too.
   *
   * @param spanMillis from the earliest access to the latest one
   * @throws IllegalArgumentException with a message for the user
   */
  static void check(long spanMillis, long windowMillis) {
    if (spanMillis / windowMillis >= MAX_WINDOWS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--window: expected at most %,d windows in the time of the trace, found spanMillis=%d"
                  + " windowMillis=%d. Fix: a longer --window, or a trace without wrong times",
              MAX_WINDOWS,
              spanMillis,
              windowMillis));
    }
  }

  /** Counts access {@code at} of a trace, in order, after it was simulated. */
  void after(Trace trace, int at, Replay.Totals totals) {
    after(
        trace.sizeBytes(at),
        trace.requestBytes(at),
        trace.isWrite(at),
        trace.continuesRequest(at),
        trace.timeMillis(at),
        totals);
  }

  /**
   * Counts an access, in order, after it was simulated.
   *
   * @param continues whether it belongs to the same request as the one before
   * @param timeMillis from the trace's start, &gt;= 0, as {@link #check} allows
   */
  void after(
      long sizeBytes,
      long requestBytes,
      boolean write,
      boolean continues,
      long timeMillis,
      Replay.Totals totals) {
    long caused = totals.hddOperations - operations;
    boolean whole = totals.admittedBytes > admitted && write && requestBytes == sizeBytes;
    boolean passed = totals.misses > misses && !whole;
    boolean again = positioned && continues;
    if (passed && again) {
      merged++;
      caused--;
    }
    positioned = passed || again;
    if (caused > 0 || totals.hddBytes > bytes) {
      int window = (int) (timeMillis / windowMillis);
      if (window >= windows.length) {
        windows = Arrays.copyOf(windows, Math.max(window + 1, 2 * windows.length));
      }
      windows[window] += disk.seconds(caused, totals.hddBytes - bytes);
    }
    operations = totals.hddOperations;
    bytes = totals.hddBytes;
    misses = totals.misses;
    admitted = totals.admittedBytes;
  }

  /** Operations that were counted for an access and belong to the one before. */
  long mergedOperations() {
    return merged;
  }

  /**
   * The load of the time that the trace covers, of one window at least.
   *
   * @param spanMillis {@link Trace#spanMillis}
   */
  Load load(long spanMillis) {
    int peak = 0;
    double sum = 0;
    for (int i = 0; i < windows.length; i++) {
      sum += windows[i];
      peak = windows[i] > windows[peak] ? i : peak;
    }
    double seconds = windowMillis / 1000.0;
    double covered = Math.max(windowMillis, spanMillis) / 1000.0;
    return new Load(seconds, windows[peak] / seconds, peak * seconds, sum / covered);
  }
}
