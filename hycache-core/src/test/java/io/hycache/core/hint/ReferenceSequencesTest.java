// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.config.HintLimits;
import io.hycache.core.model.BlockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReferenceSequencesTest {
  private static final long LENGTH = 100;
  private static final long TTL = 60_000;
  private static final String USER = "alice";
  private static final HintLimits WIDE =
      new HintLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ofMillis(Long.MAX_VALUE));

  private final List<String> reported = new ArrayList<>();
  private final ReferenceSequences references =
      new ReferenceSequences(
          100, WIDE, (block, remaining) -> reported.add(block.id() + "=" + remaining));

  @Test
  void submit_countsReferencesAndReportsEachBlockOnce() {
    assertEquals(4, submit(references, batch("w", 1, 2, 1, 1), 0));

    assertEquals(3, references.remaining(block(1)));
    assertEquals(1, references.remaining(block(2)));
    assertEquals(0, references.remaining(block(3)));
    assertEquals(4, references.remaining());
    assertEquals(List.of("1=3", "2=1"), reported);
    assertEquals(List.of("w"), names(references));
  }

  @Test
  void submit_sameName_replacesAndReportsOnlyChanges() {
    submit(references, batch("w", 1, 2, 3), 0);
    reported.clear();
    submit(references, batch("w", 2, 3, 3, 4), 0);

    assertEquals(List.of("1=0", "3=2", "4=1"), reported);
    assertEquals(4, references.remaining());
    assertEquals(List.of("w"), names(references));
  }

  @Test
  void submit_beyondBound_acceptsPrefix() {
    ReferenceSequences small = new ReferenceSequences(3, WIDE, (block, remaining) -> {});

    assertEquals(2, submit(small, batch("a", 1, 2), 0));
    assertEquals(1, submit(small, batch("b", 3, 4), 0));
    assertEquals(0, submit(small, batch("c", 5), 0));
    assertEquals(3, small.remaining());
    assertEquals(0, small.remaining(block(4)));
    assertEquals(List.of("a", "b"), names(small));
  }

  @Test
  void submit_usedUpReferences_stillCountAgainstBoundUntilTheirWorkflowEnds() {
    ReferenceSequences small = new ReferenceSequences(2, WIDE, (block, remaining) -> {});
    submit(small, batch("a", 1, 2), 0);
    small.onRead(block(1), LENGTH, LENGTH);
    assertEquals(0, submit(small, batch("b", 3), 0));
    small.onRead(block(2), LENGTH, LENGTH);

    assertEquals(1, submit(small, batch("b", 3), 0));
  }

  @Test
  void submit_replacement_mayUseTheRoomOfWhatItReplaces() {
    ReferenceSequences small = new ReferenceSequences(2, WIDE, (block, remaining) -> {});
    submit(small, batch("a", 1, 2), 0);

    assertEquals(2, submit(small, batch("a", 3, 4), 0));
  }

  @Test
  void submit_empty_isNoWorkflow() {
    assertEquals(0, submit(references, batch("w"), 0));

    assertEquals(List.of(), names(references));
  }

  @Test
  void constructor_negativeBound_refuses() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> new ReferenceSequences(-1, WIDE, (b, r) -> {}));

    assertEquals("maxReferences: expected 0 or more, found -1", e.getMessage());
  }

  @Test
  void onRead_nineTenths_usesUpOne() {
    submit(references, batch("w", 1, 1), 0);
    reported.clear();

    assertFalse(references.onRead(block(1), LENGTH, 89));
    assertEquals(List.of(), reported);
    assertTrue(references.onRead(block(1), LENGTH, 1));
    assertEquals(1, references.remaining(block(1)));
    assertEquals(List.of("1=1"), reported);
  }

  @Test
  void onRead_afterOneIsUsedUp_bytesCountFromZero() {
    submit(references, batch("w", 1, 1), 0);
    references.onRead(block(1), LENGTH, 100);

    assertFalse(references.onRead(block(1), LENGTH, 89));
    assertTrue(references.onRead(block(1), LENGTH, 1));
    assertFalse(references.onRead(block(1), LENGTH, 100));
  }

  @Test
  void onRead_manyBytesAtOnce_useUpOne() {
    submit(references, batch("w", 1, 1, 1), 0);
    references.onRead(block(1), LENGTH, Long.MAX_VALUE);

    assertEquals(2, references.remaining(block(1)));
  }

  @Test
  void onRead_peekIntoNextBlock_usesUpNothing() {
    submit(references, batch("w", 1, 2), 0);
    references.onRead(block(1), LENGTH, LENGTH);
    references.onRead(block(2), LENGTH, 3);

    assertEquals(1, references.remaining(block(2)));
  }

  @Test
  void onRead_emptyBlock_usesUpOne() {
    submit(references, batch("w", 1), 0);

    assertTrue(references.onRead(block(1), 0, 0));
  }

  @Test
  void onRead_blockOfTwoWorkflows_usesUpTheOlderFirst() {
    submit(references, batch("old", 1), 0);
    submit(references, batch("new", 1, 2), 0);
    references.onRead(block(1), LENGTH, LENGTH);

    assertEquals(List.of("new"), names(references));
    assertEquals(1, references.remaining(block(1)));
    references.onRead(block(1), LENGTH, LENGTH);
    assertEquals(0, references.remaining(block(1)));
    assertEquals(OptionalInt.of(1), references.withdraw(id("new")));
  }

  @Test
  void onReadElsewhere_usesUpOne_andBytesReadHereStillCount() {
    submit(references, new Hints("w", TTL, references(1, 1, 1)), 0);
    assertFalse(references.onRead(block(1), LENGTH, LENGTH / 2));
    assertTrue(references.onReadElsewhere(block(1)));
    assertEquals(2, references.remaining(block(1)));
    assertTrue(references.onRead(block(1), LENGTH, LENGTH / 2));
    assertTrue(references.onReadElsewhere(block(1)));
    assertFalse(references.onReadElsewhere(block(1)));
    assertEquals(List.of(), references.workflows(0));
  }

  @Test
  void onRead_unknownBlock_isNoReference() {
    assertFalse(references.onRead(block(1), LENGTH, LENGTH));
    assertEquals(List.of(), reported);
  }

  @Test
  void next_followsTheSequenceAndEnds() {
    submit(references, batch("w", 1, 2, 1), 0);

    assertEquals(block(1), next(ReferenceSequencesTest::any));
    assertEquals(block(2), next(ReferenceSequencesTest::any));
    assertEquals(block(1), next(ReferenceSequencesTest::any));
    assertNull(references.next(ReferenceSequencesTest::any, unlimited()));
  }

  @Test
  void next_skipsReferencesUsedUpAndUnwanted() {
    submit(references, batch("w", 1, 2, 1, 3), 0);
    references.onRead(block(1), LENGTH, LENGTH);

    assertEquals(block(1), next(block -> block.id() != 2));
    assertEquals(block(3), next(ReferenceSequencesTest::any));
  }

  @Test
  void next_workflowsTakeTurns() {
    submit(references, batch("a", 1, 2, 3), 0);
    submit(references, batch("b", 11), 0);
    submit(references, batch("c", 21, 22), 0);

    assertEquals(List.of(1L, 11L, 21L, 2L, 22L, 3L), drain());
  }

  @Test
  void next_workflowOnTurnLeaves_theFollowingOneHasIt() {
    submit(references, batch("a", 1, 2), 0);
    submit(references, batch("b", 11, 12), 0);
    submit(references, batch("c", 21, 22), 0);
    references.next(ReferenceSequencesTest::any, unlimited());
    references.withdraw(id("b"));

    assertEquals(List.of(21L, 2L, 22L), drain());
  }

  @Test
  void next_withALimit_goesOnWhereItStopped() {
    ReferenceSequences large = limited(200_000, 200_000, 10);
    submit(large, "alice", batch("w", LongStream.rangeClosed(1, 100_000).toArray()));
    submit(large, "bob", batch("w", 0));
    AtomicInteger calls = new AtomicInteger();
    Predicate<BlockKey> last =
        block -> {
          calls.incrementAndGet();
          return block.id() == 0 || block.id() == 100_000;
        };
    StepLimit first = new StepLimit(20_000);
    assertNull(large.next(last, first));
    assertTrue(first.isReached());
    assertEquals(20_000, calls.get());

    StepLimit second = new StepLimit(20_000);
    assertEquals(block(0), requireNonNull(large.next(last, second)).block(), "bob's turn");
    assertNull(large.next(last, second));
    assertEquals(40_000, calls.get());
    for (int round = 3; round <= 5; round++) {
      assertNull(large.next(last, new StepLimit(20_000)));
      assertEquals(round * 20_000, calls.get());
    }
    assertEquals(block(100_000), requireNonNull(large.next(last, new StepLimit(20_000))).block());
    StepLimit atEnd = new StepLimit(20_000);
    assertNull(large.next(last, atEnd));
    assertFalse(atEnd.isReached());
  }

  @Test
  void rewind_startsAtFirstReferenceNotUsedUp() {
    submit(references, batch("w", 1, 2, 3), 0);
    drain();
    references.onRead(block(1), LENGTH, LENGTH);
    references.rewind();

    assertEquals(List.of(2L, 3L), drain());
  }

  @Test
  void rewind_outOfOrderRead_leavesAHole() {
    submit(references, batch("w", 1, 2, 3), 0);
    references.onRead(block(2), LENGTH, LENGTH);
    references.rewind();

    assertEquals(List.of(1L, 3L), drain());
  }

  @Test
  void withdraw_reportsZeroAndReturnsTheReferencesLeft() {
    submit(references, batch("w", 1, 1, 2), 0);
    references.onRead(block(2), LENGTH, LENGTH);
    reported.clear();

    assertEquals(OptionalInt.of(2), references.withdraw(id("w")));
    assertEquals(List.of("1=0"), reported);
    assertEquals(OptionalInt.empty(), references.withdraw(id("w")));
    assertEquals(0, references.remaining());
  }

  @Test
  void expire_ttlRunOut_forgets() {
    submit(references, batch("w", 1, 2), 1000);

    assertEquals(0, references.expire(1000 + TTL - 1));
    assertEquals(2, references.expire(1000 + TTL));
    assertEquals(List.of(), names(references));
    assertEquals(0, references.expire(1000 + TTL));
  }

  @Test
  void expire_longestTtl_doesNotOverflow() {
    submit(references, new Hints("w", Long.MAX_VALUE, references(1)), 1000);

    assertEquals(0, references.expire(Long.MAX_VALUE - 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void randomEvents_sameAnswersAsTheModel(long seed) {
    Random random = new Random(seed);
    Map<BlockKey, Long> lastReported = new HashMap<>();
    HintLimits limits = new HintLimits(40, 3, Duration.ofMillis(35));
    ReferenceSequences real =
        new ReferenceSequences(
            60,
            limits,
            (block, remaining) -> {
              assertNotEquals(
                  lastReported.getOrDefault(block, 0L), remaining, "reported without a change");
              lastReported.put(block, remaining);
            });
    ReferenceSequencesModel model = new ReferenceSequencesModel(60, limits);
    long now = 0;
    for (int event = 0; event < 4000; event++) {
      String where = "seed=" + seed + " event=" + event;
      WorkflowId id = new WorkflowId("u" + random.nextInt(3), "w" + random.nextInt(5));
      BlockKey block = block(random.nextInt(12));
      switch (random.nextInt(12)) {
        case 0:
          long[] ids = random.longs(random.nextInt(30), 0, 12).toArray();
          Hints batch = new Hints(id.name(), 1 + random.nextInt(50), references(ids));
          boolean exempt = random.nextInt(8) == 0;
          assertEquals(
              model.submit(batch, id.user(), exempt, now).toString(),
              real.submit(batch, id.user(), exempt, now).toString(),
              where);
          break;
        case 1:
          if (random.nextInt(3) == 0) {
            assertEquals(model.withdraw(id), real.withdraw(id), where);
          }
          break;
        case 2:
          now += random.nextInt(8);
          assertEquals(model.expire(now), real.expire(now), where);
          break;
        case 3:
          model.rewind();
          real.rewind();
          if (random.nextInt(2) == 0) {
            model.markProgress();
            real.markProgress();
          }
          break;
        case 4:
        case 5:
        case 6:
          Predicate<BlockKey> wanted = key -> key.id() % 3 != block.id() % 3;
          assertEquals(
              text(model.next(wanted, unlimited())), text(real.next(wanted, unlimited())), where);
          break;
        case 7:
          assertEquals(model.onReadElsewhere(block), real.onReadElsewhere(block), where);
          break;
        default:
          long bytes = random.nextInt(101);
          assertEquals(
              model.onRead(block, LENGTH, bytes), real.onRead(block, LENGTH, bytes), where);
      }
      assertEquals(model.remaining(), real.remaining(), where);
      assertEquals(model.anyResumed(), real.anyResumed(), where);
      assertEquals(text(model.workflows(now)), text(real.workflows(now)), where);
      for (int i = 0; i < 12; i++) {
        BlockKey each = block(i);
        assertEquals(model.remaining(each), real.remaining(each), where);
        assertEquals(model.referencesAhead(each), real.referencesAhead(each), where);
        assertEquals(
            model.referencesAheadInProgress(each), real.referencesAheadInProgress(each), where);
        assertEquals(model.isUnderWay(each), real.isUnderWay(each), where);
        assertEquals(model.users(each), real.users(each), where);
        assertEquals(real.remaining(each), lastReported.getOrDefault(each, 0L).longValue(), where);
      }
    }
  }

  private static @Nullable String text(References.@Nullable Upcoming next) {
    return next == null ? null : next.user() + ":" + next.block();
  }

  private static String text(List<WorkflowStatus> workflows) {
    return workflows.stream()
        .map(w -> w.receipt + " left=" + w.left + " " + w.ageMillis + " " + w.expiresInMillis)
        .collect(Collectors.joining("\n"));
  }

  // ---- users ------------------------------------------------------------------------------------

  private static HintReceipt submit(ReferenceSequences to, String user, Hints batch) {
    return to.submit(batch, user, false, 0);
  }

  private static ReferenceSequences limited(int all, int blocks, int workflows) {
    return new ReferenceSequences(
        all, new HintLimits(blocks, workflows, Duration.ofMillis(TTL)), (block, remaining) -> {});
  }

  @Test
  void submit_sameNameOfTwoUsers_areTwoWorkflows() {
    submit(references, "alice", batch("w", 1, 2));
    submit(references, "mallory", batch("w", 3));

    assertEquals(3, references.remaining());
    assertEquals(
        List.of("alice/w", "mallory/w"),
        references.workflows(0).stream().map(w -> w.id().toString()).collect(Collectors.toList()));
    assertEquals(OptionalInt.of(1), references.withdraw(new WorkflowId("mallory", "w")));
    assertEquals(2, references.remaining(), "alice's is still there");
  }

  @Test
  void submit_beyondTheUsersBlocks_isRefusedForThisUserOnly() {
    ReferenceSequences small = limited(100, 3, 10);

    HintReceipt first = submit(small, "mallory", batch("w", 1, 1, 1, 1, 1));
    assertEquals(
        "workflow=mallory/w accepted=3 refused=2 ttlMillis=60000 limits=[USER_BLOCKS]",
        first.toString());
    assertFalse(first.isWhole());
    assertEquals(0, submit(small, "mallory", batch("v", 2)).accepted());
    HintReceipt other = submit(small, "alice", batch("w", 1, 2, 3));
    assertEquals(3, other.accepted());
    assertTrue(other.isWhole());
    assertEquals(6, small.remaining());
  }

  @Test
  void submit_beyondTheUsersWorkflows_isRefusedForThisUserOnly() {
    ReferenceSequences small = limited(100, 50, 2);
    submit(small, "mallory", batch("a", 1));
    submit(small, "mallory", batch("b", 1));

    HintReceipt third = submit(small, "mallory", batch("c", 1, 2));
    assertEquals(0, third.accepted());
    assertEquals(2, third.refused());
    assertEquals(Set.of(HintReceipt.Limit.USER_WORKFLOWS), third.limits());
    assertTrue(submit(small, "mallory", batch("b", 5, 6)).isWhole(), "replaces its own");
    assertTrue(submit(small, "alice", batch("c", 1, 2)).isWhole());
  }

  @Test
  void submit_longerThanTheUsersTtl_isShortenedAndReported() {
    ReferenceSequences small = limited(100, 50, 2);
    HintReceipt receipt = submit(small, "mallory", new Hints("w", TTL + 1, references(1, 2)));

    assertEquals(2, receipt.accepted());
    assertEquals(0, receipt.refused());
    assertEquals(TTL, receipt.ttlMillis());
    assertEquals(Set.of(HintReceipt.Limit.USER_TTL), receipt.limits());
    assertEquals(0, small.expire(TTL - 1));
    assertEquals(2, small.expire(TTL));
  }

  @Test
  void submit_exempt_onlyTheTotalLimitApplies() {
    ReferenceSequences small = limited(4, 1, 1);
    small.submit(batch("a", 1, 2), "hdfs", true, 0);
    HintReceipt second =
        small.submit(new Hints("b", 2 * TTL, references(1, 2, 3)), "hdfs", true, 0);

    assertEquals(
        "workflow=hdfs/b accepted=2 refused=1 ttlMillis=120000 limits=[NODE_BLOCKS]",
        second.toString());
    assertEquals(0, submit(small, "alice", batch("w", 1)).accepted(), "no room is left at all");
  }

  /** A million references to one block must be freed in time. */
  @Test
  void onRead_lastReference_freesTheUsersBoundAtOnce() {
    ReferenceSequences small = limited(100, 3, 1);
    submit(small, "mallory", batch("w", 1, 1, 1));
    for (int i = 0; i < 3; i++) {
      assertEquals(0, submit(small, "mallory", batch("v", 2)).accepted());
      small.onRead(block(1), LENGTH, LENGTH);
    }

    assertEquals(List.of(), names(small));
    assertTrue(submit(small, "mallory", batch("v", 2, 2, 2)).isWhole());
  }

  @Test
  void limit_lowered_keepsWhatIsThereAndRefusesMore() {
    ReferenceSequences small = limited(100, 10, 10);
    submit(small, "alice", batch("w", 1, 2, 3, 4));
    small.limit(new HintLimits(2, 10, Duration.ofMillis(TTL)));

    assertEquals(4, small.remaining());
    assertEquals(0, submit(small, "alice", batch("v", 5)).accepted());
    small.limit(new HintLimits(5, 10, Duration.ofMillis(TTL)));
    assertEquals(1, submit(small, "alice", batch("v", 5, 6)).accepted());
  }

  @Test
  void next_manyWorkflowsOfOneUser_leaveTheOtherHalfOfTheTurns() {
    for (int i = 0; i < 8; i++) {
      submit(references, "mallory", batch("m" + i, 100 + i, 200 + i));
    }
    submit(references, "alice", batch("w", 1, 2, 3));

    assertEquals(List.of(100L, 1L, 101L, 2L, 102L, 3L, 103L), drain().subList(0, 7));
  }

  @Test
  void users_ofABlock_areThoseWithReferencesLeft() {
    submit(references, "alice", batch("a", 1, 2));
    submit(references, "mallory", batch("a", 1));
    submit(references, "alice", batch("b", 1));

    assertEquals(List.of("alice", "mallory"), references.users(block(1)));
    references.onRead(block(1), LENGTH, LENGTH);
    assertEquals(List.of("mallory", "alice"), references.users(block(1)));
    assertEquals(List.of(), references.users(block(3)));
  }

  @Test
  void workflows_showWhatIsLeftAndForHowLong() {
    ReferenceSequences small = limited(100, 3, 10);
    small.submit(batch("w", 1, 2, 1, 4), "alice", false, 1000);
    small.onRead(block(1), LENGTH, LENGTH);

    WorkflowStatus status = small.workflows(5000).get(0);
    assertEquals(new WorkflowId("alice", "w"), status.id());
    assertEquals(3, status.receipt.accepted());
    assertEquals(1, status.receipt.refused());
    assertEquals(2, status.left);
    assertEquals(4000, status.ageMillis);
    assertEquals(TTL - 4000, status.expiresInMillis);
  }

  private static int submit(ReferenceSequences to, Hints batch, long nowMillis) {
    return to.submit(batch, USER, false, nowMillis).accepted();
  }

  private @Nullable BlockKey next(Predicate<BlockKey> wanted) {
    References.Upcoming next = references.next(wanted, unlimited());
    return next == null ? null : next.block();
  }

  private static WorkflowId id(String workflow) {
    return new WorkflowId(USER, workflow);
  }

  private static List<String> names(References of) {
    return of.workflows(0).stream().map(w -> w.id().name()).collect(Collectors.toList());
  }

  private static StepLimit unlimited() {
    return new StepLimit(Long.MAX_VALUE);
  }

  private static boolean any(BlockKey block) {
    return true;
  }

  private static BlockKey block(long id) {
    return new BlockKey("BP-1", id);
  }

  private static Hints batch(String workflow, long... ids) {
    return new Hints(workflow, TTL, references(ids));
  }

  private static List<Hints.Reference> references(long... ids) {
    return Arrays.stream(ids)
        .mapToObj(id -> new Hints.Reference(block(id), LENGTH, false))
        .collect(Collectors.toList());
  }

  private List<Long> drain() {
    List<Long> out = new ArrayList<>();
    BlockKey next = next(ReferenceSequencesTest::any);
    while (next != null) {
      out.add(next.id());
      next = next(ReferenceSequencesTest::any);
    }
    return out;
  }

  @Test
  void referencesAhead_countsFromTheReferencesThatAreLeft() {
    submit(references, batch("w", 1, 2, 3, 1), 0);

    assertEquals(0, references.referencesAhead(block(1)));
    assertEquals(2, references.referencesAhead(block(3)));
    assertEquals(Long.MAX_VALUE, references.referencesAhead(block(4)));
    references.onRead(block(1), LENGTH, LENGTH);
    assertEquals(2, references.referencesAhead(block(1)), "its next step is the last of three");
    assertEquals(0, references.referencesAhead(block(2)));
    submit(references, batch("v", 1), 0);
    assertEquals(0, references.referencesAhead(block(1)), "the nearest of both");
  }

  @Test
  void reportAll_blocksWithReferences_areReported() {
    submit(references, batch("w", 1, 2, 1), 0);
    Map<BlockKey, Long> all = new HashMap<>();
    references.reportAll(all::put);

    assertEquals(Map.of(block(1), 2L, block(2), 1L), all);
  }
}
