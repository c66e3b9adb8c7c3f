// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Nodes in one thread with a clock of its own. Every message takes a random time, so calls overtake
 * each other; a call to or from a node that is killed fails sooner or later, or has no effect. The
 * same seed gives the same history.
 */
final class FakeNetwork {
  static final long CALL_TIMEOUT_MILLIS = 1500;

  /** A call that failed; without a stack trace, there are many. */
  private static final class Lost extends Exception {
    private static final long serialVersionUID = 1L;

    Lost(String why) {
      super(why, null, false, false);
    }
  }

  private static final class Event implements Comparable<Event> {
    final long millis;
    final long number;
    final Runnable action;

    Event(long millis, long number, Runnable action) {
      this.millis = millis;
      this.number = number;
      this.action = action;
    }

    @Override
    public int compareTo(Event other) {
      return millis != other.millis
          ? Long.compare(millis, other.millis)
          : Long.compare(number, other.number);
    }
  }

  final Random random;
  int mostDelayMillis = 8;
  long mostBytes = 1L << 30;

  /** How far the nodes' wall clocks are ahead. */
  long wallLeadMillis;

  /** Decides for each change to a replica whether it is lost. */
  boolean loseReplication;

  /** Calls with operations, and the operations in them. */
  long callsSent;

  long operationsSent;

  private final int replicas;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Map<String, DirectoryNode> nodes = new TreeMap<>();
  private final Set<String> cuts = new HashSet<>();
  private View view = View.NONE;
  private Ring ring;
  private long now = 1_000_000;
  private long number;

  FakeNetwork(long seed, int replicas) {
    this.random = new Random(seed);
    this.replicas = replicas;
    this.ring = new Ring(List.of(), replicas);
  }

  // ---- time -------------------------------------------------------------------------------------

  long now() {
    return now;
  }

  void after(long millis, Runnable action) {
    events.add(new Event(now + millis, number++, action));
  }

  void run(long millis) {
    runUntil(() -> false, millis);
  }

  /** Runs until a condition is true. Returns whether it was in time. */
  boolean runUntil(BooleanSupplier condition, long millis) {
    long end = now + millis;
    while (!condition.getAsBoolean()) {
      Event next = events.peek();
      if (next == null || next.millis > end) {
        now = end;
        return condition.getAsBoolean();
      }
      events.remove();
      now = next.millis;
      next.action.run();
    }
    return true;
  }

  <T> T await(CompletableFuture<T> future) {
    assertTrue(runUntil(future::isDone, 60_000), "no answer");
    return future.join();
  }

  // ---- nodes and members ------------------------------------------------------------------------

  static Member member(String id) {
    return new Member(id, id + ":1");
  }

  /** Starts nodes that are members from now on and waits until they are ready. */
  FakeNetwork with(String... ids) {
    for (String id : ids) {
      start(id);
    }
    members(List.of(ids), 0);
    settle();
    return this;
  }

  /** A node with nothing in it, which learns the members after a while. */
  DirectoryNode start(String id) {
    DirectoryNode node =
        new DirectoryNode(
            id,
            replicas,
            mostBytes,
            new Link(id),
            RecordJournal.NONE,
            () -> this.now + wallLeadMillis,
            () -> this.now);
    nodes.put(id, node);
    View known = view;
    after(random.nextInt(200), () -> learn(id, node, known));
    tick(id, node);
    return node;
  }

  void kill(String id) {
    nodes.remove(id);
  }

  private void tick(String id, DirectoryNode node) {
    if (nodes.get(id) == node) {
      boolean more = node.tick();
      after(
          more ? DirectoryNode.TICK_MILLIS : DirectoryNode.IDLE_TICK_MILLIS, () -> tick(id, node));
    }
  }

  private void learn(String id, DirectoryNode node, View reported) {
    if (nodes.get(id) == node) {
      node.learn(reported);
    }
  }

  /** Sets the members; every node learns of it within some time. */
  void members(List<String> ids, int withinMillis) {
    List<Member> members = new ArrayList<>();
    ids.forEach(id -> members.add(member(id)));
    View reported = new View(now + wallLeadMillis, members);
    view = reported;
    ring = new Ring(members, replicas);
    nodes.forEach(
        (id, node) -> after(random.nextInt(withinMillis + 1), () -> learn(id, node, reported)));
  }

  List<String> ids() {
    return List.copyOf(nodes.keySet());
  }

  DirectoryNode node(String id) {
    DirectoryNode node = nodes.get(id);
    if (node == null) {
      throw new IllegalStateException("not started: " + id);
    }
    return node;
  }

  Ring ring() {
    return ring;
  }

  /** The owner of a key in a role. */
  String owner(String key, int role) {
    return ring().owner(Ring.shardOf(key), role).id();
  }

