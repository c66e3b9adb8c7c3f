package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import io.hycache.core.spi.MoveAbandonedException;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who does what with a block: one thread at a time may move it between volumes, and a writer ends
 * any move of it before the move's switch.
 *
 * <p>HDFS's balancer, mover and disk balancer and our demotions know nothing of each other, and two
 * moves of a block to one volume write to the same temporary files. An append takes the lock of the
 * volume that it finds the replica on, a move that of its target: they don't exclude each other.
 * Here they do: {@link #writing} marks the block, and {@link #commit} makes the switch of a move
 * unless there was such a mark since the move began. A writer never waits for a copy; it waits for
 * the switch at most, which is done in memory.
 *
 * <p>Thread-safe. Locks: a switch runs under the lock of one bin of a hash map; it may take locks
 * of HDFS only if its thread has them already.
 */
public final class BlockMoves {
  /** What is done with a block. Immutable. */
  private static final class Use {
    static final Use NONE = new Use(null, false, 0);

    final @Nullable Thread mover;

    /** A writer came since the move began. */
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

  /** A right to do something with a block; closing it gives it back. */
  public interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  private Use use(BlockKey block) {
    return uses.getOrDefault(block, Use.NONE);
  }

  /**
   * The right to move a block. Never waits. A thread that holds the block already may take it
   * again; the first hold counts.
   *
   * @throws MoveAbandonedException if someone writes to the block
   * @throws IOException if another thread moves the block
   */
  Hold begin(BlockKey block) throws IOException {
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
    throw new IOException(
        "another move of the block is under way: block=" + block + " by=" + now.mover.getName());
  }

  /**
   * The block is written to, or goes, until the hold is closed. A move that is under way is
   * abandoned; none can begin. Never waits for a copy.
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

  /** True once a writer came for a block whose move is under way. */
  boolean isAbandoned(BlockKey block) {
    return use(block).abandoned;
  }

  /** True while some thread moves the block. */
  boolean isMoving(BlockKey block) {
    return use(block).mover != null;
  }

  /**
   * Makes the switch of a move, unless a writer came since the move began. Without a move under way
   * it is made unless there is a writer now.
   *
   * @param change done in memory; returns whether it did
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

  /** Waits until no thread moves the block; returns whether that was so in time. */
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
