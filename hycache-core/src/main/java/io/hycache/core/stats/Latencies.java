// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.stats;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long reads and moves took in the last minute. {@link #begin} and {@link #ended} are for any
 * thread, also those of readers: O(1), no lock, nothing allocated; two calls of the clock. Measured
 * by {@code LatenciesBenchmark}.
 */
public final class Latencies {
  /** What is timed, and the figures of its quantiles. */
  public enum Operation {
    /** From the opening of a block's data on SSD to its first bytes. */
    SSD_READ(
        NodeFigure.SSD_READ_MICROS_P50,
        NodeFigure.SSD_READ_MICROS_P95,
        NodeFigure.SSD_READ_MICROS_P99),

    /** The same on DISK. */
    DISK_READ(
        NodeFigure.DISK_READ_MICROS_P50,
        NodeFigure.DISK_READ_MICROS_P95,
        NodeFigure.DISK_READ_MICROS_P99),

    /** A promotion of data that succeeded, without the time that it was queued. */
    PROMOTION(
        NodeFigure.PROMOTION_MICROS_P50,
        NodeFigure.PROMOTION_MICROS_P95,
        NodeFigure.PROMOTION_MICROS_P99),

    /** A demotion or a step down that succeeded, likewise. */
    DEMOTION(
        NodeFigure.DEMOTION_MICROS_P50,
        NodeFigure.DEMOTION_MICROS_P95,
        NodeFigure.DEMOTION_MICROS_P99);

    private final NodeFigure p50;
    private final NodeFigure p95;
    private final NodeFigure p99;

    Operation(NodeFigure p50, NodeFigure p95, NodeFigure p99) {
      this.p50 = p50;
      this.p95 = p95;
      this.p99 = p99;
    }
  }

  /** Time between two calls of {@link #roll}. */
  public static final long ROLL_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final int ROLLS_PER_MINUTE = (int) (TimeUnit.MINUTES.toNanos(1) / ROLL_NANOS);

  private final LongSupplier nanoClock;
  private final EnumMap<Operation, LatencyHistogram> histograms = new EnumMap<>(Operation.class);

  public Latencies(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    for (Operation operation : Operation.values()) {
      histograms.put(operation, new LatencyHistogram(ROLLS_PER_MINUTE));
    }
  }

  /** The time at which an operation begins, for {@link #ended}. */
  public long begin() {
    return nanoClock.getAsLong();
  }

  /** An operation ended well. */
  public void ended(Operation operation, long begunNanos) {
    long nanos = nanoClock.getAsLong() - begunNanos;
    LatencyHistogram histogram = histograms.get(operation);
    if (histogram != null) {
      histogram.record(TimeUnit.NANOSECONDS.toMicros(nanos));
    }
  }

  /** The quantiles of the last minute. To be called every {@link #ROLL_NANOS}, by one thread. */
  public Map<NodeFigure, Number> roll() {
    EnumMap<NodeFigure, Number> out = new EnumMap<>(NodeFigure.class);
    histograms.forEach(
        (operation, histogram) -> {
          long[] micros = histogram.roll(0.5, 0.95, 0.99);
          out.put(operation.p50, micros[0]);
          out.put(operation.p95, micros[1]);
          out.put(operation.p99, micros[2]);
        });
    return Collections.unmodifiableMap(out);
  }
}
