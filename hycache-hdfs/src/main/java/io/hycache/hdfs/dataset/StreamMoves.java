// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.Replica;
import io.hycache.core.move.HostLimit;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.QuietLog;
import java.io.File;
import java.io.FileDescriptor;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.io.ReadaheadPool;
import org.apache.hadoop.io.ReadaheadPool.ReadaheadRequest;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the {@link StreamMove}s of a DataNode. Thread-safe. */
final class StreamMoves {
  private static final Logger LOG = LoggerFactory.getLogger(StreamMoves.class);

  final ReplicaStore store;
  final CleanCopies copies;
  final Function<File, DiskUse> useOf;
  final DeviceLoads loads;
  final LoadBalance balance;
  final Guard guard;
  final LongSupplier nanoTime;
  final ReadAhead readAhead;

  private final QuietLog failureLog = new QuietLog(LOG);
  private final Counters counters;
  private final boolean enabled;

  /**
   * @param conf of the DataNode
   * @param useOf returns the use of the DISK volume with this root
   */
  StreamMoves(
      Configuration conf,
      ReplicaStore store,
      CleanCopies copies,
      Function<File, DiskUse> useOf,
      DeviceLoads loads,
      LoadBalance balance,
      Guard guard,
      Counters counters,
      ReadAhead readAhead,
      LongSupplier nanoTime) {
    this.store = store;
    this.copies = copies;
    this.useOf = useOf;
    this.loads = loads;
    this.balance = balance;
    this.guard = guard;
    this.counters = counters;
    this.nanoTime = nanoTime;
    this.readAhead = readAhead;
    // HDFS drops what was read from the page cache by a descriptor that a move would replace.
    this.enabled =
        !conf.getBoolean(
            DFSConfigKeys.DFS_DATANODE_DROP_CACHE_BEHIND_READS_KEY,
            DFSConfigKeys.DFS_DATANODE_DROP_CACHE_BEHIND_READS_DEFAULT);
  }

  /** Reads ahead in a file, in the background. */
  interface ReadAhead {
    /** Notifies the kernel that a file is read from its begin to its end. */
    void isSequential(String name, FileDescriptor file) throws IOException;

    /**
     * Begins to read behind a position, unless enough of that is under way.
     *
     * @param name of the file, for messages
     * @param last what the last call for the stream returned
     */
    @Nullable ReadaheadRequest from(
        String name, FileDescriptor file, long position, @Nullable ReadaheadRequest last);
  }

  /** Returns what HDFS reads ahead on this DataNode: nothing without Hadoop's native library. */
  static ReadAhead asHdfs(Configuration conf) {
    ReadaheadPool pool = ReadaheadPool.getInstance();
    long bytes =
        conf.getLong(
            HdfsClientConfigKeys.DFS_DATANODE_READAHEAD_BYTES_KEY,
            HdfsClientConfigKeys.DFS_DATANODE_READAHEAD_BYTES_DEFAULT);
    return new ReadAhead() {
      @Override
      public void isSequential(String name, FileDescriptor file) throws IOException {
        NativeIO.POSIX
            .getCacheManipulator()
            .posixFadviseIfPossible(name, file, 0, 0, NativeIO.POSIX.POSIX_FADV_SEQUENTIAL);
      }

      @Override
      public @Nullable ReadaheadRequest from(
          String name, FileDescriptor file, long position, @Nullable ReadaheadRequest last) {
        return pool == null || bytes <= 0
            ? null
            : pool.readaheadStream(name, file, position, bytes, Long.MAX_VALUE, last);
      }
    };
  }

  /**
   * Returns the move to DISK of a large stream that is about to read a copy's data; null if it
   * can't be moved.
   *
   * @param volumeRoot of the replica
   * @param offset at which the stream begins
   */
  @Nullable StreamMove toDisk(CleanFile copy, File volumeRoot, long offset) {
    return created(() -> new StreamMove.ToDisk(this, copy, volumeRoot, offset));
  }

  /**
   * Returns the move to the copy of a large stream that is about to read a replica's data on DISK;
   * null if it can't be moved.
   *
   * @param copy data of the copy of this very replica
   * @param volumeRoot of the replica
   * @param offset at which the stream begins
   * @param failed notified of a copy that can't be opened or read
   */
  @Nullable StreamMove toSsd(
      CleanFile copy, File volumeRoot, long offset, Consumer<IOException> failed) {
    return created(() -> new StreamMove.ToSsd(this, copy, volumeRoot, offset, failed));
  }

  private interface Creation {
    StreamMove create() throws IOException;
  }

  private @Nullable StreamMove created(Creation of) {
    if (!enabled) {
      return null;
    }
    try {
      return of.create();
    } catch (IOException e) {
      count(e);
      LOG.debug("a stream will not be moved, its second descriptor could not be opened", e);
      return null;
    }
  }

  /** Handles a replica on DISK that can't be opened or read: its copy is read in its place. */
  void failed(Replica replica, IOException why) {
    if (!count(why)) {
      boolean unused =
          failureLog.warn(
              why, "replica on DISK is unreadable, reading its copy on SSD: replica={}", replica);
      store.suspect(replica);
    }
  }

  /** Counts a failure that is due to a limit of the host; returns false if it is another one. */
  private boolean count(IOException why) {
    boolean limit = HostLimit.isCause(why);
    if (limit) {
      counters.increment(Counter.HOST_LIMITS);
    }
    return limit;
  }

  void movedToDisk() {
    counters.increment(Counter.READS_LEFT_TO_DISK);
  }
}
