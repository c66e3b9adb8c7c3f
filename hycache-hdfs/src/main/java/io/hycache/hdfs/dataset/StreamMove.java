// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.Replica;
import io.hycache.core.move.DeviceLoad;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.io.ReadaheadPool.ReadaheadRequest;
import org.jspecify.annotations.Nullable;

/**
 * Moves a stream of a replica that has a clean copy to the other device while it is read, if the
 * one that sends it has become so busy that the other would send the rest sooner, see {@link
 * LoadBalance#isRestSoonerOnDisk}. A stream is open for long, and what was sooner when it began may
 * not be later: the SSD alone serves the blocks that have no replica on DISK, and one HDD may have
 * more of what is read than others.
 *
 * <p>Twice a second the pace of the stream, and the loads of both devices, are compared with what
 * the other device offers. Both must be slower: the pace shows what the page cache serves, the
 * loads count streams that have just moved. A stream moves once, and once back, if what it moved to
 * has become the busy one; no more, so that nothing flaps, but for an SSD that is out of use. Plain
 * HDFS takes no lock while it sends a stream, so HyCache takes HDFS's lock only for a stream that
 * is about to move, or has moved.
 *
 * <p>HDFS keeps the descriptor of the stream that it opened, and reads ahead by it: the first
 * device would go on reading what is not sent. So HDFS gets the descriptor of an empty file, and
 * HyCache reads ahead as much as HDFS does, by the file that is read. What a client asks for itself
 * ({@code dfs.client.cache.readahead}, {@code dfs.client.cache.drop.behind.reads}) has no effect on
 * such a stream.
 *
 * <p>If the replica changes, or the second file can't be read, or its SSD is out of use, the stream
 * goes back to the first, and stays there. A stream of an SSD that is out of use moves to DISK,
 * however busy that is. It never goes back to such an SSD, which may hang: if the replica on DISK
 * can't be read either, or has changed, the read fails, so that the client takes another replica.
 *
 * <p>Not thread-safe, like the stream. Does no I/O but to open the second file.
 */
abstract class StreamMove implements FailoverFile.Mirror {
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final double NOT_DUE = -1;

  /** HDFS is asked whether a replica is the same after this time. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Bytes of a stream up to which it may be a short read, for which HDFS does not read ahead. */
  private static final long SHORT_READ_BYTES = 256 << 10;

  private static final File NO_FILE = new File("/dev/null");

  final StreamMoves moves;
  final CleanFile copy;
  final long offset;
  private final boolean toDisk;
  private final String name;
  private final FileInputStream noFile;
  private long askedNanos;
  private long askedPosition;
  private @Nullable ReadaheadRequest ahead;

  /** The kernel was notified that this file is read as a whole. */
  private @Nullable FileInputStream advised;

  /** Of the device that is read. */
  private @Nullable DeviceLoad load;

  /** Where the reads of the device began that is read. */
  private long sincePosition;

  // While a DISK volume is read.
  private @Nullable DiskUse disk;
  private long diskBegunNanos;

  private boolean isMoved;
  private long lookedNanos;

  /** Positions of the second file that were read last. */
  long movedFrom;

  long movedTo;

  /** Read from the second file. */
  private long movedBytes;

  /** Whether the first file is read again, as that was sooner. */
  private boolean hasReturned;

  /** Whether the second file can't be opened. */
  private boolean stays;

  private StreamMove(StreamMoves moves, CleanFile copy, long offset, boolean toDisk)
      throws IOException {
    this.moves = moves;
    this.copy = copy;
    this.offset = offset;
    this.toDisk = toDisk;
    this.name = copy.toString();
    this.noFile = new FileInputStream(NO_FILE);
    this.askedNanos = moves.nanoTime.getAsLong();
    this.askedPosition = offset;
  }

  /** Of a stream that begins at the copy. */
  static final class ToDisk extends StreamMove {
    private final File ssd;

    /** HDFS's balancer may move the replica to another volume. */
    private File volumeRoot;

    /** A stream of the copy's data begins; {@link #ended} and {@link #close} must follow. */
    ToDisk(StreamMoves moves, CleanFile copy, File volumeRoot, long offset) throws IOException {
      super(moves, copy, offset, true);
      this.ssd = copy.area().root();
      this.volumeRoot = volumeRoot;
      begins(offset);
    }

    @Override
    @Nullable FileInputStream moved(long position, double bytesPerSecond) {
      Replica replica = copy.replica();
      if (!mustLeave()
          && !moves.balance.isRestSoonerOnDisk(
              replica.lengthBytes() - position, bytesPerSecond, ssd, volumeRoot)) {
        return null;
      }
      ReplicaView view = moves.store.finalized(replica.block());
      if (view == null || !view.isOnDisk(replica)) {
        return null;
      }
      volumeRoot = view.volumeRoot();
      FileInputStream opened = open(volumeRoot, view.data(), position);
      if (opened != null) {
        moves.movedToDisk();
      }
      return opened;
    }

