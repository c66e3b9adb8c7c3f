// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.config;
import static io.hycache.core.engine.EngineRig.key;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.HintLimits;
import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.HintReceipt.Limit;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.Reason;
import io.hycache.core.policy.Policies;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.LastDecision;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The effect of one user's hints on the others. */
class TwoUsersTest {
  private static final long TTL = 60_000_000;
  private static final WorkflowId ALICE = new WorkflowId("alice", "w");
  private static final WorkflowId MALLORY = new WorkflowId("mallory", "w");

  /** Alice's blocks, and mallory's. */
  private static final long[] FEW = LongStream.rangeClosed(1, 20).toArray();

  private static final long[] MANY = LongStream.rangeClosed(101, 140).toArray();

  /** With room for 10 blocks and their checksum files. */
  private static EngineRig rig(HyCacheConfig.Builder config) throws Exception {
    EngineRig rig =
        new EngineRig(
                config.checksumShare(0).build(),
                Policies.create("heuristic"),
                new FakeDataNode(10 * BLOCK + 1_500))
            .start();
    LongStream.concat(LongStream.of(FEW), LongStream.of(MANY)).forEach(rig::disk);
    rig.quiet();
    return rig;
  }

  private static long[] times(int times, long... ids) {
    return LongStream.range(0, (long) times * ids.length)
        .map(i -> ids[(int) (i % ids.length)])
        .toArray();
  }

  private static int onSsd(EngineRig rig, long... ids) {
    return (int) LongStream.of(ids).filter(id -> rig.node.cleanOn(id) != null).count();
  }

  /** What the jobs of both read from SSD, in blocks, while each goes through its blocks twice. */
  private static int[] readsFromSsd(EngineRig rig) throws Exception {
    int[] hits = new int[2];
    for (int turn = 0; turn < 2 * MANY.length; turn++) {
      long few = FEW[turn % FEW.length];
      long many = MANY[turn % MANY.length];
      for (long id : turn < 2 * FEW.length ? new long[] {few, many} : new long[] {many}) {
        boolean fast = rig.node.cleanOn(id) != null;
        hits[id < 100 ? 0 : 1] += fast ? 1 : 0;
        rig.read(id, BLOCK, fast);
        rig.quiet();
      }
    }
    return hits;
  }

  @Test
  void hints_oneUserHintsEverythingInALoop_eachHasHalf() throws Exception {
    try (EngineRig rig = rig(config())) {
      rig.hints(MALLORY, TTL, times(30, MANY));
      rig.quiet();
      assertEquals(10, onSsd(rig, MANY), "alone, mallory may have all");
      rig.hints(ALICE, TTL, times(4, FEW));
      rig.quiet();
      assertEquals(5, onSsd(rig, FEW));
      assertEquals(5, onSsd(rig, MANY));

      int[] hits = readsFromSsd(rig);
      assertEquals(5, onSsd(rig, FEW));
      assertEquals(5, onSsd(rig, MANY));
      assertTrue(hits[0] >= 2 * 4 && hits[1] >= 2 * 4, "hits=" + hits[0] + ", " + hits[1]);
    }
  }

  /** The same without shares: both are one user to the engine. */
  @Test
  void hints_ofOneUserOnly_theWorkflowThatPromisesMostHasAll() throws Exception {
    try (EngineRig rig = rig(config())) {
      rig.hints(new WorkflowId("both", "mallory"), TTL, times(30, MANY));
      rig.quiet();
      rig.hints(new WorkflowId("both", "alice"), TTL, times(4, FEW));
      rig.quiet();
      assertEquals(0, onSsd(rig, FEW));
      assertEquals(10, onSsd(rig, MANY));

      int[] hits = readsFromSsd(rig);
      assertEquals(0, hits[0]);
      assertTrue(hits[1] >= 2 * 9, "hits=" + hits[1]);
    }
  }

