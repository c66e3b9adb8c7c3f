// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.engine;

import static io.hycache.core.engine.EngineRig.BLOCK;
import static io.hycache.core.engine.EngineRig.USER;
import static io.hycache.core.engine.EngineRig.config;
import static io.hycache.core.engine.EngineRig.key;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowProgress;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.Reason;
import io.hycache.core.policy.Policies;
import io.hycache.core.stats.HintedBlock;
import io.hycache.core.table.BlockEntry;
import io.hycache.core.table.BlockTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What became of hints, block by block. */
class HintHistoryTest {
  private static final long TTL = 60_000_000;

  private static EngineRig rig(long blocks) throws Exception {
    EngineRig rig =
        new EngineRig(
                config().checksumShare(0).build(),
                Policies.create("heuristic"),
                new FakeDataNode(blocks * BLOCK + BLOCK / 2))
            .start();
    rig.probe();
    return rig;
  }

  private static List<HintedBlock> blocks(EngineRig rig, String workflow) throws Exception {
    return rig.engine.explain(new WorkflowId(USER, workflow), 0, 100);
  }

  /** block: expected, from SSD, from DISK, elsewhere. */
  private static List<String> counts(EngineRig rig, String workflow) throws Exception {
    return blocks(rig, workflow).stream()
        .map(b -> b.block.id() + ": " + List.of(b.expected, b.fromSsd, b.fromDisk, b.elsewhere))
        .collect(Collectors.toList());
  }

  @Test
  void explain_eachBlock_fetchedWhen_readWhere_orWhyNot() throws Exception {
    try (EngineRig rig = rig(1)) {
      for (int id = 1; id <= 3; id++) {
        rig.disk(id);
      }
      rig.hints("w", TTL, 1, 2, 1, 3, 1);
      rig.quiet();
      HintedBlock first = blocks(rig, "w").get(0);
      assertEquals(BLOCK, first.lengthBytes);
      assertTrue(first.fetchedAgoMillis >= 0 && !first.wasOnSsd);
      assertEquals(HintedBlock.NEVER, first.readAgoMillis);
      assertEquals(Reason.ON_SSD_CLEAN, first.reason);
      HintedBlock second = blocks(rig, "w").get(1);
      assertEquals(HintedBlock.NEVER, second.fetchedAgoMillis);
      assertEquals(Reason.NO_LATER_REFERENCE, second.reason);

      rig.read(1, BLOCK, true);
      rig.read(2);
      rig.engine.onReadElsewhere(List.of(key(1), key(3), key(3)));
      rig.engine.settle();
      assertEquals(
          List.of("1: [3, 1, 0, 1]", "2: [1, 0, 1, 0]", "3: [1, 0, 0, 1]"), counts(rig, "w"));
      rig.pass(Duration.ofSeconds(5));
      assertTrue(blocks(rig, "w").get(1).readAgoMillis >= 5000);
      assertEquals(
          List.of(key(2)),
          rig.engine.explain(new WorkflowId(USER, "w"), 1, 1).stream()
              .map(b -> b.block)
              .collect(Collectors.toList()));

      rig.read(1, BLOCK, true);
      assertEquals(List.of(), rig.engine.workflows(any -> true), "used up");
      assertEquals("1: [3, 2, 0, 1]", counts(rig, "w").get(0), "and still explained");
    }
  }

  @Test
  void explain_blockOnSsdBeforeTheHints_saysSo() throws Exception {
    try (EngineRig rig = rig(2)) {
      rig.disk(1);
      rig.hints("first", TTL, 1, 1);
      rig.quiet();
      rig.hints("second", TTL, 1);
      HintedBlock block = blocks(rig, "second").get(0);
      assertTrue(block.wasOnSsd);
      assertEquals(HintedBlock.NEVER, block.fetchedAgoMillis);
    }
  }

