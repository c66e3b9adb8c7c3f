// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import java.util.Locale;

/**
 * CPU time of the directory's work, in microseconds. A call of k operations takes {@code call + k *
 * operation} at the one who asks, and as much of its own at the one who is asked. Immutable.
 */
final class Costs {
  /** What one side of a call costs: the call, and each operation in it. */
  static final class Side {
    final double call;
    final double each;

    Side(double call, double each) {
      this.call = Math.max(0, call);
      this.each = Math.max(0, each);
    }

    /**
     * The line through two measured costs of one operation.
     *
     * @param one with calls of one operation
     * @param many with calls of {@code batch}
     */
    static Side fit(double one, double many, int batch) {
      double call = Math.max(0, (one - many) * batch / (batch - 1.0));
      return new Side(call, Math.max(0, one) - call);
    }

    Side plus(Side other) {
      return new Side(call + other.call, each + other.each);
    }

    Side times(double factor) {
      return new Side(call * factor, each * factor);
    }

    double of(int operations) {
      return call + each * operations;
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%.1f + %.2f k", call, each);
    }
  }

  /** Operations of the own node's share. */
  final Side near;

  /** Who asks for operations, over the network. */
  final Side ask;

  /** Who does operations for another. */
  final Side serve;

  /** The node that sends a change to a replica. */
  final Side replicate;

  /** The replica. */
  final Side take;

  Costs(Side near, Side ask, Side serve, Side replicate, Side take) {
    this.near = near;
    this.ask = ask;
    this.serve = serve;
    this.replicate = replicate;
    this.take = take;
  }

  @Override
  public String toString() {
    return "near "
        + near
        + ", ask "
        + ask
        + ", serve "
        + serve
        + ", replicate "
        + replicate
        + ", take "
        + take;
  }
}
