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
import org.apache.hadoop.io.ReadaheadPool.ReadaheadRequest;
import org.jspecify.annotations.Nullable;

/**
 * Moves a stream of a clean copy to the replica on DISK while it is read, if the SSD has become so
 * busy that DISK would send the rest sooner, see {@link LoadBalance#isDiskSoonerToGoOn}. A stream
 * is open for long, and what was sooner when it began may not be later: the SSD alone serves the
 * blocks that have no replica on DISK.
 *
 * <p>Once a second the pace of the stream, and the loads of both devices, are compared with what
 * DISK offers. Both must be slower: the pace shows what the page cache serves, the loads count
 * streams that have just moved. A stream is moved once, so that nothing flaps.
 *
 * <p>HDFS keeps the descriptor of the stream that it opened, and reads ahead by it: the SSD would
 * go on reading what is not sent. So HDFS gets the descriptor of an empty file, and HyCache reads
 * ahead as much as HDFS does, by the file that is read. What a client asks for itself ({@code
 * dfs.client.cache.readahead}, {@code dfs.client.cache.drop.behind.reads}) has no effect on such a
 * stream.
 *
 * <p>If the replica changes, or can't be read, the stream goes back to the copy, and stays there.
 *
 * <p>Not thread-safe, like the stream. Does no I/O but to open the replica.
 */
final class StreamMove implements FailoverFile.Mirror {
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** HDFS is asked whether a replica is the same after this time. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Bytes of a stream up to which it may be a short read, for which HDFS does not read ahead. */
  private static final long SHORT_READ_BYTES = 256 << 10;

  private static final File NO_FILE = new File("/dev/null");

  private final StreamMoves moves;
  private final CleanFile file;
  private final long offset;
  private final String name;
  private final FileInputStream noFile;
  private long askedNanos;
  private long askedPosition;
  private @Nullable ReadaheadRequest ahead;

  /** Of the device that is read. */
  private @Nullable DeviceLoad load;

  // Since the move, until the stream goes back.
  private @Nullable DiskUse disk;
  private long diskBegunNanos;
  private long movedPosition;
  private long lookedNanos;

  private long bytesFromDisk;
  private boolean stays;

  /** A stream of the file begins; {@link #ended} and {@link #close} must follow. */
  StreamMove(StreamMoves moves, CleanFile file, long offset) throws IOException {
    this.moves = moves;
    this.file = file;
    this.offset = offset;
    this.name = file.toString();
    this.noFile = new FileInputStream(NO_FILE);
    this.askedNanos = moves.nanoTime.getAsLong();
    this.askedPosition = offset;
    this.load = moves.loads.begun(file.area().root());
  }

  @Override
  public FileDescriptor descriptor() throws IOException {
    return noFile.getFD();
  }

  @Override
  public @Nullable FileInputStream sooner(long position) {
    long now = moves.nanoTime.getAsLong();
    long nanos = now - askedNanos;
    if (stays || nanos < INTERVAL_NANOS) {
      return null;
    }
    double seconds = nanos / (double) TimeUnit.SECONDS.toNanos(1);
    double bytesPerSecond = (position - askedPosition) / seconds;
    askedNanos = now;
    askedPosition = position;
    FileInputStream[] opened = new FileInputStream[1];
    moves.guard.run("move a stream to DISK", () -> opened[0] = moved(position, bytesPerSecond));
    return opened[0];
  }

  private @Nullable FileInputStream moved(long position, double bytesPerSecond) {
    Replica replica = file.replica();
    ReplicaView view = moves.store.finalized(replica.block());
    if (view == null
        || view.onSsd()
        || !view.replica().equals(replica)
        || !moves.balance.isDiskSoonerToGoOn(
            replica.lengthBytes() - position,
            bytesPerSecond,
            file.area().root(),
            view.volumeRoot())) {
      return null;
    }
    // Counted before the file is opened, which may take long: other streams decide meanwhile.
    DeviceLoad ofDisk = moves.loads.begun(view.volumeRoot());
    FileInputStream opened;
    try {
      opened = new FileInputStream(view.data());
    } catch (IOException e) {
      if (ofDisk != null) {
        ofDisk.ended();
      }
      stays = true;
      moves.failed(replica, e);
      return null;
    }
    endLoad();
    load = ofDisk;
    cancelReadAhead();
    disk = moves.useOf.apply(view.volumeRoot());
    diskBegunNanos = disk.begun();
    movedPosition = position;
    lookedNanos = moves.nanoTime.getAsLong() - LOOK_NANOS;
    moves.moved();
    return opened;
  }

  /**
   * Whether the replica is what it was when the stream was moved. An append or a truncate may
   * change bytes that the client has checksums of, and it would report the replica as corrupt. The
   * copy leaves the index before HDFS changes the replica, so that the index, which takes no lock,
   * is asked for each read; HDFS itself, whose lock others may hold for long, is asked now and
   * then.
   */
  @Override
  public boolean isSame() {
    if (moves.guard.tripped() || !moves.copies.contains(file)) {
      return false;
    }
    long now = moves.nanoTime.getAsLong();
    if (now - lookedNanos < LOOK_NANOS) {
      return true;
    }
    lookedNanos = now;
    return moves.store.isFinalizedOnDisk(file.replica());
  }

  @Override
  public void back(long position, @Nullable IOException why) {
    cancelReadAhead();
    endLoad();
    load = moves.loads.begun(file.area().root());
    endDisk(position);
    if (why != null) {
      moves.guard.run("a replica fails", () -> moves.failed(file.replica(), why));
    }
  }

  @Override
  public void beforeRead(FileInputStream of, long position) {
    if (disk != null) {
      disk.read();
    }
    if (position - offset >= SHORT_READ_BYTES) {
      moves.guard.run(
          "read ahead", () -> ahead = moves.readAhead.from(name, of.getFD(), position, ahead));
    }
  }

  /**
   * Called when the stream is closed.
   *
   * @param bytes read from the stream
   * @return how many of them were read from DISK
   */
  long ended(long bytes) {
    endDisk(offset + bytes);
    return bytesFromDisk;
  }

  @Override
  public void close() throws IOException {
    cancelReadAhead();
    endLoad();
    noFile.close();
  }

  private void cancelReadAhead() {
    if (ahead != null) {
      ahead.cancel();
      ahead = null;
    }
  }

  private void endDisk(long position) {
    if (disk != null) {
      bytesFromDisk = Math.max(0, position - movedPosition);
      disk.ended(bytesFromDisk, diskBegunNanos);
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
