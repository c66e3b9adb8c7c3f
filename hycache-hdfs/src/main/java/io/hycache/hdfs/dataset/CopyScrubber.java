// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.move.RequestedTask;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.hdfs.dataset.Suspects.Suspect;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies clean copies against their replicas in the background.
 *
 * <p>A copy is good if its checksum file equals that of the replica on DISK byte for byte, and its
 * data matches these checksums. This detects both a copy with a flipped bit and a copy of another
 * block with the same id, generation stamp and length (after a rollback). A bad copy is dropped at
 * once. Then the replica itself is verified, and if it is good it is reported as deleted and
 * received again: a client that was sent bad bytes has reported the replica as corrupt, and only
 * such a report clears that state on the NameNode.
 *
 * <p>Order: first suspects (copies that a client read before it closed its connection or read
 * again, blocks that HDFS's block scanner suspects, copies that failed during a promotion); then
 * copies of an earlier process, which are not served until they are verified (checksum files
 * without data only at their first read, because there may be a million of them); then a routine
 * pass over all copies, each within HDFS's scan period. Each SSD has its own thread, so that a
 * hanging device does not delay the others, and the replicas have one ({@link ReplicaReports}); an
 * idle thread ends. Reads are limited to {@code hycache.scrub.bandwidth} per thread and yield to
 * users of the DISK between chunks. Everything but {@link #suspect} runs on these threads.
 * Thread-safe.
 */
final class CopyScrubber implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CopyScrubber.class);

  private static final long TICK_PERIOD_MILLIS = 1000;

  /** Longest delay of a look at readers and suspects. */
  private static final long SOON_MILLIS = 100;

  /** Bytes around a suspicious offset that are verified first: one before it and two after. */
  private static final long SUSPECT_RANGE_BYTES = 1 << 20;

  private final ScrubContext context;
  private final Map<String, CleanArea> areas;
  private final Map<CleanArea, ScrubLane> lanes = new ConcurrentHashMap<>();
  private final RecentReaders readers;
  private final ReplicaReports reports;
  private final ScheduledExecutorService timer;

  /** A tick before the next periodic one. */
  private final RequestedTask early;

  /**
   * @param areas clean area of each device, by device id; a live view
   * @param timer of one thread, which never waits for a device
   */
  CopyScrubber(ScrubContext context, Map<String, CleanArea> areas, ScheduledExecutorService timer) {
    this.context = context;
    this.areas = areas;
    this.timer = timer;
    this.early = new RequestedTask(timer, SOON_MILLIS, this::tick);
    this.readers = new RecentReaders(early::request);
    this.reports = new ReplicaReports(context);
  }

  void start() {
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(
            this::tick, TICK_PERIOD_MILLIS, TICK_PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** To be called after the timer's end. */
  @Override
  public void close() {
    lanes.values().forEach(ScrubLane::close);
    reports.close();
  }

  /**
   * Queues a copy for verification unless it is queued already. Never blocks; O(1).
   *
   * @param file a file of the copy
   * @param offset where the data is suspicious
   */
  void suspect(CleanFile file, long offset) {
    long from = Math.max(0, offset - SUSPECT_RANGE_BYTES);
    lane(file.area())
        .suspect(
            new Suspect(
                file.replica().block(),
                SentBytes.ofCopy(from, offset + 2 * SUSPECT_RANGE_BYTES),
                false,
                false));
    early.request();
  }

  /**
   * Verifies what clients were sent of a copy that is about to be evicted, if one of them may have
   * found a wrong checksum. Without the copy its whole replica would have to be read from DISK for
   * that, and most such clients have simply read enough. Reads the range and the copy's own
   * checksums from the SSD; mostly they are in the page cache. What DISK sent is read, too: its
   * checksums came from the copy, and are right if the copy's data matches them. What can't be
   * verified so, or is wrong, is found missing later, and its replica is verified.
   *
   * <p>Called by the threads that evict; may read up to a block.
   */
  void beforeEviction(CleanCopies.Copy copy) {
    CleanFile data = copy.data();
    CleanFile sums = copy.checksums();
    if (data == null || sums == null || !copy.isVerified()) {
      return; // an SSD's evictions must not wait for an HDD
    }
    BlockKey block = copy.replica().block();
    List<Suspect> pending = new ArrayList<>();
    boolean settled = false;
    try {
      readers.take(copy, (read, bytes) -> pending.add(hungUp(block, bytes)));
      for (CleanFile file : copy.files()) {
        Suspect queued = lane(file.area()).takeSuspicion(block);
        if (queued != null) {
          pending.add(queued);
        }
      }
      if (pending.stream().noneMatch(suspect -> suspect.hungUp)) {
        settled = true; // bytes that no client gets any more
        return;
      }
      Suspect all = pending.stream().reduce(Suspect::and).get();
      long length = copy.replica().lengthBytes();
      VerifiedCopy.verifyRange(
          data.path(),
          Math.min(all.bytes.from, length),
          Math.min(all.bytes.to, length),
          Checksums.read(sums.path(), length),
          bytes -> context.counters.add(Counter.BYTES_SCRUBBED, bytes),
          false);
      settled = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.debug("verifying the replica of a copy that is evicted: block={}", block, e);
    } finally {
      if (!settled) { // an Error ends the eviction, not the suspicions
        pending.forEach(lane(data.area())::suspect);
      }
    }
  }

  private static Suspect hungUp(BlockKey block, SentBytes bytes) {
    return new Suspect(block, bytes, true, true);
  }

  /** Returns the recorder of closed streams of blocks with a clean copy. */
  RecentReaders readers() {
    return readers;
  }

  private void hungUp(CleanCopies.Copy read, SentBytes bytes) {
    BlockKey block = read.replica().block();
    for (CleanFile file : read.files()) {
      if (!context.copies.contains(file)) {
        reports.copyRemoved(block);
        return;
      }
    }
    for (CleanFile file : read.files()) {
      lane(file.area()).suspect(hungUp(block, bytes));
    }
  }

  /** Queues an adopted data file for verification; ignores checksum files. */
  void found(CleanFile file) {
    lane(file.area()).found(file);
  }

  private ScrubLane lane(CleanArea area) {
    ScrubLane known = lanes.get(area);
    return known != null
        ? known
        : lanes.computeIfAbsent(area, added -> new ScrubLane(context, added, reports));
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
      reports.run();
    } catch (Throwable e) { // otherwise the executor would cancel the timer
      context.part.note(e);
    }
  }
}
