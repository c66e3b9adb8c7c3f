// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Part;
import io.hycache.core.model.Replica;
import io.hycache.core.spi.BlockMover;
import io.hycache.core.spi.MoveAbandonedException;
import java.io.File;
import java.io.IOException;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Promotes and evicts files of the clean areas, and demotes, to DISK or to a slower fast tier,
 * through HDFS's own local move. The replica that the NameNode knows is readable at every instant.
 * Thread-safe; at most one move per block at a time, which the planner ensures, and {@link
 * BlockMoves} where HDFS moves replicas itself.
 */
final class HdfsMover implements BlockMover {
  private final ReplicaStore store;
  private final Function<File, DiskUse> useOf;
  private final IndexedFiles index;
  private final Promoter promoter;
  private final Demoter demoter;

  /**
   * @param areas clean area of each device, by device id; a live view
   * @param useOf returns how users load the DISK volume with a root
   * @param suspect queues a copy for verification whose checksum file does not match the replica's
   *     data
   * @param beforeEviction is passed each copy that is about to be evicted; may block
   * @param stopped true once moves must neither begin nor complete
   */
  HdfsMover(
      ReplicaStore store,
      CleanCopies copies,
      Map<String, CleanArea> areas,
      Guests guests,
      Function<File, DiskUse> useOf,
      Consumer<CleanFile> suspect,
      Consumer<CleanCopies.Copy> beforeEviction,
      BooleanSupplier stopped) {
    this.store = store;
    this.useOf = useOf;
    this.index = new IndexedFiles(store, copies, beforeEviction, stopped);
    this.promoter = new Promoter(store, copies, areas, useOf, suspect, index);
    this.demoter = new Demoter(store, areas, guests, index);
  }

  @Override
  public long promote(Replica replica, Part part, String device, Pace pace, Progress progress)
      throws IOException, InterruptedException {
    try {
      index.refuseIfStopped(replica);
      return promoter.promote(replica, part, device, pace, progress);
    } catch (IOException e) {
      throw abandonedIfChanged(replica, e);
    }
  }

  @Override
  public boolean demote(
      Replica replica, String target, boolean keepClean, Throttle throttle, Progress progress)
      throws IOException, InterruptedException {
    try {
      Throttle pace = new GivingWay(throttle, useOf.apply(new File(target)));
      return demoter.demote(replica, target, keepClean, pace, progress);
    } catch (IOException e) {
      throw abandonedIfChanged(replica, e);
    }
  }

  /** Turns a failure into an abandoned move if the replica has changed: that is not an error. */
  private IOException abandonedIfChanged(Replica replica, IOException e) {
    ReplicaView now = store.finalized(replica.block());
    return e instanceof MoveAbandonedException || (now != null && now.replica().equals(replica))
        ? e
        : new MoveAbandonedException("replica changed while it was moved: replica=" + replica, e);
  }

  @Override
  public void evict(BlockKey block, Part part) {
    index.evict(block, part);
  }

  @Override
  public void discard(Replica copied) {
    index.discard(copied);
  }

  /**
   * Removes a copy from the index; its files are removed soon after. Never blocks. Returns whether
   * there was one.
   */
  boolean drop(BlockKey block) {
    return index.drop(block);
  }

  /** Returns the moves and writes in progress, HDFS's own included. */
  BlockMoves moves() {
    return demoter.moves();
  }

  /** Returns the part that demotes replicas. */
  Demoter demoter() {
    return demoter;
  }
}
