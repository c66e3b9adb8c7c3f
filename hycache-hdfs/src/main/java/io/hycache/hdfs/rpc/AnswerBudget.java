// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/*
 * Hadoop's RPC server keeps the answers of a connection that is not read, without a bound, until one of them is old
 * (ipc.server.purge.interval, 15 minutes; looked at as often). An answer that is much larger than its request is a way to fill
 * the DataNode's memory. What one user's answers can occupy is the burst, and what is sent in two such intervals.
 *
 * The planner has one thread. A question for which it looks at many blocks, and whose answer is short, is a way to hold it up. So
 * a block that is looked at counts as a byte.
 */
/**
 * Bounds the answers that one user is sent, and the blocks that are looked at for them: a burst
 * that refills steadily. For answers whose size or cost the request does not bound. Thread-safe;
 * O(1).
 */
final class AnswerBudget {
  static final int BURST_MB = 32;
  static final int MB_PER_MINUTE = 8;

  private static final long NANOS_PER_BYTE = TimeUnit.MINUTES.toNanos(1) / (MB_PER_MINUTE << 20);
  private static final long BURST_NANOS = ((long) BURST_MB << 20) * NANOS_PER_BYTE;

  private final LongSupplier nanoTime;

  /** By user, the time at which the burst is whole again. A user without is one whose burst is. */
  private final Cache<String, Long> wholeAtNanos;

  AnswerBudget(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.wholeAtNanos =
        CacheBuilder.newBuilder()
            // One answer may exceed the burst.
            .expireAfterWrite(Duration.ofNanos(2 * BURST_NANOS))
            .ticker(
                new Ticker() {
                  @Override
                  public long read() {
                    return nanoTime.getAsLong();
                  }
                })
            .build();
  }

  /**
   * Called before a question is answered.
   *
   * @throws RefusedException if nothing of the user's burst is left
   */
  void check(String user) throws RefusedException {
    Long wholeAt = wholeAtNanos.getIfPresent(user);
    if (wholeAt != null && wholeAt - nanoTime.getAsLong() >= BURST_NANOS) {
      throw new RefusedException(
          "expected answers of at most "
              + BURST_MB
              + " MB at once and "
              + MB_PER_MINUTE
              + " MB a minute on state and workflows, found more: user="
              + user
              + ". Fix: ask less often");
    }
  }

  /** Counts what an answer took. */
  void spend(String user, long bytes) {
    long now = nanoTime.getAsLong();
    long cost = bytes * NANOS_PER_BYTE;
    wholeAtNanos
        .asMap()
        .merge(user, now + cost, (known, ofFirst) -> known - now < 0 ? now + cost : known + cost);
  }
}
