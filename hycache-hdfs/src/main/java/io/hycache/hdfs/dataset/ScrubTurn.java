// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.dataset.CopyVerification.Extent;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * The routine pass: verifies all copies of one SSD in turn, each within HDFS's scan period. Owned
 * by the SSD's scrub thread; only {@link #isDue} is called by others.
 */
final class ScrubTurn {
  private static final long MIN_ROUTINE_BYTES_PER_SEC = 1 << 20;

  private final ScrubContext context;
  private final CleanArea area;
  private final CopyVerification verification;
  private final Queue<BlockKey> turn = new ArrayDeque<>();
  private long nextTurnNanos;
  private long routineBytesPerSec = MIN_ROUTINE_BYTES_PER_SEC;

  /** Pause between two copies at which all are verified within the period. */
  private long copyNanos;

  ScrubTurn(ScrubContext context, CleanArea area, CopyVerification verification) {
    this.context = context;
    this.area = area;
    this.verification = verification;
    this.nextTurnNanos = System.nanoTime() + Math.max(1, context.periodNanos / 100);
  }

  /** Returns true if the next copy is due. */
  boolean isDue() {
    return context.periodNanos > 0 && System.nanoTime() - nextTurnNanos >= 0;
  }

  /** Verifies the next copy if it is due. Returns false, so that the step ends with it. */
  boolean take() throws InterruptedException {
    long now = System.nanoTime();
    if (context.periodNanos <= 0 || now - nextTurnNanos < 0) {
      return false;
    }
    if (turn.isEmpty()) {
      context.copies.blocks().stream()
          .filter(block -> context.copies.onArea(area, block) != null)
          .forEach(turn::add);
      // A pass takes a quarter of the period, so that a copy made after a pass began is verified in
      // time, too.
      double passNanos = context.periodNanos / 4.0;
      copyNanos = (long) (passNanos / Math.max(1, turn.size()));
      routineBytesPerSec =
          Math.min(
              context.bytesPerSec,
              Math.max(MIN_ROUTINE_BYTES_PER_SEC, (long) (area.bytes() / (passNanos / 1e9))));
    }
    BlockKey block = turn.poll();
    CleanCopies.Copy copy = block == null ? null : context.copies.onArea(area, block);
    long bytes = 0;
    if (copy != null) {
      bytes = verification.verify(copy, null, Extent.ALL_OF_DEVICE);
    }
    // The pause also bounds the reads of checksum files from DISK.
    long restNanos =
        block == null
            ? Math.max(TimeUnit.SECONDS.toNanos(60), context.periodNanos / 100)
            : Math.max((long) (bytes * 1e9 / routineBytesPerSec), copyNanos);
    nextTurnNanos = now + restNanos;
    return false;
  }
}