  @Test
  void hints_inEitherOrder_endAtTheSameShares() throws Exception {
    try (EngineRig rig = rig(config())) {
      rig.hints(ALICE, TTL, times(4, FEW));
      rig.quiet();
      assertEquals(10, onSsd(rig, FEW));
      rig.hints(MALLORY, TTL, times(30, MANY));
      rig.quiet();
      assertEquals(5, onSsd(rig, FEW));
      assertEquals(5, onSsd(rig, MANY));
    }
  }

  @Test
  void hints_byWeight_whichCanChange() throws Exception {
    Map<String, Double> weights = Map.of("alice", 4.0);
    try (EngineRig rig = rig(config().userWeights(weights))) {
      rig.hints(MALLORY, TTL, times(30, MANY));
      rig.hints(ALICE, TTL, times(4, FEW));
      rig.quiet();
      assertEquals(8, onSsd(rig, FEW));
      assertEquals(2, onSsd(rig, MANY));

      rig.engine.reconfigure(
          config().checksumShare(0).policy("heuristic").userWeights(Map.of()).build());
      rig.hints(new WorkflowId("mallory", "again"), TTL, times(30, MANY));
      rig.quiet();
      assertEquals(5, onSsd(rig, FEW));
      assertEquals(5, onSsd(rig, MANY));
    }
  }

  @Test
  void hints_usedUpOrWithdrawn_leaveTheirRoomToTheOther() throws Exception {
    try (EngineRig rig = rig(config())) {
      rig.hints(ALICE, TTL, times(4, FEW));
      rig.hints(MALLORY, TTL, times(30, MANY));
      rig.quiet();
      assertEquals(5, onSsd(rig, FEW));
      assertEquals(OptionalInt.of(80), rig.withdraw("w"));
      rig.hints(new WorkflowId("mallory", "again"), TTL, times(2, MANY));
      rig.quiet();
      assertEquals(0, onSsd(rig, FEW));
      assertEquals(10, onSsd(rig, MANY));
    }
  }

  @Test
  void locate_blockKeptOutOrPutOutByShares_saysSo() throws Exception {
    try (EngineRig rig = rig(config())) {
      rig.hints(MALLORY, TTL, times(30, MANY));
      rig.quiet();
      CountDownLatch gate = rig.node.hold("promote 1");
      rig.hints(ALICE, TTL, times(4, FEW));
      rig.awaitMove("promote 1");
      rig.engine.settle();
      long out =
          rig.node.moves().stream()
              .filter(move -> move.startsWith("evict "))
              .mapToLong(move -> Long.parseLong(move.substring("evict ".length())))
              .findFirst()
              .orElseThrow();
      EngineRig.await("the eviction", () -> rig.locate(out).reason == Reason.USER_SHARE);
      LastDecision gone = requireNonNull(rig.locate(out).decision);
      assertEquals("MADE_WAY", gone.trigger);
      assertEquals("USER_SHARE", gone.outcome);
      assertEquals(1, gone.victims);
      assertEquals(110, out, "of mallory's that were there the one that is used last");
      gate.countDown();
      rig.quiet();

      assertEquals(5, onSsd(rig, FEW));
      LastDecision refused = requireNonNull(rig.locate(120).decision);
      assertEquals("HINT", refused.trigger);
      assertEquals("USER_SHARE", refused.outcome);
      assertEquals(Reason.USER_SHARE, rig.locate(120).reason);
      assertTrue(rig.locate(120).reason.text().contains("hycache.users.NAME.weight"));
    }
  }

