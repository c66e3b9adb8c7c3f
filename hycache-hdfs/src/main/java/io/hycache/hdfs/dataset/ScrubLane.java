package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.move.RateLimit;
import io.hycache.hdfs.dataset.CopyVerification.Extent;
import io.hycache.hdfs.dataset.Suspects.Suspect;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done for one SSD, on one thread at a time: its suspects, what was found on it, and all
 * its copies in turn. {@link #run} and {@link #close} are for the scrubber's timer, the rest for
 * all threads.
 */
final class ScrubLane {
  private static final Logger LOG = LoggerFactory.getLogger(ScrubLane.class);
  private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int IDLE_SECONDS = 10;

  private final ScrubContext context;
  private final CleanArea area;
  private final Suspects suspects;
  private final Queue<BlockKey> found = new ConcurrentLinkedQueue<>();
  private final ReplicaReports reports;
  private final CopyVerification verification;
  private final ScrubTurn turn;
  private final AtomicBoolean running = new AtomicBoolean();
  private final ThreadPoolExecutor thread;

  /** Descriptors that clients have of this device's files were revoked since it failed. */
  private boolean revoked;

  ScrubLane(ScrubContext context, CleanArea area) {
    this.context = context;
    this.area = area;
    RateLimit limit = new RateLimit(context.bytesPerSec);
    this.suspects = new Suspects(context.counters);
    this.reports = new ReplicaReports(context, limit);
    this.verification = new CopyVerification(context, area, limit, reports);
    this.turn = new ScrubTurn(context, area, verification);
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(1),
            Daemons.named("HyCacheCopyScrubber"));
    this.thread.allowCoreThreadTimeOut(true);
  }

  void close() {
    thread.shutdownNow();
  }

  void suspect(Suspect suspect) {
    suspects.add(suspect);
  }

  /** A data file was found that an earlier process left. */
  void found(CleanFile file) {
    if (file.part() == Part.DATA) {
      found.add(file.replica().block());
    }
  }

  /** A copy went before it could be verified, see {@link ReplicaReports#cameTooLate}. */
  void cameTooLate(BlockKey block) {
    reports.cameTooLate(block);
  }

  void run() {
    if (area.watch().sick()) {
      revokeOnce();
      return;
    }
    revoked = false;
    if (area.watch().wasOutOfUse()) {
      // It may have been taken out and come back with other contents.
      context.copies.distrust(area);
      found.clear();
      context.copies.blocks().stream().filter(block -> mine(block) != null).forEach(found::add);
      area.watch().isInUseAgain();
    }
    boolean work =
        !suspects.isEmpty()
            || !found.isEmpty()
            || reports.isDue()
            || verification.isRetryDue()
            || turn.isDue();
    if (!work || !running.compareAndSet(false, true)) {
      return;
    }
    boolean begun = false;
    try {
      thread.execute(
          () -> {
            try {
              step();
              context.part.succeeded();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            } catch (Throwable e) {
              context.part.failed(e);
            } finally {
              running.set(false);
            }
          });
      begun = true;
    } catch (RejectedExecutionException e) {
      LOG.debug("stopping", e);
    } finally {
      if (!begun) { // also if there is no memory for a thread
        running.set(false);
      }
    }
  }

  /** Clients that read files of the device themselves go back to the replicas. */
  private void revokeOnce() {
    if (revoked) {
      return;
    }
    revoked = true;
    context.copies.blocks().stream()
        .filter(block -> mine(block) != null)
        .forEach(context.store::revokeShortCircuit);
  }

  private void step() throws InterruptedException {
    long begun = System.nanoTime();
    reports.reportAgain();
    verification.takeRetries(found::add);
    // Suspects go first, but not for ever: there may always be some that prove well.
    for (boolean suspectsFirst = true;
        System.nanoTime() - begun < STEP_NANOS && !area.watch().sick();
        suspectsFirst = !suspectsFirst) {
      boolean done =
          suspectsFirst
              ? takeSuspect() || reports.takeUnknown() || takeFound() || turn.take()
              : takeFound() || turn.take() || reports.takeUnknown() || takeSuspect();
      if (!done) {
        return;
      }
    }
  }

  private boolean takeSuspect() throws InterruptedException {
    Suspect suspect = suspects.poll();
    if (suspect == null) {
      return false;
    }
    CleanCopies.Copy copy = mine(suspect.block);
    if (copy != null) {
      boolean enough = suspect.rangeOnly || verification.isTrusted(suspect.block);
      Extent extent = enough && copy.isVerified() ? Extent.RANGE : Extent.ALL_FROM_RANGE;
      verification.verify(copy, suspect.from, suspect.to, extent, suspect.hungUp);
    } else if (suspect.hungUp) {
      reports.cameTooLate(suspect.block);
    }
    return true;
  }

  private boolean takeFound() throws InterruptedException {
    BlockKey block = found.poll();
    CleanCopies.Copy copy = block == null ? null : mine(block);
    if (copy != null && copy.data() != null && !copy.isVerified()) {
      verification.verify(copy, 0, 0, Extent.ALL_OF_DEVICE, false);
    }
    return block != null;
  }

  private CleanCopies.@Nullable Copy mine(BlockKey block) {
    return context.copies.onArea(area, block);
  }
}
