// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Replica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.io.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Checksum files of clean copies, from the time their data is opened for a client that is passed
 * descriptors until HDFS asks for them, right after it and on the same thread. What HDFS does not
 * ask for is closed by the thread's next request, or with its connection, whose thread ends.
 * Thread-safe.
 */
final class PassedChecksums {
  private static final class Opened {
    final Replica replica;
    final LengthInputStream checksums;

    Opened(Replica replica, LengthInputStream checksums) {
      this.replica = replica;
      this.checksums = checksums;
    }
  }

  @SuppressWarnings("ThreadLocalUsage") // per dataset; removed by the request that asks for it
  private final ThreadLocal<@Nullable Opened> opened = new ThreadLocal<>();

  /** Keeps an open checksum file for this thread's next {@link #take}. */
  void put(Replica replica, LengthInputStream checksums) {
    clear();
    opened.set(new Opened(replica, checksums));
  }

  /** Returns this thread's checksum file if it is of this state of the block; otherwise null. */
  @Nullable LengthInputStream take(BlockKey block, long generationStamp) {
    Opened last = opened.get();
    if (last == null
        || !last.replica.block().equals(block)
        || last.replica.generationStamp() != generationStamp) {
      clear();
      return null;
    }
    opened.remove();
    return last.checksums;
  }

  /** Closes this thread's checksum file. */
  void clear() {
    Opened last = opened.get();
    opened.remove();
    if (last != null) {
      IOUtils.closeStream(last.checksums);
    }
  }
}