    /** The descriptor may be older than an outage of the SSD; the copy is known to be no older. */
    @Override
    boolean isFirstSooner(long restBytes, double bytesPerSecond) {
      return !mustLeave()
          && moves.copies.isUnchanged(copy)
          && moves.balance.isRestSoonerOnSsd(restBytes, bytesPerSecond, volumeRoot, ssd);
    }

    @Override
    boolean mustLeave() {
      return !copy.isOnHealthyDevice();
    }

    @Override
    boolean isUsable() {
      return moves.copies.contains(copy);
    }

    /** HDFS's balancer may have moved the replica to another volume since the look-up. */
    @Override
    boolean hasGone(File data) {
      ReplicaView view = moves.store.finalized(copy.replica().block());
      return view == null || !view.data().equals(data);
    }

    @Override
    void failed(IOException why) {
      moves.failed(copy.replica(), why);
    }

    @Override
    void begins(long position) {
      enter(moves.loads.begun(ssd), null, position);
    }

    /** If it went back to the copy, bytes of DISK lie between. */
    @Override
    SentBytes sent(long end) {
      boolean endedOnDisk = movedFrom < movedTo && movedTo == end;
      return SentBytes.lastOf(offset, end, offset, endedOnDisk ? movedFrom : end);
    }
  }

  /** Of a stream that begins at the replica on DISK. */
  static final class ToSsd extends StreamMove {
    private final File volumeRoot;
    private final Consumer<IOException> failed;

    /** A stream of the replica's data begins, as for {@link ToDisk}. */
    ToSsd(
        StreamMoves moves,
        CleanFile copy,
        File volumeRoot,
        long offset,
        Consumer<IOException> failed)
        throws IOException {
      super(moves, copy, offset, false);
      this.volumeRoot = volumeRoot;
      this.failed = failed;
      begins(offset);
    }

    @Override
    @Nullable FileInputStream moved(long position, double bytesPerSecond) {
      Replica replica = copy.replica();
      File ssd = copy.area().root();
      boolean isSooner =
          moves.balance.isRestSoonerOnSsd(
              replica.lengthBytes() - position, bytesPerSecond, volumeRoot, ssd);
      return isSooner && isUsable() ? open(ssd, copy.path(), position) : null;
    }

    @Override
    boolean isFirstSooner(long restBytes, double bytesPerSecond) {
      return moves.balance.isRestSoonerOnDisk(
          restBytes, bytesPerSecond, copy.area().root(), volumeRoot);
    }

    @Override
    boolean mustLeave() {
      return false;
    }

    @Override
    boolean isUsable() {
      return copy.isOnHealthyDevice() && moves.copies.isVerified(copy);
    }

    @Override
    boolean hasGone(File data) {
      return !moves.copies.contains(copy);
    }

    @Override
    void failed(IOException why) {
      failed.accept(why);
    }

    @Override
    void begins(long position) {
      enter(moves.loads.begun(volumeRoot), volumeRoot, position);
    }

    @Override
    SentBytes sent(long end) {
      return SentBytes.lastOf(offset, end, movedFrom, movedTo);
    }
  }

  /** Returns the second file, opened, if the rest is read sooner from it; null otherwise. */
  abstract @Nullable FileInputStream moved(long position, double bytesPerSecond);

  /**
   * Whether the rest is read sooner from the first file, which may be read, than from the second.
   */
  abstract boolean isFirstSooner(long restBytes, double bytesPerSecond);

  /** Whether the first file must not be read, as its device is out of use. */
  abstract boolean mustLeave();

  /** Whether the second file is known to be fit to read, without a lock and without I/O. */
  abstract boolean isUsable();

  /** Whether the second file, which could not be opened, is no longer where it was. */
  abstract boolean hasGone(File data);

  /** Handles a second file that can't be opened or read. */
  abstract void failed(IOException why);

  /** The first file is read from a position on. */
  abstract void begins(long position);

  @Override
  public FileDescriptor descriptor() throws IOException {
    return noFile.getFD();
  }

  @Override
  public @Nullable FileInputStream sooner(long position) {
    FileInputStream[] opened = new FileInputStream[1];
    double bytesPerSecond = stays || (hasReturned && !mustLeave()) ? NOT_DUE : pace(position);
    if (bytesPerSecond != NOT_DUE) {
      moves.guard.run("move a stream", () -> opened[0] = moved(position, bytesPerSecond));
    }
    return opened[0];
  }

  @Override
  public boolean returns(long position) {
    boolean[] sooner = new boolean[1];
    double bytesPerSecond = hasReturned ? NOT_DUE : pace(position);
    if (bytesPerSecond != NOT_DUE) {
      long restBytes = copy.replica().lengthBytes() - position;
      moves.guard.run(
          "move a stream back", () -> sooner[0] = isFirstSooner(restBytes, bytesPerSecond));
    }
    if (sooner[0]) {
      hasReturned = true;
      leave(position);
      begins(position);
    }
    return sooner[0];
  }

