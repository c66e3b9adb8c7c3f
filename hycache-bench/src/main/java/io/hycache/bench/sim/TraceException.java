// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import org.jspecify.annotations.Nullable;

/** A trace that can't be read; the message says where, what was expected and what was found. */
final class TraceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TraceException(String file, long line, String what) {
    super(file + " line " + line + ": " + what);
  }

  private TraceException(String file, String what, @Nullable Throwable cause) {
    super(file + ": " + what, cause);
  }

  /** Accesses whose objects are more bytes than the totals of a replay hold. */
  static TraceException tooLarge(String file, ArithmeticException cause) {
    return new TraceException(
        file,
        "expected accesses to objects of less than 2^62 bytes in all, found more. Fix: a part of"
            + " the trace",
        cause);
  }

  /** Times that begin with a later access than the first. */
  static TraceException timesBeginLate(String file, long accessesBefore) {
    return new TraceException(
        file,
        "expected a time for the first access, or for none, found the first time after "
            + accessesBefore
            + " accesses. Fix: give these a time, or leave them out",
        null);
  }
}