  /**
   * Alice may lose the half block that is missing, but none of her whole ones, and what the policy
   * names is in use: 6 blocks are hers, 4.5 were read without hints.
   */
  @Test
  void read_withoutHints_whereTheRivalMayNotLoseAVictim_followsThePolicy() throws Exception {
    HyCacheConfig config = config().checksumShare(0).build();
    FakeDataNode node = new FakeDataNode(11 * BLOCK + 1_500);
    try (EngineRig rig = new EngineRig(config, Policies.create("lru"), node).start()) {
      long[] hinted = {1, 2, 3, 4, 5, 6};
      long[] unhinted = {101, 102, 103, 104};
      LongStream.concat(LongStream.of(hinted), LongStream.of(unhinted)).forEach(rig::disk);
      rig.disk(50, BLOCK / 2);
      rig.disk(105);
      rig.hints(ALICE, TTL, times(30, hinted));
      for (long id : unhinted) {
        rig.read(id);
        rig.quiet();
        rig.read(id, BLOCK, true);
      }
      rig.read(50, BLOCK / 2, false);
      rig.quiet();
      rig.read(50, BLOCK / 2, true);
      for (long id : hinted) {
        rig.read(id);
      }
      rig.quiet();
      assertEquals(11 * BLOCK - BLOCK / 2, rig.status().cleanBytes());

      rig.read(105);
      rig.quiet();
      assertEquals(1, onSsd(rig, 105), rig.locate(105).reason.text());
      assertEquals(List.of("evict 101"), rig.moves("evict"));
    }
  }

  @Test
  void hints_ofALoneUser_takeWhatIsNotInUse_butHalfOfWhatIs() throws Exception {
    try (EngineRig rig = rig(config())) {
      for (int id = 51; id <= 60; id++) {
        assertTrue(rig.write(id));
        rig.read(id, BLOCK, true);
      }
      rig.hints(ALICE, TTL, times(4, FEW));
      rig.quiet();
      assertEquals(5, onSsd(rig, FEW), "what others wrote is being read");
      assertEquals(5 * BLOCK, rig.status().dirtyBytes());

      rig.pass(Duration.ofNanos(UserShares.IN_USE_NANOS));
      rig.hints(new WorkflowId("alice", "v"), TTL, times(4, FEW));
      rig.quiet();
      assertEquals(10, onSsd(rig, FEW), "it has not been read for long");
    }
  }

  /** A job that reads its own output as hinted must not lose the rest of the SSD by that. */
  @Test
  void hints_ofALoneUser_takeWhatWasReadAsTheyTold() throws Exception {
    try (EngineRig rig = rig(config())) {
      long[] written = LongStream.rangeClosed(51, 60).toArray();
      rig.hints(new WorkflowId("alice", "first"), TTL, written);
      for (long id : written) {
        assertTrue(rig.write(id));
        rig.read(id, BLOCK - BLOCK / 16, true);
        rig.read(id, BLOCK / 8, true);
      }
      rig.hints(ALICE, TTL, times(4, FEW));
      rig.quiet();
      assertEquals(10, onSsd(rig, FEW));
    }
  }

  @Test
  void write_missesRoom_ofUsersTheOneGivesWayWhoHoldsMost() throws Exception {
    try (EngineRig rig = rig(config())) {
      rig.hints(ALICE, TTL, times(4, 1, 2, 3));
      rig.quiet();
      rig.hints(MALLORY, TTL, times(30, MANY));
      rig.quiet();
      assertEquals(3, onSsd(rig, 1, 2, 3));
      assertEquals(7, onSsd(rig, MANY));
      rig.missRoom(90);
      rig.awaitMove("evict 107");
      rig.quiet();
      assertEquals(3, onSsd(rig, 1, 2, 3), "the policy alone would have given up these");
    }
  }

  @Test
  void promote_failsOrIsGone_countsForNobody() throws Exception {
    try (EngineRig rig = rig(config())) {
      rig.node.fail("promote 2", new IOException("made to fail"));
      CountDownLatch gate = rig.node.hold("promote 1");
      rig.hints(ALICE, TTL, times(4, 1, 2, 3));
      rig.awaitMove("promote 1");
      rig.gone(1);
      gate.countDown();
      rig.quiet();
      rig.engine.settle();
      assertEquals(1, onSsd(rig, 1, 2, 3));
      assertTrue(rig.count(Counter.MOVES_FAILED) > 0);
    }
  }

