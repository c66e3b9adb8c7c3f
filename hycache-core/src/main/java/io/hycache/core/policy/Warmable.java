// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.CacheKey;

/**
 * A policy that can prefetch the memory for coming calls and name likely victims cheaply. See
 * {@link Replay#warm}.
 */
interface Warmable {
  /** As {@link BlockMap#warm}. */
  int warm(CacheKey[] keys, int count);

  /**
   * Residents that are likely to be evicted soon; blocks returned before may be left out.
   *
   * @param into receives them
   * @param count maximum number, &lt;= its length
   * @return the number of blocks returned
   */
  int nextToGo(CacheKey[] into, int count);
}
