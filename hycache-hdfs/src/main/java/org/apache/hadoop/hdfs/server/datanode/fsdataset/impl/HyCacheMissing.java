// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.dataset.BlockMoves;
import io.hycache.hdfs.dataset.HyCacheNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;

/** Checks replicas that HDFS considers missing, and invalidates those that are. Thread-safe. */
final class HyCacheMissing {
  /** False on Hadoop 3.3, where the reader of a block invalidates a missing one. */
  private static final boolean INVALIDATES_MISSING =
      HyCacheDataset.has("invalidateMissingBlock", String.class, Block.class);

  /** Message of LocalReplica's IOException for a missing file without the native library. */
  private static final String NO_DATA_FILE = "Expected block file at ";

  private final FsDatasetImpl dataset;
  private final HyCacheNode node;
  private final HyCacheLookAgain lookAgain;

  HyCacheMissing(FsDatasetImpl dataset, HyCacheNode node, HyCacheLookAgain lookAgain) {
    this.dataset = dataset;
    this.node = node;
    this.lookAgain = lookAgain;
  }

  /** Invalidates a replica that HDFS considers missing, unless its files exist. */
  void invalidate(String pool, Block block, Runnable plain) {
    if (isHere(pool, block)) {
      return;
    }
    BlockKey key = new BlockKey(pool, block.getBlockId());
    try (BlockMoves.Hold hold = node.moves().writing(key)) {
      if (isHereWithoutWriters(pool, block)) {
        return;
      }
      plain.run();
    }
    node.events().deleted(key);
  }

  /**
   * Invalidates a replica whose data file is missing. Plain HDFS detects that when it opens the
   * checksum file; if the checksum file was served from a clean copy that check was skipped.
   */
  void behindCleanCopy(ExtendedBlock b, BlockKey block, IOException e) throws IOException {
    String message = e.getMessage();
    if (!node.reads().hasCopy(block)
        || message == null
        || message.contains("Too many open files")
        || !(e instanceof FileNotFoundException || message.startsWith(NO_DATA_FILE))) {
      return;
    }
    if (INVALIDATES_MISSING) {
      dataset.invalidateMissingBlock(block.pool(), b.getLocalBlock());
      return;
    }
    ReplicaInfo missing = dataset.volumeMap.get(block.pool(), b.getLocalBlock());
    if (missing != null && !isHere(block.pool(), b.getLocalBlock())) {
      dataset.datanode.notifyNamenodeDeletedBlock(b, missing.getStorageUuid());
      dataset.invalidate(block.pool(), new Block[] {b.getLocalBlock()});
    }
  }

  /** Returns true if the replica's files exist although HDFS considers it missing. Counted. */
  private boolean isHere(String pool, Block block) {
    boolean here = lookAgain.isHere(pool, block);
    if (here) {
      node.reads().notMissing();
    }
    return here;
  }

  /**
   * Like {@link #isHere}, under the volume's lock: HDFS finalizes a replica under that lock, and
   * renames the files before it changes the replica map.
   */
  private boolean isHereWithoutWriters(String pool, Block block) {
    ReplicaInfo replica = dataset.volumeMap.get(pool, block);
    if (replica == null) {
      return isHere(pool, block);
    }
    try (HyCacheVolumeLock.Held lock =
        HyCacheVolumeLock.write(dataset, pool, replica.getVolume())) {
      return isHere(pool, block);
    } catch (IOException e) {
      return isHere(pool, block);
    }
  }
}
