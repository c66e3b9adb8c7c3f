package io.hycache.core.engine;

import com.google.common.collect.ImmutableList;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.KnownSequence;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.util.List;

/**
 * The policy in force, which may give way to another while the DataNode runs. Owned by the
 * planner's thread; a hand-over is O(residents log residents + hinted blocks).
 */
final class LivePolicy implements CachePolicy {
  /** A successor hears of so many of a resident's reads, as after a restart. */
  static final int READS = 16;

  private CachePolicy current;

  LivePolicy(CachePolicy first) {
    current = first;
  }

  /**
   * Another one takes over: it is told the references left, and the residents in the order in which
   * they would have gone, so that recency is what it was and frequency at least {@link #READS}
   * deep.
   *
   * @param tellReferences tells the policy in force of all references that are left
   */
  void replace(CachePolicy next, BlockTable table, Runnable tellReferences, long now) {
    List<BlockKey> residents = ImmutableList.copyOf(current.evictionOrder());
    current = next;
    tellReferences.run();
    for (BlockKey key : residents) {
      BlockEntry entry = table.get(key);
      if (entry != null) {
        next.onAdmitted(key, entry.sizeBytes(), now);
        heard(next, entry, now);
      }
    }
  }

  /** Tells a policy of a resident's reads of before. */
  static void heard(CachePolicy policy, BlockEntry entry, long now) {
    BlockKey key = entry.key();
    for (int i = 0; i < Math.min(entry.reads(), READS); i++) {
      policy.onAccess(key, entry.sizeBytes(), now);
    }
  }

  @Override
  public void onAccess(BlockKey block, long sizeBytes, long nowNanos) {
    current.onAccess(block, sizeBytes, nowNanos);
  }

  @Override
  public void onAdmitted(BlockKey block, long sizeBytes, long nowNanos) {
    current.onAdmitted(block, sizeBytes, nowNanos);
  }

  @Override
  public void onRemoved(BlockKey block) {
    current.onRemoved(block);
  }

  @Override
  public void onReferences(BlockKey block, long remaining) {
    current.onReferences(block, remaining);
  }

  @Override
  public void onNextUse(BlockKey block, long atNanos) {
    current.onNextUse(block, atNanos);
  }

  @Override
  public void onRequest(BlockKey block, long requestBytes) {
    current.onRequest(block, requestBytes);
  }

  @Override
  public void onClass(BlockKey block, String name) {
    current.onClass(block, name);
  }

  @Override
  public void onSequence(KnownSequence sequence) {
    current.onSequence(sequence);
  }

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    return current.decide(candidate, freeBytes, capacityBytes);
  }

  @Override
  public Iterable<BlockKey> evictionOrder() {
    return current.evictionOrder();
  }

  @Override
  public int residents() {
    return current.residents();
  }
}
