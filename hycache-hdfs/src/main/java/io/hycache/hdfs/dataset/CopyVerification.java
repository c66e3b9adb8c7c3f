// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Replica;
import io.hycache.core.move.RateLimit;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.QuietLog;
import io.hycache.hdfs.dataset.Suspects.Suspect;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.fs.ChecksumException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies copies of one SSD against their replicas and drops the bad ones. Remembers which copies
 * were found good and which could not be verified. Owned by the SSD's scrub thread; only {@link
 * #isRetryDue} is called by others.
 */
final class CopyVerification {
  private static final Logger LOG = LoggerFactory.getLogger(CopyVerification.class);

  private final QuietLog badLog = new QuietLog(LOG);

  /**
   * Time after a full verification during which a suspicion triggers only a verification of the
   * range.
   */
  private static final long MIN_TRUST_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Limit of that time, which grows with each full verification. */
  private static final long MAX_TRUST_NANOS = TimeUnit.MINUTES.toNanos(10);

  private static final int TRUST_GROWTH_FACTOR = 4;

  /** Delay of the retry after a verification failed because of the DISK or the SSD. */
  private static final long RETRY_DELAY_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Shorter, because a copy that may be bad goes on being served. */
  private static final long SUSPECT_RETRY_DELAY_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final int MAX_TRUSTED_COPIES = 16_384;

  /** The part of a copy's data that is verified. */
  enum Extent {
    /** The suspicious range, from the page cache as the reader got it. */
    RANGE,
    /** The suspicious range, then everything. */
    ALL_FROM_RANGE,
    /** Everything, with direct I/O. */
    ALL_OF_DEVICE
  }

  /**
   * Since when and for how long a suspicion does not trigger a full verification: programs read
   * data twice without having found an error. The range is still verified each time, from the page
   * cache, so that a bit that flips right after a verification is detected.
   */
  private static final class Trust {
    final long sinceNanos;
    final long forNanos;

    Trust(long nowNanos, @Nullable Trust before) {
      sinceNanos = nowNanos;
      forNanos =
          before == null
              ? MIN_TRUST_NANOS
              : Math.min(MAX_TRUST_NANOS, TRUST_GROWTH_FACTOR * before.forNanos);
    }
  }

  private final ScrubContext context;
  private final CleanArea area;
  private final RateLimit limit;
  private final ReplicaReports reports;
  private final Map<BlockKey, Trust> trusted = new LinkedHashMap<>();

  /** How often in a row copies could not be verified; at most {@link #MAX_TRUSTED_COPIES}. */
  private final Map<BlockKey, Integer> failures = new LinkedHashMap<>();

  /** A verification that is due again. */
  private static final class Retry {
    final long atNanos;

    /** Why the copy is verified; null if it is only because it was not verified yet. */
    final @Nullable Suspect suspect;

    Retry(long atNanos, @Nullable Suspect suspect) {
      this.atNanos = atNanos;
      this.suspect = suspect;
    }
  }

  /** Copies that could not be verified. */
  private final Map<BlockKey, Retry> failed = new ConcurrentHashMap<>();

  CopyVerification(ScrubContext context, CleanArea area, RateLimit limit, ReplicaReports reports) {
    this.context = context;
    this.area = area;
    this.limit = limit;
    this.reports = reports;
  }

  /** Returns true if a retry is due. Thread-safe. */
  boolean isRetryDue() {
    return failed.values().stream().anyMatch(retry -> ScrubContext.isPast(retry.atNanos));
  }

  /**
   * Removes the copies whose retry is due and passes them on.
   *
   * @param suspects receives those that may be bad
   * @param others receives those that are not verified yet
   */
  void takeRetries(Consumer<Suspect> suspects, Consumer<BlockKey> others) {
    take(retry -> ScrubContext.isPast(retry.atNanos), suspects, others);
  }

  /** Removes the copies that may be bad, whether their retry is due or not. Thread-safe. */
  void takeSuspects(Consumer<Suspect> suspects) {
    take(retry -> retry.suspect != null, suspects, block -> {});
  }

  private void take(Predicate<Retry> which, Consumer<Suspect> suspects, Consumer<BlockKey> others) {
    failed.forEach(
        (block, retry) -> {
          if (!which.test(retry) || !failed.remove(block, retry)) {
            return;
          }
          if (retry.suspect != null) {
            suspects.accept(retry.suspect);
          } else {
            others.accept(block);
          }
        });
  }

  private static boolean hungUp(@Nullable Suspect suspect) {
    return suspect != null && suspect.hungUp;
  }

  /**
   * Schedules a retry for a copy that may be bad, and for one that is not served before it is
   * verified; otherwise they would wait for the routine pass.
   */
  private void retryLater(CleanCopies.Copy copy, @Nullable Suspect suspect) {
    long now = System.nanoTime();
    int before = failures.merge(copy.replica().block(), 1, Integer::sum) - 1;
    if (failures.size() > MAX_TRUSTED_COPIES) {
      failures.remove(failures.keySet().iterator().next());
    }
    if (suspect != null) {
      failed.merge(
          suspect.block,
          new Retry(now + ScrubContext.retryDelayNanos(SUSPECT_RETRY_DELAY_NANOS, before), suspect),
          (old, next) ->
              old.suspect == null ? next : new Retry(next.atNanos, old.suspect.and(suspect)));
    } else if (copy.data() != null && !copy.isVerified()) {
      failed.putIfAbsent(
          copy.replica().block(),
          new Retry(now + ScrubContext.retryDelayNanos(RETRY_DELAY_NANOS, before), null));
    }
  }

