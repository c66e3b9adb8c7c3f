// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.model;

/** Names one HDFS block: block pool and block id. Immutable. */
public final class BlockKey extends CacheKey {
  public BlockKey(String pool, long id) {
    super(pool, id);
  }

  /** The block with this key. */
  public static BlockKey of(CacheKey key) {
    return key instanceof BlockKey ? (BlockKey) key : new BlockKey(key.namespace(), key.id());
  }

  /** The block pool id, for example {@code BP-1-127.0.0.1-1}. */
  public String pool() {
    return namespace();
  }

  @Override
  public String toString() {
    return pool() + ":blk_" + id();
  }
}
