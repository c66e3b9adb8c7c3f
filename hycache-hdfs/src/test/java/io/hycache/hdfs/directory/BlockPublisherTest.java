// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.directory.Change;
import io.hycache.core.directory.DirectoryClient;
import io.hycache.core.directory.DirectoryNode;
import io.hycache.core.directory.Member;
import io.hycache.core.directory.Operation;
import io.hycache.core.directory.Outcome;
import io.hycache.core.directory.Peers;
import io.hycache.core.directory.RecordJournal;
import io.hycache.core.directory.View;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Residency;
import io.hycache.hdfs.LogLines;
import io.hycache.hdfs.rpc.BlockOnSsd;
import java.io.IOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Two nodes without replicas; the publisher is another DataNode. */
class BlockPublisherTest {
  private static final String DATANODE = "dn1";
  private static final long EARLIER_EPOCH = 5000;

  private final AtomicLong tokens = new AtomicLong();
  private final Map<String, DirectoryNode> nodes = new TreeMap<>();
  private final Peers peers = new Direct();

  private final DirectoryClient client =
      new DirectoryClient(
          () -> node("x").ring(),
          () -> {},
          peers,
          (millis, action) -> action.run(),
          () -> 1_000_000,
          tokens::incrementAndGet);

  private final List<Member> members =
      List.of(new Member("x", "x:1"), new Member("y", "y:1"), new Member(DATANODE, "dn1:1"));

  BlockPublisherTest() {
    for (Member member : members) {
      DirectoryNode node =
          new DirectoryNode(member.id(), 1, 1 << 20, peers, RecordJournal.NONE, () -> 1_000_000);
      nodes.put(member.id(), node);
    }
    nodes.values().forEach(node -> node.learn(new View(1, members)));
    nodes.values().forEach(node -> assertEquals(0, node.status().pullingShards));
  }

  private DirectoryNode node(String id) {
    DirectoryNode node = nodes.get(id);
    if (node == null) {
      throw new IllegalStateException("not started: " + id);
    }
    return node;
  }

  private final class Direct implements Peers {
    private <T> CompletableFuture<T> none() {
      return CompletableFuture.failedFuture(new IOException("not called"));
    }

    @Override
    public CompletableFuture<List<Outcome>> run(
        Member to, String publisher, long epoch, List<Operation> operations) {
      return node(to.id()).run(publisher, epoch, operations);
    }

    @Override
    public CompletableFuture<List<String>> replicate(
        Member to, String from, boolean missed, List<Change> changes) {
      return none();
    }

    @Override
    public CompletableFuture<Pulled> pull(
        Member to, View view, BitSet takeOver, BitSet shards, String at) {
      return CompletableFuture.completedFuture(new Pulled(List.of(), List.of(), ""));
    }

    @Override
    public CompletableFuture<View> view(Member of) {
      return none();
    }
  }

  private BlockPublisher publisher(long epoch) {
    ReadNotices notices =
        new ReadNotices(
            DATANODE,
            new HashMap<String, Member>()::get,
            (to, reads) -> CompletableFuture.completedFuture(true),
            () -> {});
    return new BlockPublisher(DATANODE, epoch, 60_000, client, () -> true, notices, () -> {});
  }

  private static BlockKey block(long id) {
    return new BlockKey("p", id);
  }

  /** Sends what waits, in at most ten calls. */
  private static void flush(BlockPublisher publisher) {
    for (int i = 0; i < 10 && publisher.unpublished() > 0; i++) {
      publisher.flush();
    }
    assertEquals(0, publisher.unpublished());
  }

  private Set<String> holders(long id) {
    Outcome outcome = client.run(List.of(BlockRecords.asked(block(id))), 1000).join().get(0);
    assertTrue(outcome.isOk(), outcome::toString);
    return outcome.rows().stream()
        .map(BlockRecords::read)
        .map(BlockOnSsd::datanode)
        .collect(toSet());
  }

