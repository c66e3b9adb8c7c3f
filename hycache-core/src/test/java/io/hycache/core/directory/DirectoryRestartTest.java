// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.directory;

import static io.hycache.core.directory.FakeNetwork.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hycache.core.directory.Outcome.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A node that starts again with its journal. */
class DirectoryRestartTest {
  private static final long MINUTE_MILLIS = 60_000;
  private static final long LIFE_MILLIS = 25 * MINUTE_MILLIS;

  private final AtomicLong clock = new AtomicLong(1_000_000_000);
  private final InMemory journal = new InMemory();
  private DirectoryNode node = start();

  /** Keeps whole records. */
  private static final class InMemory implements RecordJournal {
    final Map<String, Change> kept = new TreeMap<>();

    @Override
    public void write(Change change) {
      List<byte[]> entries = new ArrayList<>();
      if (change.first() > 0) {
        entries.addAll(Objects.requireNonNull(kept.get(change.key())).entries());
      }
      assertEquals(change.first(), entries.size());
      entries.addAll(change.entries());
      assertEquals(change.size(), entries.size());
      kept.put(change.key(), change.whole(entries));
    }

    @Override
    public void drop(String key) {
      kept.remove(key);
    }

    @Override
    public void clear() {
      kept.clear();
    }

    @Override
    public void load(Consumer<Change> to) {
      List.copyOf(kept.values()).forEach(to);
    }

    @Override
    public void close() {}
  }

  private DirectoryNode start() {
    Peers others = new FakeNetwork(1, 1).peers("client");
    return new DirectoryNode("a", 1, 1 << 20, others, journal, clock::get);
  }

  private void learn() {
    node.learn(new View(clock.get(), List.of(FakeNetwork.member("a"))));
  }

  /** Starts anew after some time; the first ticks come before the members are known. */
  private void restart(long awayMillis) {
    clock.addAndGet(awayMillis);
    node = start();
    node.tick();
    clock.addAndGet(DirectoryNode.IDLE_TICK_MILLIS);
    node.tick();
    learn();
    node.tick();
  }

  private Outcome run(Operation operation) {
    return node.run("a", 1, List.of(operation)).join().get(0);
  }

  private Status found(String key) {
    return run(Operation.get(key)).status();
  }

  @Test
  void restart_membersAreFoundAfterTheFirstTicks_recordsAreKept() {
    learn();
    assertEquals(Status.OK, run(Operation.cas("k", 0, bytes("1"))).status());
    assertEquals(Status.OK, run(Operation.put("l", bytes("1"), LIFE_MILLIS)).status());
    restart(MINUTE_MILLIS);
    assertEquals(Status.OK, found("k"));
    assertEquals(Status.OK, found("l"));
    clock.addAndGet(2 * Membership.FOREIGN_KEPT_MILLIS);
    node.tick();
    assertEquals(2, node.status().records);
    assertEquals(Set.of("k", "l"), journal.kept.keySet());
  }

  @Test
  void restart_afterTheEndOfARecord_itIsGone() {
    learn();
    run(Operation.put("k", bytes("1"), LIFE_MILLIS));
    restart(24 * 60 * MINUTE_MILLIS);
    assertEquals(Status.ABSENT, found("k"));
    clock.addAndGet(MINUTE_MILLIS);
    node.tick();
    assertEquals(0, node.status().records);
    assertEquals(Set.of(), journal.kept.keySet());
  }

  @Test
  void restarts_withinTheLifeOfARecord_itEndsWhenItWouldHave() {
    learn();
    run(Operation.put("k", bytes("1"), LIFE_MILLIS));
    long ends = clock.get() + LIFE_MILLIS;
    restart(10 * MINUTE_MILLIS);
    restart(10 * MINUTE_MILLIS);
    clock.set(ends - 1);
    assertEquals(Status.OK, found("k"));
    clock.set(ends);
    assertEquals(Status.ABSENT, found("k"));
  }

  @Test
  void restart_recordThatWasAppendedTo_endsWhenItWouldHave() {
    learn();
    run(Operation.put("k", bytes("1"), LIFE_MILLIS));
    long ends = clock.get() + LIFE_MILLIS;
    clock.addAndGet(10 * MINUTE_MILLIS);
    run(Operation.append("k", bytes("2")));
    restart(10 * MINUTE_MILLIS);
    clock.set(ends - 1);
    assertEquals(2, run(Operation.get("k")).size());
    clock.set(ends);
    assertEquals(Status.ABSENT, found("k"));
  }

  /** A record that was pulled has an old version, and a part of its life left. */
  @Test
  void restart_recordThatWasReceivedLate_endsWhenItWouldHave() {
    learn();
    long version = (clock.get() - 20 * MINUTE_MILLIS) * 1000;
    Change pulled =
        new Change(
            "k",
            Change.WHOLE,
            version,
            false,
            0,
            1,
            List.of(bytes("1")),
            5 * MINUTE_MILLIS,
            "a",
            1,
            0);
    assertEquals(List.of(), node.replicate("b", false, List.of(pulled)));
    long ends = clock.get() + 5 * MINUTE_MILLIS;
    restart(MINUTE_MILLIS);
    clock.set(ends - 1);
    assertEquals(Status.OK, found("k"));
    clock.set(ends);
    assertEquals(Status.ABSENT, found("k"));
  }
}
