// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Replica;
import io.hycache.core.move.RateLimit;
import io.hycache.core.stats.Counters.Counter;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.ChecksumException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to the NameNode that a replica is healthy after its clean copy was bad, or may have been:
 * verifies the replica first, and repeats the report for as long as the client's report of a
 * corrupt replica may still arrive. That needs the DISK and the NameNode only, so it has a thread
 * of its own for all SSDs of the node, whether they work or not. The thread ends while nothing is
 * due. Thread-safe.
 */
final class ReplicaReports {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaReports.class);

  /**
   * Maximum of replicas queued for verification because their copy was removed before it could be
   * verified.
   */
  static final int MAX_UNVERIFIED_REPLICAS = 64;

  /** Maximum of reports that are scheduled, five for each bad copy. */
  private static final int MAX_SCHEDULED = 20_000;

  /**
   * Pause after such a verification in multiples of its duration: at most a tenth of the time is
   * spent on them.
   */
  private static final int REPLICA_PAUSE_FACTOR = 10;

  /**
   * Delays of the repeated reports after the first one that the NameNode accepted: a client that
   * was sent bad bytes reports the replica as corrupt only after it has tried the others.
   */
  private static final long[] REPEAT_DELAYS_MILLIS = {300, 2_000, 10_000, 60_000};

  /**
   * Delay after which {@link ReplicaStore#reportKept} can decide whether a deletion was skipped.
   */
  private static final long KEPT_CHECK_DELAY_MILLIS = 75_000;

  /** Delay of the first retry when a replica can't be verified or reported. */
  private static final long MIN_RETRY_DELAY_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Reads that fail before the replica is given up, after more than an hour. */
  private static final int LAST_READ_ATTEMPT = 16;

  /** A replica is not read again for the retry of a report within that time. */
  private static final long VERIFIED_FOR_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** A scheduled verification and report of a replica. Immutable. */
  private static final class Report {
    final BlockKey block;
    final long atNanos;

    /** Whether a report that the NameNode accepts is repeated. */
    final boolean first;

    /** Attempts that failed since the replica was verified, or since the first. */
    private final int failed;

    /** Attempts that ended with an Error, which says nothing of the replica. */
    private final int errors;

    /** What was verified; null if nothing was. */
    private final @Nullable Replica verified;

    private final long verifiedNanos;

    Report(BlockKey block, long atNanos, boolean first) {
      this(block, atNanos, first, 0, 0, null, 0);
    }

    private Report(
        BlockKey block,
        long atNanos,
        boolean first,
        int failed,
        int errors,
        @Nullable Replica verified,
        long verifiedNanos) {
      this.block = block;
      this.atNanos = atNanos;
      this.first = first;
      this.failed = failed;
      this.errors = errors;
      this.verified = verified;
      this.verifiedNanos = verifiedNanos;
    }

    boolean isDue() {
      return ScrubContext.isPast(atNanos);
    }

    boolean isVerified(Replica replica) {
      return verified != null
          && replica.equals(verified)
          && System.nanoTime() - verifiedNanos < VERIFIED_FOR_NANOS;
    }

    /** The same of a replica that has just been verified. */
    Report of(Replica replica) {
      return new Report(block, atNanos, first, 0, 0, replica, System.nanoTime());
    }

    /** The next attempt, when the block is no longer being written. */
    Report whenWritten() {
      return new Report(block, System.nanoTime() + MIN_RETRY_DELAY_NANOS, first);
    }

    /** The next attempt. */
    Report later() {
      return new Report(
          block, laterNanos(failed), first, failed + 1, errors, verified, verifiedNanos);
    }

    /** The next attempt after one that ended with an Error. */
    Report afterError() {
      return new Report(
          block, laterNanos(errors), first, failed, errors + 1, verified, verifiedNanos);
    }

    private static long laterNanos(int before) {
      return System.nanoTime() + ScrubContext.retryDelayNanos(MIN_RETRY_DELAY_NANOS, before);
    }
  }

  private final ScrubContext context;
  private final RateLimit limit;
  private final ScrubThread thread;

  /** Blocks whose copy was removed before it could be verified. */
  private final Set<BlockKey> unknown = ConcurrentHashMap.newKeySet();

  private final Queue<Report> scheduled = new LinkedBlockingQueue<>(MAX_SCHEDULED);

  /** Replicas that were reported as healthy, with the time at which their deletions are checked. */
  private final Map<BlockKey, Long> kept = new ConcurrentHashMap<>();

  private volatile long nextUnknownNanos = System.nanoTime();

  ReplicaReports(ScrubContext context) {
    this.context = context;
    this.limit = new RateLimit(context.bytesPerSec);
    this.thread = new ScrubThread("HyCacheReplicaReports", context.part);
  }

  /** Has what is due done on its own thread. Never blocks. */
  void run() {
    if (isDue()) {
      thread.begin(this::step);
    }
  }

  void close() {
    thread.close();
  }

  private boolean isDue() {
    return (!unknown.isEmpty() && ScrubContext.isPast(nextUnknownNanos))
        || scheduled.stream().anyMatch(Report::isDue)
        || kept.values().stream().anyMatch(ScrubContext::isPast);
  }

  private void step() throws InterruptedException {
    reportScheduled();
    checkDeletions();
    takeUnknown();
  }

  /**
   * Called when a copy that was served is bad: its replica is verified, and reported as healthy if
   * it is.
   */
  void copyWasBad(BlockKey block) {
    schedule(new Report(block, System.nanoTime(), true));
    run();
  }

  private void schedule(Report report) {
    if (!scheduled.offer(report)) {
      context.counters.increment(Counter.SUSPECTS_DROPPED);
    }
  }

  /**
   * Called when a suspected copy was removed before it could be verified, so that the bytes that
   * the client was sent are unknown. Queues its replica for verification instead. Most such clients
   * have simply read enough, so the queue is short.
   */
  void copyRemoved(BlockKey block) {
    if (unknown.size() < MAX_UNVERIFIED_REPLICAS) {
      unknown.add(block);
    } else {
      context.counters.increment(Counter.SUSPECTS_DROPPED);
    }
  }

  /** Verifies the next replica whose copy was removed, if it is due. */
  private void takeUnknown() throws InterruptedException {
    Iterator<BlockKey> blocks = unknown.iterator();
    if (!blocks.hasNext() || !ScrubContext.isPast(nextUnknownNanos)) {
      return;
    }
    BlockKey block = blocks.next();
    blocks.remove();
    long begun = System.nanoTime();
    reportWell(new Report(block, begun, true));
    long took = System.nanoTime() - begun;
    nextUnknownNanos = begun + REPLICA_PAUSE_FACTOR * took;
  }

  /**
   * Verifies a replica and reports it as healthy if it is. Schedules a retry if it can't be
   * verified or reported now. Has HDFS verify one that is corrupt, or that repeatedly fails to be
   * read. Retries are ever rarer: each read of a bad sector keeps its disk busy for seconds.
   */
  private void reportWell(Report well) throws InterruptedException {
    boolean settled = false;
    try {
      verifyAndReport(well);
      settled = true;
    } finally {
      if (!settled) {
        schedule(well.afterError()); // an Error ends this step, and must not end the report
      }
    }
  }

  private void verifyAndReport(Report well) throws InterruptedException {
    ReplicaView view = context.store.finalized(well.block);
    if (view == null && context.store.exists(well.block)) {
      // The replica is being written to: verify its finalized state later.
      schedule(well.whenWritten());
    }
    if (view == null || view.onSsd()) {
      return;
    }
    Replica replica = view.replica();
    Report report = well;
    try (Closeable held = context.store.hold(replica)) {
      if (!report.isVerified(replica)) {
        verify(view);
        report = report.of(replica);
      }
      if (context.store.reportWell(replica)) {
        context.counters.increment(Counter.REPLICAS_REPORTED_WELL);
        LOG.info(
            "reported a replica as healthy, whose copy was or may be bad: replica={}", replica);
        long now = System.nanoTime();
        for (int i = 0; well.first && i < REPEAT_DELAYS_MILLIS.length; i++) {
          long at = now + TimeUnit.MILLISECONDS.toNanos(REPEAT_DELAYS_MILLIS[i]);
          schedule(new Report(well.block, at, false));
        }
        kept.put(well.block, now + TimeUnit.MILLISECONDS.toNanos(KEPT_CHECK_DELAY_MILLIS));
      }
    } catch (ChecksumException | EOFException e) {
      LOG.warn("a replica is corrupt, whose copy was or may be bad: replica={}", replica, e);
      context.store.suspect(replica);
    } catch (IOException e) {
      CopyVerification.requireNotStopped(e);
      int reads = report.verified == null ? report.failed + 1 : 0;
      if (reads == ScrubContext.MAX_FAILURES) {
        LOG.warn("a replica can't be read, whose copy was or may be bad: replica={}", replica, e);
        context.store.suspect(replica);
      } else if (reads >= LAST_READ_ATTEMPT) {
        return;
      }
      LOG.debug("could not report a replica as healthy, will retry: replica={}", replica, e);
      schedule(report.later());
    }
  }

  private void verify(ReplicaView view) throws IOException, InterruptedException {
    long length = view.replica().lengthBytes();
    Checksums sums = Checksums.read(view.checksums(), length);
    ScrubThrottle throttle = new ScrubThrottle(limit, context.useOf.apply(view.volumeRoot()), true);
    VerifiedCopy.verifyRange(view.data(), 0, length, sums, throttle, false);
  }

  private void reportScheduled() throws InterruptedException {
    for (Report next : List.copyOf(scheduled)) {
      if (next.isDue() && scheduled.remove(next)) {
        reportWell(next);
      }
    }
  }

  private void checkDeletions() {
    for (Map.Entry<BlockKey, Long> entry : List.copyOf(kept.entrySet())) {
      if (ScrubContext.isPast(entry.getValue())) {
        kept.remove(entry.getKey());
        try {
          context.store.reportKept(entry.getKey());
        } catch (IOException e) {
          LOG.debug("could not repeat a report, will retry: block={}", entry.getKey(), e);
          kept.put(entry.getKey(), System.nanoTime() + MIN_RETRY_DELAY_NANOS);
        }
      }
    }
  }
}
