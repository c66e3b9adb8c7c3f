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
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A replica that missed changes pulls them, whatever comes between. */
class ReplicaPullsTest {
  private static final Member PRIMARY = FakeNetwork.member("p");
  private static final Member REPLICA = FakeNetwork.member("r");
  private static final Member OTHER = FakeNetwork.member("c");
  private static final List<Member> TWO = List.of(PRIMARY, REPLICA);
  private static final List<Member> THREE = List.of(OTHER, PRIMARY, REPLICA);

  private final AtomicLong clock = new AtomicLong(1_000_000);

  /** What the next look at the steady clock does first; null for nothing. */
  private final AtomicReference<@Nullable Runnable> atClock = new AtomicReference<>();

  private final Others others = new Others();
  private final DirectoryNode node =
      new DirectoryNode("r", 2, 1 << 20, others, RecordJournal.NONE, clock::get, this::steady);

  private static final class Pull {
    final Member of;
    final View view;
    final BitSet shards;
    final CompletableFuture<Peers.Pulled> answer = new CompletableFuture<>();

    Pull(Member of, View view, BitSet shards) {
      this.of = of;
      this.view = view;
      this.shards = shards;
    }
  }

  /** The other nodes: the test answers their calls. */
  private static final class Others implements Peers {
    final List<Pull> pulls = new ArrayList<>();

    /** Members that were notified that they missed changes. */
    final List<String> notified = new ArrayList<>();

    boolean refuse;

    @Override
    public synchronized CompletableFuture<Pulled> pull(
        Member of, View view, BitSet takeOver, BitSet shards, String at) {
      Pull pull = new Pull(of, view, shards);
      pulls.add(pull);
      if (refuse) {
        pull.answer.completeExceptionally(new IllegalStateException("knows later members"));
      }
      return pull.answer;
    }

