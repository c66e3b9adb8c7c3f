// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import static io.hycache.core.directory.FakeNetwork.bytes;
import static io.hycache.core.directory.FakeNetwork.texts;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.Outcome.Row;
import io.hycache.core.directory.Outcome.Status;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** One node and its replicas, called without a client. */
class DirectoryNodeTest {
  private final FakeNetwork network = new FakeNetwork(1, 2);

  private static Operation get(String key) {
    return Operation.get(key);
  }

  private static Operation put(String key, String value) {
    return Operation.put(key, bytes(value), 0);
  }

  /** Runs operations that are answered at once, because no replica must acknowledge them. */
  private Outcome now(String node, Operation operation) {
    return network.await(network.node(node).run("", 0, List.of(operation))).get(0);
  }

  private Outcome publish(long epoch, Operation operation) {
    return network.await(network.node("a").run("a", epoch, List.of(operation))).get(0);
  }

  private Status any(String node, String key) {
    return now(node, get(key).fromAnyReplica()).status();
  }

  private static List<String> keys(Outcome listed) {
    return listed.rows().stream().map(Row::key).collect(Collectors.toList());
  }

  // ---- operations -------------------------------------------------------------------------------

  @Test
  void put_thenGet_isFound() {
    network.with("a");
    Outcome first = now("a", put("k", "one"));
    Outcome second = now("a", put("k", "two"));
    assertTrue(second.version() > first.version());
    Outcome got = now("a", get("k"));
    assertEquals("OK version=" + second.version() + " size=1", got.toString());
    assertEquals(List.of("two"), texts(got.entries()));
    assertEquals(Status.ABSENT, now("a", get("other")).status());
  }

  @Test
  void remove_anything_isAbsentAndNewerOnesAreLater() {
    network.with("a");
    assertEquals(Status.ABSENT, now("a", Operation.remove("k")).status());
    assertEquals(0, network.node("a").status().records);
    long put = now("a", put("k", "one")).version();
    long removed = now("a", Operation.remove("k")).version();
    assertTrue(removed > put);
    assertEquals(Status.ABSENT, now("a", get("k")).status());
    assertEquals(Status.ABSENT, now("a", Operation.remove("k")).status());
    assertTrue(now("a", Operation.append("k", bytes("two"))).version() > removed);
    assertEquals(List.of("two"), texts(now("a", get("k")).entries()));
  }

  @Test
  void cas_zeroRightOrWrongVersion_changesIfItIsRight() {
    network.with("a");
    assertEquals(Status.CONFLICT, now("a", Operation.cas("k", 5, bytes("x"))).status());
    assertEquals(0, network.node("a").status().records);
    long first = now("a", Operation.cas("k", 0, bytes("1"))).version();
    Outcome conflict = now("a", Operation.cas("k", 0, bytes("x")));
    assertEquals("CONFLICT version=" + first + " size=1", conflict.toString());
    long second = now("a", Operation.cas("k", first, bytes("2"))).version();
    assertEquals(Status.CONFLICT, now("a", Operation.cas("k", first, bytes("x"))).status());
    assertEquals(List.of("2"), texts(now("a", get("k")).entries()));
    now("a", Operation.remove("k"));
    assertEquals(Status.CONFLICT, now("a", Operation.cas("k", second, bytes("x"))).status());
    assertTrue(now("a", Operation.cas("k", 0, bytes("3"))).version() > second);
  }

