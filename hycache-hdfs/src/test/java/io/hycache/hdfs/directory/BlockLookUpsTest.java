// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.Change;
import io.hycache.core.directory.DirectoryClient;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Outcome.Row;
import io.hycache.core.directory.Outcome.Status;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.Ring;
import io.hycache.core.directory.View;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Residency;
import io.hycache.hdfs.rpc.BlockDirectory.Page;
import io.hycache.hdfs.rpc.BlockOnSsd;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Five members, none of which replicates; the clock stands still. */
class BlockLookUpsTest {
  private static final int PAGE_ROWS = 8200;

  private final Map<String, NavigableMap<String, Row>> records = new TreeMap<>();
  private final List<Member> members = new ArrayList<>();
  private final Set<String> away = new TreeSet<>();
  private final Records peers = new Records();
  private final BlockLookUps lookUps;

  BlockLookUpsTest() {
    for (int i = 0; i < 5; i++) {
      Member member = new Member("dn" + i, "dn" + i + ":1");
      members.add(member);
      records.put(member.id(), new TreeMap<>());
    }
    Ring ring = new Ring(members, 1);
    this.lookUps =
        new BlockLookUps(
            new DirectoryClient(
                () -> ring, () -> {}, peers, (millis, action) -> {}, () -> 1_000_000, () -> 1),
            away::contains);
  }

  private final class Records implements Peers {
    /** Answers that are given later; null if every call is answered at once. */
    @Nullable List<Runnable> later;

    int operations;

    @Override
    public CompletableFuture<List<Outcome>> run(
        Member to, String publisher, long epoch, List<Operation> operations) {
      this.operations += operations.size();
      List<Outcome> out = new ArrayList<>();
      for (Operation operation : operations) {
        List<Row> rows = new ArrayList<>();
        NavigableMap<String, Row> all = records.getOrDefault(to.id(), new TreeMap<>());
        for (Row row : all.tailMap(operation.after(), false).values()) {
          if (rows.size() < PAGE_ROWS && row.key().startsWith(operation.key())) {
            rows.add(row);
          }
        }
        boolean more = rows.size() == PAGE_ROWS;
        out.add(new Outcome(Status.OK, 0, rows.size(), List.of(), rows, more, ""));
      }
      CompletableFuture<List<Outcome>> answer = new CompletableFuture<>();
      Runnable complete = () -> answer.complete(out);
      if (later == null) {
        complete.run();
      } else {
        later.add(complete);
      }
      return answer;
    }

    @Override
    public CompletableFuture<List<String>> replicate(
        Member node, String from, boolean missed, List<Change> changes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Pulled> pull(
        Member node, View view, BitSet takeOver, BitSet shards, String at) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<View> view(Member node) {
      throw new UnsupportedOperationException();
    }
  }

  private static BlockKey block(long id) {
    return new BlockKey("BP-1", id);
  }

  private void publish(int blocks) {
    for (int i = 0; i < blocks; i++) {
      Operation put = BlockRecords.published(block(i), "uuid", Residency.CLEAN, 1, 0);
      records
          .getOrDefault("dn" + i % 5, new TreeMap<>())
          .put(put.key(), new Row(put.key(), 1, put.value()));
    }
  }

  @Test
  void list_fullPagesOfFiveMembers_isCutToWhatOneAnswerMayHave() {
    publish(60_000);
    Set<Long> ids = new TreeSet<>();
    int pages = 0;
    int rows = 0;
    String at = "";
    do {
      Page page = lookUps.list(at).join();
      assertTrue(page.blocks().size() <= 10_000, "rows=" + page.blocks().size());
      for (BlockOnSsd one : page.blocks()) {
        ids.add(one.block().id());
      }
      rows += page.blocks().size();
      at = page.next();
      assertFalse(pages == 0 && at.isEmpty(), "there are more pages");
      pages++;
    } while (!at.isEmpty());
    assertEquals(60_000, rows);
    assertEquals(60_000, ids.size());
    assertTrue(pages <= 7, "pages=" + pages);
  }

  private static List<BlockKey> blocks(int from, int count) {
    List<BlockKey> out = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      out.add(block(from + i));
    }
    return out;
  }

  /** Makes 30 calls of 20,000 blocks; returns how many are complete. */
  private int complete(String... users) {
    int complete = 0;
    for (int i = 0; i < 30; i++) {
      CompletableFuture<List<Optional<Set<String>>>> answer =
          lookUps.holders(users[i % users.length], blocks(i * 20_000, 20_000));
      if (answer.isDone()) {
        complete++;
        assertEquals(20_000, answer.join().size());
      }
    }
    return complete;
  }

  @Test
  void holders_membersDoNotAnswer_blocksUnderWayAreBounded() {
    List<Runnable> unanswered = new ArrayList<>();
    peers.later = unanswered;
    assertEquals(28, complete("eve"));
    assertEquals(28 * 20_000, lookUps.refused());
    assertEquals(
        Collections.nCopies(10_001, Optional.empty()),
        lookUps.holders("eve", Collections.nCopies(10_001, block(1))).join());
    assertFalse(lookUps.holders("alice", blocks(0, 1)).isDone(), "another user");
    unanswered.forEach(Runnable::run);
    peers.later = null;
    assertEquals(30, complete("eve"), "complete at once, as before");
    assertEquals(28 * 20_000 + 10_001, lookUps.refused());
    peers.later = unanswered;
    assertEquals(20, complete("a", "b", "c", "d", "e"), "the bound of all users");
  }

  @Test
  void holders_thatThrows_leavesNoBlocksUnderWay() {
    List<BlockKey> noMemory =
        new AbstractList<>() {
          @Override
          public BlockKey get(int index) {
            throw new OutOfMemoryError("of a test");
          }

          @Override
          public int size() {
            return 20_000;
          }
        };
    for (int i = 0; i < 3; i++) {
      assertThrows(OutOfMemoryError.class, () -> lookUps.holders("alice", noMemory));
    }
    assertEquals(50_000, lookUps.holders("alice", blocks(0, 50_000)).join().size());
    assertEquals(0, lookUps.refused());
  }

  @Test
  void holders_dataNodeIsAway_isNoHolder() {
    publish(10);
    NavigableMap<String, Row> all = new TreeMap<>();
    records.values().forEach(all::putAll);
    records.values().forEach(one -> one.putAll(all));
    away.add("uuid");
    assertEquals(
        List.of(Optional.of(Set.of())), lookUps.holders("alice", List.of(block(3))).join());
  }

  @Test
  void holders_blockNamedManyTimes_isAskedOnce() {
    publish(10);
    NavigableMap<String, Row> all = new TreeMap<>();
    records.values().forEach(all::putAll);
    records.values().forEach(one -> one.putAll(all));
    List<BlockKey> named = new ArrayList<>(Collections.nCopies(1000, block(3)));
    named.add(block(99));
    named.add(block(3));
    List<Optional<Set<String>>> answers = lookUps.holders("alice", named).join();
    assertEquals(2, peers.operations);
    assertEquals(1002, answers.size());
    assertEquals(Optional.of(Set.of("uuid")), answers.get(0));
    assertEquals(Optional.of(Set.of()), answers.get(1000));
    assertEquals(Optional.of(Set.of("uuid")), answers.get(1001));
  }
}
