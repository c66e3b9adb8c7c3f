package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.hdfs.dataset.ScheduledCredits.Due;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.StorageType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears the NameNode's count of blocks scheduled on a storage type of this DataNode, where we
 * wrote them to another one.
 *
 * <p>The count is taken off what the NameNode believes to be free there. It is decreased by each
 * report of a received block on a storage of that type, before the block itself is looked at. So
 * for each replica that is owed a block that does not exist is reported as received there, which
 * changes nothing else.
 *
 * <p>On a thread of its own, about once a second while something is owed; a NameNode that doesn't
 * take it is asked again after up to a minute. As long as too much is owed {@link #holdsBack} keeps
 * new replicas where they were asked for, so that no write fails of it either. Thread-safe.
 */
final class ScheduledElsewhere implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduledElsewhere.class);

  /** Reported in one call. */
  static final int MOST_PER_REPORT = 1_000;

  private static final long ROUND_MILLIS = 500;
  private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** What may be owed, of what DISK has free: the NameNode's figures are some seconds old. */
  private static final int FREE_SHARE = 2;

  /** A round comes early once so much is owed, of what may be. */
  private static final int EARLY_SHARE = 4;

  private final ScheduledReports reports;
  private final LongSupplier diskFreeBytes;
  private final Counters counters;
  private final Consumer<Throwable> onFailure;
  private final LongSupplier nanoTime;
  private final ScheduledCredits credits = new ScheduledCredits();

  private final ScheduledExecutorService rounds;
  private volatile long freeBytes = Long.MAX_VALUE;
  private volatile boolean stopped;
  private final AtomicBoolean early = new AtomicBoolean();
  private long pauseNanos;
  private long notBeforeNanos;

  /**
   * @param diskFreeBytes what the DISK volumes have free; asked on the thread of the rounds
   * @param onFailure passed what no round expects, on that thread
   */
  ScheduledElsewhere(
      ScheduledReports reports,
      LongSupplier diskFreeBytes,
      Counters counters,
      Consumer<Throwable> onFailure,
      LongSupplier nanoTime) {
    this.reports = reports;
    this.diskFreeBytes = diskFreeBytes;
    this.counters = counters;
    this.onFailure = onFailure;
    this.nanoTime = nanoTime;
    this.notBeforeNanos = nanoTime.getAsLong();
    this.rounds = Executors.newSingleThreadScheduledExecutor(Daemons.named("HyCacheScheduled"));
  }

  void start() {
    ScheduledFuture<?> unused =
        rounds.scheduleWithFixedDelay(
            this::guardedRound, ROUND_MILLIS, ROUND_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Nothing is settled from now on, as with a NameNode that takes no report; for tests. */
  void stopSettling() {
    stopped = true;
  }

  @Override
  public void close() {
    rounds.shutdownNow();
  }

  /** A new replica is being written to another storage type than the NameNode asked for. */
  void begun(BlockKey block, StorageType asked) {
    credits.begun(block, asked, nanoTime.getAsLong());
  }

  /** A replica is finalized here, new or known. */
  void finalized(BlockKey block) {
    if (credits.finalized(block, nanoTime.getAsLong())) {
      counters.increment(Counter.SCHEDULED_OWED);
    }
  }

  /** A replica is gone. */
  void gone(BlockKey block) {
    credits.gone(block);
  }

  /** Replicas that the NameNode of a pool expects on a storage type and that went elsewhere. */
  int owed(String pool, StorageType asked) {
    return credits.owed(pool, asked);
  }

  /**
   * True while so much is owed on DISK that the NameNode may soon believe it to be full. A quarter
   * of that makes the next round come at once. Never waits.
   *
   * @param sizeBytes of the next replica; the NameNode counts the others as large as that
   */
  boolean holdsBack(String pool, long sizeBytes) {
    long free = freeBytes;
    if (free == Long.MAX_VALUE) {
      return false;
    }
    double owedBytes = (credits.owed(pool, StorageType.DISK) + 1.0) * sizeBytes;
    double mostBytes = (double) free / FREE_SHARE;
    if (owedBytes > mostBytes / EARLY_SHARE) {
      roundSoon();
    }
    return owedBytes > mostBytes;
  }

  private void roundSoon() {
    if (early.compareAndSet(false, true)) {
      try {
        rounds.execute(
            () -> {
              early.set(false);
              guardedRound();
            });
      } catch (RejectedExecutionException e) {
        LOG.debug("stopping; what is owed is not settled any more", e);
      }
    }
  }

  private void guardedRound() {
    try {
      round();
    } catch (Throwable e) { // else there would be no other round
      try {
        onFailure.accept(e);
      } catch (Throwable again) {
        // There is no memory to say so.
      }
    }
  }

  /** One round; for tests. */
  void round() {
    freeBytes = diskFreeBytes.getAsLong();
    long now = nanoTime.getAsLong();
    credits.forget(now);
    if (now - notBeforeNanos < 0 || stopped || !reports.available()) {
      return;
    }
    for (Due due : credits.due()) {
      try {
        settle(due);
        pauseNanos = 0;
      } catch (IOException e) {
        pauseNanos =
            Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, pauseNanos * FREE_SHARE));
        notBeforeNanos = now + pauseNanos;
        LOG.info(
            "the NameNode did not take what it is owed, it is tried again: pool={} type={}"
                + " replicas={} pauseMillis={}",
            due.pool,
            due.asked,
            due.replicas,
            TimeUnit.NANOSECONDS.toMillis(pauseNanos),
            e);
      }
    }
  }

  private void settle(Due due) throws IOException {
    int left = due.replicas;
    while (left > 0) {
      int times = Math.min(left, MOST_PER_REPORT);
      if (!reports.receivedUnissued(due.pool, due.asked, times)) {
        return;
      }
      credits.settled(due, times);
      counters.add(Counter.SCHEDULED_SETTLED, times);
      left -= times;
    }
  }
}
