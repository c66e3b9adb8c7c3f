package io.hycache.core.policy;

import io.hycache.core.model.Access;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.spi.KnownSequence;

/** Forwards every call to the current policy, which may change between calls. */
public abstract class ForwardingPolicy implements CachePolicy {

  /** The policy to forward to. */
  protected abstract CachePolicy current();

  @Override
  public void onAccess(Access access) {
    current().onAccess(access);
  }

  @Override
  public void onAdmitted(BlockKey block, long sizeBytes, long nowNanos) {
    current().onAdmitted(block, sizeBytes, nowNanos);
  }

  @Override
  public void onRemoved(BlockKey block) {
    current().onRemoved(block);
  }

  @Override
  public void onReferences(BlockKey block, long remaining) {
    current().onReferences(block, remaining);
  }

  @Override
  public void onNextUse(BlockKey block, long atNanos) {
    current().onNextUse(block, atNanos);
  }

  @Override
  public void onClass(BlockKey block, String name) {
    current().onClass(block, name);
  }

  @Override
  public void onSequence(KnownSequence sequence) {
    current().onSequence(sequence);
  }

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    return current().decide(candidate, freeBytes, capacityBytes);
  }

  @Override
  public Iterable<BlockKey> evictionOrder() {
    return current().evictionOrder();
  }

  @Override
  public int residents() {
    return current().residents();
  }
}
