// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.core.model.BlockKey;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.jspecify.annotations.Nullable;

/**
 * Repeats HDFS's look-ups that raced with a local move: HDFS looks a replica up and then opens its
 * files, which a move may have removed in between. If the replica map's entry has changed, the
 * look-up is repeated; a replica whose files are where the map refers to is not missing.
 *
 * <p>Thread-safe; takes no lock, so that none is held during file operations.
 */
final class HyCacheLookAgain {
  /**
   * Maximum of attempts. A move takes longer than a look-up, so more races in a row have another
   * cause.
   */
  private static final int MAX_ATTEMPTS = 3;

  /** A look-up by HDFS with the operation on the replica found. */
  interface Look<T> {
    @Nullable T at() throws IOException;
  }

  private final FsDatasetImpl dataset;
  private final Runnable lookedAgain;

  /**
   * @param lookedAgain called for each repeated look-up
   */
  HyCacheLookAgain(FsDatasetImpl dataset, Runnable lookedAgain) {
    this.dataset = dataset;
    this.lookedAgain = lookedAgain;
  }

  private @Nullable ReplicaInfo now(BlockKey block) {
    return dataset.volumeMap.get(block.pool(), block.id());
  }

  /**
   * Returns the result of a look-up, which is repeated while it fails or returns null and the
   * block's map entry has changed.
   *
   * @return null if the look-up returns null
   */
  @SuppressWarnings("ReferenceEquality") // blocks are equal by id; another object means a move
  <T> @Nullable T at(BlockKey block, Look<T> look) throws IOException {
    for (int looks = 1; ; looks++) {
      ReplicaInfo before = now(block);
      IOException missing = null;
      try {
        T found = look.at();
        if (found != null) {
          return found;
        }
      } catch (IOException e) {
        missing = e;
      }
      ReplicaInfo after = now(block);
      if (looks < MAX_ATTEMPTS && after != null && after != before) {
        lookedAgain.run();
      } else if (missing != null) {
        throw missing;
      } else {
        return null;
      }
    }
  }

  /**
   * Returns true if no file of the block's replica is missing, and also if there is no replica of
   * this generation stamp.
   */
  @SuppressWarnings("ReferenceEquality") // see above
  boolean isHere(String pool, Block block) {
    ReplicaInfo replica = dataset.volumeMap.get(pool, block);
    while (replica != null && !(replica.blockDataExists() && replica.metadataExists())) {
      ReplicaInfo now = dataset.volumeMap.get(pool, block);
      if (now == replica) {
        return false;
      }
      replica = now;
    }
    return true;
  }
}