  @Test
  void progress_countsReads_andWhatIsOver_isKeptForAnHour() throws Exception {
    try (EngineRig rig = rig(2)) {
      for (int id = 1; id <= 3; id++) {
        rig.disk(id);
      }
      Hints hints =
          new Hints(
              "w",
              TTL,
              List.of(
                  new Hints.Reference(key(1), BLOCK, false),
                  new Hints.Reference(key(2), BLOCK, false),
                  new Hints.Reference(key(3), BLOCK, false),
                  new Hints.Reference(key(1), BLOCK, false)));
      HintReceipt receipt = rig.engine.submitHints(hints.by("hive"), USER, false);
      assertEquals(4, receipt.accepted());
      rig.quiet();
      rig.read(1, BLOCK, true);
      rig.read(3);
      rig.engine.onReadElsewhere(List.of(key(2)));
      rig.engine.settle();
      WorkflowStatus active = rig.engine.workflows(any -> true).get(0);
      WorkflowProgress progress = requireNonNull(active.progress);
      assertFalse(active.isOver());
      assertEquals("hive", progress.by);
      assertEquals(1, active.left);
      assertEquals(
          List.of(1, 1, 1, 3, 1),
          List.of(
              progress.fromSsd,
              progress.fromDisk,
              progress.elsewhere,
              progress.read(),
              progress.onSsd));
      assertEquals(List.of(), rig.engine.endedWorkflows(any -> true));

      assertEquals(OptionalInt.of(1), rig.withdraw("w"));
      rig.pass(Duration.ofSeconds(5));
      WorkflowStatus over = rig.engine.endedWorkflows(any -> true).get(0);
      assertTrue(over.isOver() && requireNonNull(over.progress).overAgoMillis >= 5000);
      assertEquals(1, over.left, "promised, and not read");
      assertEquals(new WorkflowId(USER, "w"), over.id());
      assertEquals(List.of(), rig.engine.workflows(any -> true));
      rig.pass(Duration.ofMinutes(61));
      EngineRig.await("forgotten", () -> rig.engine.endedWorkflows(any -> true).isEmpty());
    }
  }

  @Test
  void explain_twoWorkflows_readsCountForTheOlder() throws Exception {
    try (EngineRig rig = rig(2)) {
      rig.disk(1);
      rig.hints("a", TTL, 1);
      rig.hints("b", TTL, 1, 1);
      rig.quiet();
      rig.read(1, BLOCK, true);
      rig.read(1, BLOCK, true);
      assertEquals(List.of("1: [1, 1, 0, 0]"), counts(rig, "a"));
      assertEquals(List.of("1: [2, 1, 0, 0]"), counts(rig, "b"));
      assertEquals(List.of(), rig.engine.explain(new WorkflowId("bob", "b"), 0, 9));
    }
  }

  @Test
  void explain_withdrawnExpiredOrReplaced() throws Exception {
    try (EngineRig rig = rig(2)) {
      rig.disk(1);
      rig.hints("withdrawn", TTL, 1, 1);
      assertEquals(OptionalInt.of(2), rig.withdraw("withdrawn"));
      rig.hints("expired", 1000, 1, 1);
      rig.pass(Duration.ofMinutes(1));
      rig.hints("replaced", TTL, 1, 1);
      rig.hints("replaced", TTL, 1, 1, 1);
      rig.read(1);
      assertEquals(List.of("1: [2, 0, 0, 0]"), counts(rig, "withdrawn"));
      assertEquals(List.of("1: [2, 0, 0, 0]"), counts(rig, "expired"));
      assertEquals(3, blocks(rig, "replaced").get(0).expected);
      assertEquals(1, blocks(rig, "replaced").get(0).reads());
      rig.pass(Duration.ofMinutes(61));
      EngineRig.await("forgotten", () -> blocks(rig, "withdrawn").isEmpty());
      assertEquals(List.of(), counts(rig, "expired"));
      assertEquals(1, blocks(rig, "replaced").size());
    }
  }

