package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.move.RateLimit;
import io.hycache.core.move.Supervisor;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.hdfs.move.VerifiedCopy;
import io.hycache.hdfs.move.VerifiedCopy.Checksums;
import java.io.Closeable;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.fs.ChecksumException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies clean copies against their replicas in the background.
 *
 * <p>A copy is good if its checksum file is, byte for byte, that of the replica on DISK, and its
 * data agrees with that. So a copy of another block that had the same id, generation stamp and
 * length (after a rollback), and a copy with a flipped bit, are both found. A bad copy is dropped
 * at once. Then the replica itself is verified, and if it is good it is reported as deleted and
 * received again: a client that was sent bad bytes has reported the replica as corrupt, and nothing
 * else makes the NameNode forget that.
 *
 * <p>Order: suspects (what a client read that then closed its connection, or reads again; what
 * HDFS's block scanner suspects; what a promotion found); then copies that an earlier process left,
 * which are not served until they were verified (checksum files without data only when they are
 * first read: there may be a million); then all copies in turn, each within HDFS's scan period.
 * Each SSD is read by a thread of its own, so that one that hangs holds up no other; the thread
 * ends when it has nothing to do. Reads are bounded to {@code hycache.scrub.bandwidth} for each
 * SSD, and between chunks users of the DISK go first. All but {@link #suspect} is done on these
 * threads. Thread-safe.
 */
final class CopyScrubber implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CopyScrubber.class);

  /** Suspects that wait on an SSD; beyond it they are left to the turn of all copies. */
  static final int MOST_SUSPECTS = 4_096;

  /** Replicas that wait to be verified on an SSD because their copy went before it was. */
  private static final int MOST_UNKNOWN = 16;

  /** Such replicas are read for a tenth of the time at most. */
  private static final int UNKNOWN_REST = 10;

  /** For so long after a copy was verified, suspicion makes only the range read be verified. */
  private static final long FIRST_TRUST_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Each time that it was found good again it is trusted for longer, up to this. */
  private static final long MOST_TRUST_NANOS = TimeUnit.MINUTES.toNanos(10);

  private static final int TRUST_GROWS_BY = 4;

  /** What could not be verified because the DISK or the SSD failed is tried again after this. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final int MOST_TRUSTED = 16_384;
  private static final long TICK_MILLIS = 100;
  private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int IDLE_SECONDS = 10;
  private static final long LEAST_ROUTINE_BYTES_PER_SEC = 1 << 20;

  /**
   * The client that was sent bad bytes reports the replica only when it has tried others: a replica
   * is reported as well again so long after the first report that the NameNode took.
   */
  private static final long[] AGAIN_MILLIS = {300, 2_000, 10_000, 60_000};

  /** By then {@link ReplicaStore#reportKept} knows whether a deletion was not made. */
  private static final long KEPT_MILLIS = 75_000;

  /** A replica that can't be verified or reported now is looked at again after this. */
  private static final long REPORT_RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** What a client read last before the suspicion arose is verified first, and a little around. */
  private static final long AROUND_BYTES = 1 << 20;

  /** How much of a copy's data is verified. */
  private enum Extent {
    /** What is suspicious, from the page cache as the reader got it. */
    RANGE,
    /** What is suspicious, then everything. */
    ALL_FROM_RANGE,
    /** Everything, past the page cache. */
    ALL_OF_DEVICE
  }

  /** How far a DataNode may have sent ahead of what a client has looked at. */
  private static final long MOST_AHEAD_BYTES = 16 << 20;

  /** A copy that may be bad, and where its data is suspicious. Immutable. */
  private static final class Suspect {
    final BlockKey block;
    final long from;
    final long to;
    final boolean rangeOnly;

    /** A client that was sent its bytes closed its connection: it may have found them wrong. */
    final boolean hungUp;

    Suspect(BlockKey block, long from, long to, boolean rangeOnly, boolean hungUp) {
      this.block = block;
      this.from = from;
      this.to = to;
      this.rangeOnly = rangeOnly;
      this.hungUp = hungUp;
    }

    /** Both in one. */
    Suspect and(Suspect other) {
      return new Suspect(
          block,
          Math.min(from, other.from),
          Math.max(to, other.to),
          rangeOnly && other.rangeOnly,
          hungUp || other.hungUp);
    }
  }

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
  }

  private final ReplicaStore store;
  private final CleanCopies copies;
  private final Map<String, CleanArea> areas;
  private final Function<File, DiskUse> useOf;
  private final Counters counters;
  private final Consumer<BlockKey> drop;
  private final Supervisor.Part part;
  private final long bytesPerSec;
  private final long periodNanos;
  private final Map<CleanArea, Lane> lanes = new ConcurrentHashMap<>();
  private final RecentReaders readers = new RecentReaders();
  private final ScheduledExecutorService timer;

  /**
   * @param areas clean area of each device, by its id; may grow while in use
   * @param useOf what users do on the DISK volume with this root
   * @param drop takes a copy out of the index and removes its files
   * @param part counts what fails
   * @param bytesPerSec read from each SSD at most
   * @param periodNanos each copy is verified once in it; 0: only suspects and what was found
   */
  CopyScrubber(
      ReplicaStore store,
      CleanCopies copies,
      Map<String, CleanArea> areas,
      Function<File, DiskUse> useOf,
      Counters counters,
      Consumer<BlockKey> drop,
      Supervisor.Part part,
      long bytesPerSec,
      long periodNanos) {
    this.store = store;
    this.copies = copies;
    this.areas = areas;
    this.useOf = useOf;
    this.counters = counters;
    this.drop = drop;
    this.part = part;
    this.bytesPerSec = bytesPerSec;
    this.periodNanos = periodNanos;
    this.timer = Executors.newSingleThreadScheduledExecutor(Daemons.named("HyCacheScrubTimer"));
  }

  void start() {
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    lanes.values().forEach(Lane::close);
  }

  /**
   * Asks for a copy to be verified soon, if it is not waiting for that already. Never waits; O(1).
   *
   * @param file of the copy
   * @param offset of the data that is suspicious
   */
  void suspect(CleanFile file, long offset) {
    long from = Math.max(0, offset - AROUND_BYTES);
    lane(file.area())
        .suspect(
            new Suspect(file.replica().block(), from, offset + 2 * AROUND_BYTES, false, false));
  }

  /** To be notified of each stream that is closed and of which there is a copy. */
  RecentReaders readers() {
    return readers;
  }

  private void hungUp(CleanCopies.Copy read, long fromBytes, long toBytes) {
    BlockKey block = read.replica().block();
    CleanCopies.Copy copy = copies.get(block);
    for (CleanFile file : read.files()) {
      if (copy == null || copy.files().stream().noneMatch(file::isSameFileAs)) {
        lane(file.area()).cameTooLate(block);
        return;
      }
    }
    long from = Math.max(fromBytes, toBytes - MOST_AHEAD_BYTES);
    for (CleanFile file : read.files()) {
      lane(file.area()).suspect(new Suspect(block, from, toBytes, true, true));
    }
  }

  /** A data file was found that an earlier process left. */
  void found(CleanFile file) {
    if (file.part() == Part.DATA) {
      lane(file.area()).found.add(file.replica().block());
    }
  }

  private Lane lane(CleanArea area) {
    Lane known = lanes.get(area);
    return known != null ? known : lanes.computeIfAbsent(area, Lane::new);
  }

  private void tick() {
    try {
      readers.look(System.nanoTime(), this::hungUp);
      lanes.forEach(
          (area, lane) -> {
            if (!areas.containsValue(area)) {
              lane.close();
            }
          });
      lanes.keySet().retainAll(areas.values());
      areas.values().forEach(area -> lane(area).run());
    } catch (Throwable e) { // else there would be no other tick
      part.note(e);
    }
  }

  /** What is done for one SSD, on one thread at a time. */
  private final class Lane {
    final CleanArea area;
    final Queue<BlockKey> found = new ConcurrentLinkedQueue<>();

    /** In the order in which suspicion arose first; what arises meanwhile is added to it. */
    private final Queue<BlockKey> suspects = new ConcurrentLinkedQueue<>();

    private final Map<BlockKey, Suspect> waiting = new ConcurrentHashMap<>();

    /** Blocks whose copy went before it could be verified. */
    private final Set<BlockKey> unknown = ConcurrentHashMap.newKeySet();

    private final AtomicInteger suspectCount = new AtomicInteger();
    private final Queue<WellAgain> wellAgain = new ConcurrentLinkedQueue<>();

    /** Replicas that were reported as well, and when their deletions are looked at. */
    private final Map<BlockKey, Long> kept = new ConcurrentHashMap<>();

    private final AtomicBoolean running = new AtomicBoolean();
    private final RateLimit limit = new RateLimit(bytesPerSec);
    private final ThreadPoolExecutor thread;

    // Owned by the thread.
    private final Map<BlockKey, Trust> trusted = new LinkedHashMap<>();
    private final Queue<BlockKey> turn = new ArrayDeque<>();

    /** What could not be verified, and when it is tried again. */
    private final Map<BlockKey, Long> failed = new ConcurrentHashMap<>();

    private long nextTurnNanos = System.nanoTime() + Math.max(1, periodNanos / 100);
    private long routineBytesPerSec = LEAST_ROUTINE_BYTES_PER_SEC;

    /** Time between two copies so that all come within the period. */
    private long copyNanos;

    private volatile long nextUnknownNanos = System.nanoTime();

    /** Descriptors that clients have of this device's files were revoked since it failed. */
    private boolean revoked;

    Lane(CleanArea area) {
      this.area = area;
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
      if (waiting.computeIfPresent(suspect.block, (block, known) -> known.and(suspect)) != null) {
        return;
      }
      if (suspectCount.get() >= MOST_SUSPECTS) {
        counters.increment(Counter.SUSPECTS_DROPPED);
      } else if (waiting.merge(suspect.block, suspect, Suspect::and) == suspect) {
        suspectCount.incrementAndGet();
        suspects.add(suspect.block);
      }
    }

    void run() {
      if (area.watch().sick()) {
        revokeOnce();
        return;
      }
      revoked = false;
      if (area.watch().wasOutOfUse()) {
        // It may have been taken out and come back with other contents.
        copies.distrust(area);
        found.clear();
        copies.blocks().stream().filter(block -> mine(block) != null).forEach(found::add);
        area.watch().isInUseAgain();
      }
      boolean work =
          !suspects.isEmpty()
              || (!unknown.isEmpty() && isPast(nextUnknownNanos))
              || !found.isEmpty()
              || wellAgain.stream().anyMatch(CopyScrubber::isDue)
              || kept.values().stream().anyMatch(CopyScrubber::isPast)
              || failed.values().stream().anyMatch(CopyScrubber::isPast)
              || (periodNanos > 0 && System.nanoTime() - nextTurnNanos >= 0);
      if (!work || !running.compareAndSet(false, true)) {
        return;
      }
      boolean begun = false;
      try {
        thread.execute(
            () -> {
              try {
                step();
                part.succeeded();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (Throwable e) {
                part.failed(e);
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
      copies.blocks().stream()
          .filter(block -> mine(block) != null)
          .forEach(store::revokeShortCircuit);
    }

    private void step() throws InterruptedException {
      long begun = System.nanoTime();
      reportAgain();
      failed.forEach(
          (block, at) -> {
            if (isPast(at) && failed.remove(block, at)) {
              found.add(block);
            }
          });
      // Suspects go first, but not for ever: there may always be some that prove well.
      for (boolean suspectsFirst = true;
          System.nanoTime() - begun < STEP_NANOS && !area.watch().sick();
          suspectsFirst = !suspectsFirst) {
        boolean done =
            suspectsFirst
                ? takeSuspect() || takeUnknown() || takeFound() || takeTurn()
                : takeFound() || takeTurn() || takeUnknown() || takeSuspect();
        if (!done) {
          return;
        }
      }
    }

    private boolean takeSuspect() throws InterruptedException {
      BlockKey block = suspects.poll();
      Suspect suspect = block == null ? null : waiting.remove(block);
      if (suspect == null) {
        return block != null;
      }
      suspectCount.decrementAndGet();
      CleanCopies.Copy copy = mine(suspect.block);
      if (copy != null) {
        boolean enough = suspect.rangeOnly || isTrusted(suspect.block);
        Extent extent = enough && isVerified(copy) ? Extent.RANGE : Extent.ALL_FROM_RANGE;
        verify(copy, suspect.from, suspect.to, extent, suspect.hungUp);
      } else if (suspect.hungUp) {
        cameTooLate(suspect.block);
      }
      return true;
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
        counters.increment(Counter.SUSPECTS_DROPPED);
      }
    }

    private boolean takeUnknown() throws InterruptedException {
      Iterator<BlockKey> blocks = unknown.iterator();
      if (!blocks.hasNext() || !isPast(nextUnknownNanos)) {
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

    private boolean takeFound() throws InterruptedException {
      BlockKey block = found.poll();
      CleanCopies.Copy copy = block == null ? null : mine(block);
      if (copy != null && copy.data() != null && !isVerified(copy)) {
        verify(copy, 0, 0, Extent.ALL_OF_DEVICE, false);
      }
      return block != null;
    }

    /** Verifies the next of all copies, if it is time for one. */
    private boolean takeTurn() throws InterruptedException {
      long now = System.nanoTime();
      if (periodNanos <= 0 || now - nextTurnNanos < 0) {
        return false;
      }
      if (turn.isEmpty()) {
        copies.blocks().stream().filter(block -> mine(block) != null).forEach(turn::add);
        // Two passes within the period, so that a copy made right after one began has its turn.
        double passNanos = periodNanos / 4.0;
        copyNanos = (long) (passNanos / Math.max(1, turn.size()));
        routineBytesPerSec =
            Math.min(
                bytesPerSec,
                Math.max(LEAST_ROUTINE_BYTES_PER_SEC, (long) (area.bytes() / (passNanos / 1e9))));
      }
      BlockKey block = turn.poll();
      CleanCopies.Copy copy = block == null ? null : mine(block);
      long bytes = 0;
      if (copy != null) {
        bytes = verify(copy, 0, 0, Extent.ALL_OF_DEVICE, false);
      }
      // Each copy costs the DISK a read of the checksum file, too.
      long restNanos =
          block == null
              ? Math.max(TimeUnit.SECONDS.toNanos(60), periodNanos / 100)
              : Math.max((long) (bytes * 1e9 / routineBytesPerSec), copyNanos);
      nextTurnNanos = now + restNanos;
      return false;
    }

    /** A copy that is not served until it was verified would else wait for the turn of all. */
    private void retryLater(CleanCopies.Copy copy) {
      if (copy.data() != null && !isVerified(copy)) {
        failed.put(copy.replica().block(), System.nanoTime() + RETRY_NANOS);
      }
    }

    private boolean isTrusted(BlockKey block) {
      Trust trust = trusted.get(block);
      return trust != null && System.nanoTime() - trust.sinceNanos < trust.forNanos;
    }

    private CleanCopies.@Nullable Copy mine(BlockKey block) {
      CleanCopies.Copy copy = copies.get(block);
      return copy != null && copy.files().stream().anyMatch(file -> file.area() == area)
          ? copy
          : null;
    }

    /** Returns the bytes read from the SSD. */
    private long verify(CleanCopies.Copy copy, long from, long to, Extent extent, boolean hungUp)
        throws InterruptedException {
      Replica replica = copy.replica();
      try (Closeable held = store.hold(replica)) {
        ReplicaView view = store.finalized(replica.block());
        if (view == null || view.onSsd() || !view.replica().equals(replica)) {
          return 0; // who changed it drops the copy
        }
        Throttle throttle = new Throttle(limit, useOf.apply(view.volumeRoot()), false);
        String bad = findFault(copy, view, from, to, extent, hungUp, throttle);
        if (bad == null) {
          return throttle.bytes;
        }
        LOG.warn("a clean copy is bad and is dropped: replica={} fault={}", replica, bad);
        counters.increment(Counter.COPIES_BAD);
        // Also what was made of it meanwhile: it may have a file in common.
        drop.accept(replica.block());
        if (isVerified(copy)) { // else it was not served
          reportWell(new WellAgain(replica.block(), System.nanoTime(), true));
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
        Throttle throttle)
        throws IOException, InterruptedException {
      long length = copy.replica().lengthBytes();
      throttle.use.giveWay(); // what follows are reads of the SSD
      Checksums wanted = VerifiedCopy.read(view.checksums(), length);
      CleanFile sums = copy.checksums();
      CleanFile data = copy.data();
      if (!wanted.hasSums() && !isVerified(copy)) {
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
            drop.accept(copy.replica().block());
          }
          if (hungUp) {
            cameTooLate(copy.replica().block());
          }
          return null;
        }
        if (copies.get(copy.replica().block()) != null && area.watch().readFailed(e)) {
          return "it can't be read: " + e;
        }
        retryLater(copy);
        return null;
      }
      counters.add(Counter.BYTES_SCRUBBED, throttle.bytes);
      if (extent == Extent.RANGE) {
        return null;
      }
      counters.increment(Counter.COPIES_SCRUBBED);
      copies.verified(copy, wanted.lengthBytes());
      BlockKey block = copy.replica().block();
      trusted.put(block, new Trust(System.nanoTime(), trusted.remove(block)));
      if (trusted.size() > MOST_TRUSTED) {
        trusted.remove(trusted.keySet().iterator().next());
      }
      return null;
    }

    /** A thread that is to end finds its channel closed: that says nothing of the copy. */
    private void requireNotStopped(IOException e) throws InterruptedException {
      if (e instanceof ClosedByInterruptException || Thread.currentThread().isInterrupted()) {
        throw new InterruptedException("stopped while a copy was verified");
      }
    }

    /** The index still has this copy, whatever is known of it. */
    private boolean isStill(CleanCopies.Copy copy) {
      CleanCopies.Copy now = copies.get(copy.replica().block());
      return now != null
          && copy.files().stream()
              .anyMatch(file -> now.files().stream().anyMatch(file::isSameFileAs));
    }

    /**
     * Verifies a replica of which a client may have been sent other bytes, and reports it as well
     * if it is. What can't be verified or reported now is tried again.
     */
    private void reportWell(WellAgain well) throws InterruptedException {
      ReplicaView view = store.finalized(well.block);
      if (view == null && store.exists(well.block)) {
        wellAgain.add(later(well)); // it is being written to: what is reported is what comes of it
      }
      if (view == null || view.onSsd()) {
        return;
      }
      Replica replica = view.replica();
      try (Closeable held = store.hold(replica)) {
        Checksums sums = VerifiedCopy.read(view.checksums(), replica.lengthBytes());
        Throttle throttle = new Throttle(limit, useOf.apply(view.volumeRoot()), true);
        VerifiedCopy.verifyRange(view.data(), 0, replica.lengthBytes(), sums, throttle, false);
        if (store.reportWell(replica)) {
          counters.increment(Counter.REPLICAS_REPORTED_WELL);
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
        requireNotStopped(e);
        LOG.debug("not yet reported as well: replica={}", replica, e);
        wellAgain.add(later(well));
      }
    }

    private WellAgain later(WellAgain well) {
      return new WellAgain(well.block, System.nanoTime() + REPORT_RETRY_NANOS, well.first);
    }

    private void reportAgain() throws InterruptedException {
      for (WellAgain again : List.copyOf(wellAgain)) {
        if (isDue(again) && wellAgain.remove(again)) {
          reportWell(again);
        }
      }
      for (Map.Entry<BlockKey, Long> entry : List.copyOf(kept.entrySet())) {
        if (isPast(entry.getValue())) {
          kept.remove(entry.getKey());
          try {
            store.reportKept(entry.getKey());
          } catch (IOException e) {
            LOG.debug("not yet reported again: block={}", entry.getKey(), e);
            kept.put(entry.getKey(), System.nanoTime() + REPORT_RETRY_NANOS);
          }
        }
      }
    }
  }

  private static boolean isDue(WellAgain again) {
    return isPast(again.atNanos);
  }

  private static boolean isPast(long nanos) {
    return System.nanoTime() - nanos >= 0;
  }

  private static boolean isVerified(CleanCopies.Copy copy) {
    return copy.files().stream().allMatch(CleanFile::isVerified);
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

  /** Bounds what is read, and counts it. */
  private static final class Throttle implements BlockMover.Throttle {
    private final RateLimit limit;
    final DiskUse use;
    private final boolean ofDisk;
    long bytes;

    /**
     * @param ofDisk the reads are of the DISK: between them its users go first
     */
    Throttle(RateLimit limit, DiskUse use, boolean ofDisk) {
      this.limit = limit;
      this.use = use;
      this.ofDisk = ofDisk;
    }

    @Override
    public void take(long taken) throws InterruptedException {
      bytes += taken;
      limit.take(taken);
      if (ofDisk) {
        use.giveWay();
      }
    }
  }
}
