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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Scrubs the copies of one SSD on one thread: suspects, adopted copies, and the routine pass. What
 * clients were sent is verified on DISK instead while the SSD is sick, and when it was removed.
 * {@link #run} and {@link #close} are called by the scrubber's timer; all other methods are
 * thread-safe.
 */
final class ScrubLane {
  private static final long MAX_STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ScrubContext context;
  private final CleanArea area;
  private final Suspects suspects;

  /** Blocks with an adopted data file that is not verified yet. */
  private final Queue<BlockKey> found = new ConcurrentLinkedQueue<>();

  private final ReplicaReports reports;
  private final CopyVerification verification;
  private final ScrubTurn turn;
  private final ScrubThread thread;

  /** The suspect that is being verified: a device that hangs may never answer. */
  private @Nullable Suspect inHand;

  /** Whether clients' descriptors of this device's files were revoked since it failed. */
  private boolean revoked;

  ScrubLane(ScrubContext context, CleanArea area, ReplicaReports reports) {
    this.context = context;
    this.area = area;
    this.suspects = new Suspects(context.counters);
    this.reports = reports;
    this.verification =
        new CopyVerification(context, area, new RateLimit(context.bytesPerSec), reports);
    this.turn = new ScrubTurn(context, area, verification);
    this.thread = new ScrubThread("HyCacheCopyScrubber", context.part);
  }

  /** Called when the device was removed or the node stops. */
  void close() {
    thread.close();
    passSuspectsOn();
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

  void run() {
    if (area.watch().sick()) {
      revokeOnce();
      passSuspectsOn();
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
    if (!suspects.isEmpty() || !found.isEmpty() || verification.isRetryDue() || turn.isDue()) {
      thread.begin(this::step);
    }
  }

  /**
   * Has the replicas verified of what was sent to clients that hung up, because their copies can't
   * be verified. The other suspects need nothing: after the device was out of use all its copies
   * are verified before they are served.
   */
  private synchronized void passSuspectsOn() {
    verification.takeSuspects(suspects::add);
    Suspect next = inHand != null ? inHand : suspects.poll();
    inHand = null;
    for (; next != null; next = suspects.poll()) {
      if (next.hungUp) {
        reports.copyRemoved(next.block);
      }
    }
  }

  private synchronized @Nullable Suspect takeInHand() {
    inHand = suspects.poll();
    return inHand;
  }

  private synchronized void settled() {
    inHand = null;
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
    verification.takeRetries(suspects::add, found::add);
    // Suspects take every other turn, because there may always be some that turn out to be good.
    for (boolean suspectsFirst = true;
        System.nanoTime() - begun < MAX_STEP_NANOS && !area.watch().sick();
        suspectsFirst = !suspectsFirst) {
      boolean done =
          suspectsFirst
              ? takeSuspect() || takeFound() || turn.take()
              : takeFound() || turn.take() || takeSuspect();
      if (!done) {
        return;
      }
    }
  }

  private boolean takeSuspect() throws InterruptedException {
    Suspect suspect = takeInHand();
    if (suspect == null) {
      return false;
    }
    boolean verified = false;
    try {
      verify(suspect);
      verified = true;
    } finally {
      if (!verified) {
        suspects.add(suspect); // an Error ends this step, and must not end the suspicion
      }
      settled();
    }
    return true;
  }

  private void verify(Suspect suspect) throws InterruptedException {
    CleanCopies.Copy copy = mine(suspect.block);
    if (copy != null) {
      boolean enough = suspect.rangeOnly || verification.isTrusted(suspect.block);
      Extent extent = enough && copy.isVerified() ? Extent.RANGE : Extent.ALL_FROM_RANGE;
      verification.verify(copy, suspect, extent);
    }
    boolean gone = copy == null || (copy.data() == null && suspect.bytes.hasData());
    if (gone && suspect.hungUp) {
      reports.copyRemoved(suspect.block); // the data that the client was sent may have been bad
    }
  }

  private boolean takeFound() throws InterruptedException {
    BlockKey block = found.poll();
    if (block == null) {
      return false;
    }
    boolean verified = false;
    try {
      CleanCopies.Copy copy = mine(block);
      if (copy != null && copy.data() != null && !copy.isVerified()) {
        verification.verify(copy, null, Extent.ALL_OF_DEVICE);
      }
      verified = true;
    } finally {
      if (!verified) {
        found.add(block); // as above
      }
    }
    return true;
  }

  private CleanCopies.@Nullable Copy mine(BlockKey block) {
    return context.copies.onArea(area, block);
  }
}
