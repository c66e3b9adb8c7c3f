// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Five members, none of which replicates; the clock stands still. */
class BlockLookUpsTest {
  private static final int PAGE_ROWS = 8200;

  private final Map<String, NavigableMap<String, Row>> records = new TreeMap<>();
  private final List<Member> members = new ArrayList<>();
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
                () -> ring, () -> {}, peers, (millis, action) -> {}, () -> 1_000_000, () -> 1));
  }

  private final class Records implements Peers {
    @Override
    public CompletableFuture<List<Outcome>> run(
        Member to, String publisher, long epoch, List<Operation> operations) {
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
      return CompletableFuture.completedFuture(out);
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
      assertTrue(page.blocks().size() <= 20_000, "rows=" + page.blocks().size());
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
    assertTrue(pages <= 4, "pages=" + pages);
  }
}