  @Test
  void append_severalTimes_keepsTheirOrder() {
    network.with("a");
    List<String> all = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      assertEquals(i, now("a", Operation.append("dir", bytes("e" + i))).size());
      all.add("e" + i);
    }
    assertEquals(all, texts(now("a", get("dir")).entries()));
    assertEquals(all.subList(15, 20), texts(now("a", Operation.get("dir", 15)).entries()));
    assertEquals(List.of(), now("a", Operation.get("dir", 20)).entries());
  }

  @Test
  void writes_sameTokenAgain_happenOnce() {
    network.with("a");
    Operation append = Operation.append("k", bytes("x")).withToken(7);
    Outcome first = now("a", append);
    now("a", Operation.append("k", bytes("y")));
    assertEquals(first.toString(), now("a", append).toString());
    assertEquals(List.of("x", "y"), texts(now("a", get("k")).entries()));
    Operation remove = Operation.remove("k").withToken(8);
    assertEquals(Status.OK, now("a", remove).status());
    assertEquals(Status.OK, now("a", remove).status());
    Operation cas = Operation.cas("k", 0, bytes("z")).withToken(9);
    assertEquals(Status.OK, now("a", cas).status());
    assertEquals(Status.OK, now("a", cas).status());
  }

  @Test
  void list_prefixAfterAndMore_inOrder() {
    network.with("a");
    List<Operation> puts = new ArrayList<>();
    for (int i = 0; i < Operation.MAX_ROWS + 5; i++) {
      puts.add(put(String.format("p/%05d", i), "v" + i));
    }
    for (int from = 0; from < puts.size(); from += 6000) {
      List<Operation> part = puts.subList(from, Math.min(puts.size(), from + 6000));
      network.await(network.node("a").run("", 0, part));
    }
    now("a", put("o", "before"));
    now("a", put("q", "behind"));
    now("a", Operation.remove("p/00001"));
    Outcome first = now("a", Operation.list("p/", ""));
    assertTrue(first.more());
    assertEquals(Operation.MAX_ROWS, first.size());
    assertEquals(List.of("p/00000", "p/00002"), keys(first).subList(0, 2));
    Outcome rest = now("a", Operation.list("p/", keys(first).get(first.size() - 1)));
    assertFalse(rest.more());
    assertEquals(List.of("p/10001", "p/10002", "p/10003", "p/10004"), keys(rest));
    assertArrayEquals(bytes("v10004"), rest.rows().get(3).value());
  }

  @Test
  void ttl_isOver_recordIsGoneAndItsMemory() {
    network.with("a");
    now("a", Operation.put("k", bytes("value"), 1000));
    network.run(999);
    assertEquals(Status.OK, any("a", "k"));
    network.run(1);
    assertEquals(Status.ABSENT, any("a", "k"));
    assertEquals(Status.OK, now("a", Operation.cas("k", 0, bytes("new"))).status());
    now("a", Operation.remove("k"));
    now("a", Operation.put("other", bytes("value"), 1000));
    network.run(700_000);
    assertEquals(0, network.node("a").status().records);
    assertEquals(0, network.node("a").status().bytes);
  }

  @Test
  void epoch_laterIsAnnounced_earlierRecordsAreVoid() {
    network.with("a");
    publish(1, put("old", "1"));
    publish(1, put("both", "1"));
    now("a", put("permanent", "1"));
    publish(2, put("both", "2"));
    assertEquals(Status.ABSENT, any("a", "old"));
    assertEquals(List.of("both", "permanent"), keys(now("a", Operation.list("", ""))));
    // Writes that were sent before the announcement change nothing.
    assertEquals(
        "REFUSED version=2 size=0 the publisher announced a later epoch",
        publish(1, put("both", "late")).toString());
    assertEquals(Status.REFUSED, publish(1, Operation.remove("both")).status());
    assertEquals(List.of("2"), texts(now("a", get("both")).entries()));
  }

  @Test
  void epoch_laterIsAnnouncedByACallWithoutOperations_earlierRecordsAreVoid() {
    network.with("a");
    publish(1, put("old", "1"));
    assertEquals(List.of(), network.await(network.node("a").run("a", 2, List.of())));
    assertEquals(Status.ABSENT, any("a", "old"));
  }

  @Test
  void publisher_isAMemberNoMore_itsRecordsAreVoid() {
    network.with("a", "b");
    publish(1, put("k", "1"));
    network.settle();
    assertEquals(Status.OK, any("b", "k"));

    network.kill("a");
    network.members(List.of("b"), 0);
    network.settle();

    assertEquals(Status.ABSENT, any("b", "k"));
    network.run(100_000);
    assertEquals(0, network.node("b").status().records);
  }

  // ---- bounds -----------------------------------------------------------------------------------

  @Test
  void fault_keyValueOrBatchTooLarge_isRefused() {
    network.with("a");
    String key = "k".repeat(Operation.MAX_KEY_CHARS);
    assertEquals(Status.OK, now("a", put(key, "")).status());
    assertEquals(
        "REFUSED version=0 size=0 expected a key of 1 to 1024 characters, found 1025",
        now("a", put(key + "k", "")).toString());
    assertEquals(Status.REFUSED, now("a", get("")).status());
    byte[] most = new byte[Operation.MAX_VALUE_BYTES];
    assertEquals(Status.OK, now("a", Operation.append("k", most)).status());
    assertEquals(
        "REFUSED version=0 size=0 expected a value of at most 65536 bytes, found 65537",
        now("a", Operation.append("k", new byte[most.length + 1])).toString());
    assertEquals(Status.REFUSED, now("a", Operation.cas("k", -1, most)).status());
    List<Operation> batch = Collections.nCopies(DirectoryNode.MAX_CALL_OPERATIONS + 1, get("k"));
    List<Outcome> refused = network.node("a").run("", 0, batch).join();
    assertEquals(batch.size(), refused.size());
    assertEquals("more than 10000 at once", refused.get(batch.size() - 1).text());
  }

  @Test
  void mostBytes_areThere_moreIsShedUntilSomeAreRemoved() {
    network.mostBytes = 1000;
    network.with("a");
    assertEquals(Status.OK, now("a", Operation.put("k", new byte[900], 0)).status());
    assertEquals(Status.BUSY, now("a", Operation.put("l", new byte[900], 0)).status());
    assertEquals(1, network.node("a").status().records);
    assertEquals(1, network.node("a").status().shed);
    now("a", Operation.remove("k"));
    assertEquals(Status.OK, now("a", Operation.put("l", new byte[900], 0)).status());
  }

  @Test
  void unfinished_tooMany_areShedUntilTheReplicasAnswered() {
    network.with("a", "b");
    network.loseReplication = true;
    List<CompletableFuture<List<Outcome>>> running = new ArrayList<>();
    List<Operation> batch = new ArrayList<>();
    for (int i = 0; batch.size() < DirectoryNode.MAX_CALL_OPERATIONS; i++) {
      String key = "k" + i;
      if (network.owner(key, 0).equals("a")) {
        batch.add(put(key, ""));
      }
    }
    for (int i = 0; i < 10; i++) {
      running.add(network.node("a").run("", 0, batch));
    }
    Outcome busy = now("a", batch.get(0));
    assertEquals("BUSY version=0 size=0 the directory has too much to do", busy.toString());
    network.loseReplication = false;
    running.forEach(network::await);
    for (int i = 0; i < 10; i++) {
      assertEquals(Status.OK, network.await(network.node("a").run("", 0, batch)).get(0).status());
    }
  }

  @Test
  void get_longRecord_comesInPieces() {
    network.with("a", "b");
    String key = grow(40);
    List<byte[]> all = new ArrayList<>();
    boolean more = true;
    int pieces = 0;
    while (more) {
      Outcome piece = now(network.owner(key, 0), Operation.get(key, all.size()));
      assertEquals(40, piece.size());
      all.addAll(piece.entries());
      more = piece.more();
      pieces++;
    }
    assertEquals(40, all.size());
    assertEquals(3, pieces);
    for (int i = 0; i < 40; i++) {
      assertEquals(i, all.get(i)[0]);
    }
  }

  /** Grows a record by entries of 64 KiB; returns its key. */
  private String grow(int entries) {
    for (int i = 0; i < entries; i++) {
      byte[] entry = new byte[Operation.MAX_VALUE_BYTES];
      entry[0] = (byte) i;
      assertEquals(i + 1, network.ask(Operation.append("long", entry)).size());
    }
    return "long";
  }

  // ---- replicas ---------------------------------------------------------------------------------

  @Test
  void write_answered_isAtEveryReplicaAndNowhereElse() {
    network.with("a", "b", "c");
    network.ask(put("k", "v"));
    assertEquals(Status.OK, any(network.owner("k", 0), "k"));
    assertEquals(Status.OK, any(network.owner("k", 1), "k"));
    assertEquals(Status.NOT_OWNER, now(network.owner("k", 1), get("k")).status());
    assertEquals(Status.NOT_OWNER, now(network.owner("k", 1), put("k", "x")).status());
    for (String id : network.ids()) {
      boolean owns = id.equals(network.owner("k", 0)) || id.equals(network.owner("k", 1));
      assertEquals(owns ? 1 : 0, network.node(id).status().records);
    }
  }

  @Test
  void write_sameTokenBeforeTheReplicaHasIt_waitsToo() {
    network.with("a", "b");
    DirectoryNode primary = network.node(network.owner("k", 0));
    List<Operation> append = List.of(Operation.append("k", bytes("x")).withToken(5));
    CompletableFuture<List<Outcome>> first = primary.run("", 0, append);
    CompletableFuture<List<Outcome>> again = primary.run("", 0, append);
    assertFalse(first.isDone());
    assertFalse(again.isDone());
    assertEquals(1, network.await(again).get(0).size());
    assertEquals(Status.OK, any(network.owner("k", 1), "k"));
  }

  @Test
  void replica_missedChanges_pullsThem() {
    network.with("a", "b", "c");
    network.ask(Operation.append("k", bytes("1")));
    network.cut(network.owner("k", 0), network.owner("k", 1));
    network.ask(Operation.append("k", bytes("2")));
    network.heal();
    network.run(2 * FakeNetwork.CALL_TIMEOUT_MILLIS);
    network.settle();
    Outcome copy = now(network.owner("k", 1), get("k").fromAnyReplica());
    assertEquals(List.of("1", "2"), texts(copy.entries()));
  }

  @Test
  void replica_missedARemoval_pullsItThoughItWasLongAgo() {
    network.with("a", "b");
    network.ask(put("k", "v"));
    String primary = network.owner("k", 0);
    String replica = network.owner("k", 1);
    network.run(Membership.FOREIGN_KEPT_MILLIS + 10_000);
    network.cut(primary, replica);
    assertEquals(Status.OK, network.ask(Operation.remove("k")).status());
    network.run(35_000);
    network.heal();
    network.run(2 * FakeNetwork.CALL_TIMEOUT_MILLIS);
    network.settle();
    assertEquals(Status.ABSENT, any(replica, "k"));
    network.kill(primary);
    network.start(primary);
    network.settle();
    assertEquals(Status.ABSENT, network.ask(get("k")).status());
  }

  @Test
  void removed_ofForeignShards_areForgottenAfterTheMembersChanged() {
    network.with("a", "b");
    network.ask(put("k", "v"));
    network.ask(Operation.remove("k"));
    assertEquals(1, network.node("a").status().records);
    network.members(List.of("b"), 0);
    network.run(100_000);
    assertEquals(0, network.node("a").status().records);
    assertEquals(1, network.node("b").status().records);
  }

  @Test
  void replica_missedChangesAndOtherMembersCome_pullsThem() {
    network.with("a", "b", "c");
    List<String> members = List.of("a", "b", "c", "d");
    Ring later =
        new Ring(
            List.of(
                FakeNetwork.member("a"),
                FakeNetwork.member("b"),
                FakeNetwork.member("c"),
                FakeNetwork.member("d")),
            2);
    String key = "k";
    for (int i = 0;
        !later.owners(Ring.shardOf(key)).equals(network.ring().owners(Ring.shardOf(key)));
        i++) {
      key = "k" + i;
    }
    network.cut(network.owner(key, 0), network.owner(key, 1));
    network.ask(put(key, "v"));
    network.start("d");
    network.members(members, 100);
    network.run(200);
    network.heal();
    network.settle();
    assertEquals(Status.OK, any(network.owner(key, 1), key));
  }

  @Test
  void replica_hasNotTheRecord_getsTheWholeAndKnowsTheToken() {
    network.with("a", "b");
    network.ask(Operation.append("k", bytes("1")));
    String primary = network.owner("k", 0);
    String other = network.owner("k", 1);
    network.kill(other);
    network.start(other);
    // It has no record yet: the change alone could not be applied.
    Operation second = Operation.append("k", bytes("2")).withToken(77);
    network.await(network.node(primary).run("", 0, List.of(second)));
    network.settle();
    network.kill(primary);
    network.members(List.of(other), 0);
    network.settle();
    assertEquals(2, now(other, second).size());
    assertEquals(List.of("1", "2"), texts(now(other, get("k")).entries()));
  }

  // ---- members come and go ----------------------------------------------------------------------

  @Test
  void member_isDropped_itsShardsAreRebuilt() {
    network.with("a", "b", "c");
    for (int i = 0; i < 300; i++) {
      network.ask(put("k" + i, "v" + i));
    }
    for (String dropped : List.of("c", "b")) {
      network.kill(dropped);
      List<String> rest = new ArrayList<>(network.ids());
      network.members(rest, 500);
      network.settle();
    }
    for (int i = 0; i < 300; i++) {
      assertEquals(List.of("v" + i), texts(now("a", get("k" + i)).entries()));
    }
    assertEquals(Ring.SHARDS, network.node("a").status().primaryShards);
    assertEquals(300, network.node("a").status().records);
  }

  private boolean answersAtOnce(String node, Operation operation) {
    CompletableFuture<List<Outcome>> answer = network.node(node).run("", 0, List.of(operation));
    return answer.isDone() && answer.join().get(0).isOk();
  }

  @Test
  void member_isAdded_takesOverAndTheOldPrimaryYields() {
    network.with("a", "b");
    for (int i = 0; i < 100; i++) {
      network.ask(put("k" + i, "v" + i));
    }
    Ring before = network.ring();
    network.start("c");
    network.members(List.of("a", "b", "c"), 3000);
    for (int step = 0; step < 400; step++) {
      network.run(10);
      for (int i = 0; i < 100; i++) {
        Operation ask = get("k" + i);
        long primaries = network.ids().stream().filter(id -> answersAtOnce(id, ask)).count();
        assertTrue(primaries <= 1, "k" + i + " has " + primaries + " primaries");
      }
    }
    network.settle();
    int moved = 0;
    for (int i = 0; i < 100; i++) {
      String owner = network.owner("k" + i, 0);
      assertEquals(List.of("v" + i), texts(now(owner, get("k" + i)).entries()));
      moved += before.owner(Ring.shardOf("k" + i), 0).id().equals(owner) ? 0 : 1;
    }
    assertTrue(moved > 20, "moved " + moved);
    // Records of shards that they no longer have are forgotten after some time.
    network.run(120_000);
    assertEquals(
        200, network.ids().stream().mapToLong(id -> network.node(id).status().records).sum());
  }

  @Test
  void secondary_primaryRestarts_answersMeanwhile() {
    network.with("a", "b");
    network.ask(put("k", "v"));
    String primary = network.owner("k", 0);
    network.kill(primary);
    network.start(primary);
    network.run(500);
    assertEquals(Status.OK, any(network.owner("k", 1), "k"));
    network.settle();
    assertEquals(List.of("v"), texts(now(primary, get("k")).entries()));
  }

  @Test
  void longRecord_membersChange_movesCompletely() {
    network.with("a", "b");
    String key = grow(80);
    String primary = network.owner(key, 0);
    String other = network.owner(key, 1);
    for (String restarted : List.of(other, primary)) {
      network.kill(restarted);
      network.run(300);
      network.start(restarted);
      network.settle();
    }
    for (String node : List.of(primary, other)) {
      List<byte[]> all = new ArrayList<>();
      while (all.size() < 80) {
        Operation next = Operation.get(key, all.size()).fromAnyReplica();
        List<byte[]> piece = now(node, next).entries();
        assertFalse(piece.isEmpty(), "at " + node + " after " + all.size());
        all.addAll(piece);
      }
      assertEquals(79, all.get(79)[0]);
    }
    assertEquals(network.node(primary).status().bytes, network.node(other).status().bytes);
  }

  @Test
  void longRecord_sourcesDiffer_theNewerIsTaken() {
    DirectoryNode node = network.with("a").node("a");
    Change[] old = parts(5);
    Change[] fresh = parts(6);
    node.replicate("b", false, List.of(fresh[0]));
    node.replicate("c", false, List.of(old[0]));
    assertEquals(List.of(), node.replicate("b", false, List.of(fresh[1])));
    node.replicate("c", false, List.of(old[1]));
    assertEquals(6, now("a", get("k")).version());
  }

  private static Change[] parts(long version) {
    Change[] out = new Change[2];
    for (int i = 0; i < 2; i++) {
      List<byte[]> entry = List.of(bytes("e" + i));
      out[i] = new Change("k", Change.WHOLE, version, false, i, 2, entry, 0, "", 0, 0);
    }
    return out;
  }

  @Test
  void pull_recordChangesBetweenTheParts_isToldAnew() {
    DirectoryNode node = network.with("a").node("a");
    for (int i = 0; i < 20; i++) {
      now("a", Operation.append("k", new byte[Operation.MAX_VALUE_BYTES]));
    }
    BitSet all = new BitSet();
    all.set(0, Ring.SHARDS);
    Peers.Pulled first = pull(node, all, "");
    assertEquals(0, first.changes().get(0).first());
    Peers.Pulled second = pull(node, all, first.next());
    assertTrue(second.changes().get(0).first() > 0);
    now("a", put("k", "short"));
    Peers.Pulled anew = pull(node, all, first.next());
    assertEquals(0, anew.changes().get(0).first());
    assertEquals(1, anew.changes().get(0).size());
    assertEquals("", anew.next());
  }

  private static Peers.Pulled pull(DirectoryNode node, BitSet shards, String at) {
    Peers.Pulled pulled = node.pull(node.view(), new BitSet(), shards, at);
    if (pulled == null) {
      throw new IllegalStateException("refused");
    }
    return pulled;
  }

  @Test
  void epoch_voidRecords_doNotComeBackElsewhere() {
    network.with("a");
    publish(1, put("old", "1"));
    network.await(network.node("a").run("a", 2, List.of()));
    assertEquals(Status.ABSENT, any("a", "old"));
    network.start("b");
    network.members(List.of("a", "b"), 0);
    network.settle();
    assertEquals(Status.ABSENT, any("b", "old"));
  }
}
