// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.Hints.Reference;
import io.hycache.core.hint.Hints.Watched;
import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ExpectedAgainTest {
  private static final long MINUTE = 60_000;

  private final ExpectedAgain again = new ExpectedAgain();
  private long now = 1_000_000;

  private static BlockKey block(long id) {
    return new BlockKey("p", id);
  }

  private static Hints manifest(String workflow, long... ids) {
    List<Reference> references = new ArrayList<>();
    LongStream.of(ids).forEach(id -> references.add(new Reference(block(id), 1, false)));
    return new Hints(workflow, 1, references);
  }

  private static Hints job(String workflow, long... ids) {
    return manifest(workflow, ids).ofOneJob();
  }

  /** Returns the ids of the blocks of which it has changed whether they are expected. */
  private List<Long> submit(String user, Hints hints) {
    return again.submitted(hints, hints.references().size(), user, now).stream()
        .map(BlockKey::id)
        .collect(Collectors.toList());
  }

  private List<Long> expected() {
    List<Long> all = new ArrayList<>();
    again.forEach(block -> all.add(block.id()));
    assertEquals(all.size(), again.size());
    return all;
  }

  private void expire() {
    again.expire(block -> false, now);
  }

  @Test
  void firstWorkflowOfAUser_isExpectedOnceMore_asAGuess() {
    assertEquals(List.of(1L, 2L), submit("u", job("a", 1, 2, 2)));
    assertTrue(again.isExpected(block(2)));
    assertEquals(OptionalLong.empty(), again.recursAtMillis(block(2)));
    assertEquals("u", again.user(block(2)));
  }

  @Test
  void manifest_saysItself_whatIsReadAgain() {
    assertEquals(List.of(), submit("u", manifest("a", 1, 2)));
    submit("u", job("b", 1, 3));
    assertEquals(List.of(1L), submit("u", manifest("c", 1)));
    assertEquals(List.of(3L), expected());
  }

  @Test
  void userWhoseBlocksDoNotRecur_getsNoGuesses_butBlocksThatDoAreExpected() {
    submit("u", job("a", 1, 2));
    submit("u", job("b", 3, 4));
    assertEquals(List.of(1L, 2L), expected(), "b's are not: a's did not recur");
    submit("u", job("c", 4, 5));
    assertEquals(List.of(1L, 2L, 4L), expected());
  }

  /** Three jobs over each of many data sets: the first of a data set is expected again, too. */
  @Test
  void chains_areExpectedFromTheirFirstJobOn() {
    for (long chain = 0; chain < 10; chain++) {
      for (int job = 0; job < 3; job++) {
        submit("u", job(chain + "-" + job, 2 * chain, 2 * chain + 1));
        assertTrue(again.isExpected(block(2 * chain)), "chain=" + chain + " job=" + job);
        now += MINUTE;
      }
    }
  }

  @Test
  void partsAndReplacementsOfOneWorkflow_areNoRecurrence() {
    submit("u", job("a", 1));
    submit("u", job("b", 2)); // no more guesses
    submit("u", job("c", 3));
    submit("u", job("c", 3, 4));
    assertFalse(again.isExpected(block(3)));
    submit("v", job("c", 3));
    assertTrue(again.isExpected(block(3)), "another user's of the same name is one");
  }

  @Test
  void blockThatRecurs_isExpectedForThreeGaps() {
    submit("u", job("a", 1));
    now += 10 * MINUTE;
    submit("u", job("b", 1));
    assertEquals(OptionalLong.of(now + 10 * MINUTE), again.recursAtMillis(block(1)));
    now += 30 * MINUTE - 1;
    expire();
    assertTrue(again.isExpected(block(1)));
    now++;
    assertEquals(List.of(block(1)), again.expire(block -> false, now));
    assertFalse(again.isExpected(block(1)));
  }

  @Test
  void expectation_beginsToWait_whenTheLastHintedReadIsOver() {
    submit("u", job("a", 1));
    now += 100 * MINUTE;
    assertEquals(List.of(), again.expire(block -> true, now));
    now += 14 * MINUTE;
    expire();
    assertTrue(again.isExpected(block(1)));
    now += 2 * MINUTE;
    expire();
    assertFalse(again.isExpected(block(1)));
  }

  @Test
  void blockNamedTwoHoursAgo_isForgotten() {
    submit("u", job("a", 1));
    submit("u", job("b", 2));
    now += 120 * MINUTE;
    expire();
    submit("u", job("c", 1));
    assertFalse(again.isExpected(block(1)));
  }

  @Test
  void watchedBlock_isRemembered_butExpectedOnTheOtherDataNode() {
    Hints watching =
        new Hints("a", 1, List.of(), List.of(new Watched(block(1), 1, List.of("dn2")))).ofOneJob();
    assertEquals(List.of(), submit("u", watching));
    submit("u", job("x", 7));
    submit("u", job("y", 8));
    submit("u", job("b", 1));
    assertTrue(again.isExpected(block(1)), "recurs");
    Hints later =
        new Hints("c", 1, List.of(), List.of(new Watched(block(1), 1, List.of("dn2")))).ofOneJob();
    assertEquals(List.of(1L), submit("u", later));
  }

  @Test
  void whatIsRefused_isNotRemembered() {
    assertEquals(List.of(block(1)), again.submitted(job("a", 1, 2), 1, "u", now));
  }

  @Test
  void moreBlocksThanTheBoundOfAUser_forgetsThoseNamedFirst() {
    submit("u", job("a", LongStream.range(0, ExpectedAgain.MAX_BLOCKS_OF_USER).toArray()));
    List<Long> changed = submit("u", job("a", -1));
    assertEquals(List.of(-1L, 0L), changed);
    assertEquals(ExpectedAgain.MAX_BLOCKS_OF_USER, again.size());
    assertEquals(
        ExpectedAgain.MAX_BLOCKS_OF_USER,
        submit("v", job("a", LongStream.range(200_000, 350_000).toArray())).size(),
        "the first ones");
  }

  @Test
  void moreBlocksThanTheBoundOfAll_forgetsThoseNamedFirst() {
    int users = ExpectedAgain.MAX_BLOCKS / ExpectedAgain.MAX_BLOCKS_OF_USER;
    for (int i = 0; i <= users; i++) {
      long first = (long) i * ExpectedAgain.MAX_BLOCKS_OF_USER;
      long next = first + ExpectedAgain.MAX_BLOCKS_OF_USER;
      submit("u" + i, job("a", LongStream.range(first, next).toArray()));
    }
    assertEquals(ExpectedAgain.MAX_BLOCKS, again.size());
    assertFalse(again.isExpected(block(0)));
    assertTrue(again.isExpected(block(ExpectedAgain.MAX_BLOCKS)));
  }

  @Test
  void submissionOfWhichNothingIsAccepted_changesNothing() {
    submit("u", job("a", 1));
    List<Watched> many =
        LongStream.range(0, 10)
            .mapToObj(id -> new Watched(block(id), 1, List.of("dn2")))
            .collect(Collectors.toList());
    Hints refused = new Hints("b", 1, List.of(new Reference(block(20), 1, false)), many).ofOneJob();
    assertEquals(List.of(), again.submitted(refused, 0, "v", now));
    assertEquals(List.of(1L), expected());
    submit("v", job("c", 30));
    assertTrue(again.isExpected(block(30)), "as the first of a user");
  }

  @Test
  void manyUsers_areBounded() {
    for (int i = 0; i <= ExpectedAgain.MAX_USERS; i++) {
      submit("u" + i, job("a", i));
    }
    submit("u0", job("b", -1));
    assertTrue(again.isExpected(block(-1)), "as a new user");
  }
}
