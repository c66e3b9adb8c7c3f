// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import io.hycache.core.model.Access;
import io.hycache.core.model.BlockKey;
import io.hycache.core.spi.CachePolicy;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Applies reads: to the workflows' references, to the policy once a read completes an access, and
 * to the promoter if the block is not on a fast device. Owned by the planner's thread, except for
 * {@link #registerPool}.
 */
final class ReadEvents {
  private final BlockTable table;
  private final CachePolicy policy;
  private final HintPacer hints;
  private final UserShares users;
  private final SpaceShares shares;
  private final HeatKeeper heat;
  private final ChecksumKeeper checksums;
  private final Promoter promoter;
  private final ShadowTier shadow;
  private final RoundClock clock;

  /** Reused for every access. */
  private final Access access = new Access();

  /** Block pools by number; they are never removed. */
  private final CopyOnWriteArrayList<String> pools = new CopyOnWriteArrayList<>();

  ReadEvents(
      BlockTable table,
      CachePolicy policy,
      HintPacer hints,
      UserShares users,
      SpaceShares shares,
      HeatKeeper heat,
      ChecksumKeeper checksums,
      Promoter promoter,
      ShadowTier shadow,
      RoundClock clock) {
    this.table = table;
    this.policy = policy;
    this.hints = hints;
    this.users = users;
    this.shares = shares;
    this.heat = heat;
    this.checksums = checksums;
    this.promoter = promoter;
    this.shadow = shadow;
    this.clock = clock;
  }

  /** Returns a new number for a block pool. Any thread. */
  synchronized int registerPool(String pool) {
    pools.add(pool);
    return pools.size() - 1;
  }

  /** Bytes of a block were read. */
  void read(int pool, long blockId, long bytes) {
    BlockKey key = new BlockKey(pools.get(pool), blockId);
    BlockEntry entry = table.get(key);
    if (entry == null) {
      return;
    }
    boolean used = hints.onRead(key, entry.sizeBytes(), bytes);
    if (used && entry.isResident()) {
      users.readAsHinted(key);
    }
    entry.setReadSincePromotion(true);
    checksums.onRead(entry);
    boolean access = entry.heat(bytes);
    if (access) {
      accessed(entry, key, bytes, used);
    }
    shadow.read(entry, key, bytes, access);
  }

  /**
   * A read completed an access.
   *
   * @param used whether it fulfilled a hint
   */
  private void accessed(BlockEntry entry, BlockKey key, long bytes, boolean used) {
    long size = entry.sizeBytes();
    policy.onAccess(access.set(key, size, Math.min(bytes, size), clock.now()));
    shares.read(key, size);
    if (entry.isResident()) {
      heat.used(key);
      if (!used && hints.remaining(key) == 0) {
        users.read(key, clock.now());
      }
    }
    if (!entry.fast()) {
      long left = hints.remaining(key);
      promoter.considerRead(entry, used || left == 0 ? left : left - 1);
    }
  }
}
