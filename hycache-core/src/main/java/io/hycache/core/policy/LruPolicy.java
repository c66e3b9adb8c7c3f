package io.hycache.core.policy;

import org.jspecify.annotations.Nullable;

/**
 * Keeps what was read last.
 *
 * <p>Idea: residents form a list in order of use; a read or an admission moves a block to its end,
 * victims come from its front. A changed size is no use.
 *
 * <p>Complexity: O(1) for each event, O(k) for a decision with k victims.
 *
 * <p>Memory: about 80 bytes for each resident besides its key (hash node, table slot, link); none
 * for blocks that are not resident.
 *
 * <p>Approximate: nothing. Known weakness: a scan longer than the fast tier flushes it.
 *
 * <p>Source: the LRU of HyCache (Zhao, Raicu, IPDPSW'13), there for files, here for block replicas.
 */
final class LruPolicy extends ReadFetchPolicy {
  private final Resident ends = Resident.listEnds();

  @Override
  void link(Resident resident) {
    resident.linkBefore(ends);
  }

  @Override
  void unlink(Resident resident) {
    resident.unlink();
  }

  @Override
  void touch(Resident resident) {
    resident.unlink();
    resident.linkBefore(ends);
  }

  @Override
  @Nullable Resident first() {
    return after(ends);
  }

  @Override
  @Nullable Resident after(Resident resident) {
    return resident.next == ends ? null : resident.next;
  }
}
