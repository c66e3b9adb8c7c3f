// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One access as its source names it. Readers reuse the object; a sink copies what it keeps. */
final class TraceAccess {
  /** Takes the accesses of a trace in their order. */
  interface Sink {
    void accept(TraceAccess access) throws IOException;
  }

  /** What readers accept at most of an object's size and of a request's end: 1 PiB. */
  static final long MAX_BYTES = 1L << 50;

  /**
   * Adds what an access moves at most, a read and a write of its object, so that no total of a
   * replay is more than the sum.
   *
   * @param file name of the trace, for people
   * @throws TraceException if the sum is no long
   */
  static long addMoved(String file, long sum, long sizeBytes) {
    try {
      return Math.addExact(sum, 2 * sizeBytes);
    } catch (ArithmeticException e) {
      throw TraceException.tooLarge(file, e);
    }
  }

  String object = "";

  /** Size of the object. */
  long sizeBytes;

  /** Where the request begins in the object; 0 if the source does not say. */
  long offset;

  /** 0 to {@link #sizeBytes}. */
  long requestBytes;

  boolean write;

  /** Milliseconds since any fixed moment; negative if the source does not say. */
  long timeMillis = -1;

  /** Whether the access belongs to the same request as the one before. */
  boolean continues;

  /** Null: none. */
  @Nullable String className;

  /** The job or its kind; null if the source does not say. */
  @Nullable String pipeline;

  @Nullable String namespace;
  @Nullable String user;
}
