package io.hycache.core.engine;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.CachePolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** LRU that throws or names a wrong victim when told to. */
final class RoguePolicy implements CachePolicy {
  private final CachePolicy lru = Policies.create("lru");
  volatile boolean throwing;
  volatile @Nullable BlockKey victim;

  @Override
  public void onAccess(BlockKey block, long sizeBytes, long nowNanos) {
    if (throwing) {
      throw new IllegalStateException("told to fail");
    }
    lru.onAccess(block, sizeBytes, nowNanos);
  }

  @Override
  public void onAdmitted(BlockKey block, long sizeBytes, long nowNanos) {
    lru.onAdmitted(block, sizeBytes, nowNanos);
  }

  @Override
  public void onRemoved(BlockKey block) {
    lru.onRemoved(block);
  }

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    BlockKey wrong = victim;
    return wrong == null
        ? lru.decide(candidate, freeBytes, capacityBytes)
        : Decision.admit(List.of(wrong));
  }

  @Override
  public Iterable<BlockKey> evictionOrder() {
    return lru.evictionOrder();
  }

  @Override
  public int residents() {
    return lru.residents();
  }
}
