// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.move.DeviceLoad;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.Latencies.Operation;
import io.hycache.core.stats.QuietLog;
import java.io.EOFException;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.server.datanode.HyCacheClients;
import org.apache.hadoop.hdfs.server.datanode.VolumeScanner;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.io.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The read path: opens clean copies, and counts reads of clean copies and of plain HDFS's streams.
 * Thread-safe; never blocks.
 */
final class CleanReads {
  private static final Logger LOG = LoggerFactory.getLogger(CleanReads.class);

  private final QuietLog unreadableLog = new QuietLog(LOG);

  private final ReplicaStore store;
  private final CleanCopies copies;
  private final OpenFiles openFiles;
  private final HdfsHost host;
  private final DeviceLoads loads;
  private final LoadBalance balance;
  private final HyCacheEngine engine;
  private final Guard guard;
  private final Counters counters;
  private final Consumer<BlockKey> drop;
  private final ObjLongConsumer<CleanFile> suspect;
  private final RecentReaders readers;
  private final LockedBlocks locked;
  private final StreamMoves moves;
  private final PassedChecksums passed = new PassedChecksums();
  private final Rereads rereads = new Rereads(System::nanoTime);

  /**
   * @param suspect queues a copy for verification, with the suspicious offset
   * @param readers notified when streams of blocks with a clean copy are closed
   * @param drop drops a copy that can't be read
   */
  CleanReads(
      ReplicaStore store,
      CleanCopies copies,
      OpenFiles openFiles,
      HdfsHost host,
      DeviceLoads loads,
      LoadBalance balance,
      HyCacheEngine engine,
      Guard guard,
      Counters counters,
      ObjLongConsumer<CleanFile> suspect,
      RecentReaders readers,
      LockedBlocks locked,
      StreamMoves moves,
      Consumer<BlockKey> drop) {
    this.locked = locked;
    this.moves = moves;
    this.store = store;
    this.copies = copies;
    this.openFiles = openFiles;
    this.host = host;
    this.loads = loads;
    this.balance = balance;
    this.engine = engine;
    this.guard = guard;
    this.counters = counters;
    this.suspect = suspect;
    this.readers = readers;
    this.drop = drop;
  }

  /**
   * Opens the checksum file of a clean copy; null if there is none to serve.
   *
   * <p>A client that is passed descriptors keeps both files for a long time: both are of the copy
   * or both of the replica. A file of the copy and one of the replica would no longer match when
   * the replica is appended to, and the client would report the replica as corrupt.
   */
  @Nullable LengthInputStream checksums(BlockKey block, long generationStamp) {
    if (HyCacheClients.isPassedDescriptors()) {
      LengthInputStream in = passed.take(block, generationStamp);
      if (in == null) {
        lookedUp(block);
      }
      return in;
    }
    CleanCopies.Copy copy = serving(block, generationStamp);
    if (copy == null || copy.data() == null) {
      lookedUp(block);
    }
    return copy == null ? null : openChecksums(copy);
  }

  private @Nullable LengthInputStream openChecksums(CleanCopies.Copy copy) {
    CleanFile file = copy.checksums();
    if (file == null || !mayServe(file)) {
      return null;
    }
    try {
      FailoverFile opened = opened(copy, file, ReplicaView::checksums);
      LengthInputStream in =
          new LengthInputStream(
              new ObservedFileInputStream(opened, opened.lengthBytes(), taken -> {}),
              opened.lengthBytes());
      if (copy.data() == null) {
        counters.increment(Counter.CHECKSUM_READS_FAST);
      }
      return in;
    } catch (IOException | RuntimeException e) {
      unreadable(copy, file, e);
      return null;
    }
  }

  /** Records that a user is about to read the block, so that moves on its DISK volume yield. */
  private void lookedUp(BlockKey block) {
    if (Thread.currentThread() instanceof VolumeScanner) {
      return;
    }
    guard.run(
        "record a look-up",
        () -> {
          File disk = volumeOnDisk(block);
          if (disk != null) {
            host.useOf(disk).lookedUp();
          }
        });
  }

