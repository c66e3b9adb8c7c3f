// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.spi;

import io.hycache.core.model.CacheKey;

/**
 * A known sequence of accesses, in order. A position counts from 0 and is also the time of its
 * access. Immutable except for {@link #position}; each call is O(1).
 */
public interface KnownSequence {
  /** Number of accesses, including past ones. */
  long length();

  /** Position of the current access; {@link #length} after the last one. */
  long position();

  CacheKey key(long position);

  /** Length of the block, &gt;= 0. */
  long sizeBytes(long position);

  /** Bytes requested by the access, 0 to {@link #sizeBytes}. */
  long requestBytes(long position);

  boolean isWrite(long position);
}
