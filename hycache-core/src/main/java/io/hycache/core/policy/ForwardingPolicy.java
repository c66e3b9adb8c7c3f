// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
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
  public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    current().onAdmitted(key, sizeBytes, nowNanos);
  }

  @Override
  public void onRemoved(CacheKey key) {
    current().onRemoved(key);
  }

  @Override
  public void onDeleted(CacheKey key) {
    current().onDeleted(key);
  }

  @Override
  public void onTime(long nowNanos) {
    current().onTime(nowNanos);
  }

  @Override
  public void onReferences(CacheKey key, long remaining) {
    current().onReferences(key, remaining);
  }

  @Override
  public void onNextUse(CacheKey key, long atNanos) {
    current().onNextUse(key, atNanos);
  }

  @Override
  public void onUsedWithoutAccess(CacheKey key) {
    current().onUsedWithoutAccess(key);
  }

  @Override
  public void onClass(CacheKey key, String name) {
    current().onClass(key, name);
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
  public Iterable<CacheKey> evictionOrder() {
    return current().evictionOrder();
  }

  @Override
  public String follows() {
    return current().follows();
  }

  @Override
  public int residents() {
    return current().residents();
  }
}