  /** Opens the data of a clean copy at an offset; null if there is none to serve. */
  @Nullable InputStream data(BlockKey block, long generationStamp, long offset) {
    boolean passes = HyCacheClients.isPassedDescriptors();
    if (passes) {
      passed.clear();
    }
    CleanCopies.Copy copy = serving(block, generationStamp);
    CleanFile file = copy == null ? null : copy.data();
    if (copy == null || file == null || !mayServe(file)) {
      return null;
    }
    if (passes) {
      return openBoth(copy, file, offset);
    }
    File disk = isBalanced(file, offset) ? volumeOnDisk(block) : null;
    return disk != null && isDiskSooner(file, disk, offset)
        ? null
        : openData(copy, file, offset, disk);
  }

  /**
   * Opens both files, so that neither is passed without the other; {@link #checksums} then returns
   * the second one.
   */
  private @Nullable InputStream openBoth(CleanCopies.Copy copy, CleanFile file, long offset) {
    LengthInputStream checksums = openChecksums(copy);
    InputStream data = null;
    try {
      data = checksums == null ? null : openData(copy, file, offset, null);
    } finally {
      if (data == null) {
        IOUtils.closeStream(checksums);
      }
    }
    if (data != null && checksums != null) {
      passed.put(copy.replica(), checksums);
    }
    return data;
  }

