// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.move.Supervisor;
import io.hycache.core.stats.Counters;
import java.io.File;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** Dependencies and settings shared by the parts of the scrubber. Immutable. */
final class ScrubContext {
  /** Failures in a row after which a replica is left to HDFS's block scanner. */
  static final int MAX_FAILURES = 4;

  private static final long MAX_RETRY_DELAY_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** So that the delay does not overflow. */
  private static final int MAX_DOUBLINGS = 16;

  final ReplicaStore store;
  final CleanCopies copies;

  /** Returns how users load the DISK volume with a root. */
  final Function<File, DiskUse> useOf;

  final Counters counters;

  /** Drops a copy and its files. */
  final Consumer<BlockKey> drop;

  /** Counts failures and successes. */
  final Supervisor.Part part;

  /** Read limit of each SSD. */
  final long bytesPerSec;

  /**
   * Period within which every copy is verified once; 0 verifies only suspects and adopted copies.
   */
  final long periodNanos;

  ScrubContext(
      ReplicaStore store,
      CleanCopies copies,
      Function<File, DiskUse> useOf,
      Counters counters,
      Consumer<BlockKey> drop,
      Supervisor.Part part,
      long bytesPerSec,
      long periodNanos) {
    this.store = store;
    this.copies = copies;
    this.useOf = useOf;
    this.counters = counters;
    this.drop = drop;
    this.part = part;
    this.bytesPerSec = bytesPerSec;
    this.periodNanos = periodNanos;
  }

  /**
   * Returns the delay of a retry, which is twice that before, and ten minutes at most.
   *
   * @param firstNanos delay of the first retry, &gt; 0
   * @param failuresBefore retries that failed, &gt;= 0
   */
  static long retryDelayNanos(long firstNanos, int failuresBefore) {
    return Math.min(MAX_RETRY_DELAY_NANOS, firstNanos << Math.min(failuresBefore, MAX_DOUBLINGS));
  }

  /** Returns true once {@link System#nanoTime} has reached a value. */
  static boolean isPast(long nanos) {
    return System.nanoTime() - nanos >= 0;
  }
}
