// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.move.RateLimit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The bytes per second of moves: to each slow device, from each slow device, and to each fast one.
 * A changed rate also holds for moves under way. Thread-safe; no method waits.
 */
final class MoveRates {
  /**
   * The writes to one slow device. Replicas from one fast device are written one at a time, so that
   * the head stays in place; a fast device that hangs does not hold up writes from another.
   */
  static final class WriteStream {
    private final Map<String, Lock> locks = new ConcurrentHashMap<>();
    final RateLimit limit;

    private WriteStream(long bytesPerSec) {
      limit = new RateLimit(bytesPerSec);
    }

    /** The lock to hold during a write from a fast device. */
    Lock lock(String fastDevice) {
      return locks.computeIfAbsent(fastDevice, id -> new ReentrantLock());
    }
  }

  private final Map<String, WriteStream> streams = new ConcurrentHashMap<>();
  private final Map<String, RateLimit> promoteLimits = new ConcurrentHashMap<>();
  private final Map<String, RateLimit> readLimits = new ConcurrentHashMap<>();
  private volatile long promoteBytesPerSec;

  /**
   * @param promoteBytesPerSec initial rate of promotions to and from each device, &gt; 0
   */
  MoveRates(long promoteBytesPerSec) {
    this.promoteBytesPerSec = promoteBytesPerSec;
  }

  /** Sets the rate of demotions to a slow device. */
  void setDemoteRate(String slowDevice, long bytesPerSec) {
    streams.computeIfAbsent(slowDevice, id -> new WriteStream(bytesPerSec)).limit.set(bytesPerSec);
  }

  /** The rate of demotions to a slow device; 0 if none was set. */
  long demoteRate(String slowDevice) {
    WriteStream stream = streams.get(slowDevice);
    return stream == null ? 0 : stream.limit.bytesPerSec();
  }

  /** The writes to a slow device; null if no rate was set for it. */
  @Nullable WriteStream stream(String slowDevice) {
    return streams.get(slowDevice);
  }

  /** Sets the rate of promotions to each fast device. */
  void setPromoteRate(long bytesPerSec) {
    promoteBytesPerSec = bytesPerSec;
    promoteLimits.values().forEach(limit -> limit.set(bytesPerSec));
  }

  /** Bounds promotions to a fast device. */
  RateLimit promotionsTo(String fastDevice) {
    return limit(promoteLimits, fastDevice);
  }

  /** Sets the rate of promotions from a slow device. */
  void setReadRate(String slowDevice, long bytesPerSec) {
    readsFrom(slowDevice).set(bytesPerSec);
  }

  /** Bounds promotions from a slow device. */
  RateLimit readsFrom(String slowDevice) {
    return limit(readLimits, slowDevice);
  }

  private RateLimit limit(Map<String, RateLimit> limits, String device) {
    return limits.computeIfAbsent(device, id -> new RateLimit(promoteBytesPerSec));
  }
}
