package io.hycache.hdfs.dataset;

import io.hycache.core.engine.HyCacheEngine;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import java.io.EOFException;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.server.datanode.HyCacheClients;
import org.apache.hadoop.hdfs.server.datanode.VolumeScanner;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The read path: serves clean copies, and counts what is read of them and of what plain HDFS
 * serves. Thread-safe; never waits.
 */
final class CleanReads {
  private static final Logger LOG = LoggerFactory.getLogger(CleanReads.class);

  private final ReplicaStore store;
  private final CleanCopies copies;
  private final OpenFiles openFiles;
  private final HdfsHost host;
  private final HyCacheEngine engine;
  private final Guard guard;
  private final Counters counters;
  private final Consumer<BlockKey> drop;
  private final ObjLongConsumer<CleanFile> suspect;
  private final RecentReaders readers;
  private final LockedBlocks locked;
  private final Rereads rereads = new Rereads(System::nanoTime);

  /**
   * @param suspect asks for a copy to be verified; with the offset that is suspicious
   * @param readers is notified of streams that are closed, of blocks that have a copy
   * @param drop takes a copy that can't be read out of the index
   */
  CleanReads(
      ReplicaStore store,
      CleanCopies copies,
      OpenFiles openFiles,
      HdfsHost host,
      HyCacheEngine engine,
      Guard guard,
      Counters counters,
      ObjLongConsumer<CleanFile> suspect,
      RecentReaders readers,
      LockedBlocks locked,
      Consumer<BlockKey> drop) {
    this.locked = locked;
    this.store = store;
    this.copies = copies;
    this.openFiles = openFiles;
    this.host = host;
    this.engine = engine;
    this.guard = guard;
    this.counters = counters;
    this.suspect = suspect;
    this.readers = readers;
    this.drop = drop;
  }

