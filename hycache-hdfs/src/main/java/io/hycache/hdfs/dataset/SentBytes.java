// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

/**
 * Bytes of a block that a client was sent with checksums of a clean copy, and may not have
 * verified. Their data came from the copy, or in part from the replica on DISK, see {@link
 * StreamMove}. Immutable.
 */
final class SentBytes {
  /** Upper bound of the bytes that a DataNode sends ahead of what a client has verified. */
  private static final long MAX_AHEAD_BYTES = 16 << 20;

  /** Where the bytes begin. */
  final long from;

  /** Where they end. */
  final long to;

  /** Where those begin whose data came from the copy. */
  final long dataFrom;

  /** Where these end; not behind where they begin if there are none. */
  final long dataTo;

  private SentBytes(long from, long to, long dataFrom, long dataTo) {
    this.from = from;
    this.to = to;
    this.dataFrom = dataFrom;
    this.dataTo = dataTo;
  }

  /** Bytes of the copy alone. */
  static SentBytes ofCopy(long from, long to) {
    return new SentBytes(from, to, from, to);
  }

  /**
   * The last bytes of a stream: those before them the client has verified.
   *
   * @param dataFrom where the bytes begin whose data came from the copy
   * @param dataTo where they end; not behind where they begin if there are none
   */
  static SentBytes lastOf(long from, long to, long dataFrom, long dataTo) {
    long first = Math.max(from, to - MAX_AHEAD_BYTES);
    return new SentBytes(first, to, Math.max(first, dataFrom), dataTo);
  }

  boolean hasData() {
    return dataFrom < dataTo;
  }

  /** Returns what contains both. */
  SentBytes and(SentBytes other) {
    SentBytes one = hasData() ? this : other;
    boolean both = hasData() && other.hasData();
    return new SentBytes(
        Math.min(from, other.from),
        Math.max(to, other.to),
        both ? Math.min(dataFrom, other.dataFrom) : one.dataFrom,
        both ? Math.max(dataTo, other.dataTo) : one.dataTo);
  }
}
