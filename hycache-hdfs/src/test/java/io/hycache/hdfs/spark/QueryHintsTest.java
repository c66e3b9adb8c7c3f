// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.hdfs.client.FileWorkflows.FileRead;
import io.hycache.hdfs.client.FileWorkflows.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Without Spark: plans are lists of scans by name. */
@Timeout(60)
class QueryHintsTest {
  /** Reads a number of files of its name. */
  private static class Scan implements PlannedScans.Scan {
    private final String name;
    private final int files;

    Scan(String name, int files) {
      this.name = name;
      this.files = files;
    }

    @Override
    public List<FileRead> files() {
      List<FileRead> out = new ArrayList<>();
      for (int i = 0; i < files; i++) {
        out.add(new FileRead(new Path("hdfs://nn/" + name + "/" + i), false));
      }
      return out;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Scan && ((Scan) other).name.equals(name);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  private final Map<Long, PlannedScans> plans = new ConcurrentHashMap<>();
  private final List<String> done = Collections.synchronizedList(new ArrayList<>());

  /** Whether each submission was still needed when its files had been looked up. */
  private final List<Boolean> needed = Collections.synchronizedList(new ArrayList<>());

  private final AtomicLong now = new AtomicLong();
  private final CountDownLatch unblocked = new CountDownLatch(1);

  /** What happens to a submission: taken, nothing, fails, blocks. */
  private volatile String next = "taken";

  private volatile boolean withdrawFails;

  private final QueryHints hints =
      new QueryHints(
          "app",
          plans::get,
          new QueryHints.Workflows() {
            @Override
            public Outcome submit(String name, List<FileRead> reads, BooleanSupplier isNeeded)
                throws IOException {
              String what = next;
              done.add("submit " + name + " " + reads.size());
              if (what.equals("blocks")) {
                try {
                  unblocked.await();
                } catch (InterruptedException e) {
                  throw new IOException(e);
                }
              }
              needed.add(isNeeded.getAsBoolean());
              if (what.equals("fails")) {
                throw new IOException("of a test");
              }
              if (what.equals("nothing") || !isNeeded.getAsBoolean()) {
                return Outcome.NOTHING;
              }
              return Outcome.TAKEN;
            }

            @Override
            public void withdraw(String name) throws IOException {
              done.add("withdraw " + name);
              if (withdrawFails) {
                throw new IOException("of a test");
              }
            }
          },
          now::get);

  private static PlannedScans plan(boolean waiting, List<Scan> finished, Scan... ahead) {
    List<Scan> all = new ArrayList<>(finished);
    all.addAll(List.of(ahead));
    return new PlannedScans(all, List.of(ahead), waiting);
  }

  private void look(long query, PlannedScans plan) throws InterruptedException {
    plans.put(query, plan);
    hints.look(query);
    await();
  }

  /** Until all that was handed over is done. */
  private void await() throws InterruptedException {
    CountDownLatch reached = new CountDownLatch(1);
    hints.execute(reached::countDown);
    assertTrue(reached.await(30, TimeUnit.SECONDS));
  }

  @Test
  void aQuery_isSubmittedOnce_andWithdrawnWhenItHasEnded() throws Exception {
    look(7, plan(false, List.of(), new Scan("a", 2), new Scan("a", 2)));
    look(7, plan(false, List.of(), new Scan("a", 2), new Scan("a", 2)));
    look(7, plan(false, List.of(new Scan("a", 2)), new Scan("a", 2)));
    hints.ended(7);
    hints.ended(7);
    await();
    assertEquals(List.of("submit app_query_7 4", "withdraw app_query_7"), done);
    assertEquals(1, hints.counts().hinted.sum());
    assertEquals(1, hints.counts().withdrawn.sum());
  }

  @Test
  void aPlanThatLosesOrGetsAScan_replacesTheHints() throws Exception {
    look(1, plan(false, List.of(), new Scan("a", 1), new Scan("b", 2)));
    look(1, plan(false, List.of(), new Scan("b", 2)));
    look(1, plan(false, List.of(new Scan("b", 2)), new Scan("c", 3)));
    look(1, plan(false, List.of(new Scan("c", 3))));
    look(1, plan(false, List.of()));
    hints.ended(1);
    await();
    assertEquals(
        List.of(
            "submit app_query_1 3",
            "submit app_query_1 2",
            "submit app_query_1 3",
            "withdraw app_query_1"),
        done);
    assertEquals(3, hints.counts().replaced.sum());
    assertEquals(0, hints.counts().withdrawn.sum());
  }

  @Test
  void aWithdrawalThatFails_isCounted_andANewPlanIsHintedAllTheSame() throws Exception {
    withdrawFails = true;
    look(1, plan(false, List.of(), new Scan("a", 1)));
    look(1, plan(false, List.of()));
    look(1, plan(false, List.of(), new Scan("b", 2)));
    hints.ended(1);
    await();
    assertEquals(
        List.of(
            "submit app_query_1 1",
            "withdraw app_query_1",
            "submit app_query_1 2",
            "withdraw app_query_1"),
        done);
    assertEquals(2, hints.counts().hinted.sum());
    assertEquals(2, hints.counts().failed.sum());
    assertEquals(0, hints.counts().withdrawn.sum());
  }

  @Test
  void withdrawalsThatFail_doNotPauseTheHints() throws Exception {
    withdrawFails = true;
    for (long query = 1; query <= 5; query++) {
      look(query, plan(false, List.of(), new Scan("a", 1)));
    }
    for (long query = 1; query <= 5; query++) {
      hints.ended(query);
    }
    await();
    assertEquals(5, hints.counts().failed.sum());
    look(6, plan(false, List.of(), new Scan("a", 1)));
    assertEquals(6, hints.counts().hinted.sum());
  }

  @Test
  void aScanThatWaitsForASubquery_isLookedForWithTheNextJob() throws Exception {
    look(1, plan(true, List.of(), new Scan("a", 1)));
    plans.put(1L, plan(false, List.of(new Scan("a", 1)), new Scan("b", 2)));
    hints.lookIfWaiting(1);
    await();
    plans.put(1L, plan(false, List.of(), new Scan("c", 1)));
    hints.lookIfWaiting(1);
    await();
    assertEquals(List.of("submit app_query_1 1", "submit app_query_1 2"), done);
  }

  @Test
  void whatReadsNoFiles_orHasEnded_isNotSubmitted() throws Exception {
    look(1, plan(false, List.of()));
    look(2, plan(false, List.of(), new Scan("a", 0)));
    hints.look(3);
    await();
    assertEquals(List.of(), done);
    assertEquals(1, hints.counts().ended.sum());
  }

  @Test
  void moreFilesThanTheLimit_areLeftOut() throws Exception {
    look(1, plan(false, List.of(), new Scan("a", QueryHints.MAX_FILES - 1), new Scan("b", 9)));
    assertEquals(List.of("submit app_query_1 " + QueryHints.MAX_FILES), done);
  }

  @Test
  void scansBehindTheLimit_areNotListed() throws Exception {
    List<String> listed = new ArrayList<>();
    Scan second =
        new Scan("b", 1) {
          @Override
          public List<FileRead> files() {
            listed.add("b");
            return super.files();
          }
        };
    look(1, plan(false, List.of(), new Scan("a", QueryHints.MAX_FILES), second));
    assertEquals(List.of("submit app_query_1 " + QueryHints.MAX_FILES), done);
    assertEquals(List.of(), listed);
  }

  /** A submission that hangs until {@link #unblocked}. */
  private void block(long query) throws InterruptedException {
    int before = done.size();
    next = "blocks";
    plans.put(query, plan(false, List.of(), new Scan("a", 1)));
    hints.look(query);
    while (done.size() == before) {
      Thread.sleep(1);
    }
    next = "taken";
  }

  private void fillTheQueue(long from) {
    for (long query = from; hints.counts().queueFull.sum() == 0; query++) {
      plans.put(query, plan(false, List.of(), new Scan("a", 1)));
      hints.look(query);
    }
  }

  @Test
  void anEnd_isNotLost_whenTheQueueIsFull() throws Exception {
    look(1, plan(false, List.of(), new Scan("a", 1)));
    block(2);
    fillTheQueue(10);
    for (long query : new long[] {1, 2, 10, 99_999}) {
      hints.ended(query);
    }
    unblocked.countDown();
    while (done.size() < 2 + 1 + QueryHints.MAX_QUEUED - 1) {
      Thread.sleep(1);
    }
    await();
    assertEquals("withdraw app_query_1", done.get(2));
    assertFalse(done.contains("submit app_query_10 1"), done.toString());
    assertEquals(1, hints.counts().withdrawn.sum());
    assertEquals(2, hints.counts().ended.sum());
  }

  @Test
  void aQueryThatEnds_whileItsFilesAreLookedUp_isNotNeeded() throws Exception {
    look(1, plan(false, List.of(), new Scan("a", 1)));
    block(2);
    hints.ended(2);
    unblocked.countDown();
    await();
    assertEquals(List.of(true, false), needed);
    assertEquals(List.of("submit app_query_1 1", "submit app_query_2 1"), done);
    assertEquals(1, hints.counts().ended.sum());
    assertEquals(0, hints.counts().failed.sum());
  }

  @Test
  void aQueryThatEnds_whileTheFilesOfAnotherPlanAreLookedUp_isWithdrawn() throws Exception {
    look(1, plan(false, List.of(), new Scan("a", 1)));
    next = "blocks";
    plans.put(1L, plan(false, List.of(), new Scan("b", 2)));
    hints.look(1);
    while (done.size() < 2) {
      Thread.sleep(1);
    }
    hints.ended(1);
    unblocked.countDown();
    await();
    assertEquals(List.of(true, false), needed);
    assertEquals(
        List.of("submit app_query_1 1", "submit app_query_1 2", "withdraw app_query_1"), done);
    assertEquals(1, hints.counts().withdrawn.sum());
  }

  @Test
  void aPlanOfWhichNothingCanBeHinted_afterOneThatWas_isWithdrawnWhenItHasEnded() throws Exception {
    look(1, plan(false, List.of(), new Scan("a", 1)));
    next = "nothing";
    look(1, plan(false, List.of(), new Scan("b", 2)));
    hints.ended(1);
    await();
    assertEquals(
        List.of("submit app_query_1 1", "submit app_query_1 2", "withdraw app_query_1"), done);
  }

  @Test
  void aQueryThatEnds_betweenItsScans_isNotSubmitted() throws Exception {
    List<String> listed = new ArrayList<>();
    Scan first =
        new Scan("a", 1) {
          @Override
          public List<FileRead> files() {
            listed.add("a");
            hints.ended(1);
            return super.files();
          }
        };
    Scan second =
        new Scan("b", 1) {
          @Override
          public List<FileRead> files() {
            listed.add("b");
            return super.files();
          }
        };
    look(1, plan(false, List.of(), first, second));
    assertEquals(List.of("a"), listed);
    assertEquals(List.of(), done);
    assertEquals(1, hints.counts().ended.sum());
  }

  @Test
  void close_whenTheQueueIsFull_withdrawsAllAndSubmitsNothingMore() throws Exception {
    look(1, plan(false, List.of(), new Scan("a", 1)));
    block(2);
    fillTheQueue(10);
    hints.close();
    unblocked.countDown();
    assertTrue(hints.awaitEnd(30, TimeUnit.SECONDS));
    assertEquals(List.of("withdraw app_query_1"), done.subList(2, done.size()));
    assertEquals(List.of(true, false), needed);
  }

  @Test
  void aFullQueue_leavesQueriesUnhinted() throws Exception {
    block(0);
    for (long query = 1; query <= QueryHints.MAX_QUEUED + 5; query++) {
      plans.put(query, plan(false, List.of(), new Scan("a", 1)));
      hints.look(query);
      hints.look(query); // of these one waits already
    }
    // A query that found no place asks again.
    assertEquals(10, hints.counts().queueFull.sum());
    unblocked.countDown();
    while (done.size() <= QueryHints.MAX_QUEUED) {
      Thread.sleep(1);
    }
    await();
    assertEquals(QueryHints.MAX_QUEUED + 1, hints.counts().hinted.sum());
  }

  @Test
  void failuresInARow_pauseTheHints() throws Exception {
    for (int i = 0; i < QueryHints.MAX_FAILURES; i++) {
      next = "fails";
      look(i, plan(false, List.of(), new Scan("a", 1)));
      look(i, plan(false, List.of(), new Scan("a", 1))); // is not tried again
    }
    assertEquals(1, hints.counts().paused.sum(), "the last one, looked at again");
    next = "taken";
    look(10, plan(false, List.of(), new Scan("a", 1)));
    assertEquals(QueryHints.MAX_FAILURES, done.size());
    assertEquals(2, hints.counts().paused.sum());
    hints.ended(1);
    await();
    assertEquals("withdraw app_query_1", done.get(QueryHints.MAX_FAILURES));
    now.addAndGet(QueryHints.PAUSE_NANOS);
    look(11, plan(false, List.of(), new Scan("a", 1)));
    look(12, plan(false, List.of(), new Scan("a", 1)));
    assertEquals(2, hints.counts().hinted.sum());
    assertEquals(QueryHints.MAX_FAILURES, hints.counts().failed.sum());
  }

  @Test
  void whatCannotBeHinted_isNoFailure_andNoSuccess() throws Exception {
    next = "nothing";
    for (long query = 1; query <= QueryHints.MAX_FAILURES; query++) {
      look(query, plan(false, List.of(), new Scan("a", 1)));
      look(query, plan(false, List.of(), new Scan("a", 1))); // is not looked up again
      hints.ended(query);
    }
    await();
    assertEquals(QueryHints.MAX_FAILURES, done.size(), "nothing is withdrawn");
    next = "taken";
    look(10, plan(false, List.of(), new Scan("a", 1)));
    assertEquals(1, hints.counts().hinted.sum());
    assertEquals(0, hints.counts().paused.sum());
    assertEquals(0, hints.counts().failed.sum());
    assertEquals(0, hints.counts().withdrawn.sum());
  }

  @Test
  void whatCannotBeHinted_betweenFailures_leavesThemInARow() throws Exception {
    for (long i = 0; i < QueryHints.MAX_FAILURES; i++) {
      next = "nothing";
      look(2 * i, plan(false, List.of(), new Scan("a", 1)));
      next = "fails";
      look(2 * i + 1, plan(false, List.of(), new Scan("a", 1)));
    }
    next = "taken";
    look(100, plan(false, List.of(), new Scan("a", 1)));
    assertEquals(1, hints.counts().paused.sum());
    assertEquals(0, hints.counts().hinted.sum());
  }

  @Test
  void aPlanThatGetsAScanThatCanBeHinted_isHinted_andNothingIsReplaced() throws Exception {
    next = "nothing";
    look(1, plan(false, List.of(), new Scan("a", 1)));
    next = "taken";
    look(1, plan(false, List.of(), new Scan("a", 1), new Scan("b", 1)));
    hints.ended(1);
    await();
    assertEquals(
        List.of("submit app_query_1 1", "submit app_query_1 2", "withdraw app_query_1"), done);
    assertEquals(0, hints.counts().replaced.sum());
    assertEquals(1, hints.counts().withdrawn.sum());
  }

  @Test
  void close_withdrawsAll_andTakesNothingMore() throws Exception {
    look(1, plan(false, List.of(), new Scan("a", 1)));
    look(2, plan(false, List.of(), new Scan("a", 1)));
    hints.close();
    assertTrue(hints.awaitEnd(30, TimeUnit.SECONDS));
    assertEquals(List.of("withdraw app_query_1", "withdraw app_query_2"), done.subList(2, 4));
    hints.look(3);
    hints.ended(3);
    assertEquals(4, done.size());
  }
}
