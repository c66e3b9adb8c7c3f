// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hycache.core.model.BlockKey;
import io.hycache.core.spi.MoveAbandonedException;
import io.hycache.hdfs.dataset.BlockMoves;
import io.hycache.hdfs.dataset.HyCacheNode;
import io.hycache.hdfs.dataset.LocalMoves;
import io.hycache.hdfs.dataset.ReplicaView;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaBuilder;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.jspecify.annotations.Nullable;

/**
 * Local moves of replicas between volumes, HDFS's own and HyCache's demotions: one at a time per
 * block, verified and synced, and completed by {@link HyCacheSwitch}. Thread-safe.
 */
final class HyCacheLocalMove {
  private final FsDatasetImpl dataset;
  private final HyCacheNode node;
  private final LocalMoves moves;
  private final HyCacheReplicaStore store;
  private final HyCacheSwitch moveSwitch;

  /**
   * Reads and sets the pinning of blocks that the balancer must not move; null if pinning is
   * disabled.
   */
  private final @Nullable LocalFileSystem pinnedFiles;

  HyCacheLocalMove(
      FsDatasetImpl dataset,
      HyCacheNode node,
      HyCacheReplicaStore store,
      @Nullable LocalFileSystem pinnedFiles) {
    this.dataset = dataset;
    this.node = node;
    this.moves = node.moves();
    this.store = store;
    this.moveSwitch = new HyCacheSwitch(dataset, moves);
    this.pinnedFiles = pinnedFiles;
  }

  /** Runs a move to another storage type. */
  ReplicaInfo acrossStorage(ExtendedBlock b, HyCachePlain<ReplicaInfo> move) throws IOException {
    BlockKey block = HyCacheReplicaStore.key(b);
    try (BlockMoves.Hold hold = holdForMove(b, block)) {
      ReplicaInfo moved = move.run();
      moveSwitch.notifyIfChanged(block, moved);
      moves.moved(block);
      return moved;
    }
  }

  /** Runs a move to another volume. */
  ReplicaInfo acrossVolumes(ExtendedBlock b, HyCachePlain<ReplicaInfo> move) throws IOException {
    BlockKey block = HyCacheReplicaStore.key(b);
    try (BlockMoves.Hold hold = holdForMove(b, block)) {
      moves.moving(block);
      ReplicaInfo moved = move.run();
      moveSwitch.notifyIfChanged(block, moved);
      moves.moved(block);
      return moved;
    }
  }

  private BlockMoves.Hold holdForMove(ExtendedBlock b, BlockKey block) throws IOException {
    BlockMoves.Hold hold = moves.holdForMove(block);
    boolean may = false;
    try {
      // Asked once the move can be abandoned: a deletion that begins later does that.
      if (store.isBeingDeleted(block)) {
        // HDFS would not delete the replica on another volume.
        String why = "replica is being deleted: block=" + b;
        throw moves.isDemoting(block)
            ? new MoveAbandonedException(why)
            : new ReplicaNotFoundException(why);
      }
      may = true;
      return hold;
    } finally {
      if (!may) {
        hold.close();
      }
    }
  }

  /**
   * Handles a difference that HDFS's directory scanner found; a block that is being moved is left
   * to the next scan.
   */
  void scanned(String pool, ScanInfo found, HyCachePlain.Action update) throws IOException {
    BlockKey block = new BlockKey(pool, found.getBlockId());
    BlockMoves.Hold scanning;
    try {
      scanning = moves.holdForMove(block);
    } catch (IOException e) {
      return;
    }
    try (BlockMoves.Hold hold = scanning) {
      if (!moveSwitch.removedLeftBehind(pool, found)) {
        update.run();
      }
    } finally {
      node.events().refresh(block);
    }
  }

  /** Performs the copying step of a move. */
  ReplicaInfo copy(
      ExtendedBlock b,
      ReplicaInfo replica,
      FsVolumeReference target,
      HyCachePlain<ReplicaInfo> plain)
      throws IOException {
    BlockKey block = HyCacheReplicaStore.key(b);
    refuseIfThere(block, replica, target.getVolume());
    ReplicaInfo copy = copyToVolume(b, block, replica, target, plain);
    moveSwitch.copied(block, replica);
    return copy;
  }

  /**
   * Refuses a move to the volume that the replica is on: HDFS would rename the copy over the
   * replica, and then remove the replica's files, which are the copy's by then. HDFS's own tools
   * may have moved the replica there after the move was decided.
   */
  private void refuseIfThere(BlockKey block, ReplicaInfo replica, FsVolumeSpi target)
      throws IOException {
    boolean demotion = moves.isDemoting(block);
    boolean there = target.getStorageID().equals(replica.getStorageUuid());
    if (there || (demotion && !isSlower(target, replica.getVolume()))) {
      String why = "replica has already moved: replica=" + replica + " target=" + target;
      throw demotion ? new MoveAbandonedException(why) : new IOException(why);
    }
  }