  /** No message passes between two nodes, or a node and a client, until it is healed. */
  void cut(String one, String other) {
    cuts.add(one + '>' + other);
    cuts.add(other + '>' + one);
  }

  void heal() {
    cuts.clear();
  }

  /** Runs until every node's share is complete and all followers have acknowledged. */
  void settle() {
    run(3 * DirectoryNode.TICK_MILLIS + 1000);
    long end = now + 60_000;
    while (nodes.values().stream().anyMatch(node -> node.status().pullingShards > 0)) {
      assertTrue(now < end, () -> "still pulling: " + nodes.keySet());
      run(DirectoryNode.TICK_MILLIS);
    }
  }

  // ---- messages ---------------------------------------------------------------------------------

  private <T> CompletableFuture<T> call(
      @Nullable DirectoryNode caller,
      String from,
      String to,
      Function<DirectoryNode, CompletableFuture<T>> action) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    after(CALL_TIMEOUT_MILLIS, () -> fail(caller, from, answer, "no answer in time"));
    after(delay(), () -> arrive(caller, from, to, action, answer));
    return answer;
  }

  private <T> void arrive(
      @Nullable DirectoryNode caller,
      String from,
      String to,
      Function<DirectoryNode, CompletableFuture<T>> action,
      CompletableFuture<T> answer) {
    if (!isThere(caller, from) && random.nextBoolean()) {
      return;
    }
    DirectoryNode target = nodes.get(to);
    if (target == null || cuts.contains(from + '>' + to)) {
      if (random.nextBoolean()) {
        after(delay(), () -> fail(caller, from, answer, "can't be asked"));
      }
      return;
    }
    CompletableFuture<?> unused =
        action
            .apply(target)
            .whenComplete(
                (result, failure) ->
                    after(
                        delay(),
                        () -> {
                          boolean lost = nodes.get(to) != target || cuts.contains(to + '>' + from);
                          if (lost || failure != null) {
                            fail(caller, from, answer, "lost on its way");
                          } else if (isThere(caller, from)) {
                            answer.complete(result);
                          }
                        }));
  }

  private long delay() {
    return 1L + random.nextInt(mostDelayMillis);
  }

  private boolean isThere(@Nullable DirectoryNode caller, String from) {
    return caller == null || nodes.get(from) == caller;
  }

  private void fail(
      @Nullable DirectoryNode caller, String from, CompletableFuture<?> answer, String why) {
    if (!answer.isDone() && isThere(caller, from)) {
      answer.completeExceptionally(new Lost(why));
    }
  }

  /** The calls of a node, or of a client, to others. */
  private final class Link implements Peers {
    private final String from;
    private final boolean isNode;
    private @Nullable DirectoryNode caller;

    Link(String from) {
      this.from = from;
      this.isNode = !from.startsWith("client");
    }

    private <T> CompletableFuture<T> to(
        Member node, Function<DirectoryNode, CompletableFuture<T>> action) {
      if (isNode && caller == null) {
        caller = node(from);
      }
      return isThere(caller, from)
          ? call(caller, from, node.id(), action)
          : new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<List<Outcome>> run(
        Member node, String publisher, long epoch, List<Operation> operations) {
      callsSent++;
      operationsSent += operations.size();
      return to(node, target -> target.run(publisher, epoch, operations));
    }

    @Override
    public CompletableFuture<List<String>> replicate(
        Member node, String primary, boolean missed, List<Change> changes) {
      return to(
          node,
          target ->
              loseReplication
                  ? new CompletableFuture<>()
                  : CompletableFuture.completedFuture(target.replicate(primary, missed, changes)));
    }

    @Override
    public CompletableFuture<Pulled> pull(
        Member node, View known, BitSet takeOver, BitSet shards, String at) {
      return to(
          node,
          target -> {
            Pulled pulled = target.pull(known, takeOver, shards, at);
            return pulled == null
                ? CompletableFuture.failedFuture(new Lost("knows later members"))
                : CompletableFuture.completedFuture(pulled);
          });
    }

    @Override
    public CompletableFuture<View> view(Member node) {
      return to(node, target -> CompletableFuture.completedFuture(target.view()));
    }
  }

  // ---- clients ----------------------------------------------------------------------------------

  /** The calls of a client of this name, which begins with "client". */
  Peers peers(String name) {
    return new Link(name);
  }

  DirectoryClient client(String name) {
    return client(new Link(name));
  }

  DirectoryClient client(Peers peers) {
    return new DirectoryClient(
        this::ring, () -> {}, peers, this::after, () -> now, random::nextLong);
  }

  /** The outcome of one operation, within a minute. */
  Outcome ask(Operation operation) {
    return await(client("client").run(List.of(operation), 30_000)).get(0);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static List<String> texts(List<byte[]> entries) {
    List<String> out = new ArrayList<>();
    entries.forEach(entry -> out.add(new String(entry, StandardCharsets.UTF_8)));
    return out;
  }
}
