// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.page;

import io.hycache.core.directory.DirectoryStatus;
import io.hycache.core.directory.Member;
import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.MoveKind;
import io.hycache.core.model.MoveState;
import io.hycache.core.model.Reason;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.Counters.Counter;
import io.hycache.core.stats.LastDecision;
import io.hycache.core.stats.NodeStatus;
import io.hycache.core.stats.RecentMove;
import io.hycache.core.stats.TrafficHistory;
import io.hycache.hdfs.SampleStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A DataNode with something of everything; names have a mark that must not be shown to all. */
final class FakeSource implements PageSource {
  static final String SECRET = "s3cret";
  static final String HOSTILE = "</script><img src=x onerror=alert(1)>\"'&" + SECRET;

  final List<Throwable> failures = new ArrayList<>();
  volatile @Nullable String notReady;

  /** The planner answers nothing. */
  boolean silent;

  /** Workflows of one user, in place of the two; 0 for those. */
  int manyWorkflows;

  long block = 4711;
  int statusAsked;
  int mostReadAsked;

  private static BlockStatus block(BlockKey key, long reads) {
    return new BlockStatus(
        key,
        "DISK",
        false,
        true,
        true,
        2,
        reads,
        Reason.ON_SSD_CLEAN,
        new LastDecision("lru", 5, SECRET, "FETCHED", 10, 20, 1, 3, null));
  }

  @Override
  public String name() {
    return "host1:9866";
  }

  @Override
  public String id() {
    return "own";
  }

  @Override
  public NodeStatus status() throws IOException {
    statusAsked++;
    if (notReady != null) {
      throw new IOException(notReady);
    }
    if (silent) {
      return SampleStatus.stalled();
    }
    return SampleStatus.active().withWarnings(List.of(SECRET + " is wrong", "another"));
  }

  @Override
  public List<VolumeStatus> volumes() {
    return List.of(
        new VolumeStatus("/" + SECRET + "/ssd", "SSD", false, 1, 2, 3),
        new VolumeStatus("/" + SECRET + "/hdd", "DISK", false, 4, 5, 6),
        new VolumeStatus("/" + SECRET + "/broken", "", true, 0, 0, 0));
  }

  private static WorkflowStatus workflow(String user, String name) {
    return new WorkflowStatus(
        new HintReceipt(new WorkflowId(user, name), 10, 1, 1000, Set.of()), 4, 5000, 6000);
  }

  private void answer() throws IOException {
    if (silent) {
      throw new IOException("the planner did not answer in time");
    }
  }

  @Override
  public List<WorkflowStatus> workflows() throws IOException {
    answer();
    if (manyWorkflows > 0) {
      List<WorkflowStatus> many = new ArrayList<>();
      for (int i = 0; i < manyWorkflows; i++) {
        many.add(workflow("alice", "w" + i));
      }
      return many;
    }
    return List.of(workflow("alice", "hers"), workflow("bob", HOSTILE));
  }

  @Override
  public List<RecentMove> moves() {
    BlockKey key = new BlockKey("pool-" + SECRET, block);
    return List.of(
        new RecentMove(MoveKind.PROMOTE, key, 100, MoveState.COPIED, 7, RecentMove.NOT_ENDED),
        new RecentMove(MoveKind.DEMOTE, key, 200, MoveState.SOURCE_REMOVED, 9, 8));
  }

  @Override
  public List<BlockStatus> locate(List<BlockKey> blocks) throws IOException {
    answer();
    List<BlockStatus> out = new ArrayList<>();
    blocks.forEach(key -> out.add(block(key, 1)));
    return out;
  }

  @Override
  public List<BlockStatus> mostRead(int most) throws IOException {
    answer();
    mostReadAsked++;
    return List.of(block(new BlockKey("pool-" + SECRET, block), 99));
  }

  @Override
  public TrafficHistory.Snapshot history() {
    Counters counters = new Counters();
    TrafficHistory history = new TrafficHistory(counters, TimeUnit.SECONDS.toNanos(185));
    counters.add(Counter.BYTES_READ_FAST, 300);
    history.sample(TimeUnit.SECONDS.toNanos(245));
    counters.add(Counter.BYTES_READ_SLOW, 400);
    history.sample(TimeUnit.SECONDS.toNanos(305));
    return history.snapshot();
  }

  @Override
  public DirectoryStatus directory() {
    return new DirectoryStatus(3, 11, 12, 13, 14, 15, 16, 17, 18);
  }

  @Override
  public List<Member> members() {
    return List.of(
        new Member("own", "host1:9867"),
        new Member("b", "host2:9867"),
        new Member("c", "host3:9867"));
  }

  @Override
  public void failed(Throwable why) {
    failures.add(why);
  }
}