  /**
   * @param disk root of the DISK volume to which the stream may move; null if it stays
   */
  private @Nullable InputStream openData(
      CleanCopies.Copy copy, CleanFile file, long offset, @Nullable File disk) {
    BlockKey block = copy.replica().block();
    try {
      FailoverFile data = opened(copy, file, ReplicaView::data);
      try {
        if (offset > 0) {
          data.channel().position(offset);
        }
        opened(block, offset);
        StreamMove move = disk == null ? null : moves.toDisk(file, disk, offset);
        if (move != null) {
          data.choose(move);
        }
        return counted(
            data, block, offset, copy, copy.replica().lengthBytes(), file.area().root(), move);
      } catch (Throwable e) {
        data.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      unreadable(copy, file, e);
      return null;
    } finally {
      balance.opened();
    }
  }

  /**
   * Returns the copy if it is of the replica's current state, that state is the one asked for, and
   * the reader may be served from it. For a descriptor that is passed to a client HDFS checks the
   * generation stamp only where it opens the replica.
   */
  private CleanCopies.@Nullable Copy serving(BlockKey block, long generationStamp) {
    CleanCopies.Copy copy = copies.get(block);
    if (copy == null
        || copy.replica().generationStamp() != generationStamp
        || !store.isFinalizedOnDisk(copy.replica())) {
      return null;
    }
    if (Thread.currentThread() instanceof VolumeScanner) {
      // The block scanner reads a suspicious block, or the next in turn: verify the copy as well.
      suspected(copy, 0);
      return null;
    }
    // Other DataNodes are sent the replica, so that errors are attributed to it. Clients read
    // blocks that are locked in memory without verifying checksums.
    return HyCacheClients.isServed() && !locked.contains(block) ? copy : null;
  }

  /**
   * Returns true if the file's device is healthy and the file is verified. Queues an unverified
   * file for verification.
   */
  private boolean mayServe(CleanFile file) {
    if (!file.isOnHealthyDevice()) {
      return false;
    }
    if (!file.isVerified()) {
      suspect.accept(file, 0);
    }
    return file.isVerified();
  }

  /** Returns true if DISK may serve this read. Does not look up the replica. */
  private boolean isBalanced(CleanFile file, long offset) {
    Replica replica = file.replica();
    return loads.of(file.area().root()) != null
        && !balance.isSmall(replica.block(), replica.lengthBytes() - offset);
  }

  /** Returns the root of the DISK volume of a finalized replica; null if there is none. */
  private @Nullable File volumeOnDisk(BlockKey block) {
    ReplicaView view = store.finalized(block);
    return view == null || view.onSsd() ? null : view.volumeRoot();
  }

  /** Returns true if DISK serves this read sooner, because the SSD is busier. */
  private boolean isDiskSooner(CleanFile file, File disk, long offset) {
    Replica replica = file.replica();
    boolean sooner =
        balance.isDiskSoonerToRead(
            replica.block(), replica.lengthBytes() - offset, file.area().root(), disk);
    if (sooner) {
      counters.increment(Counter.READS_LEFT_TO_DISK);
    }
    return sooner;
  }

  private void suspected(CleanCopies.Copy copy, long offset) {
    for (CleanFile file : copy.files()) {
      suspect.accept(file, offset);
    }
  }

  /** Called when a client opens a block with a copy: a repeated read makes the copy a suspect. */
  private void opened(BlockKey block, long offset) {
    CleanCopies.Copy copy = copies.get(block);
    if (rereads.opened(block, Thread.currentThread().getName(), offset) && copy != null) {
      suspected(copy, offset);
    }
  }

  /**
   * Called when the stream of this thread's client is closed.
   *
   * @param copy the copy of which a part was sent: data, checksums, or both
   * @param sent what of the stream the client may not have verified
   */
  private void closed(CleanCopies.Copy copy, long offset, long bytes, SentBytes sent) {
    rereads.closed(copy.replica().block(), Thread.currentThread().getName(), offset, bytes);
    Peer client = bytes > 0 ? HyCacheClients.peer() : null;
    if (client != null) {
      readers.closed(copy, sent, client, client::isClosed, System.nanoTime());
    }
  }

  /** Opens a file of a clean copy that fails over to the replica on DISK. */
  private FailoverFile opened(
      CleanCopies.Copy copy, CleanFile file, Function<ReplicaView, File> onDisk)
      throws IOException {
    FileOperation.OPEN.before(file.path());
    FileInputStream in = new FileInputStream(file.path());
    FailoverFile opened =
        new FailoverFile(
            in,
            file.lengthBytes(),
            why -> {
              unreadable(copy, file, why);
              FileInputStream second = openOnDisk(copy, onDisk);
              if (second == null) {
                throw why;
              }
              return second;
            });
    if (file.part() == Part.CHECKSUM) {
      if (HyCacheClients.isPassedDescriptors()) {
        checkNow(in, file);
      } else {
        opened.checkAtFirstRead((start, channel) -> checkHeader(file, channel, start));
        opened.leave(leaving(copy, file, onDisk));
      }
    }
    return opened;
  }

  /** Opens a file of the replica on DISK; null if it is no longer as it was copied. */
  private @Nullable FileInputStream openOnDisk(
      CleanCopies.Copy copy, Function<ReplicaView, File> onDisk) throws IOException {
    try {
      return openAsFound(copy, onDisk);
    } catch (FileNotFoundException e) {
      return openAsFound(copy, onDisk); // HDFS moved the replica between look-up and open
    }
  }

  private @Nullable FileInputStream openAsFound(
      CleanCopies.Copy copy, Function<ReplicaView, File> onDisk) throws IOException {
    ReplicaView view = store.finalized(copy.replica().block());
    return view == null || !view.isOnDisk(copy.replica())
        ? null
        : new FileInputStream(onDisk.apply(view));
  }

  /**
   * Lets a checksum file be read from DISK once its SSD is out of use: the data that it belongs to
   * is read from there, see {@link StreamMove}, but would wait for the checksums. If the replica
   * has changed or can't be read, the stream stays at the copy, unless that may hang.
   */
  private FailoverFile.Leaving leaving(
      CleanCopies.Copy copy, CleanFile file, Function<ReplicaView, File> onDisk) {
    return new FailoverFile.Leaving() {
      @Override
      public boolean isDue() {
        return !file.isOnHealthyDevice();
      }

      @Override
      public @Nullable FileInputStream open() throws IOException {
        FileInputStream second = null;
        IOException why = null;
        try {
          second = openOnDisk(copy, onDisk);
        } catch (IOException e) {
          why = e;
        }
        if (second == null && file.area().watch().sick()) {
          throw file.outOfUse(why);
        }
        return second;
      }
    };
  }

  /** Checks a checksum file that the client reads; closes it if it is damaged. */
  private static void checkNow(FileInputStream in, CleanFile file) throws IOException {
    boolean sound = false;
    try {
      if (in.getChannel().size() != file.lengthBytes()) {
        throw new ChecksumException("checksum file has the wrong length: file=" + file, 0);
      }
      checkHeader(file, in.getChannel(), ByteBuffer.allocate(0));
      sound = true;
    } finally {
      if (!sound) {
        in.close();
      }
    }
  }

  /**
   * Checks the header of a checksum file. HDFS aborts a read with an invalid header before it opens
   * the data, so that the copy would not become a suspect.
   *
   * @param start the first bytes of the file; empty if they must be read
   */
  private static void checkHeader(CleanFile file, FileChannel channel, ByteBuffer start)
      throws ChecksumException {
    try {
      Checksums.requireHeader(channel, start, file.lengthBytes(), file.replica().lengthBytes());
    } catch (IOException e) {
      throw Checksums.damaged("checksum file is damaged: file=" + file, e);
    }
  }

  /**
   * Handles a file of a clean copy that can't be opened or read: drops the copy and records the
   * failure of its device, unless the copy was removed or the host is at fault.
   */
  private void unreadable(CleanCopies.Copy copy, CleanFile file, Exception why) {
    if (!copies.contains(file)) {
      // The copy was evicted or dropped after the look-up.
      LOG.debug("clean copy was removed before it was opened: file={}", file, why);
      return;
    }
    boolean damaged = why instanceof ChecksumException || why instanceof EOFException;
    if (!damaged && !file.isMissing() && !file.area().watch().readFailed(why)) {
      // Out of descriptors or memory: keep the copy and let this reader go to DISK.
      LOG.debug("can't open a clean copy now, reading its replica: file={}", file, why);
      return;
    }
    counters.increment(Counter.READ_ERRORS_FAST);
    guard.run(
        "drop clean copy",
        () -> {
          unreadableLog.warn(
              why, "clean copy is unreadable, reading its replica on DISK: file={}", file);
          drop.accept(copy.replica().block());
        });
  }

  /** Called when plain HDFS could not open the data. */
  void notOpened() {
    balance.opened();
  }

  /**
   * Wraps a stream that plain HDFS opened so that its reads are counted, where possible. What the
   * DataNode itself reads, other than its block scanner, is load on the device, but no access. What
   * is passed to a client is an access, but no stream of its device: the client's reads are not
   * seen, and HDFS does not close the data if it can't open the checksums.
   *
   * @param generationStamp that was asked for
   */
  InputStream observed(InputStream plain, BlockKey block, long generationStamp, long offset)
      throws IOException {
    balance.opened();
    if (!(plain instanceof FileInputStream) || Thread.currentThread() instanceof VolumeScanner) {
      return plain;
    }
    ReplicaView view = store.finalized(block);
    long length = view == null ? 0 : view.replica().lengthBytes();
    boolean fast = view == null ? store.isOnSsd(block) : view.onSsd();
    FailoverFile file = new FailoverFile((FileInputStream) plain, length, null);
    if (fast) {
      return counted(
          file, block, offset, null, length, view == null ? null : view.volumeRoot(), null);
    }
    Access access = access(block, false);
    if (view == null) {
      return new ObservedFileInputStream(file, length, access::ended);
    }
    boolean client = HyCacheClients.isServed();
    if (client) {
      openFiles.keep(block, view.data());
    }
    DiskUse use = host.useOf(view.volumeRoot());
    if (HyCacheClients.isPassedDescriptors()) {
      use.read();
      return new ObservedFileInputStream(file, length, access::ended);
    }
    // Its checksum file may be served from the copy.
    CleanCopies.Copy copy = client ? copies.get(block) : null;
    if (copy != null) {
      opened(block, offset);
    }
    StreamMove move = copy == null ? null : moveToSsd(copy, view, generationStamp, offset);
    if (move != null) {
      file.choose(move);
    }
    try {
      // A stream that may move is counted where it is read.
      long begun = move == null ? use.begun() : 0;
      DeviceLoad load = move == null ? loads.begun(view.volumeRoot()) : null;
      FirstBytes first = new FirstBytes(engine.latencies(), Operation.DISK_READ);
      return new ObservedFileInputStream(
          file,
          length,
          new ReadRecorder() {
            @Override
            public void onRead() {
              if (move == null) {
                use.read();
              }
              first.read();
            }

            @Override
            public void onClosed(long bytes) {
              if (move == null) {
                use.ended(bytes, begun);
              }
              ended(load);
              long movedBytes = move == null ? 0 : move.ended(bytes);
              if (copy != null) {
                long end = offset + bytes;
                SentBytes ofDisk = SentBytes.lastOf(offset, end, end, end);
                closed(copy, offset, bytes, move == null ? ofDisk : move.sent(end));
              }
              access.ended(bytes, movedBytes);
            }
          });
    } catch (Throwable e) {
      if (move != null) {
        move.ended(0);
        move.close();
      }
      throw e;
    }
  }

  /**
   * Returns the move of a client's stream that begins to read this replica; null if it stays on
   * DISK.
   *
   * @param copy of the block; only one of this very replica is used
   */
  private @Nullable StreamMove moveToSsd(
      CleanCopies.Copy copy, ReplicaView view, long generationStamp, long offset) {
    CleanFile file = copy.data();
    Replica replica = view.replica();
    return file == null
            || !copy.replica().equals(replica)
            || replica.generationStamp() != generationStamp
            || locked.contains(replica.block())
            || loads.of(view.volumeRoot()) == null
            || !isBalanced(file, offset)
        ? null
        : moves.toSsd(file, view.volumeRoot(), offset, why -> unreadable(copy, file, why));
  }

  private static void ended(@Nullable DeviceLoad load) {
    if (load != null) {
      load.ended();
    }
  }

  /**
   * Returns what must be called with the bytes of this thread's read when it ends: it records an
   * access if a client reads, and nothing otherwise.
   */
  private Access access(BlockKey block, boolean fast) {
    if (!HyCacheClients.isServed()) {
      return (bytes, movedBytes) -> {};
    }
    long source = engine.source(block.pool(), HyCacheClients.name());
    return (bytes, movedBytes) -> {
      balance.read(block, bytes);
      if (movedBytes > 0) {
        engine.onMovedRead(source, block.id(), bytes, movedBytes, fast);
      } else {
        engine.onRead(source, block.id(), bytes, fast);
      }
    };
  }

  /** An access to a block, see {@link #access}. */
  private interface Access {
    /**
     * The read has ended.
     *
     * @param movedBytes those of the bytes that the device did not send on which the read began
     */
    void ended(long bytes, long movedBytes);

    default void ended(long bytes) {
      ended(bytes, 0);
    }
  }

  /**
   * Wraps a stream of a file on SSD so that its reads are counted, see {@link #observed}.
   *
   * @param copy the copy that is read; null if it is the replica itself
   * @param device root of the SSD; null if it is not known
   * @param move which the file has been given; null if the stream stays on the SSD
   */
  private InputStream counted(
      FailoverFile file,
      BlockKey block,
      long offset,
      CleanCopies.@Nullable Copy copy,
      long lengthBytes,
      @Nullable File device,
      @Nullable StreamMove move)
      throws IOException {
    Access access = access(block, true);
    DeviceLoad load =
        device == null || HyCacheClients.isPassedDescriptors() || move != null
            ? null
            : loads.begun(device);
    FirstBytes first = new FirstBytes(engine.latencies(), Operation.SSD_READ);
    return new ObservedFileInputStream(
        file,
        lengthBytes,
        new ReadRecorder() {
          @Override
          public void onRead() {
            first.read();
          }

          @Override
          public void onHandedOut() {
            if (copy != null) {
              // A short-circuit client does not report checksum errors to this DataNode.
              suspected(copy, offset);
            }
          }

          @Override
          public void onClosed(long bytes) {
            ended(load);
            long movedBytes = move == null ? 0 : move.ended(bytes);
            if (copy != null) {
              long end = offset + bytes;
              SentBytes ofCopy = SentBytes.lastOf(offset, end, offset, end);
              closed(copy, offset, bytes, move == null ? ofCopy : move.sent(end));
            }
            access.ended(bytes, movedBytes);
          }
        });
  }
}