  /** Publishes blocks of ten shards. */
  private void publishTen(BlockPublisher publisher) {
    for (long id = 0; id < 640; id += 64) {
      publisher.publish(block(id), Residency.CLEAN, 1);
    }
    flush(publisher);
  }

  private void assertNoneOfTenHasHolders() {
    for (long id = 0; id < 640; id += 64) {
      assertEquals(Set.of(), holders(id), "block " + id);
    }
  }

  /** The clock was set back between the two. */
  @Test
  void nextProcess_withAnEarlierEpoch_itsBlocksAreNamed() {
    BlockPublisher first = publisher(EARLIER_EPOCH);
    publishTen(first);
    assertEquals(Set.of(DATANODE), holders(0));
    assertEquals(0, first.refused());

    LogLines log = new LogLines(BlockPublisher.class.getName());
    try {
      BlockPublisher second = publisher(EARLIER_EPOCH - 3000);
      for (long id = 64; id < 704; id += 64) {
        second.publish(block(id), Residency.CLEAN, 1);
        flush(second);
      }
      for (long id = 64; id < 704; id += 64) {
        assertEquals(Set.of(DATANODE), holders(id), "block " + id);
      }
      assertEquals(Set.of(), holders(0), "the earlier process had it");
      assertEquals(EARLIER_EPOCH + 1, second.epoch());
      assertEquals(1, second.refused());
      assertEquals(
          List.of(
              "WARN The clock was set back since an earlier start of this DataNode. The directory"
                  + " refused its blocks; they are all published again: epoch=2000 earlier=5000"),
          log.lines());
    } finally {
      log.close();
    }
  }

  /** By mistake, or by a DataNode that means harm. */
  @Test
  void latestEpoch_announcedByAnotherDataNode_blocksAreNamedAllTheSame() {
    long late = Long.MAX_VALUE / 2;
    for (long epoch : List.of(Long.MAX_VALUE, late, late + (1 << 20))) {
      new EpochAnnouncer(DATANODE, peers).round(members, epoch);
      BlockPublisher publisher = publisher(EARLIER_EPOCH);
      publishTen(publisher);
      for (long id = 0; id < 640; id += 64) {
        assertEquals(Set.of(DATANODE), holders(id), "block " + id + " epoch " + epoch);
      }
      publisher.withdraw();
      new EpochAnnouncer(DATANODE, peers).round(members, publisher.epoch());
      assertNoneOfTenHasHolders();
    }
  }

  /** As with hycache.mode=off, invalid settings or an empty SSD. */
  @Test
  void nextProcess_thatPublishesNothing_recordsOfTheFirstEnd() {
    BlockPublisher first = publisher(EARLIER_EPOCH);
    publishTen(first);
    new EpochAnnouncer(DATANODE, peers).round(members, EARLIER_EPOCH + 1);
    assertNoneOfTenHasHolders();
  }

  @Test
  void withdraw_recordsEnd_andNothingIsPublishedAnyMore() {
    BlockPublisher publisher = publisher(EARLIER_EPOCH);
    publishTen(publisher);
    publisher.publish(block(64), Residency.DIRTY, 1);
    publisher.withdraw();
    publisher.withdraw();
    publisher.publish(block(128), Residency.CLEAN, 1);
    publisher.publishAll();
    assertEquals(0, publisher.size());
    assertEquals(0, publisher.unpublished());
    assertEquals(EARLIER_EPOCH + 1, publisher.epoch());
    new EpochAnnouncer(DATANODE, peers).round(members, publisher.epoch());
    assertNoneOfTenHasHolders();
  }

  @Test
  void refusalOfAnotherKind_isCounted_andTheBlockNotSentAgain() {
    BlockPublisher publisher = publisher(EARLIER_EPOCH);
    publisher.publish(new BlockKey("p".repeat(2000), 1), Residency.CLEAN, 1);
    flush(publisher);
    assertEquals(1, publisher.refused());
    assertEquals(EARLIER_EPOCH, publisher.epoch());
  }
}
