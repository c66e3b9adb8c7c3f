// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import io.hycache.core.stats.Latencies;
import io.hycache.core.stats.Latencies.Operation;

/**
 * Times the first read of one stream, from when the stream was opened: what the device took, for
 * the first packet hardly waits for the client. Not thread-safe, like the stream. Two calls of the
 * clock a stream.
 */
final class FirstBytes {
  private final Latencies latencies;
  private final Operation operation;
  private final long begunNanos;
  private boolean timed;

  /** Call when the stream is opened. */
  FirstBytes(Latencies latencies, Operation operation) {
    this.latencies = latencies;
    this.operation = operation;
    this.begunNanos = latencies.begin();
  }

  /** Call whenever bytes were read. */
  void read() {
    if (!timed) {
      timed = true;
      latencies.ended(operation, begunNanos);
    }
  }
}
