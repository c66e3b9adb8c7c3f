package io.hycache.hdfs.rpc;

import static io.hycache.hdfs.rpc.Thrown.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.hint.HintBatch;
import io.hycache.core.hint.HintBatch.Step;
import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HintAssemblyTest {
  private final List<Runnable> later = new ArrayList<>();
  private final AtomicLong clock = new AtomicLong(5);
  private final HintAssembly assembly = new HintAssembly(100, clock::get, later::add);

  @Test
  void add_partsInOrder_givesTheBatchWithTheLast() throws Exception {
    assertNull(assembly.add("u", false, part("s", 0, false, 3)));
    assertNull(assembly.add("u", false, part("s", 1, false, 3)));
    HintBatch batch = assembly.add("u", false, part("s", 2, true, 1));
    assertNotNull(batch);
    assertEquals(7, batch.steps().size());
    assertEquals(0, assembly.size());
  }

  @Test
  void add_twoUsersWithOneSubmissionId_areKeptApart() throws Exception {
    assertNull(assembly.add("u", false, part("s", 0, false, 3)));
    HintBatch batch = assembly.add("v", false, part("s", 0, true, 1));
    assertNotNull(batch);
    assertEquals(1, batch.steps().size());
    assertEquals(1, assembly.size());
  }

  @Test
  void add_partMissing_forgetsTheSubmission() throws Exception {
    assertNull(assembly.add("u", false, part("s", 0, false, 3)));
    RefusedException e =
        assertThrows(RefusedException.class, () -> assembly.add("u", false, part("s", 2, true, 1)));
    assertTrue(
        message(e)
            .contains(
                "part: expected 1 with the workflow and ttlMillis of the parts before, found 2"),
        message(e));
    assertEquals(0, assembly.size());
    assertThrows(RefusedException.class, () -> assembly.add("u", false, part("s", 1, true, 1)));
  }

  @Test
  void add_nextPartTooLate_isRefused() throws Exception {
    assertNull(assembly.add("u", false, part("s", 0, false, 3)));
    clock.addAndGet(HintAssembly.STALE_NANOS + 1);
    RefusedException e =
        assertThrows(RefusedException.class, () -> assembly.add("u", false, part("s", 1, true, 1)));
    assertTrue(
        message(e).contains("expected 0 of an unknown or stale submission, found 1"), message(e));
    assertEquals(0, assembly.size());
  }

  @Test
  void add_moreStepsThanTheBound_dropsTheRest() throws Exception {
    assertNull(assembly.add("u", false, part("s", 0, false, 80)));
    HintBatch batch = assembly.add("u", false, part("s", 1, true, 80));
    assertNotNull(batch);
    assertEquals(100, batch.steps().size());
  }

  @Test
  void add_manySubmissionsAtOnce_areBounded() throws Exception {
    int each = HintAssembly.MAX_SUBMISSIONS_OF_USER;
    for (int i = 0; i < HintAssembly.MAX_SUBMISSIONS; i++) {
      assertNull(assembly.add("u" + i / each, false, part("x" + i, 0, false, 0)));
    }
    RefusedException e =
        assertThrows(
            RefusedException.class, () -> assembly.add("v", false, part("y", 0, false, 0)));
    assertTrue(message(e).contains("incomplete submissions: expected at most 64"), message(e));
    assembly.discard("u0", "x0");
    assertNull(assembly.add("v", false, part("y", 0, false, 0)));
  }

  @Test
  void add_manySubmissionsOfOneUser_loseTheOldest_andKeepNobodyOut() throws Exception {
    for (int i = 0; i < 1000; i++) {
      assertNull(assembly.add("u", false, part("x" + i, 0, false, 0)));
      clock.incrementAndGet();
    }
    assertEquals(HintAssembly.MAX_SUBMISSIONS_OF_USER, assembly.size());
    assertThrows(RefusedException.class, () -> assembly.add("u", false, part("x0", 1, true, 0)));
    assertNotNull(assembly.add("u", false, part("x999", 1, true, 0)));
    assertNotNull(assembly.add("v", false, part("y", 0, true, 1)));
  }

  @Test
  void add_manyStepsOfOneUser_leaveRoomForAnother() throws Exception {
    assertNull(assembly.add("u", false, part("a", 0, false, 100)));
    RefusedException e =
        assertThrows(
            RefusedException.class, () -> assembly.add("u", false, part("b", 0, false, 1)));
    assertTrue(
        message(e).contains("expected at most 200 and 100 of one user, found 101 and 101"),
        message(e));
    assertNull(assembly.add("v", false, part("a", 0, false, 100)));
  }

  @Test
  void add_neverGoneOnWith_isForgottenWithoutAnotherCall() throws Exception {
    assertNull(assembly.add("u", false, part("s", 0, false, 3)));
    clock.addAndGet(HintAssembly.STALE_NANOS / 2);
    assertNull(assembly.add("u", false, part("t", 0, false, 3)));
    assertEquals(1, later.size(), "one look at a time");
    clock.addAndGet(HintAssembly.STALE_NANOS / 2 + 1);
    later.remove(0).run();
    assertEquals(1, assembly.size());
    assertEquals(1, later.size(), "one is left");
    clock.addAndGet(HintAssembly.STALE_NANOS);
    later.remove(0).run();
    assertEquals(0, assembly.size());
    assertEquals(List.of(), later);
    assertNull(assembly.add("u", false, part("s", 0, false, 3)));
    assertEquals(1, later.size());
  }

  @Test
  void add_onePart_isNeverUnderWay() throws Exception {
    int each = HintAssembly.MAX_SUBMISSIONS_OF_USER;
    for (int i = 0; i < HintAssembly.MAX_SUBMISSIONS; i++) {
      assertNull(assembly.add("u" + i / each, false, part("x" + i, 0, false, 0)));
    }
    HintBatch batch = assembly.add("v", false, part("y", 0, true, 300));
    assertNotNull(batch);
    assertEquals(100, batch.steps().size());
    assertNotNull(assembly.add("u0", false, part("y", 0, true, 1)));
    assertNotNull(assembly.add("u0", false, part("x0", 1, true, 0)), "its oldest has stayed");
  }

  @Test
  void add_ofAdministrators_areBoundedApartFromUsers() throws Exception {
    int each = HintAssembly.MAX_SUBMISSIONS_OF_USER;
    for (int i = 0; i < HintAssembly.MAX_SUBMISSIONS; i++) {
      assertNull(assembly.add("u" + i / each, false, part("x" + i, 0, false, i % 4)));
    }
    for (int i = 0; i < 2 * HintAssembly.MAX_SUBMISSIONS; i++) {
      assertNull(assembly.add("root", true, part("x" + i, 0, false, 100)));
      clock.incrementAndGet();
    }
    assertEquals(2 * HintAssembly.MAX_SUBMISSIONS, assembly.size());
    assembly.discard("u0", "x0");
    assertNull(assembly.add("v", false, part("y", 0, false, 0)), "root's don't count for users");
    assertNotNull(assembly.add("root", true, part("x127", 1, true, 0)));
  }

  private static SubmitRequest part(String submission, int number, boolean last, int steps) {
    Step step = new Step(new BlockKey("p", 1), 1, false);
    return new SubmitRequest(
        submission, number, last, "w", 1000, List.of(), Collections.nCopies(steps, step));
  }
}
