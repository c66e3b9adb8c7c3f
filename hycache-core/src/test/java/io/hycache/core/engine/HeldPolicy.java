// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.CacheKey;
import io.hycache.core.policy.ForwardingPolicy;
import io.hycache.core.policy.Policies;
import io.hycache.core.spi.CachePolicy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.function.Executable;

/** LRU that waits, when it is notified of a next use, until {@link #release} is called. */
public final class HeldPolicy extends ForwardingPolicy {
  private static volatile CountDownLatch gate = new CountDownLatch(0);
  private static volatile boolean waiting;

  private final CachePolicy lru = Policies.create("lru");

  /**
   * Makes a call on a thread of its own, which gives up waiting once a policy of this class waits.
   * Returns what it threw; null if it did not.
   */
  static @Nullable Throwable giveUp(Executable call) throws Exception {
    gate = new CountDownLatch(1);
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                call.execute();
              } catch (Throwable e) {
                thrown.set(e);
              }
            });
    caller.start();
    EngineRig.await("a policy waits", () -> waiting);
    caller.interrupt();
    caller.join();
    return thrown.get();
  }

  static void release() {
    gate.countDown();
  }

  @Override
  protected CachePolicy current() {
    return lru;
  }

  @Override
  public void onNextUse(CacheKey key, long atNanos) {
    waiting = true;
    try {
      gate.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    waiting = false;
    lru.onNextUse(key, atNanos);
  }
}
