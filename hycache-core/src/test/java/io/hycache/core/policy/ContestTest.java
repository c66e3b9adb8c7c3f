// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static io.hycache.core.policy.CachePolicyContract.block;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContestTest {
  private static final long SIZE = 1_000_000;

  private static final class NoWatcher implements Contender.Watcher {
    @Override
    public void arrived(Contender in, CacheKey key) {}

    @Override
    public void left(Contender from, CacheKey key) {}
  }

  /** LRU leads, which has no hit in a loop that is larger than the cache. */
  private static Contest loop(double price) {
    DiskTime disk = DiskTime.DEFAULT.withWritePrice(price);
    Contest contest = new Contest(disk, 1, "lru", new NoWatcher(), new KnownHints());
    contest.begin(10 * SIZE, List.of(), 0);
    for (int at = 0; at < 300; at++) {
      boolean unused = contest.access(new Access().set(block(at % 15), SIZE, SIZE, at), 10);
    }
    return contest;
  }

  @Test
  void changeOfLeader_writesAreDear_mustSaveMoreThanItWrites() {
    Contest contest = loop(20);
    Contender best = contest.best();
    assertNotSame(contest.leader(), best);
    assertTrue(contest.isWorthItsWrites(best, key -> false), "much is saved");
    best.takeCosts(contest.leader());
    best.decay(0.999);
    assertFalse(contest.isWorthItsWrites(best, key -> false), "its blocks must be written");
    assertTrue(contest.isWorthItsWrites(best, key -> true), "nothing must be written");
  }

  @Test
  void changeToALeaderWithHints_writesAreDear_isWorthItsWrites() {
    Contest contest = loop(20);
    contest.useHints(List.of(), 300);
    assertTrue(contest.isWorthItsWrites(contest.firstHinted(), key -> false));
  }

  @Test
  void changeOfLeader_atTheDefaultPrice_isWorthItsWrites() {
    Contest contest = loop(DiskTime.DEFAULT_WRITE_PRICE);
    Contender best = contest.best();
    assertNotSame(contest.leader(), best);
    best.takeCosts(contest.leader());
    assertTrue(contest.isWorthItsWrites(best, key -> false));
  }
}
