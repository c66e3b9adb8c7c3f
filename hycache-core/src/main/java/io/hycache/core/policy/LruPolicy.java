package io.hycache.core.policy;

import io.hycache.core.model.BlockKey;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what was read last.
 *
 * <p>Idea: residents stand in a queue in order of use ({@link TurnQueue}); a read or an admission
 * moves a block to its end, victims come from its front. A changed size is no use.
 *
 * <p>Complexity: O(1) amortized for each event, O(k) for a decision with k victims.
 *
 * <p>Memory: about 90 bytes for each resident besides its key (look-up, turn, resident); none for
 * blocks that are not resident.
 *
 * <p>Approximate: nothing. Known weakness: a scan longer than the fast tier flushes it.
 *
 * <p>Source: the LRU of HyCache (Zhao, Raicu, IPDPSW'13), there for files, here for block replicas.
 */
final class LruPolicy extends ReadFetchPolicy implements Warmable {
  private final TurnQueue order = new TurnQueue();

  @Override
  void link(Resident resident) {
    order.addLast(resident);
  }

  @Override
  void unlink(Resident resident) {
    order.remove(resident);
  }

  @Override
  void touch(Resident resident) {
    order.remove(resident);
    order.addLast(resident);
  }

  @Override
  @Nullable Resident first() {
    return order.first();
  }

  @Override
  @Nullable Resident after(Resident resident) {
    return order.after(resident);
  }

  @Override
  public int warm(BlockKey[] blocks, int count) {
    return warmResidents(blocks, count);
  }

  @Override
  public int nextToGo(BlockKey[] into, int count) {
    return order.soonFirst(into, count);
  }
}