  private boolean isSlower(FsVolumeSpi one, FsVolumeSpi other) {
    return store.tiers().tierOf(one.getStorageType())
        > store.tiers().tierOf(other.getStorageType());
  }

  private ReplicaInfo copyToVolume(
      ExtendedBlock b,
      BlockKey block,
      ReplicaInfo replicaInfo,
      FsVolumeReference volumeRef,
      HyCachePlain<ReplicaInfo> plain)
      throws IOException {
    ReplicaView source = store.view(block.pool(), replicaInfo);
    boolean demotion = moves.isDemoting(block);
    if (demotion && (source == null || node.passThrough())) {
      throw new IOException("a demotion of HyCache can't continue as a plain copy: block=" + b);
    }
    if (source == null || node.passThrough()) {
      return plain.run();
    }
    FsVolumeImpl target = (FsVolumeImpl) volumeRef.getVolume();
    moveSwitch.refuseIfNewerLies(block, replicaInfo, target);
    if (!demotion) {
      ReplicaInfo copied = plain.run();
      if (copied instanceof LocalReplica) {
        LocalReplica local = (LocalReplica) copied;
        moves.settleCopy(source, local.getBlockFile(), local.getMetaFile());
      }
      return copied;
    }
    File dir = DatanodeUtil.idToBlockDir(target.getTmpDir(block.pool()), replicaInfo.getBlockId());
    File data = new File(dir, replicaInfo.getBlockName());
    File checksums = FsDatasetUtil.getMetaFile(data, replicaInfo.getGenerationStamp());
    long bytes = replicaInfo.getBlockDataLength() + replicaInfo.getMetadataLength();
    try (Closeable reserved = HyCacheReplicaStore.reserve(target, bytes)) {
      moves.copyReplica(source, data, checksums);
    }
    ReplicaInfo copy =
        new ReplicaBuilder(ReplicaState.TEMPORARY)
            .setBlockId(replicaInfo.getBlockId())
            .setGenerationStamp(replicaInfo.getGenerationStamp())
            .setFsVolume(target)
            .setDirectoryToUse(dir)
            .setBytesToReserve(0)
            .build();
    copy.setNumBytes(replicaInfo.getNumBytes());
    LocalFileSystem files = pinnedFiles;
    if (files != null) {
      pinAs(replicaInfo, copy, files);
    }
    return copy;
  }

  /**
   * Notifies the NameNode and short-circuit clients that a replica is on DISK, as HDFS does once
   * more. What comes before that, the links to the SSD's files, waits for the SSD, which may hang.
   */
  private void notifyOf(BlockKey block, ReplicaInfo copy) {
    store.revokeShortCircuit(block);
    dataset.datanode.notifyNamenodeReceivedBlock(
        new ExtendedBlock(block.pool(), copy),
        null,
        copy.getStorageUuid(),
        copy.isOnTransientStorage());
  }

  /**
   * Unlocks the bytes that HDFS has locked in memory because of a cache directive: they are of the
   * old file, and clients that read a locked block do not verify checksums. The NameNode asks for
   * the new one. A block that HDFS is just locking is not cached yet; that is cancelled, too.
   */
  private void unlock(BlockKey block) {
    if (dataset.cacheManager.isCached(block.pool(), block.id()) || moves.isBeingLocked(block)) {
      dataset.cacheManager.uncacheBlock(block.pool(), block.id());
    }
  }

  private static void pinAs(ReplicaInfo source, ReplicaInfo copy, LocalFileSystem files)
      throws IOException {
    boolean pinned = false;
    try {
      if (source.getPinning(files)) {
        copy.setPinning(files);
      }
      pinned = true;
    } finally {
      if (!pinned) {
        copy.deleteBlockData();
        copy.deleteMetadata();
      }
    }
  }

  /** Completes a move: makes the copy the replica unless the original has changed. */
  void finish(ExtendedBlock b, ReplicaInfo copy, HyCachePlain.Action plain) throws IOException {
    BlockKey block = HyCacheReplicaStore.key(b);
    ReplicaInfo now = dataset.volumeMap.get(block.pool(), block.id());
    boolean nothingWasCopied = now != null && now.getBlockURI().equals(copy.getBlockURI());
    boolean asPlain = node.passThrough() && !moves.isDemoting(block);
    if (nothingWasCopied || asPlain || copy.isOnTransientStorage()) {
      moveSwitch.forget(block);
      plain.run();
      return;
    }
    if (node.passThrough() && moves.isDemoting(block)) {
      moveSwitch.forget(block);
      copy.deleteBlockData();
      copy.deleteMetadata();
      throw new IOException("a demotion of HyCache is not committed in pass-through: block=" + b);
    }
    moveSwitch.make(block, copy);
    if (moves.isDemoting(block)) {
      moves.afterSwitch("notify of a demotion", () -> notifyOf(block, copy));
    }
    moves.committed(block);
    moves.afterSwitch("unlock a moved block", () -> unlock(block));
  }
}
