// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharesTest {
  private static final Member A = new Member("a", "host1:9867");
  private static final Member B = new Member("b", "host2:9867");
  private static final List<Member> BOTH = List.of(A, B);

  private final Ring ring = new Ring(BOTH, 2);
  private final Shares shares = Shares.founded(new View(1, BOTH), ring, "a");

  private void assertReady(BitSet notReady) {
    for (int shard = 0; shard < Ring.SHARDS; shard++) {
      assertEquals(!notReady.get(shard), shares.isReady(shard), "shard " + shard);
    }
    assertEquals(notReady.cardinality(), shares.pulling());
  }

  @Test
  void giveUp_someShards_thoseOfThePrimaryOnly() {
    BitSet wanted = new BitSet();
    wanted.set(0, Ring.SHARDS, true);
    for (int shard = 0; shard < Ring.SHARDS; shard += 3) {
      wanted.clear(shard);
    }
    shares.giveUp(wanted);
    wanted.and(ring.shards(A, 0));
    assertReady(wanted);

    shares.takeBack();
    assertReady(new BitSet());
  }

  @Test
  void missedFrom_twice_readyOnceBothArePulled() {
    for (int round = 0; round < 2; round++) {
      Shares.Source first = shares.missedFrom("b", true);
      Shares.Source second = shares.missedFrom("b", true);
      assertNotNull(first);
      assertNotNull(second);
      assertReady(ring.shards(B, 0));
      shares.done(first, true);
      assertReady(ring.shards(B, 0));
      shares.done(second, true);
      assertReady(new BitSet());
    }
    assertNull(shares.missedFrom("c", true));
  }

  @Test
  void done_givenUp_isPulledAgainUnlessALaterPullHasBegun() {
    Shares.Source first = shares.missedFrom("b", true);
    assertNotNull(first);
    assertFalse(shares.gaveUp("b"));
    shares.done(first, false);
    assertReady(new BitSet());
    assertTrue(shares.gaveUp("b"));
    assertFalse(shares.gaveUp("a"));
    assertFalse(shares.gaveUp("c"));

    Shares.Source second = shares.missedFrom("b", false);
    assertNotNull(second);
    assertEquals(first.shards, second.shards);
    assertFalse(shares.gaveUp("b"));
    assertNull(shares.missedFrom("b", false));
    assertReady(ring.shards(B, 0));
    shares.done(second, true);
    assertFalse(shares.gaveUp("b"));
    assertReady(new BitSet());
  }

  @Test
  void next_primaryWasGivenUp_pullsItsShardsAgain() {
    Shares.Source missed = shares.missedFrom("b", true);
    assertNotNull(missed);
    shares.done(missed, false);
    List<Shares.Source> sources = new ArrayList<>();
    Shares later = shares.next(new View(2, BOTH), "a", 2, sources);
    assertEquals(1, sources.size());
    assertEquals(missed.shards, sources.get(0).shards);
    assertEquals(missed.shards.cardinality(), later.pulling());
  }

  @Test
  void next_newMember_pullsFromTheOtherOne() {
    List<Shares.Source> sources = new ArrayList<>();
    Shares later = Shares.nothing(2).next(new View(2, BOTH), "a", 2, sources);
    assertEquals(1, sources.size());
    assertEquals(Ring.SHARDS, later.pulling());

    later.done(sources.get(0), true);
    assertEquals(0, later.pulling());
    assertTrue(later.isReadyPrimary(ring.shards(A, 0).nextSetBit(0)));
    assertFalse(later.isReadyPrimary(ring.shards(B, 0).nextSetBit(0)));
  }
}
