// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import static io.hycache.core.directory.FakeNetwork.bytes;
import static io.hycache.core.directory.FakeNetwork.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.Outcome.Row;
import io.hycache.core.directory.Outcome.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DirectoryClientTest {
  private final FakeNetwork network = new FakeNetwork(2, 2);

  private static Operation put(String key) {
    return Operation.put(key, bytes("v"), 0);
  }

  @Test
  void run_manyKeys_oneOutcomeForEachInOrder() {
    network.with("a", "b", "c");
    List<Operation> batch = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      batch.add(Operation.append("k" + i % 100, bytes("e" + i)));
    }
    List<Outcome> outcomes = network.await(network.client("client").run(batch, 1000));
    for (int i = 0; i < 500; i++) {
      assertEquals(i / 100 + 1, outcomes.get(i).size());
    }
    assertEquals(List.of(), network.await(network.client("client").run(List.of(), 1000)));
  }

  @Test
  void run_noMembers_isUnknownAtTheDeadline() {
    long began = network.now();
    List<Operation> batch = List.of(put("k"), Operation.list("", ""));
    List<Outcome> outcomes = network.await(network.client("client").run(batch, 1000));
    assertEquals("no members are known", outcomes.get(0).text());
    assertEquals(Status.UNKNOWN, outcomes.get(1).status());
    assertTrue(network.now() - began <= 1000);
  }

  @Test
  void primaryDown_anotherReplicaAnswersAndWritesAreUnknown() {
    network.with("a", "b", "c");
    network.ask(put("k"));
    network.kill(network.owner("k", 0));
    assertEquals(Status.OK, network.ask(Operation.getAny("k")).status());
    long began = network.now();
    CompletableFuture<List<Outcome>> write = network.client("client").run(List.of(put("k")), 3000);
    assertEquals(Status.UNKNOWN, network.await(write).get(0).status());
    long took = network.now() - began;
    assertTrue(took >= 1500 && took <= 3000 + FakeNetwork.CALL_TIMEOUT_MILLIS, "took " + took);
  }

  @Test
  void unknown_thenAnotherIsNotTheOwner_staysUnknown() {
    network.with("a", "b");
    String primary = network.owner("k", 0);
    network.cut("client", primary);
    CompletableFuture<List<Outcome>> write = network.client("client").run(List.of(put("k")), 4000);
    network.run(FakeNetwork.CALL_TIMEOUT_MILLIS + 10);
    network.heal();
    // The primary comes back, but learns of no members any more.
    network.kill(primary);
    network.members(List.of(), 0);
    network.start(primary);
    assertEquals(Status.UNKNOWN, network.await(write).get(0).status());
  }

  @Test
  void primaryRestarts_writeIsDoneInTheEndAndOnce() {
    network.with("a", "b");
    String primary = network.owner("k", 0);
    CompletableFuture<List<Outcome>> write =
        network.client("client").run(List.of(Operation.append("k", bytes("e"))), 20_000);
    network.run(9);
    network.kill(primary);
    network.run(100);
    network.start(primary);
    assertEquals(1, network.await(write).get(0).size());
    assertEquals(List.of("e"), texts(network.ask(Operation.get("k")).entries()));
  }

  @Test
  void list_everywhere_hasEachKeyOnce() {
    network.with("a", "b", "c");
    Set<String> keys = new TreeSet<>();
    for (int i = 0; i < 200; i++) {
      network.ask(put("p" + i));
      keys.add("p" + i);
    }
    network.ask(put("q"));
    assertEquals(List.copyOf(keys), listed(network.ask(Operation.list("p", ""))));
    network.kill("b");
    assertEquals(List.copyOf(keys), listed(network.ask(Operation.list("p", ""))));
    network.kill("a");
    assertEquals(Status.UNKNOWN, network.ask(Operation.list("p", "")).status());
  }

  /** A member that accepts calls and never answers. */
  private static final class Silent extends ForwardingPeers {
    final List<CompletableFuture<List<Outcome>>> unanswered = new ArrayList<>();
    private final String id;

    Silent(Peers others, String id) {
      super(others);
      this.id = id;
    }

    @Override
    public CompletableFuture<List<Outcome>> run(
        Member node, String publisher, long epoch, List<Operation> operations) {
      if (!node.id().equals(id)) {
        return super.run(node, publisher, epoch, operations);
      }
      CompletableFuture<List<Outcome>> answer = new CompletableFuture<>();
      unanswered.add(answer);
      return answer;
    }
  }

  @Test
  void ownerThatNeverAnswers_othersAreAnswered_itsOwnAreUnknownAtTheDeadline() {
    network.with("a", "b", "c");
    Silent peers = new Silent(network.peers("client"), network.owner("k", 0));
    List<Operation> batch = new ArrayList<>(List.of(put("k")));
    for (int i = 0; i < 50; i++) {
      batch.add(put("k" + i));
    }
    CompletableFuture<List<Outcome>> done = network.client(peers).run(batch, 1000);
    network.run(990);
    assertFalse(done.isDone());
    network.run(10);
    assertTrue(done.isDone());
    List<Outcome> outcomes = done.join();
    for (int i = 0; i < batch.size(); i++) {
      boolean silent = network.owner(batch.get(i).key(), 0).equals(network.owner("k", 0));
      assertEquals(silent ? Status.UNKNOWN : Status.OK, outcomes.get(i).status());
    }
    assertEquals("no answer in time", outcomes.get(0).text());
  }

  @Test
  void ownerThatNeverAnswers_readOfAnyReplicaMovesOn_andALateAnswerIsIgnored() {
    network.with("a", "b", "c");
    network.ask(put("k"));
    Silent peers = new Silent(network.peers("client"), network.owner("k", 0));
    CompletableFuture<List<Outcome>> done =
        network.client(peers).run(List.of(Operation.getAny("k"), Operation.get("k")), 1000);
    network.run(600);
    assertFalse(done.isDone(), "the read of the primary waits");
    Outcome late = Outcome.failed(Status.REFUSED, "late");
    peers.unanswered.get(0).complete(List.of(late, late));
    List<Outcome> outcomes = done.join();
    assertEquals(List.of("v"), texts(outcomes.get(0).entries()));
    assertEquals("late", outcomes.get(1).text(), "it was not late for the other");
  }

  @Test
  void ownerThatNeverAnswers_readOfAnyReplicaIsAnsweredWhileClientsOfHdfsWait() {
    network.with("a", "b", "c");
    network.ask(put("k"));
    Silent peers = new Silent(network.peers("client"), network.owner("k", 0));
    CompletableFuture<List<Outcome>> done =
        network.client(peers).run(List.of(Operation.getAny("k")), 1000);
    network.run(200);
    assertTrue(done.isDone());
    assertEquals(List.of("v"), texts(done.join().get(0).entries()));
  }

  @Test
  void ownerThatAnswersLate_andTheNextDoesNot_readOfAnyReplicaTakesTheLateAnswer() {
    network.with("a", "b", "c");
    network.ask(put("k"));
    Outcome read = network.ask(Operation.getAny("k"));
    Silent next = new Silent(network.peers("client"), network.owner("k", 1));
    Silent first = new Silent(next, network.owner("k", 0));
    CompletableFuture<List<Outcome>> done =
        network.client(first).run(List.of(Operation.getAny("k")), 1000);
    network.run(200);
    assertEquals(1, next.unanswered.size());
    first.unanswered.get(0).complete(List.of(read));
    assertEquals(List.of("v"), texts(done.join().get(0).entries()));
    next.unanswered.get(0).complete(List.of(Outcome.failed(Status.REFUSED, "later")));
    network.run(1000);
  }

  /** Such as the other replica after its restart, or while its DataNode is away. */
  @Test
  void ownerThatAnswersLate_andTheNextRefuses_readOfAnyReplicaTakesTheLateAnswer() {
    network.with("a", "b", "c");
    network.ask(put("k"));
    Outcome read = network.ask(Operation.getAny("k"));
    String other = network.owner("k", 1);
    AtomicInteger refused = new AtomicInteger();
    Peers refusing =
        new ForwardingPeers(network.peers("client")) {
          @Override
          public CompletableFuture<List<Outcome>> run(
              Member node, String publisher, long epoch, List<Operation> operations) {
            if (!node.id().equals(other)) {
              return super.run(node, publisher, epoch, operations);
            }
            return refused.incrementAndGet() % 2 == 0
                ? CompletableFuture.completedFuture(
                    List.of(Outcome.failed(Status.NOT_OWNER, "refilling")))
                : CompletableFuture.failedFuture(new IOException("away"));
          }
        };
    // While the second turn has its pause, while the first owner is asked anew, and so on.
    for (int millis : List.of(50, 110, 120, 139, 160, 260, 300, 400, 480)) {
      Silent first = new Silent(refusing, network.owner("k", 0));
      CompletableFuture<List<Outcome>> done =
          network.client(first).run(List.of(Operation.getAny("k")), 1000);
      network.run(millis);
      assertFalse(done.isDone(), "too soon at " + millis);
      first.unanswered.get(0).complete(List.of(read));
      assertTrue(done.isDone(), "no answer at " + millis);
      assertEquals(List.of("v"), texts(done.join().get(0).entries()));
      int calls = first.unanswered.size();
      network.run(1000);
      assertEquals(calls, first.unanswered.size(), "asked anew after the answer");
      first.unanswered.forEach(call -> call.complete(List.of(read)));
    }
    assertTrue(refused.get() > 8, "refused " + refused);
  }

  @Test
  void memberThatNeverAnswers_listIsThatOfTheOthers() {
    network.with("a", "b", "c");
    Set<String> keys = new TreeSet<>();
    for (int i = 0; i < 50; i++) {
      network.ask(put("p" + i));
      keys.add("p" + i);
    }
    Peers one = new Silent(network.peers("client"), "b");
    CompletableFuture<List<Outcome>> done =
        network.client(one).run(List.of(Operation.list("p", "")), 1000);
    network.run(1000);
    assertEquals(List.copyOf(keys), listed(done.join().get(0)));
    Peers two = new Silent(one, "a");
    done = network.client(two).run(List.of(Operation.list("p", "")), 1000);
    network.run(1000);
    assertEquals("2 of 3 nodes gave no answer", done.join().get(0).text());
  }

  @Test
  void list_tag_isAskedOfOneOwner() {
    network.with("a", "b", "c");
    for (int i = 0; i < 5; i++) {
      network.ask(put("{dir}/" + i));
      network.ask(put("{other}/" + i));
    }
    List<String> all = List.of("{dir}/0", "{dir}/1", "{dir}/2", "{dir}/3", "{dir}/4");
    assertEquals(all, listed(network.ask(Operation.list("{dir}/", ""))));
    network.kill(network.owner("{dir}", 0));
    assertEquals(all.subList(3, 5), listed(network.ask(Operation.list("{dir}/", "{dir}/2"))));
  }

  private static List<String> listed(Outcome outcome) {
    List<String> out = new ArrayList<>();
    for (Row row : outcome.rows()) {
      out.add(row.key());
    }
    return out;
  }

  /** Two clients open a file for writing at once; the directory it is in grows by both. */
  @Test
  void fileOpenedByTwo_onlyOneGetsIt() {
    network.with("a", "b", "c");
    Outcome made = network.ask(Operation.put("/dir/file", bytes("size=0 writing=0"), 0));
    List<CompletableFuture<List<Outcome>>> opened = new ArrayList<>();
    List<CompletableFuture<List<Outcome>>> grown = new ArrayList<>();
    for (String name : List.of("client1", "client2")) {
      Operation flag = Operation.cas("/dir/file", made.version(), bytes("writing=1 by=" + name));
      opened.add(network.client(name).run(List.of(flag), 5000));
      Operation entry = Operation.append("/dir", bytes("file of " + name));
      grown.add(network.client(name).run(List.of(entry), 5000));
    }
    Outcome one = network.await(opened.get(0)).get(0);
    Outcome two = network.await(opened.get(1)).get(0);
    assertTrue(one.isOk() ^ two.isOk(), one + " and " + two);
    assertEquals(Status.CONFLICT, (one.isOk() ? two : one).status());
    assertEquals(one.version(), two.version());
    String winner = one.isOk() ? "writing=1 by=client1" : "writing=1 by=client2";
    assertEquals(List.of(winner), texts(network.ask(Operation.get("/dir/file")).entries()));
    grown.forEach(network::await);
    List<String> entries = texts(network.ask(Operation.get("/dir")).entries());
    assertEquals(Set.of("file of client1", "file of client2"), Set.copyOf(entries));
    assertFalse(network.ask(Operation.get("/dir")).more());
  }
}
