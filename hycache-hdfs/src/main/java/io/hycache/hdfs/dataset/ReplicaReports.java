package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Replica;
import io.hycache.core.move.RateLimit;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.hdfs.dataset.VerifiedCopy.Checksums;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.ChecksumException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports replicas as well whose copies on one SSD were bad, or may have been: verifies the replica
 * first, and reports it again for as long as the client's report of a corrupt one may come. For the
 * scrubbing thread of the SSD, but for {@link #cameTooLate} and {@link #isDue}.
 */
final class ReplicaReports {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaReports.class);

  /** Replicas that wait to be verified on an SSD because their copy went before it was. */
  private static final int MOST_UNKNOWN = 16;

  /** Such replicas are read for a tenth of the time at most. */
  private static final int UNKNOWN_REST = 10;

  /**
   * The client that was sent bad bytes reports the replica only when it has tried others: a replica
   * is reported as well again so long after the first report that the NameNode took.
   */
  private static final long[] AGAIN_MILLIS = {300, 2_000, 10_000, 60_000};

  /** By then {@link ReplicaStore#reportKept} knows whether a deletion was not made. */
  private static final long KEPT_MILLIS = 75_000;

  /** A replica that can't be verified or reported now is looked at again after this. */
  private static final long REPORT_RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** A block whose replica is to be verified and reported as well at a time. Immutable. */
  private static final class WellAgain {
    final BlockKey block;
    final long atNanos;

    /** The first report that the NameNode takes is followed by others. */
    final boolean first;

    WellAgain(BlockKey block, long atNanos, boolean first) {
      this.block = block;
      this.atNanos = atNanos;
      this.first = first;
    }

    boolean isDue() {
      return ScrubContext.isPast(atNanos);
    }
  }

  private final ScrubContext context;
  private final RateLimit limit;

  /** Blocks whose copy went before it could be verified. */
  private final Set<BlockKey> unknown = ConcurrentHashMap.newKeySet();

  private final Queue<WellAgain> wellAgain = new ConcurrentLinkedQueue<>();

  /** Replicas that were reported as well, and when their deletions are looked at. */
  private final Map<BlockKey, Long> kept = new ConcurrentHashMap<>();

  private volatile long nextUnknownNanos = System.nanoTime();

  ReplicaReports(ScrubContext context, RateLimit limit) {
    this.context = context;
    this.limit = limit;
  }

  /** True if there is a replica to verify or to report now. For all threads. */
  boolean isDue() {
    return (!unknown.isEmpty() && ScrubContext.isPast(nextUnknownNanos))
        || wellAgain.stream().anyMatch(WellAgain::isDue)
        || kept.values().stream().anyMatch(ScrubContext::isPast);
  }

  /** A copy that was served is bad: verifies its replica and reports it as well. */
  void reportWell(BlockKey block) throws InterruptedException {
    reportWell(new WellAgain(block, System.nanoTime(), true));
  }

  /**
   * A copy went before it could be verified, so that it is not known what the client was sent.
   * Its replica is verified instead. Most such clients have just read enough, so that no more
   * than a few replicas wait to be read for them.
   */
  void cameTooLate(BlockKey block) {
    if (unknown.size() < MOST_UNKNOWN) {
      unknown.add(block);
    } else {
      context.counters.increment(Counter.SUSPECTS_DROPPED);
    }
  }

  boolean takeUnknown() throws InterruptedException {
    Iterator<BlockKey> blocks = unknown.iterator();
    if (!blocks.hasNext() || !ScrubContext.isPast(nextUnknownNanos)) {
      return false;
    }
    BlockKey block = blocks.next();
    blocks.remove();
    long begun = System.nanoTime();
    reportWell(new WellAgain(block, begun, true));
    long took = System.nanoTime() - begun;
    nextUnknownNanos = begun + UNKNOWN_REST * took;
    return true;
  }

  /**
   * Verifies a replica of which a client may have been sent other bytes, and reports it as well
   * if it is. What can't be verified or reported now is tried again.
   */
  private void reportWell(WellAgain well) throws InterruptedException {
    ReplicaView view = context.store.finalized(well.block);
    if (view == null && context.store.exists(well.block)) {
      wellAgain.add(later(well)); // it is being written to: what is reported is what comes of it
    }
    if (view == null || view.onSsd()) {
      return;
    }
    Replica replica = view.replica();
    try (Closeable held = context.store.hold(replica)) {
      Checksums sums = VerifiedCopy.read(view.checksums(), replica.lengthBytes());
      ScrubThrottle throttle = new ScrubThrottle(limit, context.useOf.apply(view.volumeRoot()), true);
      VerifiedCopy.verifyRange(view.data(), 0, replica.lengthBytes(), sums, throttle, false);
      if (context.store.reportWell(replica)) {
        context.counters.increment(Counter.REPLICAS_REPORTED_WELL);
        LOG.info("the replica of a bad copy was reported as well: replica={}", replica);
        long now = System.nanoTime();
        for (int i = 0; well.first && i < AGAIN_MILLIS.length; i++) {
          long at = now + TimeUnit.MILLISECONDS.toNanos(AGAIN_MILLIS[i]);
          wellAgain.add(new WellAgain(well.block, at, false));
        }
        kept.put(well.block, now + TimeUnit.MILLISECONDS.toNanos(KEPT_MILLIS));
      }
    } catch (ChecksumException | EOFException e) {
      LOG.warn("the replica of a bad copy is not well either: replica={}", replica, e);
    } catch (IOException e) {
      CopyVerification.requireNotStopped(e);
      LOG.debug("not yet reported as well: replica={}", replica, e);
      wellAgain.add(later(well));
    }
  }

  private WellAgain later(WellAgain well) {
    return new WellAgain(well.block, System.nanoTime() + REPORT_RETRY_NANOS, well.first);
  }

  void reportAgain() throws InterruptedException {
    for (WellAgain again : List.copyOf(wellAgain)) {
      if (again.isDue() && wellAgain.remove(again)) {
        reportWell(again);
      }
    }
    for (Map.Entry<BlockKey, Long> entry : List.copyOf(kept.entrySet())) {
      if (ScrubContext.isPast(entry.getValue())) {
        kept.remove(entry.getKey());
        try {
          context.store.reportKept(entry.getKey());
        } catch (IOException e) {
          LOG.debug("not yet reported again: block={}", entry.getKey(), e);
          kept.put(entry.getKey(), System.nanoTime() + REPORT_RETRY_NANOS);
        }
      }
    }
  }
}
