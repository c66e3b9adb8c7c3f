// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.core.model.BlockKey;
import io.hycache.core.move.HostLimit;
import io.hycache.hdfs.dataset.BlockMoves;
import io.hycache.hdfs.dataset.HyCacheNode;
import java.io.File;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.protocol.ReplicaRecoveryInfo;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.jspecify.annotations.Nullable;

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
   * retries. HDFS reserves space for the bytes to come, and does not for the copy that it makes of
   * a replica with a second hard link (an upgrade that is not finalized): if that fails, the
   * replica is moved at once.
   */
  ReplicaHandler growing(ExtendedBlock b, HyCachePlain<ReplicaHandler> append) throws IOException {
    BlockKey block = HyCacheReplicaStore.key(b);
    try {
      return writing(block, append);
    } catch (IOException full) {
      boolean reserving = full instanceof DiskOutOfSpaceException;
      ReplicaInfo replica = reserving || HostLimit.isFull(full) ? onSsd(block) : null;
      if (replica == null) {
        throw full;
      }
      long missing = b.getNumBytes() - replica.getNumBytes();
      if (reserving && node.placement().makeRoomFor(root(replica), missing)) {
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
   * Ends the recovery of a block. HDFS copies the replica on its volume if a snapshot or an upgrade
   * keeps it as it was: if that fails because the SSD is full, evicts clean copies and retries.
   */
  Replica recovered(BlockKey block, HyCachePlain<Replica> update) throws IOException {
    try {
      return writing(block, update);
    } catch (IOException full) {
      ReplicaInfo replica = HostLimit.isFull(full) ? onSsd(block) : null;
      if (replica == null || !node.placement().makeRoomFor(root(replica), replica.getNumBytes())) {
        throw full;
      }
      return writing(block, update);
    }
  }

  /** Returns the replica of a block if it is on SSD, else null. */
  private @Nullable ReplicaInfo onSsd(BlockKey block) {
    ReplicaInfo replica = dataset.volumeMap.get(block.pool(), block.id());
    boolean fast =
        replica != null && node.placement().tiers().isFast(replica.getVolume().getStorageType());
    return fast ? replica : null;
  }

  private static File root(ReplicaInfo replica) {
    return new File(replica.getVolume().getBaseURI());
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
