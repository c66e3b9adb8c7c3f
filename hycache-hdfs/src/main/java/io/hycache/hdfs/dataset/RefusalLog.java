// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.stats.WriteFallback;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs replicas that could not be created on SSD, at most one per 10 seconds. Thread-safe. */
final class RefusalLog {
  private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
  private static final long MIN_LOG_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final LongSupplier nanoTime;
  private final AtomicLong loggedNanos;
  private final AtomicLong unlogged = new AtomicLong();

  RefusalLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.loggedNanos = new AtomicLong(nanoTime.getAsLong() - MIN_LOG_INTERVAL_NANOS);
  }

  /** Logs or counts a refusal; returns whether it was logged. */
  boolean log(long blockId, WriteFallback why, Exception cause) {
    long now = nanoTime.getAsLong();
    long last = loggedNanos.get();
    if (now - last < MIN_LOG_INTERVAL_NANOS || !loggedNanos.compareAndSet(last, now)) {
      unlogged.incrementAndGet();
      return false;
    }
    LOG.warn(
        "a new replica could not be created on SSD and is written to DISK: block={} kind={} cause={}"
            + " othersSinceLast={}",
        blockId,
        why,
        cause.toString(),
        unlogged.getAndSet(0));
    return true;
  }
}