  boolean isTrusted(BlockKey block) {
    Trust trust = trusted.get(block);
    return trust != null && System.nanoTime() - trust.sinceNanos < trust.forNanos;
  }

  /**
   * Verifies a copy and drops it if it is bad or, while it is not served, has no checksums. Returns
   * the bytes read from the SSD.
   *
   * @param suspect why it is verified; null in the routine pass, and if it is not verified yet
   */
  long verify(CleanCopies.Copy copy, @Nullable Suspect suspect, Extent extent)
      throws InterruptedException {
    Replica replica = copy.replica();
    try {
      ScrubThrottle throttle;
      Checksums wanted;
      // Ends before the SSD is read: one that hangs must not hold back the removal of an HDD.
      try (Closeable held = context.store.hold(replica)) {
        ReplicaView view = context.store.finalized(replica.block());
        if (view == null || !view.isOnDisk(replica)) {
          return 0; // the thread that changes the replica drops the copy
        }
        throttle = new ScrubThrottle(limit, context.useOf.apply(view.volumeRoot()), false);
        throttle.use.giveWay(); // once: the reads that follow are from SSD
        wanted = Checksums.read(view.checksums(), replica.lengthBytes());
      }
      if (!wanted.hasSums() && !copy.isVerified()) {
        // Nothing is known to be wrong with it, but it can never be served.
        LOG.debug("dropping a clean copy that has no checksums to verify: replica={}", replica);
        context.drop.accept(replica.block());
        return throttle.bytes;
      }
      String bad = findFault(copy, wanted, suspect, extent, throttle);
      if (bad == null) {
        return throttle.bytes;
      }
      badLog.warn(null, "dropping a bad clean copy: replica={} fault={}", replica, bad);
      context.counters.increment(Counter.COPIES_BAD);
      // This also drops a copy that replaced it meanwhile, which may share a file with it.
      context.drop.accept(replica.block());
      // An unverified copy is not served, but it may have been before its device was out of use.
      if (copy.isVerified() || hungUp(suspect)) {
        reports.copyWasBad(replica.block());
      }
      return throttle.bytes;
    } catch (IOException e) {
      requireNotStopped(e);
      // The DISK replica can't be read or its volume was removed; that says nothing about the copy.
      LOG.debug("could not verify a clean copy: replica={}", replica, e);
      retryLater(copy, suspect);
      if (failures.getOrDefault(replica.block(), 0) >= ScrubContext.MAX_FAILURES) {
        context.store.suspect(replica);
      }
      return 0;
    }
  }

  /**
   * Returns what is wrong with a copy; null if it is good or its device failed.
   *
   * @param wanted the replica's checksum file
   */
  private @Nullable String findFault(
      CleanCopies.Copy copy,
      Checksums wanted,
      @Nullable Suspect suspect,
      Extent extent,
      ScrubThrottle throttle)
      throws InterruptedException {
    long length = copy.replica().lengthBytes();
    CleanFile sums = copy.checksums();
    CleanFile data = copy.data();
    try {
      if (sums != null) {
        throttle.take(sums.lengthBytes());
        if (!wanted.isSameAs(sums.path())) {
          return "its checksum file differs from the replica's";
        }
      }
      if (data != null) {
        if (suspect != null && suspect.bytes.dataFrom < Math.min(length, suspect.bytes.dataTo)) {
          long from = suspect.bytes.dataFrom;
          long end = Math.min(length, suspect.bytes.dataTo);
          VerifiedCopy.verifyRange(data.path(), from, end, wanted, throttle, false);
        }
        if (extent != Extent.RANGE) {
          boolean pastThePageCache = extent == Extent.ALL_OF_DEVICE;
          VerifiedCopy.verifyRange(data.path(), 0, length, wanted, throttle, pastThePageCache);
        }
      }
    } catch (ChecksumException | EOFException e) {
      return e.getMessage();
    } catch (IOException e) {
      requireNotStopped(e);
      BlockKey block = copy.replica().block();
      boolean missing = copy.files().stream().anyMatch(CleanFile::isMissing);
      if (!missing && context.copies.get(block) != null && area.watch().readFailed(e)) {
        return "it can't be read: " + e;
      }
      if (!missing) {
        retryLater(copy, suspect);
      } else if (isStill(copy)) {
        // The file was removed after the look-up, or by an operator; the device is not at fault.
        context.drop.accept(block);
      }
      if (hungUp(suspect)) {
        reports.copyRemoved(block);
      }
      return null;
    }
    context.counters.add(Counter.BYTES_SCRUBBED, throttle.bytes);
    failures.remove(copy.replica().block());
    if (extent == Extent.RANGE) {
      return null;
    }
    context.counters.increment(Counter.COPIES_SCRUBBED);
    context.copies.verified(copy, wanted.lengthBytes());
    BlockKey block = copy.replica().block();
    trusted.put(block, new Trust(System.nanoTime(), trusted.remove(block)));
    if (trusted.size() > MAX_TRUSTED_COPIES) {
      trusted.remove(trusted.keySet().iterator().next());
    }
    return null;
  }

  /** An interrupted thread finds its channel closed, which says nothing about the copy. */
  static void requireNotStopped(IOException e) throws InterruptedException {
    if (e instanceof ClosedByInterruptException || Thread.currentThread().isInterrupted()) {
      throw new InterruptedException("interrupted while a copy was verified");
    }
  }

  /** Returns true if the index still contains a file of this copy. */
  private boolean isStill(CleanCopies.Copy copy) {
    CleanCopies.Copy now = context.copies.get(copy.replica().block());
    return now != null && now.hasFileOf(copy);
  }
}
