// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the calls to DataNodes without the plugin, each of which logs a stack trace for every
 * call. Such a DataNode is called again after a second, since it may just be starting, then after
 * twice the time before, up to an hour, or once it calls this node. Thread-safe.
 */
public final class CallBackoff {
  static final long MIN_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(1);
  static final long MAX_BACKOFF_NANOS = TimeUnit.HOURS.toNanos(1);

  private final LongSupplier nanoTime;

  /** By address. */
  private final Map<String, Backoff> backoffs = new ConcurrentHashMap<>();

  /** The pause before the next call to one DataNode. Immutable. */
  private static final class Backoff {
    final String id;
    final long nanos;
    final long untilNanos;
    final NotActiveException cause;

    Backoff(String id, long nanos, long untilNanos, NotActiveException cause) {
      this.id = id;
      this.nanos = nanos;
      this.untilNanos = untilNanos;
      this.cause = cause;
    }
  }

  /**
   * Makes an empty backoff.
   *
   * @param nanoTime a monotonic clock in nanoseconds
   */
  public CallBackoff(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Checks whether a DataNode may be called.
   *
   * @param address host:port
   * @throws NotActiveException if the DataNode had no plugin and its backoff has not elapsed
   */
  public void check(String address) throws NotActiveException {
    Backoff backoff = backoffs.get(address);
    if (backoff != null && nanoTime.getAsLong() - backoff.untilNanos < 0) {
      throw new NotActiveException(backoff.cause);
    }
  }

  /** Records that a DataNode has the plugin. */
  public void answered(String address) {
    backoffs.remove(address);
  }

  /**
   * Records that a DataNode has no plugin.
   *
   * @param id of the DataNode as a member of the directory; empty if unknown
   */
  public void notActive(String address, String id, NotActiveException cause) {
    Backoff unused = backoffs.compute(address, (at, before) -> next(id, before, cause));
  }

  private Backoff next(String id, @Nullable Backoff before, NotActiveException cause) {
    long now = nanoTime.getAsLong();
    if (before != null && now - before.untilNanos < 0) {
      return before; // from a call made at the same time as this one
    }
    long nanos = before == null ? MIN_BACKOFF_NANOS : Math.min(2 * before.nanos, MAX_BACKOFF_NANOS);
    return new Backoff(id, nanos, now + nanos, cause);
  }

  /** Records that a member of the directory called this node, which ends its backoff. */
  void called(String id) {
    backoffs.values().removeIf(backoff -> backoff.id.equals(id));
  }
}
