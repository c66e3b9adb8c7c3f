// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import com.google.common.collect.Iterables;
import io.hycache.core.model.BlockKey;
import io.hycache.core.stats.WriteFallback;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Admission to the SSDs: every write and every move is promised its bytes before it begins.
 *
 * <p>Idea (HydraFS, FAST'10: an operation begins only when its reservation fits with the requested,
 * reserved and allocated bytes, first come first served, so that none fails half-way and none
 * starves): the planner looks at the devices from time to time; bytes promised after a look are
 * deducted from what it found, until the next look finds them used. Between two looks the first
 * request gets the bytes. HydraFS lets an operation wait for its turn; here a write that finds no
 * room goes to DISK at once, because writes never wait, and the planner makes the room it missed
 * for the writes after it; a move that finds none is decided again later.
 *
 * <p>HDFS asks for a whole block, and a job's many small files fill a thousandth of it. So clean
 * copies make way only for as much as replicas filled lately, and not for writes that have just
 * begun, most of which end at once.
 *
 * <p>Also records the replicas that are being written to DISK. Thread-safe; O(1), or where it is
 * said O(writes in flight), under a lock that is never held during I/O.
 */
final class WriteSpace {
  private static final int SMOOTHED_WRITES = 2;
  private static final long YOUNG_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The bytes promised when a look at the devices began. Immutable. */
  static final class Look {
    final long promisedToWrites;
    final long promisedToMoves;
    final long notBegunBytes;
    final long inFlightBytes;

    private Look(
        long promisedToWrites, long promisedToMoves, long notBegunBytes, long inFlightBytes) {
      this.promisedToWrites = promisedToWrites;
      this.promisedToMoves = promisedToMoves;
      this.notBegunBytes = notBegunBytes;
      this.inFlightBytes = inFlightBytes;
    }
  }

  /** A replica that is being written to SSD, or would be if there were room. */
  private static final class FastWrite {
    final long askedBytes;
    final long sinceNanos;

    /** Bytes of room asked for, as it found none. */
    long wantedBytes;

    FastWrite(long askedBytes, long sinceNanos) {
      this.askedBytes = askedBytes;
      this.sinceNanos = sinceNanos;
    }

    boolean isYoung(long nowNanos) {
      return nowNanos - sinceNanos < YOUNG_NANOS;
    }
  }

  /** A replica that is being written to DISK. Immutable. */
  private static final class SlowWrite {
    final String device;
    final long sinceNanos;

    SlowWrite(String device, long sinceNanos) {
      this.device = device;
      this.sinceNanos = sinceNanos;
    }
  }

  // Guarded by this. The promised sums only grow: what counts is the growth since the last look.
  private Look look = new Look(0, 0, 0, 0);

  /** Why no device may be written to at all; null while one may. */
  private @Nullable WriteFallback closed = WriteFallback.NO_USABLE_SSD;

  private long writableBytes;
  private long availableBytes;
  private long promisedToWrites;
  private long promisedToMoves;
  private long notBegunBytes;
  private long inFlightBytes;
  private long wantedBytes;

  /**
   * Part of its block size that a replica has in the end, lately; 0 until one has ended, as the
   * first may be a log that stays open.
   */
  private double filledShare;

  private final Map<BlockKey, FastWrite> inFlight = new ConcurrentHashMap<>();

  /** Writes to DISK that found no room. */
  private final Map<BlockKey, FastWrite> missed = new ConcurrentHashMap<>();

  private final Map<BlockKey, SlowWrite> slowWrites = new ConcurrentHashMap<>();

  /** Which fast tier a new replica tries first. */
  final TierRoom tiers = new TierRoom();

  /** Begins a look, before the devices are read: later promises are deducted from it. */
  synchronized Look beginLook() {
    return new Look(promisedToWrites, promisedToMoves, notBegunBytes, inFlightBytes);
  }

  /**
   * Completes a look.
   *
   * @param limitBytes bytes that dirty replicas and writes in flight may take
   * @param freeBytes bytes free for writes on the devices, without those that HDFS has reserved for
   *     replicas that are being written
   */
  void endLook(Look begun, long limitBytes, long dirtyBytes, long freeBytes) {
    endLook(begun, limitBytes, dirtyBytes, freeBytes, null);
  }

  /**
   * As {@link #endLook(Look, long, long, long)}.
   *
   * @param why why no device may be written to; null if one may
   */
  synchronized void endLook(
      Look begun, long limitBytes, long dirtyBytes, long freeBytes, @Nullable WriteFallback why) {
    look = begun;
    closed = why;
    writableBytes = limitBytes - dirtyBytes - begun.inFlightBytes;
    availableBytes = freeBytes - begun.notBegunBytes;
  }

  /**
   * Promises a new replica its bytes. If it returns true, {@link #started} or {@link #cancelled}
   * must follow.
   */
  boolean reserve(long sizeBytes) {
    return admit(sizeBytes) == null;
  }

  /**
   * As {@link #reserve}. Returns why not, or null if the bytes are promised. {@link
   * #missed(BlockKey, long, long)} should follow {@link WriteFallback#NO_ROOM}.
   */
  synchronized @Nullable WriteFallback admit(long sizeBytes) {
    if (closed != null) {
      return closed;
    }
    long toWrites = promisedToWrites - look.promisedToWrites;
    if (toWrites + sizeBytes > writableBytes) {
      return WriteFallback.WRITE_SHARE;
    }
    long toMoves = promisedToMoves - look.promisedToMoves;
    if (toWrites + toMoves + sizeBytes > availableBytes) {
      return WriteFallback.NO_ROOM;
    }
    promisedToWrites += sizeBytes;
    notBegunBytes += sizeBytes;
    inFlightBytes += sizeBytes;
    return null;
  }

