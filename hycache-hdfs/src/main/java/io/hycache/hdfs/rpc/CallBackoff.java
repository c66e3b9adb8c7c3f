// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the calls to DataNodes without the plugin, each of which logs a stack trace for every
 * call, to those without a part in the directory, and to DataNodes that are away. Such a DataNode
 * is called again after a second, since it may just be starting, then after twice the time before,
 * up to an hour, or half a minute if it is away, or once it calls this node. Thread-safe.
 */
public final class CallBackoff {
  static final long MIN_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(1);
  static final long MAX_BACKOFF_NANOS = TimeUnit.HOURS.toNanos(1);
  static final long MAX_AWAY_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final LongSupplier nanoTime;

  /** By address. */
  private final Map<String, Backoff> backoffs = new ConcurrentHashMap<>();

  /** The pause before the next call to one DataNode. Immutable. */
  private static final class Backoff {
    final String id;
    final long nanos;
    final long untilNanos;
    final IOException cause;

    Backoff(String id, long nanos, long untilNanos, IOException cause) {
      this.id = id;
      this.nanos = nanos;
      this.untilNanos = untilNanos;
      this.cause = cause;
    }

    boolean isUnderWay(long nowNanos) {
      return nowNanos - untilNanos < 0;
    }

    boolean hasNoPlugin() {
      return cause instanceof NotActiveException;
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
   * @throws IOException if the DataNode was away and its backoff has not elapsed
   */
  public void check(String address) throws IOException {
    Backoff backoff = backoffs.get(address);
    if (backoff != null && backoff.isUnderWay(nanoTime.getAsLong())) {
      throw backoff.hasNoPlugin()
          ? new NotActiveException(ErrorText.of(backoff.cause), backoff.cause)
          : new IOException(
              "the DataNode was away and is not asked again yet: address=" + address,
              backoff.cause);
    }
  }

  /** Returns the number of DataNodes that were away, or without the plugin, when last called. */
  public int size() {
    return backoffs.size();
  }

  /** Whether {@link #check} would fail. */
  boolean isResting(String address) {
    Backoff backoff = backoffs.get(address);
    return backoff != null && backoff.isUnderWay(nanoTime.getAsLong());
  }

  /** Whether the last call to a DataNode found that it has no plugin. */
  boolean hadNoPlugin(String address) {
    Backoff backoff = backoffs.get(address);
    return backoff != null && backoff.hasNoPlugin();
  }

  /** Records that a DataNode became a member, so another one found the plugin there. */
  void joined(String address) {
    backoffs.computeIfPresent(address, (at, backoff) -> backoff.hasNoPlugin() ? null : backoff);
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
    Backoff unused =
        backoffs.compute(address, (at, before) -> next(id, before, cause, MAX_BACKOFF_NANOS));
  }

  /**
   * Records that no connection to a DataNode could be made, or that it did not answer.
   *
   * @param id of the DataNode as a member of the directory; empty if unknown
   */
  public void away(String address, String id, IOException cause) {
    Backoff unused =
        backoffs.compute(address, (at, before) -> next(id, before, cause, MAX_AWAY_NANOS));
  }

  private Backoff next(String id, @Nullable Backoff before, IOException cause, long mostNanos) {
    long now = nanoTime.getAsLong();
    if (before != null && before.isUnderWay(now)) {
      return before; // from a call made at the same time as this one
    }
    long nanos = before == null ? MIN_BACKOFF_NANOS : Math.min(2 * before.nanos, mostNanos);
    return new Backoff(id, nanos, now + nanos, cause);
  }

  /** Records that a member of the directory called this node, which ends its backoff. */
  void called(String id) {
    backoffs.values().removeIf(backoff -> backoff.id.equals(id));
  }

  /** As {@link #called}, if the DataNode was away. */
  void calledIfAway(String id) {
    backoffs.values().removeIf(backoff -> backoff.id.equals(id) && !backoff.hasNoPlugin());
  }
}
