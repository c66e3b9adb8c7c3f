// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RunHintsTest {
  private static final UserGroupInformation ALICE = UserGroupInformation.createRemoteUser("alice");
  private static final UserGroupInformation BOB = UserGroupInformation.createRemoteUser("bob");

  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch gate = new CountDownLatch(1);
  private volatile boolean stuck;
  private volatile @Nullable Throwable failure;
  private final RunHints hints = new RunHints((user, path) -> new Log(user.getUserName()));

  /** Writes down what is asked of it. */
  private final class Log implements RunHints.Submissions {
    private final String user;

    Log(String user) {
      this.user = user;
    }

    private void take(String call) throws IOException {
      calls.add(user + " " + call);
      try {
        if (stuck) {
          gate.await();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      Throwable thrown = failure;
      if (thrown instanceof IOException) {
        throw (IOException) thrown;
      } else if (thrown instanceof Error) {
        throw (Error) thrown;
      }
    }

    @Override
    public void submit(String workflow, List<String> paths, BooleanSupplier isOpen)
        throws IOException {
      take("submit " + workflow + " " + (paths.size() > 9 ? paths.size() : paths));
      if (!isOpen.getAsBoolean()) {
        calls.add(user + " ended " + workflow);
      }
    }

    @Override
    public void withdraw(String workflow) throws IOException {
      take("withdraw " + workflow);
    }
  }

  @AfterEach
  void close() {
    gate.countDown();
    hints.close();
  }

  @Test
  void aRun_isSubmittedWhenItBegins_andWithdrawnWhenItEnds() throws Exception {
    hints.begins(ALICE, "q1", List.of("/a", "/b"));
    hints.begins(BOB, "q1", List.of("/c"));
    hints.begins(BOB, "q2", List.of());
    hints.await();
    hints.ends(ALICE, "q1");
    hints.ends(ALICE, "q1");
    hints.ends(BOB, "q2");
    hints.await();
    List<String> sofar =
        List.of("alice submit q1 [/a, /b]", "bob submit q1 [/c]", "alice withdraw q1");
    assertEquals(sofar, calls);
    hints.close();
    List<String> all = new ArrayList<>(sofar);
    all.add("bob withdraw q1");
    assertEquals(all, calls, "what still runs ends with the process");
    hints.begins(ALICE, "q3", List.of("/a"));
    assertEquals(all, calls);
  }

  @Test
  void aSubmissionThatHangs_holdsUpNobody_andTheQueueIsBounded() throws Exception {
    stuck = true;
    for (int i = 0; i < RunHints.MAX_WAITING + 100; i++) {
      hints.begins(ALICE, "q" + i, List.of("/a"));
    }
    assertTrue(hints.leftOut() >= 99 && hints.leftOut() <= 100, "leftOut=" + hints.leftOut());
    goOn();
    assertEquals(RunHints.MAX_WAITING + 100 - hints.leftOut(), calls.size());
  }

  @Test
  void pathsThatWait_areBounded() throws Exception {
    stuck = true;
    List<String> paths = Collections.nCopies(RunHints.MAX_PATHS, "/a");
    int runs = 0;
    while (hints.leftOut() == 0) {
      hints.begins(ALICE, "q" + runs++, paths);
    }
    int most = RunHints.MAX_WAITING_PATHS / RunHints.MAX_PATHS;
    assertTrue(runs >= most + 1 && runs <= most + 2, "runs=" + runs); // the first may have begun
    goOn();
    assertEquals(runs - 1, calls.size());
    hints.begins(ALICE, "after", List.of("/a"));
    hints.await();
    assertEquals("alice submit after [/a]", calls.get(calls.size() - 1));
  }

  @Test
  void close_whileRunsWait_submitsNoneOfThem_andWithdrawsThoseThatWere() throws Exception {
    hints.begins(ALICE, "hinted", List.of("/a"));
    hints.await();
    stuck = true;
    hints.begins(ALICE, "hangs", List.of("/a"));
    awaitCall("alice submit hangs [/a]");
    for (int i = 0; i < 10; i++) {
      hints.begins(ALICE, "waits" + i, List.of("/a"));
    }
    Thread closing = new Thread(hints::close);
    closing.start();
    while (closing.getState() != Thread.State.TIMED_WAITING) {
      Thread.sleep(1);
    }
    stuck = false;
    gate.countDown();
    closing.join();
    assertEquals(
        List.of(
            "alice submit hinted [/a]",
            "alice submit hangs [/a]",
            "alice ended hangs",
            "alice withdraw hinted",
            "alice withdraw hangs"),
        calls);
  }

  private void awaitCall(String call) throws InterruptedException {
    while (!calls.contains(call)) {
      Thread.sleep(1);
    }
  }

  /** Lets the submission that hangs end, and waits for all after it. */
  private void goOn() throws Exception {
    stuck = false;
    gate.countDown();
    while (true) {
      try {
        hints.await();
        break;
      } catch (java.util.concurrent.RejectedExecutionException e) {
        Thread.sleep(1); // still full
      }
    }
  }

  @Test
  void anEnd_isNotLost_whenTheQueueIsFull() throws Exception {
    hints.begins(ALICE, "hinted", List.of("/a"));
    hints.begins(ALICE, "again", List.of("/a"));
    hints.await();
    stuck = true;
    hints.begins(BOB, "hangs", List.of("/a"));
    awaitCall("bob submit hangs [/a]");
    hints.begins(ALICE, "waits", List.of("/a"));
    for (int i = 0; hints.leftOut() == 0; i++) {
      hints.begins(BOB, "q" + i, List.of("/a"));
    }
    hints.begins(ALICE, "again", List.of("/b")); // is left out
    for (String run : List.of("hinted", "again", "waits", "never-begun")) {
      hints.ends(ALICE, run);
    }
    hints.ends(BOB, "hangs");
    goOn();
    List<String> ofAlice = new ArrayList<>(calls);
    ofAlice.removeIf(call -> !call.startsWith("alice"));
    assertEquals(
        List.of("alice submit hinted [/a]", "alice submit again [/a]"), ofAlice.subList(0, 2));
    assertEquals(
        Set.of("alice withdraw hinted", "alice withdraw again"),
        Set.copyOf(ofAlice.subList(2, ofAlice.size())));
    assertTrue(calls.contains("bob withdraw hangs"));
  }

  @Test
  void theOldestRuns_areNotWithdrawn_ofMoreThanAreKept() throws Exception {
    for (int i = 0; i <= RunHints.MAX_RUNS; i++) {
      hints.begins(ALICE, "q" + i, List.of("/a"));
      hints.await();
    }
    calls.clear();
    hints.ends(ALICE, "q0");
    hints.ends(ALICE, "q1");
    hints.await();
    assertEquals(List.of("alice withdraw q1"), calls);
  }

  @Test
  void runsThatHaveEnded_beforeTheirTurn_areNotHinted() throws Exception {
    stuck = true;
    hints.begins(BOB, "long", List.of("/a"));
    for (int i = 0; i < 100; i++) {
      hints.begins(ALICE, "q", List.of("/a"));
      hints.ends(ALICE, "q");
    }
    hints.begins(ALICE, "q", List.of("/b"));
    goOn();
    assertEquals(List.of("bob submit long [/a]", "alice submit q [/b]"), calls);
  }

  @Test
  void aRunThatEnds_orBeginsAgain_whileItsPathsAreLookedUp_isNotOpenAnyMore() throws Exception {
    stuck = true;
    hints.begins(ALICE, "q", List.of("/a"));
    while (calls.isEmpty()) {
      Thread.onSpinWait();
    }
    hints.ends(ALICE, "q");
    hints.begins(ALICE, "q", List.of("/b"));
    goOn();
    assertEquals(
        List.of("alice submit q [/a]", "alice ended q", "alice withdraw q", "alice submit q [/b]"),
        calls);
  }

  @Test
  void whatFails_anErrorToo_isCounted_andTheNextRunIsHinted() throws Exception {
    failure = new NoClassDefFoundError("gone");
    hints.begins(ALICE, "q1", List.of("/a"));
    hints.await();
    failure = new IOException("no NameNode");
    hints.begins(ALICE, "q2", List.of("/a"));
    hints.await();
    hints.ends(ALICE, "q2");
    hints.await();
    assertEquals(3, hints.failures());
    failure = null;
    hints.begins(ALICE, "q3", List.of("/a"));
    hints.await();
    assertEquals("alice submit q3 [/a]", calls.get(calls.size() - 1));
    assertEquals(3, hints.failures());
  }

  @Test
  void pathsAndNames_areBounded() throws Exception {
    hints.begins(ALICE, "q", Collections.nCopies(RunHints.MAX_PATHS + 1, "/a"));
    hints.await();
    assertEquals(List.of("alice submit q " + RunHints.MAX_PATHS), calls);
    String name = RunHints.workflow("j".repeat(300), "/run");
    assertEquals(256, name.length());
    assertTrue(name.endsWith("jj/run"), name);
    assertEquals("a b  /r", RunHints.workflow("a\nb\u0000\ud800", "/r"));
  }
}