    @Override
    public synchronized CompletableFuture<List<String>> replicate(
        Member to, String from, boolean missed, List<Change> changes) {
      if (missed) {
        notified.add(to.id());
      }
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletableFuture<List<Outcome>> run(
        Member to, String publisher, long epoch, List<Operation> operations) {
      return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<View> view(Member of) {
      return new CompletableFuture<>();
    }

    /** Answers all pulls, without records. Returns those that were not answered before. */
    List<Pull> answer() {
      List<Pull> answered = new ArrayList<>();
      for (Pull pull : List.copyOf(pulls)) {
        if (pull.answer.complete(new Pulled(List.of(), List.of(), ""))) {
          answered.add(pull);
        }
      }
      return answered;
    }
  }

  private long steady() {
    Runnable first = atClock.getAndSet(null);
    if (first != null) {
      first.run();
    }
    return clock.get();
  }

  /** Does something on another thread, until it ends or waits for a lock. */
  private static Thread elsewhere(Runnable action) {
    Thread thread = new Thread(action, "elsewhere");
    thread.start();
    while (thread.isAlive() && thread.getState() != Thread.State.BLOCKED) {
      Thread.onSpinWait();
    }
    return thread;
  }

  private View view(List<Member> members) {
    return new View(clock.incrementAndGet(), members);
  }

  private void found(List<Member> members) {
    node.found(view(members), new Ring(members, 2));
  }

  /** A shard of which this node is a replica of the primary, with these members and with three. */
  private static int shardOfBoth(List<Member> members) {
    BitSet shards = new Ring(members, 2).shards(PRIMARY, 0);
    shards.and(new Ring(members, 2).shards(REPLICA, 1));
    shards.and(new Ring(THREE, 2).shards(PRIMARY, 0));
    shards.and(new Ring(THREE, 2).shards(REPLICA, 1));
    return shards.nextSetBit(0);
  }

  private static String keyOf(int shard) {
    int number = 0;
    while (Ring.shardOf("k" + number) != shard) {
      number++;
    }
    return "k" + number;
  }

  private Status any(int shard) {
    Operation get = Operation.getAny(keyOf(shard));
    return node.run("", 0, List.of(get)).join().get(0).status();
  }

  private boolean isPulled(int shard, List<Member> members) {
    return others.pulls.stream()
        .anyMatch(
            pull ->
                pull.of.equals(PRIMARY)
                    && pull.shards.get(shard)
                    && pull.view.members().equals(members));
  }

  private void giveUp() {
    others.refuse = true;
    node.replicate("p", true, List.of());
    clock.addAndGet(Refill.MAX_SILENCE_MILLIS + 1);
    node.tick();
    others.refuse = false;
    others.pulls.clear();
    assertEquals(0, node.status().pullingShards);
  }

  @Test
  void missed_whileMembersChange_isPulledFromTheNewMembers() throws InterruptedException {
    found(TWO);
    int shard = shardOfBoth(TWO);
    List<Thread> threads = new ArrayList<>();
    View later = view(THREE);
    atClock.set(() -> threads.add(elsewhere(() -> node.replicate("p", true, List.of()))));
    node.learn(later);
    threads.get(0).join();
    assertTrue(isPulled(shard, THREE));
    assertEquals(Status.NOT_OWNER, any(shard));
    others.answer();
    assertEquals(Status.ABSENT, any(shard));
  }

  @Test
  void missed_pullIsGivenUp_beginsAgainWithOtherMembers() {
    found(TWO);
    int shard = shardOfBoth(TWO);
    giveUp();
    assertEquals(Status.ABSENT, any(shard), "reads go on");
    node.learn(view(THREE));
    assertTrue(isPulled(shard, THREE));
    assertEquals(Status.NOT_OWNER, any(shard));
    others.answer();
    others.pulls.clear();
    assertEquals(0, node.status().pullingShards);

    node.learn(view(TWO));
    assertFalse(isPulled(shard, TWO), "it has all changes now");
  }

  @Test
  void missed_pullIsGivenUp_beginsAgainWhenThePrimaryCalls() {
    found(TWO);
    int shard = shardOfBoth(TWO);
    giveUp();
    node.replicate("c", false, List.of());
    assertEquals(List.of(), others.pulls);
    node.replicate("p", false, List.of());
    assertTrue(isPulled(shard, TWO));
    node.replicate("p", false, List.of());
    assertEquals(1, others.pulls.size(), "one at a time");
    others.answer();
    assertEquals(0, node.status().pullingShards);
    node.replicate("p", false, List.of());
    assertEquals(1, others.pulls.size());
  }

  /** A primary that calls and can't be called does not keep reads from its replica. */
  @Test
  void missed_pullIsGivenUpAgain_waitsForAMinute() {
    found(TWO);
    giveUp();
    others.refuse = true;
    node.replicate("p", false, List.of());
    assertFalse(others.pulls.isEmpty());
    clock.addAndGet(Refill.MAX_SILENCE_MILLIS + 1);
    node.tick();
    assertEquals(0, node.status().pullingShards);
    others.pulls.clear();
    node.replicate("p", false, List.of());
    assertEquals(List.of(), others.pulls);
    assertEquals(0, node.status().pullingShards);
    clock.addAndGet(60_000);
    node.replicate("p", false, List.of());
    assertFalse(others.pulls.isEmpty());
  }

  @Test
  void joined_pullIsGivenUp_beginsAgainWhenThePrimaryCalls() {
    others.refuse = true;
    node.learn(view(THREE));
    clock.addAndGet(Refill.MAX_SILENCE_MILLIS + 1);
    node.tick();
    assertEquals(0, node.status().pullingShards);
    others.refuse = false;
    others.pulls.clear();
    node.replicate("p", false, List.of());
    assertEquals(1, others.pulls.size());
    BitSet expected = new Ring(THREE, 2).shards(PRIMARY, 0);
    expected.and(new Ring(THREE, 2).shards(REPLICA, 1));
    assertEquals(expected, others.pulls.get(0).shards);
  }

  /** After its pulls a node that joined makes its followers pull; later members make others. */
  @Test
  void joined_membersChangeDuringATick_followersPullAfterTheLaterPulls()
      throws InterruptedException {
    node.learn(view(TWO));
    List<Thread> threads = new ArrayList<>();
    // The first look at the clock is when the members change, the second as the pulls begin.
    atClock.set(() -> atClock.set(() -> threads.add(elsewhere(node::tick))));
    node.learn(view(THREE));
    threads.get(0).join();
    node.tick();
    node.tick();
    assertEquals(List.of(), others.notified);
    assertFalse(others.answer().isEmpty());
    node.tick();
    assertFalse(others.notified.isEmpty());
  }

  @Test
  void yield_whileAnEarlierOneEnds_stays() throws Exception {
    Membership.Listener nothing =
        new Membership.Listener() {
          @Override
          public void membersChanged(Ring ring) {}

          @Override
          public void pulled(Member source, Peers.Pulled part) {}
        };
    Membership membership = new Membership("r", 2, others, clock::get, clock::get, nothing);
    View view = view(TWO);
    Ring ring = new Ring(TWO, 2);
    membership.found(view, ring);
    BitSet first = new BitSet();
    BitSet last = new BitSet();
    first.set(ring.shards(REPLICA, 0).nextSetBit(0));
    last.set(ring.shards(REPLICA, 0).length() - 1);
    for (int round = 0; round < 100; round++) {
      membership.endYield(clock.addAndGet(60_000));
      assertTrue(membership.yieldTo(view, first));
      long ends = clock.addAndGet(60_000);
      CyclicBarrier both = new CyclicBarrier(2);
      Thread ending =
          new Thread(
              () -> {
                await(both);
                membership.endYield(ends);
              });
      ending.start();
      await(both);
      assertTrue(membership.yieldTo(view, last));
      ending.join();
      assertFalse(membership.shares().isReadyPrimary(last.nextSetBit(0)), "round " + round);
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
