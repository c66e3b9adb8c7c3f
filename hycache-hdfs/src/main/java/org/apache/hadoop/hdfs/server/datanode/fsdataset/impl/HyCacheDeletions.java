// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.core.model.BlockKey;
import io.hycache.hdfs.dataset.BlockMoves;
import io.hycache.hdfs.dataset.LocalMoves;
import io.hycache.hdfs.dataset.ReplicaEvents;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.protocol.Block;

/** Deletions of replicas: selects those that HDFS makes, and reports their outcome. Thread-safe. */
final class HyCacheDeletions {
  /** Deletes blocks through HDFS. */
  interface Invalidate {
    void of(Block[] blocks) throws IOException;
  }

  private final FsDatasetImpl dataset;
  private final HyCacheReplicaStore store;
  private final LocalMoves moves;
  private final ReplicaEvents events;

  HyCacheDeletions(
      FsDatasetImpl dataset, HyCacheReplicaStore store, LocalMoves moves, ReplicaEvents events) {
    this.dataset = dataset;
    this.store = store;
    this.moves = moves;
    this.events = events;
  }

  /** Deletes blocks, except for those that were just reported as healthy. */
  void invalidate(String pool, Block[] invalid, Invalidate plain) throws IOException {
    Block[] blocks = store.takeDeletions(pool, HyCacheScheduledReports.issued(invalid));
    BlockKey[] keys = new BlockKey[blocks.length];
    for (int i = 0; i < blocks.length; i++) {
      keys[i] = new BlockKey(pool, blocks[i].getBlockId());
    }
    List<BlockMoves.Hold> holds = new ArrayList<>(blocks.length);
    try {
      for (int i = 0; i < blocks.length; i++) {
        holds.add(moves.writing(keys[i]));
        if (dataset.volumeMap.get(pool, blocks[i]) != null) {
          events.deleted(keys[i]);
        }
      }
      plain.of(blocks);
    } finally {
      holds.forEach(BlockMoves.Hold::close);
      for (BlockKey block : keys) {
        ended(block);
      }
    }
  }

  /**
   * Reports the outcome of a deletion. The block is looked up by its id: HDFS refuses a deletion
   * with a generation stamp that is not the replica's.
   */
  private void ended(BlockKey block) {
    if (dataset.volumeMap.get(block.pool(), block.id()) == null) {
      // A copy may have been added to the index since the replica's deletion was reported.
      events.gone(block);
    } else if (!store.isBeingDeleted(block)) {
      events.refresh(block); // the replica was not deleted
    }
  }

  /**
   * Called when HDFS removes a replica from its map, which from Hadoop 3.4 on happens some time
   * after {@link #invalidate}.
   */
  boolean removed(BlockKey block, BooleanSupplier plain) {
    try {
      return plain.getAsBoolean();
    } finally {
      store.deletionEnded(block);
      ended(block);
    }
  }
}
