// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.config;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.hint.Hints;
import io.hycache.core.policy.Policies;
import io.hycache.core.stats.Counters.Counter;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Jobs that read the same ten blocks one after the other, each hinted as it begins. */
class ChainOfJobsTest {
  private static final long TTL = 60_000_000;

  /** An SSD with room for four blocks. */
  private static EngineRig rig() throws Exception {
    FakeDataNode node = new FakeDataNode(4 * BLOCK + 4_000);
    EngineRig rig =
        new EngineRig(
                config().checksumShare(0).prefetchShare(0).build(),
                Policies.create("adaptive"),
                node)
            .start();
    LongStream.rangeClosed(1, 20).forEach(rig::disk);
    rig.quiet();
    return rig;
  }

  /** One read of each of these blocks. */
  private static Hints hints(String name, long first, long last) {
    return EngineRig.reads(name, TTL, LongStream.rangeClosed(first, last).toArray());
  }

  /** One job over ten blocks. Returns how many of them it read from SSD. */
  private static int job(EngineRig rig, String name, boolean oneJobOnly, long first)
      throws Exception {
    Hints hints = hints(name, first, first + 9);
    rig.engine.submitHints(oneJobOnly ? hints.ofOneJob() : hints, EngineRig.USER, false);
    rig.quiet();
    int fast = 0;
    for (long id = first; id < first + 10; id++) {
      boolean onSsd = rig.node.cleanOn(id) != null;
      fast += onSsd ? 1 : 0;
      rig.read(id, BLOCK, onSsd);
      rig.quiet();
    }
    rig.withdraw(name);
    rig.pass(Duration.ofMinutes(1));
    return fast;
  }

  @Test
  void laterJobs_findWhatFits_andNothingIsWrittenTwice() throws Exception {
    try (EngineRig rig = rig()) {
      job(rig, "first", true, 1);
      assertEquals(4, job(rig, "second", true, 1));
      assertEquals(4, job(rig, "third", true, 1));
      assertEquals(4, rig.count(Counter.BLOCKS_PROMOTED), "each block that fits, once");
      assertEquals(0, rig.count(Counter.BLOCKS_EVICTED));
    }
  }

  @Test
  void manifestsThatNameOneReadEach_keepNothing() throws Exception {
    try (EngineRig rig = rig()) {
      job(rig, "first", false, 1);
      assertEquals(0, job(rig, "second", false, 1));
      assertEquals(0, rig.count(Counter.BLOCKS_PROMOTED));
    }
  }

  /** What was expected in vain makes way for what recurs. */
  @Test
  void guess_thatWasWrong_doesNotStayInTheWay() throws Exception {
    try (EngineRig rig = rig()) {
      job(rig, "other", true, 11);
      rig.pass(Duration.ofMinutes(20));
      job(rig, "first", true, 1);
      job(rig, "second", true, 1);
      assertEquals(4, job(rig, "third", true, 1));
    }
  }

  /** Queries of columns read a part of each block, and what they did not read is withdrawn. */
  @Test
  void blocksReadInPart_areExpectedAgain() throws Exception {
    try (EngineRig rig = rig()) {
      for (int query = 0; query < 3; query++) {
        rig.engine.submitHints(hints("q" + query, 1, 10).ofOneJob(), EngineRig.USER, false);
        rig.quiet();
        for (long id = 1; id <= 10; id++) {
          rig.read(id, BLOCK / 4, rig.node.cleanOn(id) != null);
        }
        rig.withdraw("q" + query);
        rig.quiet();
        assertEquals(4, rig.status().cleanBytes() / BLOCK, "after query " + query);
      }
      assertEquals(4, rig.count(Counter.BLOCKS_PROMOTED));
    }
  }

  /** The parts of one read of columns are one access: they are no reason to believe in LRU. */
  @Test
  void blocksReadInParts_doNotMakeHintsLookWorseThanTheyAre() throws Exception {
    FakeDataNode node = new FakeDataNode(2 * BLOCK + 4_000);
    try (EngineRig rig =
        new EngineRig(config().checksumShare(0).build(), Policies.create("adaptive"), node)
            .start()) {
      LongStream.rangeClosed(1, 20).forEach(rig::disk);
      rig.quiet();
      for (int query = 0; query < 12; query++) {
        rig.engine.submitHints(hints("q" + query, 1, 16).ofOneJob(), EngineRig.USER, false);
        rig.quiet();
        for (long id = 1; id <= 16; id += 2) {
          for (int part = 0; part < 3; part++) {
            rig.read(id, BLOCK / 4, rig.node.cleanOn(id) != null);
            rig.read(id + 1, BLOCK / 4, rig.node.cleanOn(id + 1) != null);
            rig.advance(Duration.ofMillis(300));
          }
          rig.quiet();
        }
        rig.withdraw("q" + query);
        rig.pass(Duration.ofSeconds(10));
        assertEquals(2, rig.count(Counter.BLOCKS_PROMOTED), "after query " + query);
      }
    }
  }
}
