// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.Outcome.Status;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Limits of the harm that a node can do which sends garbage, or too much. */
class DirectoryLimitsTest {
  private static final long MOST_BYTES = 8 << 20;
  private static final Member SELF = new Member("self", "self:1");
  private static final View VIEW = new View(1, List.of(SELF));

  private final AtomicLong clock = new AtomicLong(1_000_000);
  private final DirectoryNode node =
      new DirectoryNode("self", 1, MOST_BYTES, new NoPeers(), RecordJournal.NONE, clock::get);

  /** A network without other nodes. */
  private static final class NoPeers implements Peers {
    private static <T> CompletableFuture<T> unreachable() {
      return CompletableFuture.failedFuture(new IllegalStateException("no other nodes"));
    }

    @Override
    public CompletableFuture<List<Outcome>> run(
        Member to, String publisher, long epoch, List<Operation> batch) {
      return unreachable();
    }

    @Override
    public CompletableFuture<List<String>> replicate(
        Member to, String from, boolean missed, List<Change> changes) {
      return unreachable();
    }

    @Override
    public CompletableFuture<Pulled> pull(
        Member from, View view, BitSet takeOver, BitSet shards, String at) {
      return unreachable();
    }

    @Override
    public CompletableFuture<View> view(Member of) {
      return unreachable();
    }
  }

  @BeforeEach
  void learn() {
    node.learn(VIEW);
  }

  @AfterEach
  void close() {
    node.close();
  }

  private List<Outcome> run(List<Operation> operations) {
    return node.run("", 0, operations).join();
  }

  private static Change change(String key, long version, byte[] value, String publisher) {
    return new Change(key, 0, version, false, 0, 1, List.of(value), 0, publisher, 0, 0);
  }