  @Test
  void ssdLeavesAndReturns_itsCopiesAreTheirUsersStill() throws Exception {
    FakeDataNode node = new FakeDataNode(5 * BLOCK + 500, 5 * BLOCK + 500);
    try (EngineRig rig =
        new EngineRig(config().checksumShare(0).build(), Policies.create("heuristic"), node)
            .start()) {
      LongStream.concat(LongStream.of(FEW), LongStream.of(MANY)).forEach(rig::disk);
      rig.quiet();
      rig.hints(ALICE, TTL, times(4, FEW));
      rig.hints(MALLORY, TTL, times(30, MANY));
      rig.quiet();
      assertEquals(5, onSsd(rig, FEW));
      rig.node.setUsable(FakeDataNode.SSD, false);
      rig.probe();
      rig.engine.settle();
      rig.node.setUsable(FakeDataNode.SSD, true);
      rig.quiet();
      rig.hints(new WorkflowId("mallory", "again"), TTL, times(30, MANY));
      rig.quiet();
      rig.engine.settle();
      assertEquals(5, onSsd(rig, FEW));
      assertEquals(5, onSsd(rig, MANY));
    }
  }

  @Test
  void reconfigure_policy_keepsTheShares() throws Exception {
    try (EngineRig rig = rig(config())) {
      rig.hints(MALLORY, TTL, times(30, MANY));
      rig.hints(ALICE, TTL, times(4, FEW));
      rig.quiet();
      rig.engine.reconfigure(config().checksumShare(0).policy("pro-rata").build());
      rig.quiet();
      assertEquals(5, onSsd(rig, FEW));
      assertEquals(5, onSsd(rig, MANY));
    }
  }

  // ---- limits -----------------------------------------------------------------------------------

  @Test
  void submit_beyondTheUsersLimits_isRefusedAndCounted() throws Exception {
    HintLimits limits = new HintLimits(50, 2, Duration.ofHours(1));
    try (EngineRig rig = rig(config().hintLimits(limits))) {
      HintReceipt first = rig.hints(MALLORY, TTL, times(2, MANY));
      assertEquals(50, first.accepted());
      assertEquals(30, first.refused());
      assertEquals(Duration.ofHours(1).toMillis(), first.ttlMillis());
      assertEquals(Set.of(Limit.USER_BLOCKS, Limit.USER_TTL), first.limits());
      assertEquals(30, rig.count(Counter.HINTS_REFUSED));
      assertTrue(rig.hints(ALICE, 1_000, FEW).isWhole());

      WorkflowStatus status = rig.engine.workflows(any -> true).get(0);
      assertEquals(MALLORY, status.id());
      assertEquals(50, status.left);
      assertEquals(30, status.receipt.refused());
      assertEquals(2, rig.engine.workflows(any -> true).size());
      assertEquals(OptionalInt.of(50), rig.engine.withdrawHints(MALLORY));
      assertEquals(OptionalInt.empty(), rig.engine.withdrawHints(MALLORY));
      assertEquals(ALICE, rig.engine.workflows(any -> true).get(0).id());
    }
  }

  @Test
  void submit_exemptOrAfterTheLimitsChanged_isTaken() throws Exception {
    HintLimits limits = new HintLimits(1, 1, Duration.ofHours(1));
    Hints batch = new Hints("w", TTL, List.of(reference(1), reference(2), reference(3)));
    try (EngineRig rig = rig(config().hintLimits(limits))) {
      assertEquals(1, rig.engine.submitHints(batch, "alice", false).accepted());
      assertTrue(rig.engine.submitHints(batch, "hdfs", true).isWhole());
      rig.engine.reconfigure(
          config().checksumShare(0).policy("heuristic").hintLimits(HintLimits.DEFAULT).build());
      assertTrue(rig.engine.submitHints(batch, "alice", false).isWhole());
    }
  }

  private static Hints.Reference reference(long id) {
    return new Hints.Reference(key(id), BLOCK, false);
  }
}
