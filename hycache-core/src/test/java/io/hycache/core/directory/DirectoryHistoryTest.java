// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.Outcome.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Compares what several clients observed while nodes failed and members changed with the guarantees
 * of {@link DirectoryNode}. One fault at a time: the next follows when all shares are complete.
 */
class DirectoryHistoryTest {
  private static final int SEEDS = 100;
  private static final long TIMEOUT_MILLIS = 30_000;

  @Test
  void anything_nodesRestart_keepsThePromises() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      new History(seed, false, false).go();
    }
  }

  @Test
  void anything_membersChange_keepsThePromises() {
    for (long seed = 1001; seed <= 1000 + SEEDS; seed++) {
      new History(seed, true, false).go();
    }
  }

  @Test
  void anything_clientsShareCalls_keepsThePromises() {
    long shared = 0;
    for (long seed = 2001; seed <= 2000 + SEEDS; seed++) {
      History history = new History(seed, seed % 2 == 0, true);
      history.go();
      shared += history.network.operationsSent - history.network.callsSent;
    }
    assertTrue(shared > 10 * SEEDS, "only " + shared + " operations went with another");
  }

  /** The history of one key. */
  private static final class Known {
    /** The last version that was acknowledged. */
    long acknowledged;

    final Map<Long, String> valueOf = new HashMap<>();

    /** Versions that a CAS replaced. */
    final Set<Long> replaced = new HashSet<>();

    /** Entries whose APPEND was acknowledged, and their places. */
    final Map<String, Integer> placeOf = new HashMap<>();

    /** Removes that may still happen, and the version of the last that did. */
    int removing;

    long removed;
  }

  private static final class History {
    private static final List<String> KINDS = List.of("log", "log", "cas", "mix");

    private final long seed;
    private final FakeNetwork network;
    private final Random random;
    private final boolean membersChange;
    private final boolean share;
    private final Map<String, Known> known = new HashMap<>();
    private final List<String> members = new ArrayList<>(List.of("a", "b", "c", "d"));
    private final List<String> faults = new ArrayList<>();
    private int values;
    private int running;
    private int asked;
    private boolean over;

    History(long seed, boolean membersChange, boolean share) {
      this.seed = seed;
      this.network = new FakeNetwork(seed, 2 + (int) (seed % 2)).with("a", "b", "c", "d");
      this.random = network.random;
      this.membersChange = membersChange;
      this.share = share;
    }

    void go() {
      Peers together = new SharedCalls(network.peers("client"), network::after, network::now);
      for (int i = 0; i < (share ? 12 : 3); i++) {
        running++;
        next(share ? network.client(together) : network.client("client" + i));
      }
      for (int fault = 0; fault < 3; fault++) {
        network.run(random.nextInt(1000));
        fault("x" + fault);
        network.settle();
      }
      over = true;
      assertTrue(network.runUntil(() -> running == 0, 2 * TIMEOUT_MILLIS), where("no end"));
      network.settle();
      known.keySet().forEach(this::checkEnd);
      assertTrue(asked > 100, where("asked " + asked));
    }

    private void fault(String added) {
      String victim = members.get(random.nextInt(members.size()));
      boolean change = membersChange && random.nextInt(3) > 0;
      if (change && members.size() < 5) {
        faults.add("add " + added);
        network.start(added);
        members.add(added);
        network.members(members, 1500);
      } else {
        faults.add((change ? "drop " : "restart ") + victim);
        network.kill(victim);
        network.run(random.nextInt(1500));
        if (change) {
          members.remove(victim);
          network.members(members, 1500);
        } else {
          network.start(victim);
        }
      }
      network.run(1500);
    }

    private String where(String what) {
      return what + " seed=" + seed + " faults=" + faults + " now=" + network.now();
    }

    // ---- clients --------------------------------------------------------------------------------

    private void next(DirectoryClient client) {
      if (over) {
        running--;
        return;
      }
      asked++;
      // Other keys every few seconds, so that a later write does not hide an error.
      String key = KINDS.get(random.nextInt(KINDS.size())) + network.now() / 3000;
      String value = "v" + values++;
      int dice = random.nextInt(10);
      if (dice < 3) {
        get(client, key, unused -> later(client));
      } else if (key.startsWith("log")) {
        append(client, key, value);
      } else if (key.startsWith("cas")) {
        get(client, key, version -> cas(client, key, version, value));
      } else if (dice < 8) {
        put(client, key, value);
      } else {
        remove(client, key);
      }
    }

    private void later(DirectoryClient client) {
      network.after(random.nextInt(80), () -> next(client));
    }

    private Known of(String key) {
      return known.computeIfAbsent(key, unused -> new Known());
    }

    private void ask(DirectoryClient client, Operation operation, Consumer<Outcome> then) {
      var unused =
          client
              .run(List.of(operation), TIMEOUT_MILLIS)
              .thenAccept(outcomes -> network.after(0, () -> then.accept(outcomes.get(0))));
    }

    private void get(DirectoryClient client, String key, Consumer<Long> then) {
      Known of = of(key);
      long atLeast = of.acknowledged;
      boolean removing = of.removing > 0;
      Set<String> appended = Set.copyOf(of.placeOf.keySet());
      ask(
          client,
          Operation.get(key),
          got -> {
            Supplier<String> what =
                () -> where(key + " is " + got + ", acknowledged was " + atLeast);
            if (got.isOk()) {
              assertTrue(got.version() >= atLeast, what);
              List<String> texts = FakeNetwork.texts(got.entries());
              assertTrue(texts.containsAll(appended), what);
              if (!key.startsWith("log")) {
                assertEquals(
                    of.valueOf.getOrDefault(got.version(), texts.get(0)), texts.get(0), what);
              }
            } else {
              assertEquals(Status.ABSENT, got.status(), what);
              boolean mayBe = removing || of.removing > 0 || of.removed >= atLeast;
              assertTrue(mayBe, what);
            }
            then.accept(got.version());
          });
    }

    private void wrote(Known of, Outcome outcome, String value) {
      assertEquals(Status.OK, outcome.status(), () -> where(value + " " + outcome));
      of.acknowledged = Math.max(of.acknowledged, outcome.version());
      of.valueOf.merge(outcome.version(), value, (a, b) -> a + " and " + b);
    }

    private void append(DirectoryClient client, String key, String value) {
      ask(
          client,
          Operation.append(key, FakeNetwork.bytes(value)),
          outcome -> {
            wrote(of(key), outcome, value);
            of(key).placeOf.put(value, outcome.size() - 1);
            later(client);
          });
    }

    private void cas(DirectoryClient client, String key, long version, String value) {
      ask(
          client,
          Operation.cas(key, version, FakeNetwork.bytes(value)),
          outcome -> {
            if (outcome.status() != Status.CONFLICT) {
              wrote(of(key), outcome, value);
              assertTrue(of(key).replaced.add(version), () -> where(key + " twice for " + version));
            }
            later(client);
          });
    }

    private void put(DirectoryClient client, String key, String value) {
      ask(
          client,
          Operation.put(key, FakeNetwork.bytes(value), 0),
          outcome -> {
            wrote(of(key), outcome, value);
            later(client);
          });
    }

    private void remove(DirectoryClient client, String key) {
      Known of = of(key);
      of.removing++;
      ask(
          client,
          Operation.remove(key),
          outcome -> {
            of.removing--;
            if (outcome.status() != Status.ABSENT) {
              wrote(of, outcome, "removed");
              of.removed = Math.max(of.removed, outcome.version());
            }
            later(client);
          });
    }

    // ---- at the end -----------------------------------------------------------------------------

    private void checkEnd(String key) {
      Known of = of(key);
      List<String> copies = new ArrayList<>();
      for (Member owner : network.ring().owners(Ring.shardOf(key))) {
        Outcome got =
            network
                .node(owner.id())
                .run("", 0, List.of(Operation.get(key).fromAnyReplica()))
                .join()
                .get(0);
        List<String> texts = FakeNetwork.texts(got.entries());
        copies.add(got + " " + texts);
        Supplier<String> what = () -> where(key + " at " + owner + " " + texts);
        assertEquals(texts.size(), Set.copyOf(texts).size(), what);
        of.placeOf.forEach((entry, place) -> assertEquals(place, texts.indexOf(entry), what));
      }
      assertEquals(
          1, Set.copyOf(copies).size(), () -> where(key + " " + String.join(" / ", copies)));
    }
  }
}