  /** Records that a write of an unknown block found no room: the planner is to make some now. */
  synchronized void missed(long sizeBytes) {
    wantedBytes += sizeBytes;
  }

  /**
   * Records that a write found no room and goes to DISK: the planner is to make as much as it
   * fills. {@link #filled} and {@link #ended} should follow.
   */
  synchronized void missed(BlockKey block, long sizeBytes, long nowNanos) {
    missed.put(block, new FastWrite(sizeBytes, nowNanos));
  }

  /**
   * Promises a move its bytes.
   *
   * @param bytes bytes beyond those that its victims free, which no one else can have been
   *     promised; may be negative
   * @param freeBytes bytes free for moves, by the last look and the planner's ledger
   */
  synchronized boolean reserveForMove(long bytes, long freeBytes) {
    if (bytes <= 0) {
      return true;
    }
    if (promisedToWrites - look.promisedToWrites + bytes > freeBytes) {
      return false;
    }
    promisedToMoves += bytes;
    return true;
  }

  /**
   * The replica is being written: HDFS has reserved the promised bytes. A write of the block that
   * was begun before has ended: a client whose pipeline failed creates the block again.
   */
  synchronized void started(BlockKey block, long sizeBytes, long nowNanos) {
    notBegunBytes -= sizeBytes;
    boolean unused = ended(block);
    inFlight.put(block, new FastWrite(sizeBytes, nowNanos));
  }

  /** A write ended with a replica of this length. {@link #ended} must follow. */
  synchronized void filled(BlockKey block, long lengthBytes) {
    FastWrite without = missed.get(block);
    FastWrite write = without != null ? without : inFlight.get(block);
    if (write == null || write.askedBytes <= 0) {
      return;
    }
    long bytes = Math.min(lengthBytes, write.askedBytes);
    if (without != null) {
      long more = Math.max(0, bytes - without.wantedBytes);
      without.wantedBytes += more;
      wantedBytes += more;
    }
    filledShare += (bytes / (double) write.askedBytes - filledShare) / SMOOTHED_WRITES;
  }

  /** The replica is not written after all. */
  synchronized void cancelled(long sizeBytes) {
    notBegunBytes -= sizeBytes;
    inFlightBytes -= sizeBytes;
  }

  /**
   * A replica is being written to a slow device. A write of the block to SSD that was begun before
   * has ended, see {@link #started}.
   */
  synchronized void startedSlow(BlockKey block, String device, long nowNanos) {
    boolean unused = endedFast(block);
    slowWrites.put(block, new SlowWrite(device, nowNanos));
  }

  /**
   * The slow devices to which a replica is being written that was begun within this time. Older
   * writes are files held open, such as logs, which do not keep a disk busy. O(writes to DISK in
   * flight).
   */
  Set<String> devicesWritten(long nowNanos, long withinNanos) {
    Set<String> devices = new HashSet<>();
    for (SlowWrite write : slowWrites.values()) {
      if (nowNanos - write.sinceNanos < withinNanos) {
        devices.add(write.device);
      }
    }
    return devices;
  }

  /** The write ended, well or not. Returns true if it was to SSD and promised its bytes. */
  synchronized boolean ended(BlockKey block) {
    slowWrites.remove(block);
    missed.remove(block);
    return endedFast(block);
  }

  private boolean endedFast(BlockKey block) {
    FastWrite write = inFlight.remove(block);
    if (write == null) {
      return false;
    }
    inFlightBytes -= write.askedBytes;
    return true;
  }

  /** True if a new replica of the block is being written, to SSD or to DISK. */
  boolean isWriting(BlockKey block) {
    return inFlight.containsKey(block)
        || slowWrites.containsKey(block)
        || missed.containsKey(block);
  }

  /** True if a replica is being written, to SSD or to DISK. */
  boolean isAnyUnderWay() {
    return !inFlight.isEmpty() || !slowWrites.isEmpty();
  }

  /** Blocks with a write that has not ended, to SSD or to DISK. */
  Iterable<BlockKey> blocks() {
    return Iterables.concat(inFlight.keySet(), slowWrites.keySet(), missed.keySet());
  }

  /** Bytes promised to writes that have not ended. */
  synchronized long inFlightBytes() {
    return inFlightBytes;
  }

  /** Bytes that the writes in flight are expected to fill. */
  synchronized long expectedBytes() {
    return (long) (filledShare * inFlightBytes);
  }

  /**
   * As {@link #expectedBytes()}, of those that began at least a second ago. O(writes in flight).
   */
  synchronized long expectedBytes(long nowNanos) {
    long promised = 0;
    for (FastWrite write : inFlight.values()) {
      if (nowNanos - write.sinceNanos >= YOUNG_NANOS) {
        promised += write.askedBytes;
      }
    }
    return (long) (filledShare * promised);
  }

  /** Returns the bytes that writes missed since the last call. O(writes without room in flight). */
  synchronized long takeWanted(long nowNanos) {
    long wanted = wantedBytes;
    for (FastWrite write : missed.values()) {
      if (write.wantedBytes == 0 && !write.isYoung(nowNanos)) {
        write.wantedBytes = (long) (filledShare * write.askedBytes);
        wanted += write.wantedBytes;
      }
    }
    wantedBytes = 0;
    return wanted;
  }
}
