// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.move.DeviceLoad;
import java.io.File;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a read or a write that may use an SSD or a DISK volume is served sooner by DISK:
 * one SSD may be slower than many HDDs together.
 *
 * <p>A write compares the SSD that is ready first with the DISK volume that is. A choice counts at
 * once, so that writes that begin at the same time do not all choose the same one. Where there is
 * but one DISK volume, a write that the page cache holds is no reason to use it: the SSD takes what
 * comes in bursts. What is out of use, or has no room, takes no write and is not compared. A read
 * of a clean copy compares the SSD with the volume of the replica, and compares them again while it
 * goes on, see {@link StreamMove}. Small reads stay on SSD: they are what HDDs are slow at. A
 * volume whose load is not known is not compared.
 *
 * <p>Thread-safe; does no I/O. A write takes a lock for the time of the choice, O(volumes); a read
 * takes none.
 */
final class LoadBalance {
  /** Reads of fewer bytes are dominated by seeks on an HDD. */
  private static final long MIN_STREAM_BYTES = 1 << 20;

  /**
   * Where there are several DISK volumes, a copy is read only if that is sooner by this factor: the
   * SSD can serve all blocks, a DISK volume only its own, so what DISK serves nearly as soon leaves
   * the SSD to blocks whose volume is busier. Of many reads that begin at a time, this lets the
   * last end sooner.
   */
  private static final double SSD_SOONER = 1.2;

  /**
   * How many times sooner another device must send the rest of a stream that has begun. A stream
   * moves twice at most, so that a small gain is worth its seek; the margin is for loads that are
   * not exact.
   */
  private static final double REST_SOONER = 1.1;

  /** Size of the write by which volumes of one type are compared. */
  private static final long WRITE_BYTES = 64 << 20;

  private final DeviceLoads loads;
  private final ReadSizes readSizes = new ReadSizes();

  LoadBalance(DeviceLoads loads) {
    this.loads = loads;
  }

  /**
   * Returns where a new replica of this size would have been written soonest, the first of equals.
   * The device that was chosen has one stream more from now on, under the thread; {@link #opened}
   * must follow. Which DISK volume is used is the choice of HDFS's volume choosing policy.
   *
   * @param tiers numbers of fast tiers, the first to prefer
   * @return an index in {@code tiers}; their number for DISK
   */
  synchronized int soonestToWrite(long sizeBytes, List<Integer> tiers) {
    if (isSmall(sizeBytes)) {
      return 0;
    }
    int at = 0;
    DeviceLoad best = null;
    for (int i = 0; i <= tiers.size(); i++) {
      DeviceLoad next =
          i < tiers.size()
              ? soonest(loads.ssds(tiers.get(i), sizeBytes), sizeBytes)
              : soonest(loads.disks(sizeBytes), sizeBytes);
      if (next == null && i == tiers.size() && loads.diskCount() > 0) {
        break; // all DISK volumes are full
      }
      if (next == null) {
        return 0;
      }
      if (best == null || seconds(best, sizeBytes) > seconds(next, sizeBytes)) {
        best = next;
        at = i;
      }
    }
    if (best != null) {
      loads.begun(Thread.currentThread(), best);
    }
    return at;
  }

  private @Nullable DeviceLoad soonest(List<DeviceLoad> of, long sizeBytes) {
    return of.stream()
        .min(Comparator.comparingDouble(load -> seconds(load, sizeBytes)))
        .orElse(null);
  }

  /** Seconds until one more write would have ended. */
  private double seconds(DeviceLoad load, long bytes) {
    return hasSeveralDisks() ? load.secondsToWrite(bytes) : load.secondsFor(bytes);
  }

  private boolean hasSeveralDisks() {
    return loads.diskCount() > 1;
  }

  /**
   * Returns true if a read will probably be so small that it belongs on SSD, whatever the loads.
   *
   * @param mostBytes from the read's offset to the end of the block
   */
  boolean isSmall(BlockKey block, long mostBytes) {
    return isSmall(readSizes.expected(block, mostBytes));
  }

  private static boolean isSmall(long bytes) {
    return bytes < MIN_STREAM_BYTES;
  }

  /**
   * Returns true if the replica on DISK would have been read sooner than its copy on SSD. The
   * device that was chosen has one stream more from now on, under the thread; {@link #opened} must
   * follow.
   *
   * @param mostBytes from the read's offset to the end of the block
   */
  boolean isDiskSoonerToRead(BlockKey block, long mostBytes, File ssd, File disk) {
    DeviceLoad fast = loads.of(ssd);
    DeviceLoad slow = loads.of(disk);
    if (fast == null || slow == null) {
      return false;
    }
    long bytes = readSizes.expected(block, mostBytes);
    double factor = hasSeveralDisks() ? SSD_SOONER : 1;
    boolean onDisk = !isSmall(bytes) && factor * fast.secondsFor(bytes) > slow.secondsFor(bytes);
    loads.begun(Thread.currentThread(), onDisk ? slow : fast);
    return onDisk;
  }

  /**
   * Returns true if the rest of a stream of a copy would be read sooner from DISK, because the SSD
   * is busy. Counts nothing.
   *
   * @param restBytes from the stream's position to the end of the block
   * @param bytesPerSecond at which the SSD serves the stream
   */
  boolean isRestSoonerOnDisk(long restBytes, double bytesPerSecond, File ssd, File disk) {
    return isRestSooner(restBytes, bytesPerSecond, loads.of(ssd), loads.of(disk));
  }

  /**
   * As {@link #isRestSoonerOnDisk}, of a stream of a busy DISK volume. False while the SSD's load
   * is not certain: others may need it, which have no replica on DISK.
   */
  boolean isRestSoonerOnSsd(long restBytes, double bytesPerSecond, File disk, File ssd) {
    DeviceLoad fast = loads.of(ssd);
    return fast != null
        && fast.isCertain()
        && isRestSooner(restBytes, bytesPerSecond, loads.of(disk), fast);
  }

  private static boolean isRestSooner(
      long restBytes, double bytesPerSecond, @Nullable DeviceLoad now, @Nullable DeviceLoad other) {
    if (now == null || other == null || isSmall(restBytes) || !now.isBusy() || other.hangs()) {
      return false;
    }
    double seconds = REST_SOONER * other.secondsFor(restBytes);
    return restBytes / bytesPerSecond > seconds && now.secondsForRest(restBytes) > seconds;
  }

  /** Called when the volume was chosen for the replica that this thread is about to create. */
  void chosen(File volume) {
    DeviceLoad load = loads.of(volume);
    if (load != null && loads.counted(Thread.currentThread()) != null) {
      loads.begun(Thread.currentThread(), load);
    }
  }

  /** Called when this thread has opened the stream or created the replica, or failed to. */
  void opened() {
    loads.ended(Thread.currentThread());
  }

  /** Records how much a read took of a block. */
  void read(BlockKey block, long bytes) {
    readSizes.record(block, bytes);
  }

  /**
   * Returns how many times as long the write that this thread is about to begin, or one more, takes
   * on a volume as if it were idle; 0 if its load is not known.
   */
  double slowdown(File volume) {
    DeviceLoad load = loads.of(volume);
    if (load == null) {
      return 0;
    }
    if (!hasSeveralDisks()) {
      return load.slowdown();
    }
    boolean counted = loads.counted(Thread.currentThread()) == load;
    return load.secondsToWrite(WRITE_BYTES, counted) * load.bytesPerSecond() / WRITE_BYTES;
  }
}
