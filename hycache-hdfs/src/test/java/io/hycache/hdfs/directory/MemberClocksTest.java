// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.Change;
import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.RecordJournal;
import io.hycache.core.directory.Ring;
import io.hycache.core.directory.View;
import io.hycache.hdfs.rpc.PluginProbe;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Nodes whose clocks differ look up their members. One thread; calls take no time. */
class MemberClocksTest {
  private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);
  private static final long MINUTE_MILLIS = TimeUnit.MINUTES.toMillis(1);

  private long now = 2 * HOUR_MILLIS;
  private final Map<String, Node> nodes = new TreeMap<>();
  private final TreeSet<Member> live = new TreeSet<>();
  private final Queue<Runnable> calls = new ArrayDeque<>();

  private static LiveDataNodes.Report<String> noPages() {
    throw new AssertionError("the report is not refused");
  }

  /** What the NameNode lists. */
  private final class Reported implements LiveDataNodes.Report<Member> {
    @Override
    public List<Member> get(Collection<Member> members) {
      return List.copyOf(live);
    }

    @Override
    public String doubt() {
      return "";
    }

    @Override
    public void close() {}
  }

  /** A DataNode without a node has no plugin. */
  private final class Probe implements PluginProbe {
    @Override
    public CompletableFuture<Member> identity(String address) {
      throw new AssertionError("the report has the ids");
    }

    @Override
    public CompletableFuture<View> membersOf(Member node) {
      Node there = nodes.get(node.id());
      return there == null
          ? CompletableFuture.failedFuture(new IOException("no plugin: " + node))
          : CompletableFuture.completedFuture(there.directory.view());
    }

    @Override
    public boolean hadNoPlugin(Member node) {
      return !nodes.containsKey(node.id());
    }

    @Override
    public boolean isResting(Member node) {
      return false;
    }
  }

  private final class Node {
    final DirectoryNode directory;
    final MemberWatch watch;
    long leadMillis;

    Node(String id, long leadMillis) {
      this.leadMillis = leadMillis;
      this.directory =
          new DirectoryNode(
              id, 2, 1 << 20, new Calls(), RecordJournal.NONE, this::wall, this::steady);
      this.watch =
          new MemberWatch(
              directory,
              id,
              new LiveDataNodes(
                  id,
                  List.of(),
                  new Reported(),
                  MemberClocksTest::noPages,
                  new Probe(),
                  () -> now * 1_000_000),
              new Calls(),
              this::wall,
              this::steady,
              new Random(id.hashCode()));
    }

    long wall() {
      return now + leadMillis;
    }

    long steady() {
      return now;
    }

    void round() {
      if (watch.isDue()) {
        watch.round();
      }
      directory.tick();
    }
  }

  /** Calls that are answered when the caller is done. */
  private final class Calls implements Peers {
    private <T> CompletableFuture<T> call(
        Member to, Function<DirectoryNode, CompletableFuture<T>> action) {
      CompletableFuture<T> answer = new CompletableFuture<>();
      calls.add(
          () -> {
            Node target = nodes.get(to.id());
            CompletableFuture<T> answered =
                target == null ? refused() : action.apply(target.directory);
            var unused =
                answered.whenComplete(
                    (value, failure) -> {
                      if (failure == null) {
                        answer.complete(value);
                      } else {
                        answer.completeExceptionally(failure);
                      }
                    });
          });
      return answer;
    }

    private <T> CompletableFuture<T> refused() {
      return CompletableFuture.failedFuture(new IOException("refused"));
    }

    @Override
    public CompletableFuture<List<Outcome>> run(
        Member node, String publisher, long epoch, List<Operation> operations) {
      return call(node, target -> target.run(publisher, epoch, operations));
    }

    @Override
    public CompletableFuture<List<String>> replicate(
        Member node, String from, boolean missed, List<Change> changes) {
      return call(
          node,
          target -> CompletableFuture.completedFuture(target.replicate(from, missed, changes)));
    }

    @Override
    public CompletableFuture<Pulled> pull(
        Member node, View view, BitSet takeOver, BitSet shards, String at) {
      return call(
          node,
          target -> {
            Pulled part = target.pull(view, takeOver, shards, at);
            return part == null ? refused() : CompletableFuture.completedFuture(part);
          });
    }

    @Override
    public CompletableFuture<View> view(Member node) {
      return call(node, target -> CompletableFuture.completedFuture(target.view()));
    }
  }

  private Node node(String id) {
    Node node = nodes.get(id);
    if (node == null) {
      throw new IllegalStateException("not started: " + id);
    }
    return node;
  }

  private void join(String id, long leadMillis) {
    live.add(new Member(id, id + ":1"));
    nodes.put(id, new Node(id, leadMillis));
  }

  /** A member at a time that gets to the owner of each key: all may be listed. */
  private void assertAllKeysAreListed(int keys) {
    Node asker = nodes.values().iterator().next();
    TreeSet<String> listed = new TreeSet<>();
    for (int key = 0; key < keys; key++) {
      String name = "key" + key;
      Member owner = asker.directory.ring().owner(Ring.shardOf(name), 0);
      var put = node(owner.id()).directory.run("", 0, List.of(Operation.put(name, new byte[1], 0)));
      for (Runnable call = calls.poll(); call != null; call = calls.poll()) {
        call.run();
      }
      assertTrue(put.join().get(0).isOk(), name);
    }
    for (Node each : nodes.values()) {
      Outcome part = each.directory.run("", 0, List.of(Operation.list("key", ""))).join().get(0);
      part.rows().forEach(row -> listed.add(row.key()));
    }
    assertEquals(keys, listed.size());
  }

  private void run(long millis) {
    for (long end = now + millis; now < end; now += MemberWatch.ROUND_INTERVAL_MILLIS) {
      for (Node node : nodes.values()) {
        node.round();
        for (Runnable call = calls.poll(); call != null; call = calls.poll()) {
          call.run();
        }
      }
    }
  }

  private void assertMembers(String... ids) {
    for (String id : ids) {
      TreeSet<String> known = new TreeSet<>();
      node(id).directory.view().members().forEach(member -> known.add(member.id()));
      assertEquals(new TreeSet<>(List.of(ids)), known, "members as " + id + " knows them");
      assertEquals(0, node(id).directory.status().pullingShards, id);
    }
  }

  @Test
  void memberWithAFastClock_itOrAnotherGoes_allDropItWithinAMinute() {
    for (String id : List.of("a", "b", "c", "d", "e")) {
      join(id, 0);
    }
    run(MINUTE_MILLIS);
    assertMembers("a", "b", "c", "d", "e");
    join("fast", HOUR_MILLIS);
    run(MINUTE_MILLIS);
    assertMembers("a", "b", "c", "d", "e", "fast");
    live.removeIf(member -> member.id().equals("c"));
    nodes.remove("c");
    run(MINUTE_MILLIS);
    assertMembers("a", "b", "d", "e", "fast");
    live.removeIf(member -> member.id().equals("fast"));
    nodes.remove("fast");
    run(MINUTE_MILLIS);
    assertMembers("a", "b", "d", "e");
  }

  /** The NameNode lists it like any other. */
  @Test
  void dataNodeWithoutThePlugin_getsNoShards_untilItHasThePlugin() {
    for (String id : List.of("a", "b", "c")) {
      join(id, 0);
    }
    live.add(new Member("plain", "plain:1"));
    run(MINUTE_MILLIS);
    assertMembers("a", "b", "c");
    assertAllKeysAreListed(1000);
    nodes.put("plain", new Node("plain", 0));
    run(MINUTE_MILLIS);
    assertMembers("a", "b", "c", "plain");
    nodes.remove("plain");
    run(3 * MINUTE_MILLIS);
    assertMembers("a", "b", "c");
  }

  @Test
  void clocksThatAreSetBack_aMemberGoes_allDropItWithinAMinute() {
    for (String id : List.of("a", "b", "c")) {
      join(id, 0);
    }
    run(MINUTE_MILLIS);
    nodes.values().forEach(node -> node.leadMillis = -HOUR_MILLIS);
    live.removeIf(member -> member.id().equals("c"));
    nodes.remove("c");
    run(MINUTE_MILLIS);
    assertMembers("a", "b");
  }
}