  @Test
  void pull_fromAPlaceThatIsNone_isRefused() {
    long version = run(List.of(Operation.put("k", new byte[3], 0))).get(0).version();
    BitSet all = new BitSet();
    all.set(0, Ring.SHARDS);
    for (String at :
        List.of(
            "nonsense",
            "\0",
            "\0\0",
            "1\0002",
            "x\0001\0k",
            "1\0x\0k",
            "-1\0" + version + "\0k",
            "99999999999\0001\0k")) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> node.pull(VIEW, new BitSet(), all, at), at);
      assertEquals(
          "expected a place of an earlier pull, found another text: characters=" + at.length(),
          e.getMessage());
    }
    Peers.Pulled pulled = node.pull(VIEW, new BitSet(), all, "0\0" + version + "\0k");
    assertNotNull(pulled);
    assertEquals(1, pulled.changes().size());
  }

  @Test
  void pull_withMembersByAClockThatIsAhead_doesNotKeepOutLaterOnes() {
    Member other = new Member("other", "other:1");
    View ahead = new View(clock.get() + 3_600_000, List.of(SELF, other));
    assertNotNull(node.pull(ahead, new BitSet(), new BitSet(), ""));
    assertEquals(List.of(other, SELF), node.view().members());
    clock.incrementAndGet();
    node.learn(new View(clock.get(), List.of(SELF)));
    assertEquals(List.of(SELF), node.view().members());
    assertNull(node.pull(ahead, new BitSet(), new BitSet(), ""), "later members are known");
    assertEquals(List.of(SELF), node.view().members());
  }

  @Test
  void put_withTheLongestTtl_holds() {
    run(List.of(Operation.put("k", new byte[3], Long.MAX_VALUE)));
    clock.addAndGet(1_000_000_000);
    assertEquals(Status.OK, run(List.of(Operation.get("k"))).get(0).status());
    List<String> wanted =
        node.replicate(
            "other",
            false,
            List.of(
                new Change(
                    "r", 0, 1, false, 0, 1, List.of(new byte[3]), Long.MAX_VALUE, "", 0, 0)));
    assertEquals(List.of(), wanted);
    assertEquals(Status.OK, run(List.of(Operation.get("r"))).get(0).status());
  }

  @Test
  void run_manyQuestions_haveABoundedAnswer() {
    for (int i = 0; i < 17; i++) {
      run(List.of(Operation.put("k" + i, new byte[60_000], 0)));
    }
    List<Operation> questions = new ArrayList<>();
    questions.addAll(Collections.nCopies(100, Operation.list("k", "")));
    questions.addAll(Collections.nCopies(100, Operation.get("k1")));
    questions.add(Operation.remove("k2"));
    List<Outcome> answers = run(questions);
    long bytes = 0;
    long busy = 0;
    for (Outcome answer : answers) {
      busy += answer.status() == Status.BUSY ? 1 : 0;
      bytes += answer.rows().stream().mapToLong(row -> row.value().length).sum();
      bytes += answer.entries().stream().mapToLong(entry -> entry.length).sum();
    }
    assertTrue(bytes < 10 << 20, "bytes=" + bytes);
    assertEquals(201, answers.size());
    assertTrue(busy > 150, "busy=" + busy);
    assertEquals(Status.OK, answers.get(200).status(), "a write is no question");
  }

  @Test
  void replicate_moreThanTwiceWhatANodeHolds_isNotKept() {
    byte[] value = new byte[60_000];
    for (int i = 0; i < 1000; i++) {
      assertEquals(
          List.of(), node.replicate("other", false, List.of(change("k" + i, 1, value, ""))));
    }
    assertTrue(node.status().bytes <= 2 * MOST_BYTES, "bytes=" + node.status().bytes);
    assertTrue(node.status().records < 300, "records=" + node.status().records);
    assertTrue(node.status().shed > 700, "shed=" + node.status().shed);
    Change removed = new Change("k1", 1, 2, true, 0, 0, List.of(), 0, "", 0, 0);
    assertEquals(List.of(), node.replicate("other", false, List.of(removed)));
    assertFalse(run(List.of(Operation.get("k1"))).get(0).isOk(), "a removal makes room");
  }

  @Test
  void replicate_removalsOfUnknownRecords_areBounded() {
    String end = "k".repeat(Operation.MAX_KEY_CHARS - 10);
    for (int i = 0; i < 20_000; i++) {
      Change removed = new Change(i + end, 0, 1, true, 0, 0, List.of(), 0, "", 0, 0);
      assertEquals(List.of(), node.replicate("other", false, List.of(removed)));
    }
    assertTrue(node.status().bytes <= 2 * MOST_BYTES, "bytes=" + node.status().bytes);
  }

  @Test
  void replicate_changesWithoutAVersion_leaveNothing() {
    for (int i = 0; i < 1000; i++) {
      node.replicate("other", false, List.of(change("k" + i, 0, new byte[1], "")));
    }
    assertEquals(0, node.status().records);
  }

  @Test
  void replicate_versionAfterWhichThereIsNone_isNotTaken() {
    node.replicate("other", false, List.of(change("k", Long.MAX_VALUE, new byte[1], "")));
    assertEquals(0, node.status().records);
    assertEquals(1, node.status().shed);
    long version = run(List.of(Operation.put("k", new byte[2], 0))).get(0).version();
    node.replicate("other", false, List.of(change("k", version + 1, new byte[3], "")));
    assertEquals(version + 1, run(List.of(Operation.get("k"))).get(0).version());
  }

  @Test
  void epoch_afterWhichThereIsNone_doesNotKeepOutItsPublisher() {
    assertTrue(node.run("self", Long.MAX_VALUE, List.of()).isDone());
    Change forged =
        new Change("f", 0, 1, false, 0, 1, List.of(new byte[1]), 0, "self", Long.MAX_VALUE, 0);
    node.replicate("other", false, List.of(forged));
    List<Operation> put = List.of(Operation.put("k", new byte[1], 0));
    assertEquals(Status.OK, node.run("self", 7, put).join().get(0).status());
    assertEquals(Status.OK, run(List.of(Operation.get("k"))).get(0).status());
  }

  @Test
  void epoch_theLatestThatIsTaken_recordsOfLaterOnesEnd() {
    long latest = PublisherEpochs.MAX_EPOCH + PublisherEpochs.ROOM;
    List<Operation> put = List.of(Operation.put("k", new byte[1], 0));
    Status later = node.run("self", latest + 1, put).join().get(0).status();
    assertEquals(Status.REFUSED, later, "there may be none after it");
    assertTrue(node.run("self", latest, List.of()).isDone());
    assertEquals(Status.OK, node.run("self", latest + 1, put).join().get(0).status());
    assertEquals(Status.OK, run(List.of(Operation.get("k"))).get(0).status());
    assertTrue(node.run("self", latest + 2, List.of()).isDone());
    assertEquals(Status.ABSENT, run(List.of(Operation.get("k"))).get(0).status());
  }

  @Test
  void replicate_epochAfterWhichThereIsNone_isNotTaken() {
    Change forged =
        new Change("f", 0, 1, false, 0, 1, List.of(new byte[1]), 0, "self", Long.MAX_VALUE, 0);
    node.replicate("other", false, List.of(forged));
    assertEquals(0, node.status().records);
    assertEquals(1, node.status().shed);
  }

  @Test
  void removedRecords_thatAreStillKept_countAsOthers() {
    String end = "k".repeat(Operation.MAX_KEY_CHARS - 10);
    int refused = 0;
    for (int i = 0; i < 10_000; i++) {
      Outcome put = run(List.of(Operation.put(i + end, new byte[1], 0))).get(0);
      refused += put.isOk() ? 0 : 1;
      run(List.of(Operation.remove(i + end)));
    }
    assertTrue(refused > 0);
    assertTrue(node.status().bytes < MOST_BYTES + 2000, "bytes=" + node.status().bytes);
    clock.addAndGet(RecordStore.REMOVED_KEPT_MILLIS + 1000);
    node.tick();
    assertEquals(0, node.status().records);
    assertEquals(Status.OK, run(List.of(Operation.put("k", new byte[1], 0))).get(0).status());
  }

  @Test
  void replicate_partsOfRecordsThatNeverEnd_areBounded() {
    byte[] value = new byte[60_000];
    for (int i = 0; i < 1000; i++) {
      Change part = new Change("k" + i, Change.WHOLE, 1, false, 0, 5, List.of(value), 0, "", 0, 0);
      assertEquals(List.of(), node.replicate("other", false, List.of(part)));
    }
    assertTrue(node.assemblingBytes() <= MOST_BYTES, "bytes=" + node.assemblingBytes());
    clock.addAndGet(100_000);
    node.tick();
    assertEquals(0, node.assemblingBytes());
  }

  @Test
  void publishers_thatNobodyKnows_areBounded() {
    for (int i = 0; i < 2 * PublisherEpochs.MAX_PUBLISHERS; i++) {
      assertTrue(node.run("p" + i, 1, List.of()).isDone());
    }
    assertEquals(PublisherEpochs.MAX_PUBLISHERS, node.publishers());
    node.replicate("other", false, List.of(change("k", 1, new byte[1], "one more")));
    assertEquals(PublisherEpochs.MAX_PUBLISHERS, node.publishers());
    assertTrue(node.run("self", 7, List.of()).isDone());
    assertEquals(PublisherEpochs.MAX_PUBLISHERS + 1, node.publishers(), "a member is known");
  }
}
