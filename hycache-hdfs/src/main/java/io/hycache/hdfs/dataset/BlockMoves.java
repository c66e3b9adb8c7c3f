// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.spi.MoveAbandonedException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Excludes concurrent moves of a block between volumes, and lets writers abandon a move before its
 * switch.
 *
 * <p>HDFS's balancer, mover and disk balancer and HyCache's demotions are not coordinated by HDFS,
 * and two moves of a block to one volume would write to the same temporary files. An append takes
 * the lock of the volume that the replica is on, a move the lock of its target, so that HDFS's
 * locks do not exclude them. This class does: {@link #writing} marks the block, and {@link #commit}
 * performs the switch of a move unless the block was marked since the move began. A writer never
 * waits for a copy, only for the switch, which is done in memory.
 *
 * <p>Thread-safe. Lock order: a switch runs under the lock of one hash-map bin; it must not take
 * HDFS's locks unless its thread already holds them.
 */
public final class BlockMoves {
  /** The mover and the writers of a block. Immutable. */
  private static final class Use {
    static final Use NONE = new Use(null, false, 0);

    final @Nullable Thread mover;

    /** True if a writer marked the block since the move began. */
    final boolean abandoned;

    final int writers;

    Use(@Nullable Thread mover, boolean abandoned, int writers) {
      this.mover = mover;
      this.abandoned = abandoned;
      this.writers = writers;
    }

    @Nullable Use orNull() {
      return mover == null && writers == 0 ? null : this;
    }
  }

  private final ConcurrentMap<BlockKey, Use> uses = new ConcurrentHashMap<>();

  BlockMoves() {}

  /** A claim on a block; closing releases it. */
  public interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  private Use use(BlockKey block) {
    return uses.getOrDefault(block, Use.NONE);
  }

  /**
   * Claims a block for a move. Never blocks. Reentrant: only the first hold of a thread has an
   * effect.
   *
   * @throws MoveAbandonedException if the block is being written to, or another thread moves it
   */
  Hold begin(BlockKey block) throws MoveAbandonedException {
    Thread self = Thread.currentThread();
    Use[] found = new Use[1];
    Use now =
        uses.compute(
            block,
            (key, use) -> {
              found[0] = use == null ? Use.NONE : use;
              return use == null ? new Use(self, false, 0) : use;
            });
    if (found[0] == Use.NONE) {
      return () ->
          uses.computeIfPresent(block, (key, use) -> new Use(null, false, use.writers).orNull());
    }
    if (now.mover == self) {
      return () -> {};
    }
    if (now.mover == null) {
      throw new MoveAbandonedException("the block is being written to: block=" + block);
    }
    throw new MoveAbandonedException(
        "another move of the block is under way: block=" + block + " by=" + now.mover.getName());
  }

  /**
   * Marks a block as being written to or deleted until the hold is closed. A move in progress is
   * abandoned, and none can begin. Never waits for a copy.
   */
  Hold writing(BlockKey block) {
    Use ignored =
        uses.compute(
            block,
            (key, use) ->
                use == null
                    ? new Use(null, false, 1)
                    : new Use(use.mover, use.mover != null, use.writers + 1));
    return () ->
        uses.computeIfPresent(
            block, (key, use) -> new Use(use.mover, use.abandoned, use.writers - 1).orNull());
  }

  /** Returns true once a writer has marked a block whose move is in progress. */
  boolean isAbandoned(BlockKey block) {
    return use(block).abandoned;
  }

  /** Returns true while a thread moves the block. */
  boolean isMoving(BlockKey block) {
    return use(block).mover != null;
  }

  /**
   * Performs the switch of a move unless a writer marked the block since the move began. Without a
   * registered move, performs it unless there is a writer now.
   *
   * @param change the switch, in memory only; returns whether it was made
   * @return whether the switch was made
   */
  boolean commit(BlockKey block, BooleanSupplier change) {
    boolean[] made = new boolean[1];
    Use ignored =
        uses.compute(
            block,
            (key, use) -> {
              made[0] =
                  (use == null || (!use.abandoned && use.writers == 0)) && change.getAsBoolean();
              return use;
            });
    return made[0];
  }

  /** Waits until no thread moves the block; returns false if the time is over first. */
  boolean awaitNoMove(BlockKey block, long millis) {
    long end = System.nanoTime() + millis * 1_000_000;
    while (isMoving(block)) {
      if (System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(5_000_000);
    }
    return true;
  }
}
