// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import static io.hycache.core.directory.FakeNetwork.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.directory.Outcome.Status;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Replicas that change while a write is under way. */
class FollowersTest {
  private static final Member A = new Member("a", "host1:1");
  private static final Member B = new Member("b", "host2:1");
  private static final Member MOVED = new Member("b", "host3:1");

  private final AtomicLong clock = new AtomicLong(1_000_000);
  private final List<String> called = new ArrayList<>();
  private Runnable whenJournaled = () -> {};

  /** Accepts all changes and keeps the addresses. */
  private final class Replicas implements Peers {
    @Override
    public CompletableFuture<List<Outcome>> run(
        Member node, String publisher, long epoch, List<Operation> operations) {
      throw new AssertionError("only clients do");
    }

    @Override
    public CompletableFuture<List<String>> replicate(
        Member node, String from, boolean missed, List<Change> changes) {
      called.add(node.address());
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletableFuture<Pulled> pull(
        Member node, View view, BitSet takeOver, BitSet shards, String at) {
      return CompletableFuture.completedFuture(new Pulled(List.of(), List.of(), ""));
    }

    @Override
    public CompletableFuture<View> view(Member node) {
      return CompletableFuture.completedFuture(View.NONE);
    }
  }

  /** Something happens while a write waits for the device. */
  private final class SlowJournal implements RecordJournal {
    @Override
    public void write(Change change) {
      whenJournaled.run();
    }

    @Override
    public void drop(String key) {}

    @Override
    public void clear() {}

    @Override
    public void load(Consumer<Change> to) {}

    @Override
    public void close() {}
  }

  @Test
  void write_replicaMovesToAnotherAddressMeanwhile_isCalledThere() {
    DirectoryNode node =
        new DirectoryNode("a", 2, 1 << 20, new Replicas(), new SlowJournal(), clock::get);
    Ring ring = new Ring(List.of(A, B), 2);
    node.found(new View(clock.get(), List.of(A, B)), ring);
    String key = "k";
    while (!ring.owner(Ring.shardOf(key), 0).equals(A)) {
      key += "k";
    }
    whenJournaled = () -> node.learn(new View(clock.incrementAndGet(), List.of(A, MOVED)));
    for (int i = 0; i < 2; i++) {
      Operation put = Operation.put(key, bytes("value"), 0);
      assertEquals(Status.OK, node.run("", 0, List.of(put)).join().get(0).status());
    }
    assertEquals(List.of(MOVED.address(), MOVED.address()), called);
  }
}
