package io.hycache.core.hint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReferenceSequencesTest {
  private static final long LENGTH = 100;
  private static final long TTL = 60_000;

  private final List<String> told = new ArrayList<>();
  private final ReferenceSequences references =
      new ReferenceSequences(100, (block, remaining) -> told.add(block.id() + "=" + remaining));

  @Test
  void submit_countsReferencesAndTellsEachBlockOnce() {
    assertEquals(4, references.submit(batch("w", 1, 2, 1, 1), 0));

    assertEquals(3, references.remaining(block(1)));
    assertEquals(1, references.remaining(block(2)));
    assertEquals(0, references.remaining(block(3)));
    assertEquals(4, references.remaining());
    assertEquals(List.of("1=3", "2=1"), told);
    assertEquals(List.of("w"), references.workflows());
  }

  @Test
  void submit_sameName_replacesAndTellsOnlyWhatChanged() {
    references.submit(batch("w", 1, 2, 3), 0);
    told.clear();
    references.submit(batch("w", 2, 3, 3, 4), 0);

    assertEquals(List.of("1=0", "3=2", "4=1"), told);
    assertEquals(4, references.remaining());
    assertEquals(List.of("w"), references.workflows());
  }

  @Test
  void submit_beyondBound_acceptsPrefix() {
    ReferenceSequences small = new ReferenceSequences(3, (block, remaining) -> {});

    assertEquals(2, small.submit(batch("a", 1, 2), 0));
    assertEquals(1, small.submit(batch("b", 3, 4), 0));
    assertEquals(0, small.submit(batch("c", 5), 0));
    assertEquals(3, small.remaining());
    assertEquals(0, small.remaining(block(4)));
    assertEquals(List.of("a", "b"), small.workflows());
  }

  @Test
  void submit_usedUpSteps_stillCountAgainstBoundUntilTheirWorkflowEnds() {
    ReferenceSequences small = new ReferenceSequences(2, (block, remaining) -> {});
    small.submit(batch("a", 1, 2), 0);
    small.onRead(block(1), LENGTH, LENGTH);
    assertEquals(0, small.submit(batch("b", 3), 0));
    small.onRead(block(2), LENGTH, LENGTH);

    assertEquals(1, small.submit(batch("b", 3), 0));
  }

  @Test
  void submit_replacement_mayUseTheRoomOfWhatItReplaces() {
    ReferenceSequences small = new ReferenceSequences(2, (block, remaining) -> {});
    small.submit(batch("a", 1, 2), 0);

    assertEquals(2, small.submit(batch("a", 3, 4), 0));
  }

  @Test
  void submit_empty_isNoWorkflow() {
    assertEquals(0, references.submit(batch("w"), 0));

    assertEquals(List.of(), references.workflows());
  }

  @Test
  void constructor_negativeBound_refuses() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> new ReferenceSequences(-1, (b, r) -> {}));

    assertEquals("maxSteps=-1; allowed: >= 0", e.getMessage());
  }

  @Test
  void onRead_nineTenths_usesUpOne() {
    references.submit(batch("w", 1, 1), 0);
    told.clear();

    assertFalse(references.onRead(block(1), LENGTH, 89));
    assertEquals(List.of(), told);
    assertTrue(references.onRead(block(1), LENGTH, 1));
    assertEquals(1, references.remaining(block(1)));
    assertEquals(List.of("1=1"), told);
  }

  @Test
  void onRead_afterOneIsUsedUp_bytesCountFromZero() {
    references.submit(batch("w", 1, 1), 0);
    references.onRead(block(1), LENGTH, 100);

    assertFalse(references.onRead(block(1), LENGTH, 89));
    assertTrue(references.onRead(block(1), LENGTH, 1));
    assertFalse(references.onRead(block(1), LENGTH, 100));
  }

  @Test
  void onRead_manyBytesAtOnce_useUpOne() {
    references.submit(batch("w", 1, 1, 1), 0);
    references.onRead(block(1), LENGTH, Long.MAX_VALUE);

    assertEquals(2, references.remaining(block(1)));
  }

  @Test
  void onRead_peekIntoNextBlock_usesUpNothing() {
    references.submit(batch("w", 1, 2), 0);
    references.onRead(block(1), LENGTH, LENGTH);
    references.onRead(block(2), LENGTH, 3);

    assertEquals(1, references.remaining(block(2)));
  }

  @Test
  void onRead_emptyBlock_usesUpOne() {
    references.submit(batch("w", 1), 0);

    assertTrue(references.onRead(block(1), 0, 0));
  }

  @Test
  void onRead_blockOfTwoWorkflows_usesUpTheOlderFirst() {
    references.submit(batch("old", 1), 0);
    references.submit(batch("new", 1, 2), 0);
    references.onRead(block(1), LENGTH, LENGTH);

    assertEquals(List.of("new"), references.workflows());
    assertEquals(1, references.remaining(block(1)));
    references.onRead(block(1), LENGTH, LENGTH);
    assertEquals(0, references.remaining(block(1)));
    assertEquals(1, references.withdraw("new"));
  }

  @Test
  void onRead_unknownBlock_isNoReference() {
    assertFalse(references.onRead(block(1), LENGTH, LENGTH));
    assertEquals(List.of(), told);
  }

  @Test
  void next_followsTheSequenceAndEnds() {
    references.submit(batch("w", 1, 2, 1), 0);

    assertEquals(block(1), references.next(ReferenceSequencesTest::any));
    assertEquals(block(2), references.next(ReferenceSequencesTest::any));
    assertEquals(block(1), references.next(ReferenceSequencesTest::any));
    assertNull(references.next(ReferenceSequencesTest::any));
  }

  @Test
  void next_skipsStepsUsedUpAndUnwanted() {
    references.submit(batch("w", 1, 2, 1, 3), 0);
    references.onRead(block(1), LENGTH, LENGTH);

    assertEquals(block(1), references.next(block -> block.id() != 2));
    assertEquals(block(3), references.next(ReferenceSequencesTest::any));
  }

  @Test
  void next_workflowsTakeTurns() {
    references.submit(batch("a", 1, 2, 3), 0);
    references.submit(batch("b", 11), 0);
    references.submit(batch("c", 21, 22), 0);

    assertEquals(List.of(1L, 11L, 21L, 2L, 22L, 3L), drain());
  }

  @Test
  void next_workflowOnTurnLeaves_theFollowingOneHasIt() {
    references.submit(batch("a", 1, 2), 0);
    references.submit(batch("b", 11, 12), 0);
    references.submit(batch("c", 21, 22), 0);
    references.next(ReferenceSequencesTest::any);
    references.withdraw("b");

    assertEquals(List.of(21L, 2L, 22L), drain());
  }

  @Test
  void rewind_startsAtFirstStepNotUsedUp() {
    references.submit(batch("w", 1, 2, 3), 0);
    drain();
    references.onRead(block(1), LENGTH, LENGTH);
    references.rewind();

    assertEquals(List.of(2L, 3L), drain());
  }

  @Test
  void rewind_outOfOrderRead_leavesAHole() {
    references.submit(batch("w", 1, 2, 3), 0);
    references.onRead(block(2), LENGTH, LENGTH);
    references.rewind();

    assertEquals(List.of(1L, 3L), drain());
  }

  @Test
  void withdraw_tellsZeroAndReturnsWhatWasLeft() {
    references.submit(batch("w", 1, 1, 2), 0);
    references.onRead(block(2), LENGTH, LENGTH);
    told.clear();

    assertEquals(2, references.withdraw("w"));
    assertEquals(List.of("1=0"), told);
    assertEquals(0, references.withdraw("w"));
    assertEquals(0, references.remaining());
  }

  @Test
  void expire_ttlRunOut_forgets() {
    references.submit(batch("w", 1, 2), 1000);

    assertEquals(0, references.expire(1000 + TTL - 1));
    assertEquals(2, references.expire(1000 + TTL));
    assertEquals(List.of(), references.workflows());
    assertEquals(0, references.expire(1000 + TTL));
  }

  @Test
  void expire_longestTtl_doesNotOverflow() {
    references.submit(new HintBatch("w", Long.MAX_VALUE, steps(1)), 1000);

    assertEquals(0, references.expire(Long.MAX_VALUE - 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void randomEvents_sameAnswersAsTheModel(long seed) {
    Random random = new Random(seed);
    Map<BlockKey, Long> heard = new HashMap<>();
    ReferenceSequences real =
        new ReferenceSequences(
            60,
            (block, remaining) -> {
              assertNotEquals(heard.getOrDefault(block, 0L), remaining, "told without a change");
              heard.put(block, remaining);
            });
    ReferenceSequencesModel model = new ReferenceSequencesModel(60);
    long now = 0;
    for (int event = 0; event < 4000; event++) {
      String where = "seed=" + seed + " event=" + event;
      String name = "w" + random.nextInt(5);
      BlockKey block = block(random.nextInt(12));
      switch (random.nextInt(12)) {
        case 0:
          long[] ids = random.longs(random.nextInt(30), 0, 12).toArray();
          HintBatch batch = new HintBatch(name, 1 + random.nextInt(50), steps(ids));
          assertEquals(model.submit(batch, now), real.submit(batch, now), where);
          break;
        case 1:
          if (random.nextInt(3) == 0) {
            assertEquals(model.withdraw(name), real.withdraw(name), where);
          }
          break;
        case 2:
          now += random.nextInt(8);
          assertEquals(model.expire(now), real.expire(now), where);
          break;
        case 3:
          model.rewind();
          real.rewind();
          break;
        case 4:
        case 5:
        case 6:
          Predicate<BlockKey> wanted = key -> key.id() % 3 != block.id() % 3;
          assertEquals(model.next(wanted), real.next(wanted), where);
          break;
        default:
          long bytes = random.nextInt(101);
          assertEquals(
              model.onRead(block, LENGTH, bytes), real.onRead(block, LENGTH, bytes), where);
      }
      assertEquals(model.remaining(), real.remaining(), where);
      assertEquals(model.workflows(), real.workflows(), where);
      for (int id = 0; id < 12; id++) {
        assertEquals(model.remaining(block(id)), real.remaining(block(id)), where);
        assertEquals(model.stepsAhead(block(id)), real.stepsAhead(block(id)), where);
        assertEquals(
            real.remaining(block(id)), heard.getOrDefault(block(id), 0L).longValue(), where);
      }
    }
  }

  private static boolean any(BlockKey block) {
    return true;
  }

  private static BlockKey block(long id) {
    return new BlockKey("BP-1", id);
  }

  private static HintBatch batch(String workflow, long... ids) {
    return new HintBatch(workflow, TTL, steps(ids));
  }

  private static List<HintBatch.Step> steps(long... ids) {
    return Arrays.stream(ids)
        .mapToObj(id -> new HintBatch.Step(block(id), LENGTH, false))
        .collect(Collectors.toList());
  }

  private List<Long> drain() {
    List<Long> out = new ArrayList<>();
    BlockKey next = references.next(ReferenceSequencesTest::any);
    while (next != null) {
      out.add(next.id());
      next = references.next(ReferenceSequencesTest::any);
    }
    return out;
  }

  @Test
  void stepsAhead_countsFromTheStepsThatAreLeft() {
    references.submit(batch("w", 1, 2, 3, 1), 0);

    assertEquals(0, references.stepsAhead(block(1)));
    assertEquals(2, references.stepsAhead(block(3)));
    assertEquals(Long.MAX_VALUE, references.stepsAhead(block(4)));
    references.onRead(block(1), LENGTH, LENGTH);
    assertEquals(2, references.stepsAhead(block(1)), "its next step is the last of three");
    assertEquals(0, references.stepsAhead(block(2)));
    references.submit(batch("v", 1), 0);
    assertEquals(0, references.stepsAhead(block(1)), "the nearest of both");
  }

  @Test
  void tellAll_blocksWithReferences_areTold() {
    references.submit(batch("w", 1, 2, 1), 0);
    Map<BlockKey, Long> all = new HashMap<>();
    references.tellAll(all::put);

    assertEquals(Map.of(block(1), 2L, block(2), 1L), all);
  }
}
