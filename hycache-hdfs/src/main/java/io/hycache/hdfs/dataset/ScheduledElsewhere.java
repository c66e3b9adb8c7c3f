// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.move.RequestedTask;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.QuietLog;
import io.hycache.hdfs.dataset.ScheduledCredits.Due;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.StorageType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears the NameNode's count of blocks scheduled on a storage type of this DataNode for blocks
 * that HyCache wrote to another type.
 *
 * <p>The NameNode subtracts the count from the free space of that type. Each report of a received
 * block on a storage of that type decrements it, before the block itself is examined. So for each
 * such replica a block that does not exist is reported as received there, which has no other
 * effect.
 *
 * <p>Reports are made on a thread of its own, every half second while credits are owed; if the
 * NameNode of a block pool does not accept them they are retried after up to a minute, and those of
 * other pools are made meanwhile. A report that a NameNode accepts after the caller has given it up
 * is made twice, which makes the count too low for a while, and never less than zero. While too
 * many credits are owed, {@link #holdsBack} keeps new replicas on the requested type, so that no
 * write fails because of the count. Thread-safe.
 */
final class ScheduledElsewhere implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduledElsewhere.class);

  /** Maximum of blocks reported in one call. */
  static final int MAX_PER_REPORT = 1_000;

  private static final long ROUND_PERIOD_MILLIS = 500;
  private static final long MIN_RETRY_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MAX_RETRY_DELAY_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * Divisor of the slow tier's free space that may be owed: the NameNode's figures are some seconds
   * old.
   */
  private static final int FREE_SPACE_DIVISOR = 2;

  /** Divisor of that limit beyond which a round starts early. */
  private static final int EARLY_ROUND_DIVISOR = 4;

  private final ScheduledReports reports;
  private final StorageType slow;
  private final LongSupplier slowFreeBytes;
  private final Counters counters;
  private final Consumer<Throwable> onFailure;
  private final LongSupplier nanoTime;
  private final ScheduledCredits credits = new ScheduledCredits();

  private final ScheduledExecutorService rounds;
  private volatile long freeBytes = Long.MAX_VALUE;
  private volatile boolean stopped;
  private volatile boolean started;

  /** A round at once. */
  private final RequestedTask early;

  /** A round by and by, and others after it while something is owed. */
  private final RequestedTask later;

  /** By block pool, those whose NameNode did not accept the last report. Of the rounds' thread. */
  private final Map<String, Pause> pauses = new HashMap<>();

  private final QuietLog failureLog;

  /** A pause after a report that was not accepted. */
  private static final class Pause {
    long lengthNanos;
    long endNanos;

    void begin(long nowNanos) {
      lengthNanos =
          Math.min(MAX_RETRY_DELAY_NANOS, Math.max(MIN_RETRY_DELAY_NANOS, 2 * lengthNanos));
      endNanos = nowNanos + lengthNanos;
    }
  }

  /**
   * @param slow storage type of the slow tier
   * @param slowFreeBytes returns the free space of all its volumes; called on the reporting thread
   * @param onFailure receives unexpected failures, on that thread
   */
  ScheduledElsewhere(
      ScheduledReports reports,
      StorageType slow,
      LongSupplier slowFreeBytes,
      Counters counters,
      Consumer<Throwable> onFailure,
      LongSupplier nanoTime) {
    this.reports = reports;
    this.slow = slow;
    this.slowFreeBytes = slowFreeBytes;
    this.counters = counters;
    this.onFailure = onFailure;
    this.nanoTime = nanoTime;
    this.failureLog = new QuietLog(LOG, nanoTime);
    this.rounds = Daemons.timer("HyCacheScheduled");
    this.early = new RequestedTask(rounds, 0, this::guardedRound);
    this.later = new RequestedTask(rounds, ROUND_PERIOD_MILLIS, this::scheduledRound);
  }

  void start() {
    started = true;
    later.request();
  }

  private void scheduledRound() {
    guardedRound();
    if (!credits.isEmpty()) {
      later.request();
    }
  }

  /** Stops all reports, as with a NameNode that accepts none. For tests. */
  void stopSettling() {
    stopped = true;
  }

  @Override
  public void close() {
    rounds.shutdownNow();
  }

  /**
   * Called when a new replica is being written to another storage type than the NameNode asked for.
   */
  void begun(BlockKey block, StorageType asked) {
    credits.begun(block, asked, nanoTime.getAsLong());
    if (started) {
      later.request();
    }
  }

  /** Called when a replica is finalized here, new or known. */
  void finalized(BlockKey block) {
    if (credits.finalized(block, nanoTime.getAsLong())) {
      counters.increment(Counter.SCHEDULED_OWED);
    }
  }

  /** Called when a replica was deleted, or is written anew to the type that was asked for. */
  void gone(BlockKey block) {
    credits.gone(block);
  }

  /**
   * Returns the number of replicas that the NameNode of a pool expects on a storage type and that
   * were written to another.
   */
  int owed(String pool, StorageType asked) {
    return credits.owed(pool, asked);
  }

  /**
   * Returns true while so much is owed on the slow tier that the NameNode may soon consider it
   * full. From a quarter of that on the next round starts at once. Never blocks.
   *
   * @param sizeBytes size of the next replica; the NameNode assumes the same size for the others
   */
  boolean holdsBack(String pool, long sizeBytes) {
    long free = freeBytes;
    if (free == Long.MAX_VALUE) {
      return false;
    }
    double owedBytes = (credits.owed(pool, slow) + 1.0) * sizeBytes;
    double mostBytes = (double) free / FREE_SPACE_DIVISOR;
    if (owedBytes > mostBytes / EARLY_ROUND_DIVISOR) {
      early.request();
    }
    return owedBytes > mostBytes;
  }

  private void guardedRound() {
    try {
      round();
    } catch (Throwable e) { // otherwise the executor would cancel the rounds
      try {
        onFailure.accept(e);
      } catch (Throwable again) {
        // Out of memory while reporting the failure.
      }
    }
  }

  /** Makes one round. Package-private for tests. */
  void round() {
    freeBytes = slowFreeBytes.getAsLong();
    credits.forget(nanoTime.getAsLong());
    if (stopped || !reports.available()) {
      return;
    }
    for (Due due : credits.due()) {
      Pause pause = pauses.get(due.pool);
      if (pause != null && nanoTime.getAsLong() - pause.endNanos < 0) {
        continue;
      }
      try {
        settle(due);
        pauses.remove(due.pool);
      } catch (IOException e) {
        Pause next = pauses.computeIfAbsent(due.pool, pool -> new Pause());
        next.begin(nanoTime.getAsLong());
        failureLog.warn(
            e,
            "the NameNode did not accept the reports of scheduled blocks, will retry: pool={}"
                + " type={} replicas={} pauseMillis={}",
            due.pool,
            due.asked,
            due.replicas,
            TimeUnit.NANOSECONDS.toMillis(next.lengthNanos));
      }
    }
  }

  private void settle(Due due) throws IOException {
    int left = due.replicas;
    while (left > 0) {
      int times = Math.min(left, MAX_PER_REPORT);
      if (!reports.receivedUnissued(due.pool, due.asked, times)) {
        return;
      }
      credits.settled(due, times);
      counters.add(Counter.SCHEDULED_SETTLED, times);
      left -= times;
    }
  }
}
