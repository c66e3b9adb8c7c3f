package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import java.io.File;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** HDFS's local moves as its dataset makes them, our own demotions among them. Thread-safe. */
public final class LocalMoves {
  private final ReplicaStore store;
  private final Guests guests;
  private final Demoter demoter;
  private final ReplicaEvents events;
  private final Guard guard;

  LocalMoves(
      ReplicaStore store, Guests guests, Demoter demoter, ReplicaEvents events, Guard guard) {
    this.store = store;
    this.guests = guests;
    this.demoter = demoter;
    this.events = events;
    this.guard = guard;
  }

  /** True while a demotion of ours moves the block. */
  public boolean isDemoting(BlockKey block) {
    return demoter.isDemoting(block);
  }

  /** The copying step of a demotion: verified and synced. */
  public void copyReplica(ReplicaView source, File targetData, File targetChecksums)
      throws IOException {
    demoter.copyReplica(source, targetData, targetChecksums);
  }

  /** Verifies and syncs what HDFS copied for a local move of its own; removes it if it is bad. */
  public void settleCopy(ReplicaView source, File targetData, File targetChecksums)
      throws IOException {
    demoter.settleCopy(source, targetData, targetChecksums);
  }

  /**
   * HDFS's replica map names the copy that a local move made. From here on HDFS must come to the
   * end of the move: nothing is thrown.
   */
  public void committed(BlockKey block) {
    if (guard.tripped()) {
      return;
    }
    try {
      demoter.committed(block);
    } catch (Throwable e) {
      guard.failed("keep a clean copy", e);
    }
  }

  /**
   * Keeps all other local moves off a block until the hold is closed.
   *
   * @throws IOException if one is under way
   */
  public BlockMoves.Hold holdForMove(BlockKey block) throws IOException {
    return demoter.moves().begin(block);
  }

  /**
   * The block is written to, or goes, until the hold is closed: a local move of it is given up
   * before its switch, and none begins. Never waits for a copy.
   */
  public BlockMoves.Hold writing(BlockKey block) {
    return demoter.moves().writing(block);
  }

  /**
   * Makes the switch of a local move unless a writer came for the block.
   *
   * @param change done in memory; returns whether it did
   * @return whether the switch was made
   */
  public boolean commitMove(BlockKey block, BooleanSupplier change) {
    return demoter.moves().commit(block, change);
  }

  /** A local move between volumes begins. */
  public void moving(BlockKey block) {
    if (!demoter.isDemoting(block)) {
      guard.run("moving", () -> guests.changing(store.finalized(block)));
    }
  }

  /** A local move ended well. Our own demotions report through the mover. */
  public void moved(BlockKey block) {
    if (!demoter.isDemoting(block)) {
      events.changing(block);
      events.refresh(block);
    }
  }
}
