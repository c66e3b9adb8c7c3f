// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;

/**
 * Evicts the least recently used block.
 *
 * <p>Idea: residents are kept in order of use ({@link RecencyTable}). A read or an admission moves
 * a block to the end; victims are taken from the front. A change of size does not count as a use.
 *
 * <p>Complexity: O(1) amortized per event, O(k) for a decision with k victims.
 *
 * <p>Memory: 60 to 120 bytes per resident plus its key; none for blocks that are not resident.
 *
 * <p>Exact. Known weakness: a scan longer than the fast tier flushes it.
 *
 * <p>Source: the LRU of HyCache (Zhao, Raicu, IPDPSW'13), there for files, here for block replicas.
 */
final class LruPolicy extends ReadFetchPolicy implements Warmable {
  private final RecencyTable residents = new RecencyTable();

  @Override
  public void onAccess(Access access) {
    int row = residents.find(access.key());
    if (row != RecencyTable.ABSENT) {
      residents.use(row);
    }
  }

  @Override
  public void onAdmitted(CacheKey key, long sizeBytes, long nowNanos) {
    int row = residents.find(key);
    if (row != RecencyTable.ABSENT) {
      residents.setSizeBytes(row, sizeBytes);
    } else {
      residents.add(key, sizeBytes);
    }
  }

  @Override
  public void onRemoved(CacheKey key) {
    int row = residents.findOnce(key);
    if (row != RecencyTable.ABSENT) {
      residents.remove(row);
    }
  }

  @Override
  public int residents() {
    return residents.size();
  }

  @Override
  boolean isResident(CacheKey key) {
    return residents.find(key) != RecencyTable.ABSENT;
  }

  @Override
  Order order() {
    return residents.order();
  }

  @Override
  public int warm(CacheKey[] keys, int count) {
    return residents.warm(keys, count);
  }

  @Override
  public int nextToGo(CacheKey[] into, int count) {
    return residents.soonFirst(into, count);
  }
}