  /** Bytes a second of the stream since the last decision; {@link #NOT_DUE} until the next. */
  private double pace(long position) {
    long now = moves.nanoTime.getAsLong();
    long nanos = now - askedNanos;
    if (nanos < INTERVAL_NANOS) {
      return NOT_DUE;
    }
    double bytes = position - askedPosition;
    askedNanos = now;
    askedPosition = position;
    return bytes * TimeUnit.SECONDS.toNanos(1) / nanos;
  }

  /** Opens the second file, whose device counts the stream from now on; null if it can't be. */
  final @Nullable FileInputStream open(File root, File data, long position) {
    // Counted before the file is opened, which may take long: other streams decide meanwhile.
    DeviceLoad next = moves.loads.begun(root);
    FileInputStream opened = null;
    try {
      FileOperation.OPEN.before(data);
      opened = new FileInputStream(data);
    } catch (IOException e) {
      if (!hasGone(data)) {
        stays = true;
        failed(e);
      }
      return null;
    } finally {
      if (opened == null && next != null) {
        next.ended();
      }
    }
    leave(position);
    enter(next, toDisk ? root : null, position);
    isMoved = true;
    askedNanos = moves.nanoTime.getAsLong(); // to open it may have taken long
    lookedNanos = askedNanos - LOOK_NANOS;
    return opened;
  }

  /**
   * Whether the replica is what it was when the stream was moved. An append or a truncate may
   * change bytes that the client has checksums of, and it would report the replica as corrupt. The
   * copy leaves the index before HDFS changes the replica, so that the index, which takes no lock,
   * is asked for each read; HDFS itself, whose lock others may hold for long, is asked now and
   * then. A copy leaves the index for other reasons, too, such as an SSD that was removed: from
   * then on a stream that moved to DISK asks HDFS for each read.
   */
  @Override
  public boolean isSame() {
    boolean usable = isUsable() && !moves.guard.tripped();
    if (!usable && !toDisk) {
      return false;
    }
    long now = moves.nanoTime.getAsLong();
    if (usable && now - lookedNanos < LOOK_NANOS) {
      return true;
    }
    boolean same = moves.store.isFinalizedOnDisk(copy.replica());
    if (same) {
      lookedNanos = now;
    }
    return same;
  }

  @Override
  public void back(long position, @Nullable IOException why) throws IOException {
    if (why != null) {
      moves.guard.run("a moved stream fails", () -> failed(why));
    }
    if (mustLeave()) {
      throw copy.outOfUse(why);
    }
    leave(position);
    begins(position);
  }

  @Override
  public void beforeRead(FileInputStream of, long position) {
    if (disk != null) {
      disk.read();
    }
    if (position - offset >= SHORT_READ_BYTES) {
      moves.guard.run("read ahead", () -> readAhead(of, position));
    }
  }

  private void readAhead(FileInputStream of, long position) throws IOException {
    if (advised != of) {
      advised = of;
      moves.readAhead.isSequential(name, of.getFD());
    }
    ahead = moves.readAhead.from(name, of.getFD(), position, ahead);
  }

  /**
   * Called when the stream is closed.
   *
   * @param bytes read from the stream
   * @return how many of them were read from the second file
   */
  final long ended(long bytes) {
    long position = offset + bytes;
    endDisk(sincePosition == offset ? bytes : copy.replica().lengthBytes() - sincePosition);
    countMoved(position);
    return movedBytes;
  }

  /**
   * Returns what the client was sent last, once the stream has {@link #ended}.
   *
   * @param end position at which the stream ended
   */
  abstract SentBytes sent(long end);

  @Override
  public void close() throws IOException {
    cancelReadAhead();
    endLoad();
    noFile.close();
  }

  /** The reads of a device begin; of a DISK volume if the root of one is given. */
  final void enter(@Nullable DeviceLoad of, @Nullable File volumeRoot, long position) {
    load = of;
    sincePosition = position;
    if (volumeRoot != null) {
      disk = moves.useOf.apply(volumeRoot);
      diskBegunNanos = disk.begun();
    }
  }

  /** The reads of a device end before the stream does. */
  private void leave(long position) {
    cancelReadAhead();
    endLoad();
    // No small read, however few its bytes: DISK was to read all of them.
    endDisk(copy.replica().lengthBytes() - sincePosition);
    countMoved(position);
  }

  private void countMoved(long position) {
    if (isMoved) {
      movedFrom = sincePosition;
      movedTo = Math.max(sincePosition, position);
      movedBytes += movedTo - movedFrom;
      isMoved = false;
    }
  }

  private void cancelReadAhead() {
    if (ahead != null) {
      ahead.cancel();
      ahead = null;
    }
  }

  private void endDisk(long bytes) {
    if (disk != null) {
      disk.ended(bytes, diskBegunNanos);
      disk = null;
    }
  }

  private void endLoad() {
    if (load != null) {
      load.ended();
      load = null;
    }
  }
}
