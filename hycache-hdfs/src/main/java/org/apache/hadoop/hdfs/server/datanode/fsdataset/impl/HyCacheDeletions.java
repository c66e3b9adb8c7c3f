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

/** Deletions of replicas: which of them HDFS is to make, and what became of them. Thread-safe. */
final class HyCacheDeletions {
  /** HDFS's deletion of some blocks. */
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

  /** Deletes blocks, but for those that were reported as well a moment ago. */
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
      for (int i = 0; i < blocks.length; i++) {
        if (dataset.volumeMap.get(pool, blocks[i]) == null) {
          // A copy of it may have been taken into the index between the two steps.
          events.gone(keys[i]);
        } else if (!store.isBeingDeleted(keys[i])) {
          events.refresh(keys[i]); // it stays
        }
      }
    }
  }

  /** From Hadoop 3.4 on a replica is deleted some time after {@link #invalidate}. */
  boolean removed(BlockKey block, BooleanSupplier plain) {
    try {
      return plain.getAsBoolean();
    } finally {
      store.deletionEnded(block);
      if (dataset.volumeMap.get(block.pool(), block.id()) == null) {
        events.gone(block);
      } else {
        events.refresh(block); // HDFS has not deleted it after all
      }
    }
  }
}
