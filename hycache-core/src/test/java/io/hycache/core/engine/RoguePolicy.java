// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import com.google.common.base.Throwables;
import com.google.common.collect.Iterables;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.CachePolicy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** LRU that throws or names a wrong victim on demand. */
final class RoguePolicy implements CachePolicy {
  private final CachePolicy lru = Policies.create("lru");
  volatile boolean throwing;

  /** The victims that it names, whatever the block. */
  volatile @Nullable List<CacheKey> victims;

  /** Its order names each block twice. */
  volatile boolean doubling;

  /** Thrown by the next admission; not a checked one. */
  volatile @Nullable Throwable nextAdmission;

  /** Thrown by the next removal; not a checked one. */
  volatile @Nullable Throwable nextRemoval;

  /** Thrown when references of a block are next reported; not a checked one. */
  volatile @Nullable Throwable nextReferences;

  /** The next read waits until it is opened. */
  volatile @Nullable CountDownLatch gate;

  /** A read waits. */
  volatile boolean waiting;

  @Override
  public void onAccess(Access access) {
    if (throwing) {
      throw new IllegalStateException("made to fail");
    }
    CountDownLatch closed = gate;
    if (closed != null) {
      waiting = true;
      pass(closed);
      waiting = false;
    }
    lru.onAccess(access);
  }

  private static void pass(CountDownLatch gate) {
    try {
      gate.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    Throwable failure = nextAdmission;
    if (failure != null) {
      nextAdmission = null;
      Throwables.throwIfUnchecked(failure);
    }
    lru.onAdmitted(key, sizeBytes, nowNanos);
  }

  @Override
  public void onReferences(CacheKey key, long remaining) {
    Throwable failure = nextReferences;
    if (failure != null) {
      nextReferences = null;
      Throwables.throwIfUnchecked(failure);
    }
    lru.onReferences(key, remaining);
  }

  @Override
  public void onRemoved(CacheKey key) {
    Throwable failure = nextRemoval;
    if (failure != null) {
      nextRemoval = null;
      Throwables.throwIfUnchecked(failure);
    }
    lru.onRemoved(key);
  }

  @Override
  public Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
    List<CacheKey> wrong = victims;
    return wrong == null ? lru.decide(candidate, freeBytes, capacityBytes) : Decision.admit(wrong);
  }

  @Override
  public Iterable<CacheKey> evictionOrder() {
    Iterable<CacheKey> order = lru.evictionOrder();
    return doubling
        ? Iterables.concat(Iterables.transform(order, key -> List.of(key, key)))
        : order;
  }

  @Override
  public int residents() {
    return lru.residents();
  }
}
