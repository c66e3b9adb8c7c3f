// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.dataset.BlockMoves;
import io.hycache.hdfs.dataset.HyCacheNode;
import java.io.File;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.protocol.ReplicaRecoveryInfo;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;

/**
 * Writes to existing replicas: excludes local moves of the replica, and frees space for appends to
 * a full SSD. Thread-safe.
 */
final class HyCacheWrites {
  private final FsDatasetImpl dataset;
  private final HyCacheNode node;

  HyCacheWrites(FsDatasetImpl dataset, HyCacheNode node) {
    this.dataset = dataset;
    this.node = node;
  }

  /** Runs a write: a move of the block is abandoned, and its clean copy is dropped first. */
  <T> T writing(BlockKey block, HyCachePlain<T> write) throws IOException {
    try (BlockMoves.Hold hold = node.moves().writing(block)) {
      node.events().changing(block);
      return write.run();
    } finally {
      node.events().refresh(block);
    }
  }

  /**
   * Runs an append. If the SSD is full, evicts clean copies, or moves the replica to DISK, and
   * retries.
   */
  ReplicaHandler growing(ExtendedBlock b, HyCachePlain<ReplicaHandler> append) throws IOException {
    BlockKey block = HyCacheReplicaStore.key(b);
    try {
      return writing(block, append);
    } catch (DiskOutOfSpaceException full) {
      ReplicaInfo replica = dataset.volumeMap.get(block.pool(), block.id());
      if (replica == null
          || !node.placement().tiers().isFast(replica.getVolume().getStorageType())) {
        throw full;
      }
      File root = new File(replica.getVolume().getBaseURI());
      if (node.placement().makeRoomFor(root, b.getNumBytes() - replica.getNumBytes())) {
        try {
          return writing(block, append);
        } catch (DiskOutOfSpaceException stillFull) {
          full.addSuppressed(stillFull);
        }
      }
      if (!node.placement().moveForAppend(block, b.getNumBytes())) {
        throw full;
      }
      return writing(block, append);
    }
  }

  /**
   * Starts the recovery of a block. If HDFS refuses because of a torn tail, truncates it and
   * retries.
   */
  ReplicaRecoveryInfo recovering(BlockKey block, HyCachePlain<ReplicaRecoveryInfo> recovery)
      throws IOException {
    return writing(block, () -> recover(block, recovery));
  }

  private ReplicaRecoveryInfo recover(BlockKey block, HyCachePlain<ReplicaRecoveryInfo> recovery)
      throws IOException {
    try {
      return recovery.run();
    } catch (IOException e) {
      ReplicaInfo replica = dataset.volumeMap.get(block.pool(), block.id());
      if (replica == null || !HyCacheTornTail.cut(replica, node.placement().tiers())) {
        throw e;
      }
      return recovery.run();
    }
  }
}