  private static void submit(HintHistory to, String workflow, int blocks) {
    submit(to, USER, workflow, blocks);
  }

  private static void submit(HintHistory to, String user, String workflow, int blocks) {
    List<Hints.Reference> references = new ArrayList<>();
    for (int id = 0; id < blocks; id++) {
      references.add(new Hints.Reference(key(id), BLOCK, false));
    }
    to.submitted(
        new Hints(workflow, TTL, references),
        new HintReceipt(new WorkflowId(user, workflow), blocks, 0, TTL, Set.of()));
  }

  /** What one user may have while the others have nothing. */
  private static final int ALONE = HintHistory.MAX_BLOCKS / 2;

  private static int recorded(HintHistory history, String user, String workflow) {
    return history
        .blocks(new WorkflowId(user, workflow), 0, Integer.MAX_VALUE, BlockEntry::reason)
        .size();
  }

  private static HintHistory history() {
    RoundClock clock = new RoundClock(() -> 0);
    clock.startRound();
    return new HintHistory(new BlockTable(), clock);
  }

  @Test
  void submit_beyondTheBound_oldestWorkflowThatIsOverMakesWay() {
    HintHistory history = history();
    submit(history, "a", ALONE / 2);
    submit(history, "b", ALONE / 2);
    submit(history, "c", 2);
    assertEquals(ALONE, history.size(), "a and b are running");
    assertEquals(0, recorded(history, USER, "c"));
    history.withdrawn(new WorkflowId(USER, "a"));
    submit(history, "d", 2);
    assertEquals(0, recorded(history, USER, "a"));
    assertEquals(2, recorded(history, USER, "d"));
    assertEquals(ALONE / 2 + 2, history.size());
    history.withdrawn(new WorkflowId(USER, "b"));
    submit(history, "b", 1);
    assertEquals(3, history.size(), "a replacement frees what it replaces");
  }

  @Test
  void submit_beyondTheBound_finishedWorkflowsMakeWay() {
    HintHistory history = history();
    submit(history, "a", 2);
    submit(history, "b", ALONE - 2);
    submit(history, "c", 2);
    assertEquals(0, recorded(history, USER, "c"), "b is running");
    history.read(key(0), true);
    history.readElsewhere(key(1));
    assertEquals(2, recorded(history, USER, "a"), "read, and explained");
    submit(history, "d", 3);
    assertEquals(0, recorded(history, USER, "a"));
    assertEquals(2, recorded(history, USER, "d"));
    assertEquals(ALONE, history.size());
    for (long id = 0; id < ALONE - 2; id++) {
      history.read(key(id), true);
    }
    submit(history, "e", 1);
    assertEquals(0, recorded(history, USER, "b"));
    assertEquals(3, history.size());
  }

  @Test
  void submit_byOneUser_leavesRoomForOthers() {
    HintHistory history = history();
    submit(history, "greedy", "a", HintHistory.MAX_BLOCKS);
    assertEquals(ALONE, recorded(history, "greedy", "a"));
    submit(history, "greedy", "b", 1);
    assertEquals(0, recorded(history, "greedy", "b"));
    submit(history, "second", "a", HintHistory.MAX_BLOCKS);
    assertEquals(ALONE / 2, recorded(history, "second", "a"));
    submit(history, "third", "a", 100);
    assertEquals(100, recorded(history, "third", "a"));
    history.withdrawn(new WorkflowId("greedy", "a"));
    submit(history, "second", "b", 1);
    assertEquals(1, recorded(history, "second", "b"), "in the room of what is over");
    submit(history, "greedy", "c", 3);
    assertEquals(3, recorded(history, "greedy", "c"));
  }