  /** The clean copy's checksum file, or null. */
  @Nullable LengthInputStream checksums(BlockKey block) {
    CleanCopies.Copy copy = serving(block);
    if (copy == null || copy.data() == null) {
      lookedUp(block);
    }
    CleanFile file = copy == null ? null : copy.checksums();
    if (copy == null || file == null || !mayServe(file)) {
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

  /** A user is about to read the block; moves on its DISK volume should know. */
  private void lookedUp(BlockKey block) {
    if (Thread.currentThread() instanceof VolumeScanner) {
      return;
    }
    guard.run(
        "note a look-up",
        () -> {
          ReplicaView view = store.finalized(block);
          if (view != null && !view.onSsd()) {
            host.useOf(view.volumeRoot()).lookedUp();
          }
        });
  }

  /** The clean copy's data from an offset on, or null. */
  @Nullable InputStream data(BlockKey block, long offset) {
    CleanCopies.Copy copy = serving(block);
    CleanFile file = copy == null ? null : copy.data();
    if (copy == null || file == null || !mayServe(file)) {
      return null;
    }
    try {
      FailoverFile data = opened(copy, file, ReplicaView::data);
      try {
        if (offset > 0) {
          data.channel().position(offset);
        }
        opened(block, offset);
        return counted(data, block, offset, copy, copy.replica().lengthBytes());
      } catch (IOException | RuntimeException e) {
        data.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      unreadable(copy, file, e);
      return null;
    }
  }

  /**
   * Looks up a copy that may be served: same state as the replica, and not to the block scanner.
   */
  private CleanCopies.@Nullable Copy serving(BlockKey block) {
    CleanCopies.Copy copy = copies.get(block);
    if (copy == null || !store.isFinalizedOnDisk(copy.replica())) {
      return null;
    }
    if (Thread.currentThread() instanceof VolumeScanner) {
      // HDFS scans a block that something was wrong with, or whose turn it is.
      suspected(copy, 0);
      return null;
    }
    // What goes to another DataNode comes from the replica: if it is bad, that is the replica's
    // fault. A client reads what HDFS has locked in memory without looking at checksums.
    return HyCacheClients.isServed() && !locked.contains(block) ? copy : null;
  }

  /** A file of a device that is well, once it is verified; until then the replica is read. */
  private boolean mayServe(CleanFile file) {
    if (file.area().watch().sick() || file.area().watch().wasOutOfUse()) {
      return false;
    }
    if (!file.isVerified()) {
      suspect.accept(file, 0);
    }
    return file.isVerified();
  }

  private void suspected(CleanCopies.Copy copy, long offset) {
    for (CleanFile file : copy.files()) {
      suspect.accept(file, offset);
    }
  }

  /** A client opens a block of which there is a copy: one that reads it again may have a reason. */
  private void opened(BlockKey block, long offset) {
    CleanCopies.Copy copy = copies.get(block);
    if (rereads.opened(block, Thread.currentThread().getName(), offset) && copy != null) {
      suspected(copy, offset);
    }
  }

  /**
   * The stream was closed with which this thread's client has read so much.
   *
   * @param copy of which a part was sent: data, checksums, or both
   */
  private void closed(CleanCopies.Copy copy, long offset, long bytes) {
    rereads.closed(copy.replica().block(), Thread.currentThread().getName(), offset, bytes);
    if (bytes > 0) {
      readers.closed(copy, offset, offset + bytes, HyCacheClients.gone(), System.nanoTime());
    }
  }

  /** A file of a clean copy; the same file of the replica on DISK takes over when it fails. */
  private FailoverFile opened(
      CleanCopies.Copy copy, CleanFile file, Function<ReplicaView, File> onDisk)
      throws IOException {
    FileOperation.OPEN.before(file.path());
    FileInputStream in = new FileInputStream(file.path());
    return new FailoverFile(
        in,
        file.part() == Part.DATA ? file.lengthBytes() : measure(in, file),
        why -> {
          unreadable(copy, file, why);
          ReplicaView view = store.finalized(copy.replica().block());
          if (view == null || view.onSsd() || !view.replica().equals(copy.replica())) {
            throw why;
          }
          return new FileInputStream(onDisk.apply(view));
        });
  }

  /**
   * The length of a checksum file, by its header; closes it if the header is not what it should be.
   * HDFS gives up a read whose header it can't use before it opens the data, so that the copy would
   * not be suspected.
   */
  private static long measure(FileInputStream in, CleanFile file) throws IOException {
    boolean sound = false;
    try {
      long lengthBytes = VerifiedCopy.lengthOf(in.getChannel(), file.replica().lengthBytes());
      sound = !file.isMeasured() || lengthBytes == file.lengthBytes();
      if (sound) {
        return lengthBytes;
      }
      throw new ChecksumException("checksum file has another length: file=" + file, 0);
    } finally {
      if (!sound) {
        in.close();
      }
    }
  }

  private boolean isInIndex(CleanCopies.Copy copy, CleanFile file) {
    CleanCopies.Copy now = copies.get(copy.replica().block());
    return now != null
        && now.replica().equals(copy.replica())
        && now.files().stream().anyMatch(file::isSameFileAs);
  }

  /**
   * A file of a clean copy can't be opened or read: the copy goes, and its device is noted, if the
   * fault is theirs.
   */
  private void unreadable(CleanCopies.Copy copy, CleanFile file, Exception why) {
    if (!isInIndex(copy, file)) {
      // It made way or was dropped since it was looked up.
      LOG.debug("clean copy went before it was opened: file={}", file, why);
      return;
    }
    boolean damaged = why instanceof ChecksumException || why instanceof EOFException;
    if (!damaged && !file.isMissing() && !file.area().watch().readFailed(why)) {
      // Out of descriptors or memory: the copy is as good as before, this reader goes to DISK.
      LOG.debug("no clean copy is opened for now, its replica is read: file={}", file, why);
      return;
    }
    counters.increment(Counter.READ_ERRORS_FAST);
    guard.run(
        "drop clean copy",
        () -> {
          LOG.info("clean copy is unreadable, its replica on DISK is read: file={}", file, why);
          drop.accept(copy.replica().block());
        });
  }

  /** A stream that plain HDFS opened, counted where it can be. */
  InputStream observed(InputStream plain, BlockKey block, long offset) throws IOException {
    if (!(plain instanceof FileInputStream) || Thread.currentThread() instanceof VolumeScanner) {
      return plain;
    }
    ReplicaView view = store.finalized(block);
    long length = view == null ? 0 : view.replica().lengthBytes();
    boolean fast = view == null ? store.isOnSsd(block) : view.onSsd();
    FailoverFile file = new FailoverFile((FileInputStream) plain, length, null);
    if (fast) {
      return counted(file, block, offset, null, length);
    }
    if (view == null) {
      int pool = engine.poolNumber(block.pool());
      return new ObservedFileInputStream(
          file, length, bytes -> engine.onRead(pool, block.id(), offset, bytes, false));
    }
    openFiles.keep(block, view.data());
    // Its checksum file may be what is served.
    CleanCopies.Copy copy = copies.get(block);
    if (copy != null) {
      opened(block, offset);
    }
    DiskUse use = host.useOf(view.volumeRoot());
    long begun = use.begun();
    int pool = engine.poolNumber(block.pool());
    return new ObservedFileInputStream(
        file,
        length,
        new ReadRecorder() {
          @Override
          public void onRead() {
            use.read();
          }

          @Override
          public void onClosed(long bytes) {
            use.ended(bytes, begun);
            if (copy != null) {
              closed(copy, offset, bytes);
            }
            engine.onRead(pool, block.id(), offset, bytes, false);
          }
        });
  }

  /**
   * A stream of an SSD, counted.
   *
   * @param copy what is read; null if it is the replica itself
   */
  private InputStream counted(
      FailoverFile file,
      BlockKey block,
      long offset,
      CleanCopies.@Nullable Copy copy,
      long lengthBytes)
      throws IOException {
    int pool = engine.poolNumber(block.pool());
    return new ObservedFileInputStream(
        file,
        lengthBytes,
        new ReadRecorder() {
          @Override
          public void onHandedOut() {
            if (copy != null) {
              // A client that reads the file itself does not come back with what it finds.
              suspected(copy, offset);
            }
          }

          @Override
          public void onClosed(long bytes) {
            if (copy != null) {
              closed(copy, offset, bytes);
            }
            engine.onRead(pool, block.id(), offset, bytes, true);
          }
        });
  }
}
