package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Replica;
import io.hycache.core.move.RateLimit;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.hdfs.dataset.VerifiedCopy.Checksums;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.fs.ChecksumException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies copies of one SSD against their replicas, drops the bad ones, and remembers which were
 * found good and which could not be verified. For the scrubbing thread of the SSD, but for {@link
 * #isRetryDue}.
 */
final class CopyVerification {
  private static final Logger LOG = LoggerFactory.getLogger(CopyVerification.class);

  /** For so long after a copy was verified, suspicion makes only the range read be verified. */
  private static final long FIRST_TRUST_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Each time that it was found good again it is trusted for longer, up to this. */
  private static final long MOST_TRUST_NANOS = TimeUnit.MINUTES.toNanos(10);

  private static final int TRUST_GROWS_BY = 4;

  /** What could not be verified because the DISK or the SSD failed is tried again after this. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final int MOST_TRUSTED = 16_384;

  /** How much of a copy's data is verified. */
  enum Extent {
    /** What is suspicious, from the page cache as the reader got it. */
    RANGE,
    /** What is suspicious, then everything. */
    ALL_FROM_RANGE,
    /** Everything, past the page cache. */
    ALL_OF_DEVICE
  }

  /**
   * Since when and for how long suspicion does not make a copy be verified from end to end:
   * programs that find nothing wrong read things twice as well. What was read is verified each
   * time, from the page cache, so that a bit that flips right after a copy was verified is found by
   * its reader.
   */
  private static final class Trust {
    final long sinceNanos;
    final long forNanos;

    Trust(long nowNanos, @Nullable Trust before) {
      sinceNanos = nowNanos;
      forNanos =
          before == null
              ? FIRST_TRUST_NANOS
              : Math.min(MOST_TRUST_NANOS, TRUST_GROWS_BY * before.forNanos);
    }
  }

  private final ScrubContext context;
  private final CleanArea area;
  private final RateLimit limit;
  private final ReplicaReports reports;
  private final Map<BlockKey, Trust> trusted = new LinkedHashMap<>();

  /** What could not be verified, and when it is tried again. */
  private final Map<BlockKey, Long> failed = new ConcurrentHashMap<>();

  CopyVerification(
      ScrubContext context, CleanArea area, RateLimit limit, ReplicaReports reports) {
    this.context = context;
    this.area = area;
    this.limit = limit;
    this.reports = reports;
  }

  /** True if there are copies to try again now. For all threads. */
  boolean isRetryDue() {
    return failed.values().stream().anyMatch(ScrubContext::isPast);
  }

  /** Takes the copies to try again now out. */
  void takeRetries(Consumer<BlockKey> again) {
    failed.forEach(
        (block, at) -> {
          if (ScrubContext.isPast(at) && failed.remove(block, at)) {
            again.accept(block);
          }
        });
  }

  /** A copy that is not served until it was verified would else wait for the turn of all. */
  private void retryLater(CleanCopies.Copy copy) {
    if (copy.data() != null && !copy.isVerified()) {
      failed.put(copy.replica().block(), System.nanoTime() + RETRY_NANOS);
    }
  }

  boolean isTrusted(BlockKey block) {
    Trust trust = trusted.get(block);
    return trust != null && System.nanoTime() - trust.sinceNanos < trust.forNanos;
  }

  /** Returns the bytes read from the SSD. */
  long verify(CleanCopies.Copy copy, long from, long to, Extent extent, boolean hungUp)
      throws InterruptedException {
    Replica replica = copy.replica();
    try (Closeable held = context.store.hold(replica)) {
      ReplicaView view = context.store.finalized(replica.block());
      if (view == null || view.onSsd() || !view.replica().equals(replica)) {
        return 0; // who changed it drops the copy
      }
      ScrubThrottle throttle = new ScrubThrottle(limit, context.useOf.apply(view.volumeRoot()), false);
      String bad = findFault(copy, view, from, to, extent, hungUp, throttle);
      if (bad == null) {
        return throttle.bytes;
      }
      LOG.warn("a clean copy is bad and is dropped: replica={} fault={}", replica, bad);
      context.counters.increment(Counter.COPIES_BAD);
      // Also what was made of it meanwhile: it may have a file in common.
      context.drop.accept(replica.block());
      if (copy.isVerified()) { // else it was not served
        reports.reportWell(replica.block());
      }
      return throttle.bytes;
    } catch (IOException e) {
      requireNotStopped(e);
      // The DISK replica or the volume can't be read, or went: nothing is known of the copy.
      LOG.debug("not verified: replica={}", replica, e);
      retryLater(copy);
      return 0;
    }
  }

  /** What is wrong with a copy; null if nothing is, or its device failed. */
  private @Nullable String findFault(
      CleanCopies.Copy copy,
      ReplicaView view,
      long from,
      long to,
      Extent extent,
      boolean hungUp,
      ScrubThrottle throttle)
      throws IOException, InterruptedException {
    long length = copy.replica().lengthBytes();
    throttle.use.giveWay(); // what follows are reads of the SSD
    Checksums wanted = VerifiedCopy.read(view.checksums(), length);
    CleanFile sums = copy.checksums();
    CleanFile data = copy.data();
    if (!wanted.hasSums() && !copy.isVerified()) {
      return "there are no checksums to verify it with";
    }
    try {
      if (sums != null) {
        throttle.take(sums.lengthBytes());
        if (!wanted.isSameAs(sums.path())) {
          return "its checksum file is not the replica's";
        }
      }
      if (data != null) {
        long end = Math.min(length, to);
        if (extent != Extent.ALL_OF_DEVICE && from < end) {
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
      if (copy.files().stream().anyMatch(CleanFile::isMissing)) {
        // It was removed while it was looked up, or by others: no fault of the device.
        if (isStill(copy)) {
          context.drop.accept(copy.replica().block());
        }
        if (hungUp) {
          reports.cameTooLate(copy.replica().block());
        }
        return null;
      }
      if (context.copies.get(copy.replica().block()) != null && area.watch().readFailed(e)) {
        return "it can't be read: " + e;
      }
      retryLater(copy);
      return null;
    }
    context.counters.add(Counter.BYTES_SCRUBBED, throttle.bytes);
    if (extent == Extent.RANGE) {
      return null;
    }
    context.counters.increment(Counter.COPIES_SCRUBBED);
    context.copies.verified(copy, wanted.lengthBytes());
    BlockKey block = copy.replica().block();
    trusted.put(block, new Trust(System.nanoTime(), trusted.remove(block)));
    if (trusted.size() > MOST_TRUSTED) {
      trusted.remove(trusted.keySet().iterator().next());
    }
    return null;
  }

  /** A thread that is to end finds its channel closed: that says nothing of the copy. */
  static void requireNotStopped(IOException e) throws InterruptedException {
    if (e instanceof ClosedByInterruptException || Thread.currentThread().isInterrupted()) {
      throw new InterruptedException("stopped while a copy was verified");
    }
  }

  /** The index still has this copy, whatever is known of it. */
  private boolean isStill(CleanCopies.Copy copy) {
    CleanCopies.Copy now = context.copies.get(copy.replica().block());
    return now != null
        && copy.files().stream()
            .anyMatch(file -> now.files().stream().anyMatch(file::isSameFileAs));
  }
}