  @Test
  void submit_byOneUserWhoHasAll_forgetsNothingOfOthers() {
    HintHistory history = history();
    submit(history, "greedy", "a", HintHistory.MAX_BLOCKS);
    assertEquals(ALONE, recorded(history, "greedy", "a"));
    submit(history, "second", "over", 10);
    history.withdrawn(new WorkflowId("second", "over"));
    submit(history, "greedy", "b", ALONE);
    submit(history, "greedy", "c", 1);
    assertEquals(10, recorded(history, "second", "over"));
  }

  /** The answer to one user has no room for those of others, and is no work on their blocks. */
  @Test
  void over_ofOneUser_isAmongTheLastOfThatUser() {
    HintHistory history = history();
    submit(history, "alice", "w", 1);
    history.withdrawn(new WorkflowId("alice", "w"));
    submitAndWithdraw(history, "bob", HintHistory.MAX_OVER_OF_USER);
    submitAndWithdraw(history, "carol", HintHistory.MAX_OVER_OF_USER);
    assertEquals(
        List.of(new WorkflowId("alice", "w")),
        history.over(id -> id.user().equals("alice")).stream()
            .map(WorkflowStatus::id)
            .collect(Collectors.toList()));
    assertEquals(HintHistory.MAX_OVER, history.over(any -> true).size());
  }

  private static void submitAndWithdraw(HintHistory to, String user, int workflows) {
    for (int i = 0; i < workflows; i++) {
      submit(to, user, "w" + i, 1);
      to.withdrawn(new WorkflowId(user, "w" + i));
    }
  }

  @Test
  void over_manyOfOneUser_hideNoneOfOthers_andDoNotPileUp() {
    HintHistory history = history();
    submitAndWithdraw(history, "alice", 1);
    submitAndWithdraw(history, "bob", 5000);
    assertEquals(1 + HintHistory.MAX_OVER_OF_USER, history.size());
    List<WorkflowStatus> over = history.over(any -> true);
    assertEquals(new WorkflowId("alice", "w0"), over.get(0).id());
    assertEquals(new WorkflowId("bob", "w4999"), over.get(over.size() - 1).id());
    assertEquals(0, recorded(history, "bob", "w4499"));
    submit(history, "bob", "w4500", 2);
    assertEquals(2 + HintHistory.MAX_OVER_OF_USER, history.size(), "replaced");
    submit(history, "dave", "all", HintHistory.MAX_BLOCKS);
    assertEquals(ALONE - 1, recorded(history, "dave", "all"), "bob has two in use");
  }

  @Test
  void read_ofTheLastBlock_startsTheHourAfterTheWorkflow() {
    AtomicLong nanos = new AtomicLong();
    RoundClock clock = new RoundClock(nanos::get);
    clock.startRound();
    HintHistory history = new HintHistory(new BlockTable(), clock);
    submit(history, "a", 1);
    history.read(key(0), true);
    nanos.set(HintHistory.KEPT_NANOS);
    clock.startRound();
    history.expire();
    assertEquals(1, history.size());
    nanos.incrementAndGet();
    clock.startRound();
    history.expire();
    assertEquals(0, history.size());
  }

  /** A query reads some columns of a block, which is less than nine tenths of it. */
  @Test
  void blockReadInPart_countsAsRead_whenItsWorkflowIsOver() throws Exception {
    try (EngineRig rig = rig(1)) {
      for (int id = 1; id <= 3; id++) {
        rig.disk(id);
      }
      rig.hints("w", TTL, 1, 2, 3);
      rig.quiet();
      rig.read(1, BLOCK / 4, false);
      rig.read(1, BLOCK / 4, false);
      rig.read(2, BLOCK / 4, false);
      rig.read(2, BLOCK, false);
      assertEquals(
          List.of("1: [1, 0, 0, 0]", "2: [1, 0, 1, 0]", "3: [1, 0, 0, 0]"), counts(rig, "w"));

      rig.withdraw("w");
      assertEquals(
          List.of("1: [1, 0, 1, 0]", "2: [1, 0, 1, 0]", "3: [1, 0, 0, 0]"), counts(rig, "w"));
    }
  }
}
