// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static io.hycache.hdfs.rpc.Thrown.message;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.Hints;
import io.hycache.core.hint.Hints.Reference;
import io.hycache.core.hint.Hints.Watched;
import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HintAssemblyTest {
  private static final int MAX = 100;

  private final List<Runnable> later = new ArrayList<>();
  private final AtomicLong clock = new AtomicLong(5);
  private final HintAssembly assembly = new HintAssembly(MAX, clock::get, later::add);

  @Test
  void add_chunksInOrder_givesTheBatchWithTheLast() throws Exception {
    assertNull(assembly.add("u", false, chunk("s", 0, false, 3)));
    assertNull(assembly.add("u", false, chunk("s", 1, false, 3)));
    Hints batch = assembly.add("u", false, chunk("s", 2, true, 1));
    assertNotNull(batch);
    assertEquals(7, batch.references().size());
    assertEquals(0, assembly.size());
  }

  @Test
  void add_twoUsersWithOneSubmissionId_areKeptApart() throws Exception {
    assertNull(assembly.add("u", false, chunk("s", 0, false, 3)));
    Hints batch = assembly.add("v", false, chunk("s", 0, true, 1));
    assertNotNull(batch);
    assertEquals(1, batch.references().size());
    assertEquals(1, assembly.size());
  }

  @Test
  void add_chunkMissing_forgetsTheSubmission() throws Exception {
    assertNull(assembly.add("u", false, chunk("s", 0, false, 3)));
    RefusedException e =
        assertThrows(
            RefusedException.class, () -> assembly.add("u", false, chunk("s", 2, true, 1)));
    assertTrue(
        message(e)
            .contains(
                "part: expected 1 with the workflow and ttlMillis of the parts before, found 2"),
        message(e));
    assertEquals(0, assembly.size());
    assertThrows(RefusedException.class, () -> assembly.add("u", false, chunk("s", 1, true, 1)));
  }

  @Test
  void add_nextChunkTooLate_isRefused() throws Exception {
    assertNull(assembly.add("u", false, chunk("s", 0, false, 3)));
    clock.addAndGet(HintAssembly.STALE_NANOS + 1);
    RefusedException e =
        assertThrows(
            RefusedException.class, () -> assembly.add("u", false, chunk("s", 1, true, 1)));
    assertTrue(
        message(e).contains("expected 0 of an unknown or stale submission, found 1"), message(e));
    assertEquals(0, assembly.size());
  }

  @Test
  void add_moreReferencesThanTheBound_dropsTheRest() throws Exception {
    assertNull(assembly.add("u", false, chunk("s", 0, false, 80)));
    Hints batch = assembly.add("u", false, chunk("s", 1, true, 80));
    assertNotNull(batch);
    assertEquals(100, batch.references().size());
  }

  @Test
  void add_manySubmissionsAtOnce_areBounded() throws Exception {
    int each = HintAssembly.MAX_SUBMISSIONS_OF_USER;
    for (int i = 0; i < HintAssembly.MAX_SUBMISSIONS; i++) {
      assertNull(assembly.add("u" + i / each, false, chunk("x" + i, 0, false, 0)));
    }
    RefusedException e =
        assertThrows(
            RefusedException.class, () -> assembly.add("v", false, chunk("y", 0, false, 0)));
    assertTrue(message(e).contains("incomplete submissions: expected at most 64"), message(e));
    assembly.discard("u0", "x0");
    assertNull(assembly.add("v", false, chunk("y", 0, false, 0)));
  }

  @Test
  void add_manySubmissionsOfOneUser_loseTheOldest_andKeepNobodyOut() throws Exception {
    for (int i = 0; i < 1000; i++) {
      assertNull(assembly.add("u", false, chunk("x" + i, 0, false, 0)));
      clock.incrementAndGet();
    }
    assertEquals(HintAssembly.MAX_SUBMISSIONS_OF_USER, assembly.size());
    assertThrows(RefusedException.class, () -> assembly.add("u", false, chunk("x0", 1, true, 0)));
    assertNotNull(assembly.add("u", false, chunk("x999", 1, true, 0)));
    assertNotNull(assembly.add("v", false, chunk("y", 0, true, 1)));
  }

  @Test
  void add_manyReferencesOfOneUser_leaveRoomForAnother() throws Exception {
    assertNull(assembly.add("u", false, chunk("a", 0, false, 100)));
    RefusedException e =
        assertThrows(
            RefusedException.class, () -> assembly.add("u", false, chunk("b", 0, false, 1)));
    assertTrue(
        message(e).contains("expected at most 200 and 100 of one user, found 101 and 101"),
        message(e));
    assertNull(assembly.add("v", false, chunk("a", 0, false, 100)));
  }

  @Test
  void add_neverGoneOnWith_isForgottenWithoutAnotherCall() throws Exception {
    assertNull(assembly.add("u", false, chunk("s", 0, false, 3)));
    clock.addAndGet(HintAssembly.STALE_NANOS / 2);
    assertNull(assembly.add("u", false, chunk("t", 0, false, 3)));
    assertEquals(1, later.size(), "one look at a time");
    clock.addAndGet(HintAssembly.STALE_NANOS / 2 + 1);
    later.remove(0).run();
    assertEquals(1, assembly.size());
    assertEquals(1, later.size(), "one is left");
    clock.addAndGet(HintAssembly.STALE_NANOS);
    later.remove(0).run();
    assertEquals(0, assembly.size());
    assertEquals(List.of(), later);
    assertNull(assembly.add("u", false, chunk("s", 0, false, 3)));
    assertEquals(1, later.size());
  }

  @Test
  void add_oneChunk_isNeverUnderWay() throws Exception {
    int each = HintAssembly.MAX_SUBMISSIONS_OF_USER;
    for (int i = 0; i < HintAssembly.MAX_SUBMISSIONS; i++) {
      assertNull(assembly.add("u" + i / each, false, chunk("x" + i, 0, false, 0)));
    }
    Hints batch = assembly.add("v", false, chunk("y", 0, true, 300));
    assertNotNull(batch);
    assertEquals(100, batch.references().size());
    assertNotNull(assembly.add("u0", false, chunk("y", 0, true, 1)));
    assertNotNull(assembly.add("u0", false, chunk("x0", 1, true, 0)), "its oldest has stayed");
  }

  @Test
  void add_ofAdministrators_areBoundedApartFromUsers() throws Exception {
    int each = HintAssembly.MAX_SUBMISSIONS_OF_USER;
    for (int i = 0; i < HintAssembly.MAX_SUBMISSIONS; i++) {
      assertNull(assembly.add("u" + i / each, false, chunk("x" + i, 0, false, i % 4)));
    }
    for (int i = 0; i < 2 * HintAssembly.MAX_SUBMISSIONS; i++) {
      assertNull(assembly.add("root", true, chunk("x" + i, 0, false, 100)));
      clock.incrementAndGet();
    }
    assertEquals(2 * HintAssembly.MAX_SUBMISSIONS, assembly.size());
    assembly.discard("u0", "x0");
    assertNull(assembly.add("v", false, chunk("y", 0, false, 0)), "root's don't count for users");
    assertNotNull(assembly.add("root", true, chunk("x127", 1, true, 0)));
  }

  private static SubmitRequest chunk(String submission, int number, boolean last, int references) {
    Reference reference = new Reference(new BlockKey("p", 1), 1, false);
    return new SubmitRequest(
        submission,
        number,
        last,
        "w",
        1000,
        "",
        false,
        List.of(),
        Collections.nCopies(references, reference),
        List.of());
  }

  private static SubmitRequest watching(String submission, int number, boolean last, int blocks) {
    Watched watched = new Watched(new BlockKey("p", 1), 1, List.of("dn"));
    return new SubmitRequest(
        submission,
        number,
        last,
        "w",
        1000,
        "",
        false,
        List.of(),
        List.of(),
        Collections.nCopies(blocks, watched));
  }

  @Test
  void add_watchedBlocks_areKeptUpToTheBoundAndNeverRefused() throws Exception {
    Hints single = assembly.add("u", false, watching("s", 0, true, 10 * MAX));
    assertEquals(MAX, requireNonNull(single).watched().size());
    assertNull(assembly.add("u", false, watching("a", 0, false, MAX - 1)));
    assertNull(assembly.add("u", false, watching("b", 0, false, MAX)));
    assertNull(assembly.add("v", false, watching("c", 0, false, MAX)));
    assertNull(assembly.add("w", false, watching("d", 0, false, MAX)));
    Hints b = requireNonNull(assembly.add("u", false, watching("b", 1, true, 1)));
    assertEquals(1, b.watched().size(), "of one user");
    Hints d = requireNonNull(assembly.add("w", false, watching("d", 1, true, 0)));
    assertEquals(0, d.watched().size(), "of all users");
    Hints a = requireNonNull(assembly.add("u", false, watching("a", 1, true, 5)));
    assertEquals(MAX, a.watched().size());
  }
}
