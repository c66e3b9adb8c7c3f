// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static io.hycache.core.policy.CachePolicyContract.block;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import org.junit.jupiter.api.Test;

class ContenderTest {
  private static final DiskTime DISK = DiskTime.DEFAULT;

  /** Without hints, this policy fetches nothing. */
  private final Contender contender =
      new Contender("none", false, new HeuristicPolicy(), DISK, new NoWatcher());

  private static final class NoWatcher implements Contender.Watcher {
    @Override
    public void arrived(Contender in, CacheKey key) {}

    @Override
    public void left(Contender from, CacheKey key) {}
  }

  @Test
  void bypassedRead_costsAnOperationForEachRequest() {
    Access access = new Access().set(block(1), 128L << 20, 256 << 10, 1);
    contender.access(access, 0);
    assertEquals(DISK.seconds(256 << 10), contender.diskSeconds(), 1e-9);
    contender.access(access.ofRequests(4), 0);
    assertEquals(DISK.seconds(5, 512 << 10), contender.diskSeconds(), 1e-9);
  }

  @Test
  void bypassedRead_costsNoMoreThanOneOfTheBlock() {
    contender.access(new Access().set(block(1), 100_000, 1_000, 1).ofRequests(4), 0);
    assertEquals(DISK.seconds(100_000), contender.diskSeconds(), 1e-9);
  }

  @Test
  void readOfABlockThatGrew_costsAFetch() {
    Contender lru = new Contender("lru", false, new LruPolicy(), DISK, new NoWatcher());
    lru.setCapacityBytes(1_000_000);
    lru.access(new Access().set(block(1), 1_000, 1_000, 1), 0);
    lru.access(new Access().set(block(1), 100_000, 100_000, 2), 0);
    lru.access(new Access().set(block(1), 100_000, 100_000, 3), 0);
    assertEquals(DISK.seconds(2, 101_000), lru.diskSeconds(), 1e-9);
    // A write that holds what is new costs one write-back.
    lru.access(new Access().set(block(1), 150_000, 50_000, 4).asWrite(true), 0);
    assertEquals(DISK.seconds(3, 251_000), lru.diskSeconds(), 1e-9);
  }
}
