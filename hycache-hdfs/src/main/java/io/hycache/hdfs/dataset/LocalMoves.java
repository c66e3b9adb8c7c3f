// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import java.io.File;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Coordinates local moves of replicas, HDFS's own and HyCache's demotions, with each other and with
 * writers. Thread-safe.
 */
public final class LocalMoves {
  private final ReplicaStore store;
  private final Guests guests;
  private final LockedBlocks locked;
  private final Demoter demoter;
  private final ReplicaEvents events;
  private final Guard guard;

  LocalMoves(
      ReplicaStore store,
      Guests guests,
      LockedBlocks locked,
      Demoter demoter,
      ReplicaEvents events,
      Guard guard) {
    this.store = store;
    this.guests = guests;
    this.locked = locked;
    this.demoter = demoter;
    this.events = events;
    this.guard = guard;
  }

  /** Returns true if HDFS locks the block in memory, or was asked to within the last minute. */
  public boolean isBeingLocked(BlockKey block) {
    return locked.contains(block);
  }

  /** Returns true while HyCache is demoting the block. */
  public boolean isDemoting(BlockKey block) {
    return demoter.isDemoting(block);
  }

  /** Performs the copying step of a demotion: copies, verifies and syncs. */
  public void copyReplica(ReplicaView source, File targetData, File targetChecksums)
      throws IOException {
    demoter.copyReplica(source, targetData, targetChecksums);
  }

  /**
   * Verifies and syncs the copy that HDFS made for a local move of its own; removes it on failure.
   */
  public void settleCopy(ReplicaView source, File targetData, File targetChecksums)
      throws IOException {
    demoter.settleCopy(source, targetData, targetChecksums);
  }

  /**
   * Called when HDFS's replica map refers to the copy that a local move made. Never throws, because
   * HDFS must complete the move from here on.
   */
  public void committed(BlockKey block) {
    if (!guard.tripped()) {
      afterSwitch("keep a clean copy", () -> demoter.committed(block));
    }
  }

  /** Performs a step of a local move that follows its switch. Never throws, see above. */
  public void afterSwitch(String operation, Runnable step) {
    try {
      step.run();
    } catch (Throwable e) {
      guard.failed(operation, e);
    }
  }

  /**
   * Excludes all other local moves of a block until the hold is closed.
   *
   * @throws IOException if another move is under way, or the block is being written to
   */
  public BlockMoves.Hold holdForMove(BlockKey block) throws IOException {
    return demoter.moves().begin(block);
  }

  /**
   * Marks a block as being written to or deleted until the hold is closed: a local move of it is
   * abandoned before its switch, and no other begins. Never waits for a copy.
   */
  public BlockMoves.Hold writing(BlockKey block) {
    return demoter.moves().writing(block);
  }

  /**
   * Performs the switch of a local move unless a writer has marked the block.
   *
   * @param change the switch, in memory only; returns whether it was made
   * @return whether the switch was made
   */
  public boolean commitMove(BlockKey block, BooleanSupplier change) {
    return demoter.moves().commit(block, change);
  }

  /** Called when a local move between volumes begins. */
  public void moving(BlockKey block) {
    if (!demoter.isDemoting(block)) {
      guard.run("moving", () -> guests.changing(store.finalized(block)));
    }
  }

  /**
   * Called when a local move has succeeded. HyCache's own demotions are reported by the mover
   * instead.
   */
  public void moved(BlockKey block) {
    if (!demoter.isDemoting(block)) {
      events.changing(block);
      events.refresh(block);
    }
  }
}
