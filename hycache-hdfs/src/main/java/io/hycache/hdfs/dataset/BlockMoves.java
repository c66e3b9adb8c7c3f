package io.hycache.hdfs.dataset;

import io.hycache.core.model.BlockKey;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Lets one thread at a time move a block between volumes. HDFS's balancer, mover and disk balancer
 * and our demotions know nothing of each other, and two moves of a block to one volume write to the
 * same temporary files. Thread-safe.
 */
public final class BlockMoves {
  private final ConcurrentMap<BlockKey, Thread> movers = new ConcurrentHashMap<>();

  BlockMoves() {}

  /** The right to move a block; closing it gives it back. */
  public interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Never waits. A thread that holds the block already may take it again; the first hold counts.
   *
   * @throws IOException if another thread moves the block
   */
  Hold begin(BlockKey block) throws IOException {
    Thread self = Thread.currentThread();
    Thread other = movers.putIfAbsent(block, self);
    if (other == self) {
      return () -> {};
    }
    if (other != null) {
      throw new IOException(
          "another move of the block is under way: block=" + block + " by=" + other.getName());
    }
    return () -> movers.remove(block, self);
  }
}
