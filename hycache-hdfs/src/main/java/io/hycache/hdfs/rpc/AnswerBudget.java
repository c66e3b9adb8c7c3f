// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;

/*
 * Hadoop's RPC server keeps the answers of a connection that is not read, without a bound, until one of them is old
 * (ipc.server.purge.interval, 15 minutes; looked at as often). An answer that is much larger than its request is a way to fill
 * the DataNode's memory. What one user's answers can occupy is the burst, and what is sent in two such intervals.
 */
/**
 * Bounds the answers that one user is sent: a burst that refills steadily. For answers whose size
 * the request does not bound. Thread-safe; O(1).
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
   * Returns an answer to be sent, and counts its bytes.
   *
   * @throws RefusedException if nothing of the user's burst is left
   */
  BytesValue take(String user, BytesValue answer) throws RefusedException {
    long now = nanoTime.getAsLong();
    long cost = answer.getSerializedSize() * NANOS_PER_BYTE;
    boolean[] taken = {false};
    wholeAtNanos
        .asMap()
        .compute(
            user,
            (any, known) -> {
              long wholeAt = known == null || known - now < 0 ? now : known;
              taken[0] = wholeAt - now < BURST_NANOS;
              return taken[0] ? wholeAt + cost : wholeAt;
            });
    if (!taken[0]) {
      throw new RefusedException(
          "expected answers of at most "
              + BURST_MB
              + " MB at once and "
              + MB_PER_MINUTE
              + " MB a minute on state and workflows, found more: user="
              + user
              + ". Fix: ask less often");
    }
    return answer;
  }
}
