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
 * up to an hour, or half a minute if it is away, or once it calls this node. What was not called
 * for hours after its pause is forgotten. Thread-safe.
 */
public final class CallBackoff {
  static final long MIN_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(1);
  static final long MAX_BACKOFF_NANOS = TimeUnit.HOURS.toNanos(1);
  static final long MAX_AWAY_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** So long after its end a pause is forgotten. */
  static final long FORGET_NANOS = TimeUnit.HOURS.toNanos(2);

  private final LongSupplier nanoTime;

  /** By address. */
  private final Map<String, Backoff> backoffs = new ConcurrentHashMap<>();

  /** Addresses of backoffs by id, where it is known; the last if a DataNode had several. */
  private final Map<String, String> addresses = new ConcurrentHashMap<>();

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
    Backoff backoff = backoffs.get(address);
    if (backoff != null && backoff.hasNoPlugin()) {
      end(address, backoff);
    }
  }

  /** Records that a DataNode has the plugin. */
  public void answered(String address) {
    Backoff backoff = backoffs.get(address);
    if (backoff != null) {
      end(address, backoff);
    }
  }

  /**
   * Records that a DataNode has no plugin.
   *
   * @param id of the DataNode as a member of the directory; empty if unknown
   */
  public void notActive(String address, String id, NotActiveException cause) {
    pause(address, id, cause, MAX_BACKOFF_NANOS);
  }

  /**
   * Records that no connection to a DataNode could be made, or that it did not answer.
   *
   * @param id of the DataNode as a member of the directory; empty if unknown
   */
  public void away(String address, String id, IOException cause) {
    pause(address, id, cause, MAX_AWAY_NANOS);
  }

  private void pause(String address, String id, IOException cause, long mostNanos) {
    long now = nanoTime.getAsLong();
    if (!backoffs.containsKey(address)) {
      backoffs.forEach(
          (at, old) -> {
            if (now - old.untilNanos > FORGET_NANOS) {
              end(at, old);
            }
          });
      addresses.values().removeIf(at -> !backoffs.containsKey(at));
    }
    Backoff unused =
        backoffs.compute(address, (at, before) -> next(id, before, cause, now, mostNanos));
    if (!id.isEmpty()) {
      addresses.put(id, address);
    }
  }

  private static Backoff next(
      String id, @Nullable Backoff before, IOException cause, long now, long mostNanos) {
    if (before != null && before.isUnderWay(now)) {
      return before; // from a call made at the same time as this one
    }
    long nanos = before == null ? MIN_BACKOFF_NANOS : Math.min(2 * before.nanos, mostNanos);
    return new Backoff(id, nanos, now + nanos, cause);
  }

  private void end(String address, Backoff backoff) {
    if (backoffs.remove(address, backoff)) {
      addresses.remove(backoff.id, address);
    }
  }

  /** Records that a member of the directory called this node, which ends its backoff. */
  void called(String id) {
    endOf(id, true);
  }

  /** As {@link #called(String)}, if the DataNode was away. */
  void calledIfAway(String id) {
    endOf(id, false);
  }

  private void endOf(String id, boolean evenWithoutPlugin) {
    String address = addresses.get(id);
    Backoff backoff = address == null ? null : backoffs.get(address);
    if (address != null
        && backoff != null
        && backoff.id.equals(id)
        && (evenWithoutPlugin || !backoff.hasNoPlugin())) {
      end(address, backoff);
    }
  }
}
