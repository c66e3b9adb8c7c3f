// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
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
 * Scrubs the copies of one SSD on one thread: suspects, adopted copies, and the routine pass.
 * {@link #run} and {@link #close} are called by the scrubber's timer; all other methods are
 * thread-safe.
 */
final class ScrubLane {
  private static final Logger LOG = LoggerFactory.getLogger(ScrubLane.class);
  private static final long MAX_STEP_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int THREAD_KEEP_ALIVE_SECONDS = 10;

  private final ScrubContext context;
  private final CleanArea area;
  private final Suspects suspects;

  /** Blocks with an adopted data file that is not verified yet. */
  private final Queue<BlockKey> found = new ConcurrentLinkedQueue<>();

  private final ReplicaReports reports;
  private final CopyVerification verification;
  private final ScrubTurn turn;
  private final AtomicBoolean running = new AtomicBoolean();
  private final ThreadPoolExecutor thread;

  /** Whether clients' descriptors of this device's files were revoked since it failed. */
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
            THREAD_KEEP_ALIVE_SECONDS,
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

  /** Removes and returns the suspicion of a block; null if there is none. */
  @Nullable Suspect takeSuspicion(BlockKey block) {
    return suspects.take(block);
  }

  /** Queues an adopted data file for verification; ignores checksum files. */
  void found(CleanFile file) {
    if (file.part() == Part.DATA) {
      found.add(file.replica().block());
    }
  }

  /** See {@link ReplicaReports#copyRemoved}. */
  void copyRemoved(BlockKey block) {
    reports.copyRemoved(block);
  }

  void run() {
    if (area.watch().sick()) {
      revokeOnce();
      return;
    }
    revoked = false;
    if (area.watch().wasOutOfUse()) {
      // The device may have been replaced; verify its copies again.
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
      if (!begun) { // also if no thread could be started
        running.set(false);
      }
    }
  }

  /**
   * Revokes short-circuit descriptors of the failed device, so that clients go back to the
   * replicas.
   */
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
    // Suspects take every other turn, because there may always be some that turn out to be good.
    for (boolean suspectsFirst = true;
        System.nanoTime() - begun < MAX_STEP_NANOS && !area.watch().sick();
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
      reports.copyRemoved(suspect.block);
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
