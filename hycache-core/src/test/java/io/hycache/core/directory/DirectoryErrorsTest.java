// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.Outcome.Status;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A call that throws, an {@code Error} included, counts as failed, and nothing waits for it. */
class DirectoryErrorsTest {
  private static final Member OTHER = new Member("other", "other:1");

  /** Peers whose calls throw while there are errors left, as an executor without threads does. */
  private static final class Throwing implements Peers {
    final AtomicInteger errors = new AtomicInteger(1);
    final List<Change> replicated = new ArrayList<>();
    int pulls;

    private void call() {
      if (errors.getAndDecrement() > 0) {
        throw new OutOfMemoryError("unable to create native thread");
      }
    }

    @Override
    public CompletableFuture<List<Outcome>> run(
        Member node, String publisher, long epoch, List<Operation> batch) {
      call();
      return CompletableFuture.completedFuture(List.of(Outcome.of(Status.ABSENT, 0, 0)));
    }

    @Override
    public CompletableFuture<List<String>> replicate(
        Member node, String from, boolean missed, List<Change> changes) {
      call();
      replicated.addAll(changes);
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletableFuture<Pulled> pull(
        Member node, View view, BitSet takeOver, BitSet shards, String at) {
      pulls++;
      call();
      return CompletableFuture.completedFuture(new Pulled(List.of(), List.of(), ""));
    }

    @Override
    public CompletableFuture<View> view(Member node) {
      call();
      return CompletableFuture.completedFuture(View.NONE);
    }
  }

  private static Change change(String key) {
    return new Change(key, 0, 1, false, 0, 1, List.of(new byte[1]), 0, "", 0, 0);
  }

  @Test
  void follower_aCallThatThrows_isGivenUpAndTheNextIsMade() {
    Throwing peers = new Throwing();
    AtomicLong clock = new AtomicLong(1_000_000);
    Follower follower = new Follower(OTHER, "self", peers, key -> List.of(), clock::get);
    AtomicInteger answered = new AtomicInteger();
    follower.add(change("a"));
    try {
      follower.afterwards(answered::incrementAndGet);
    } catch (OutOfMemoryError e) {
      // The writer gets the failure; the follower must continue.
    }
    clock.addAndGet(10_000);
    follower.add(change("b"));
    follower.afterwards(answered::incrementAndGet);
    assertEquals(2, answered.get());
    assertEquals(1, peers.replicated.size());
    assertEquals(0, follower.waiting());
  }

  @Test
  void follower_anAnswerThatThrows_theOthersAreAnswered() {
    Throwing peers = new Throwing();
    peers.errors.set(0);
    Follower follower = new Follower(OTHER, "self", peers, key -> List.of(), () -> 1_000_000);
    AtomicInteger answered = new AtomicInteger();
    try {
      follower.afterwards(
          () -> {
            follower.afterwards(answered::incrementAndGet);
            throw new OutOfMemoryError("injected");
          });
    } catch (OutOfMemoryError e) {
      // As above.
    }
    follower.afterwards(answered::incrementAndGet);
    assertEquals(2, answered.get());
  }

  @Test
  void refill_aCallThatThrows_isAskedAgain() {
    Throwing peers = new Throwing();
    Shares.Source source = new Shares.Source(OTHER);
    Refill refill = new Refill(Shares.nothing(1), source, peers, () -> 1_000_000, part -> {});
    step(refill);
    assertFalse(refill.isDone());
    step(refill);
    assertTrue(refill.isDone());
    assertEquals(2, peers.pulls);
  }

  @Test
  void refill_aPartThatCanNotBeTaken_isAskedForAgain() {
    Throwing peers = new Throwing();
    peers.errors.set(0);
    AtomicInteger taken = new AtomicInteger();
    Refill refill =
        new Refill(
            Shares.nothing(1),
            new Shares.Source(OTHER),
            peers,
            () -> 1_000_000,
            part -> {
              if (taken.getAndIncrement() == 0) {
                throw new OutOfMemoryError("injected");
              }
            });
    step(refill);
    step(refill);
    assertTrue(refill.isDone());
    assertEquals(2, taken.get());
  }

  private static void step(Refill refill) {
    try {
      refill.step();
    } catch (OutOfMemoryError e) {
      // The tick logs it.
    }
  }

  @Test
  void client_aCallThatThrows_hasAnOutcome() {
    Throwing peers = new Throwing();
    Ring ring = new Ring(List.of(OTHER), 1);
    DirectoryClient client =
        new DirectoryClient(
            () -> ring,
            () -> {},
            peers,
            (millis, action) -> action.run(),
            () -> 1_000_000,
            () -> 1);
    CompletableFuture<List<Outcome>> outcomes;
    try {
      outcomes = client.run(List.of(Operation.remove("k")), 1000);
    } catch (OutOfMemoryError e) {
      throw new AssertionError(
          "the client passes it on and leaves its caller without an answer", e);
    }
    assertEquals(Status.ABSENT, outcomes.join().get(0).status());
  }

  @Test
  void node_publisherThatIsGone_isForgotten() {
    Throwing peers = new Throwing();
    peers.errors.set(0);
    AtomicLong clock = new AtomicLong(1_000_000);
    Member self = new Member("self", "self:1");
    try (DirectoryNode node =
        new DirectoryNode("self", 1, 1 << 20, peers, RecordJournal.NONE, clock::get)) {
      node.learn(new View(1, List.of(self, OTHER)));
      var unused = node.run("other", 5, List.of(Operation.put("k", new byte[1], 1_000_000)));
      assertEquals(1, node.publishers());
      clock.addAndGet(100_000);
      node.tick();
      assertEquals(1, node.publishers(), "it is a member");
      node.learn(new View(2, List.of(self)));
      clock.addAndGet(100_000);
      node.tick();
      assertEquals(0, node.publishers());
      assertEquals(0, node.status().records);
    }
  }
}
