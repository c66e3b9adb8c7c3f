// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import io.hycache.core.hint.HintReceipt;
import io.hycache.core.hint.Hints;
import io.hycache.core.hint.WorkflowId;
import io.hycache.core.hint.WorkflowStatus;
import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Reason;
import io.hycache.core.model.Weighing;
import io.hycache.core.stats.BlockStatus;
import io.hycache.core.stats.Counters;
import io.hycache.core.stats.DeviceStatus;
import io.hycache.core.stats.HintedBlock;
import io.hycache.core.stats.LastDecision;
import io.hycache.core.stats.NodeFigure;
import io.hycache.core.stats.NodeStatus;
import io.hycache.hdfs.conf.HyCacheConf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/** An engine that records the hints it receives and returns fixed answers. */
public class FakeNode implements NodeService {
  public final Map<WorkflowId, Hints> batches = new ConcurrentHashMap<>();
  public final List<BlockKey> readElsewhere = new CopyOnWriteArrayList<>();
  public volatile int maxReferences = Integer.MAX_VALUE;

  private HyCacheConf conf = new HyCacheConf(new Configuration(false));

  /** Figures of the shadow working set in the status. */
  public volatile Map<NodeFigure, Number> shadow = Map.of();

  /** UUID of the DataNode in the status. */
  public volatile String uuid = "";

  /** Requests for the status fail. */
  public volatile boolean statusFails;

  /** Requests to withdraw fail. */
  public volatile boolean withdrawFails;

  /** Requests for the status block until this latch is at 0. */
  public volatile CountDownLatch statusGate = new CountDownLatch(0);

  /** Steps of the workflows of this name of all users, in order. */
  public List<Hints.Reference> references(String workflow) {
    return batches.values().stream()
        .filter(batch -> batch.workflow().equals(workflow))
        .flatMap(batch -> batch.references().stream())
        .collect(Collectors.toList());
  }

  @Override
  public HintReceipt submitHints(Hints batch, String user, boolean exempt) {
    WorkflowId id = new WorkflowId(user, batch.workflow());
    batches.put(id, batch);
    int offered = batch.references().size();
    int accepted = Math.min(maxReferences, offered);
    return new HintReceipt(
        id,
        accepted,
        offered - accepted,
        batch.ttlMillis(),
        accepted < offered ? Set.of(HintReceipt.Limit.NODE_BLOCKS) : Set.of());
  }

  @Override
  public OptionalInt withdraw(WorkflowId workflow) {
    if (withdrawFails) {
      throw new IllegalStateException("of a test");
    }
    Hints batch = batches.remove(workflow);
    return batch == null ? OptionalInt.empty() : OptionalInt.of(batch.references().size());
  }

  @Override
  public void readElsewhere(List<BlockKey> blocks) {
    readElsewhere.addAll(blocks);
  }

  /** Each hinted block once: fetched, and read here from SSD; those of odd ids elsewhere. */
  @Override
  public List<HintedBlock> explain(WorkflowId workflow, int from, int most) {
    Hints batch = batches.get(workflow);
    return batch == null
        ? List.of()
        : batch.references().stream()
            .map(Hints.Reference::block)
            .distinct()
            .skip(from)
            .limit(most)
            .map(
                block -> {
                  int odd = (int) (block.id() & 1);
                  return new HintedBlock(
                      block, 4096, 2, 1 - odd, 0, odd, false, 61_000, 500, Reason.ON_SSD_CLEAN);
                })
            .collect(Collectors.toList());
  }

  @Override
  public List<WorkflowStatus> workflows(Predicate<WorkflowId> which) {
    List<WorkflowStatus> out = new ArrayList<>();
    batches.forEach(
        (id, batch) -> {
          if (!which.test(id)) {
            return;
          }
          int references = batch.references().size();
          HintReceipt receipt = new HintReceipt(id, references, 0, batch.ttlMillis(), Set.of());
          out.add(new WorkflowStatus(receipt, references, 1000, batch.ttlMillis() - 1000));
        });
    return out;
  }

  @Override
  public NodeStatus status() {
    if (statusFails) {
      throw new IllegalStateException("of a test");
    }
    try {
      statusGate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Counters counters = new Counters();
    counters.add(Counters.Counter.BYTES_READ_FAST, 750L << 20);
    counters.add(Counters.Counter.BYTES_READ_SLOW, 250L << 20);
    return NodeStatus.builder()
        .put(NodeFigure.MODE, "active")
        .put(NodeFigure.POLICY, "heuristic")
        .put(NodeFigure.PARTITION, "auto reads=0.500 writes=0.250 free=0.250")
        .put(NodeFigure.CAPACITY_BYTES, 8L << 30)
        .put(NodeFigure.DIRTY_BYTES, 1L << 30)
        .put(NodeFigure.CLEAN_BYTES, 2L << 30)
        .put(NodeFigure.CHECKSUM_BYTES, 16L << 20)
        .put(NodeFigure.FREE_BYTES, 5L << 30)
        .put(NodeFigure.TRACKED_BLOCKS, 1234)
        .put(NodeFigure.MOVES_QUEUED, 3)
        .put(
            NodeFigure.HINTS_LEFT,
            batches.values().stream().mapToLong(b -> b.references().size()).sum())
        .put(NodeFigure.DATANODE_UUID, uuid)
        .putAll(shadow)
        .devices(
            List.of(
                DeviceStatus.builder("/ssd0", true)
                    .put(DeviceStatus.Figure.CAPACITY_BYTES, 8L << 30)
                    .put(DeviceStatus.Figure.FREE_BYTES, 5L << 30)
                    .put(DeviceStatus.Figure.DIRTY_BYTES, 1L << 30)
                    .put(DeviceStatus.Figure.CLEAN_BYTES, 2L << 30)
                    .put(DeviceStatus.Figure.CHECKSUM_BYTES, 16L << 20)
                    .put(DeviceStatus.Figure.USER_WRITE_BYTES_PER_DAY, 7)
                    .put(DeviceStatus.Figure.PROMOTION_BYTES_PER_DAY, 8)
                    .put(DeviceStatus.Figure.WRITE_BUDGET_LEFT_BYTES, -9)
                    .build()))
        .counters(counters.snapshot())
        .build();
  }

  @Override
  public synchronized Map<String, String> settings(Map<String, String> changes)
      throws RefusedException {
    try {
      conf = conf.with(changes);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(String.valueOf(e.getMessage()));
    }
    return conf.changeable();
  }

  /** The decision by which a block was queued for promotion. */
  static LastDecision queued(long references, double cost) {
    return new LastDecision(
        "lookahead",
        2500,
        "HINT",
        "MOVE_QUEUED",
        4096,
        1024,
        2,
        references,
        new Weighing(0.5, cost, "seconds of disk time"));
  }

  @Override
  public List<BlockStatus> locate(List<BlockKey> blocks) {
    List<BlockKey> hinted =
        batches.values().stream()
            .flatMap(b -> b.references().stream())
            .map(Hints.Reference::block)
            .collect(Collectors.toList());
    List<BlockStatus> out = new ArrayList<>();
    for (BlockKey block : blocks) {
      long left = hinted.stream().filter(block::equals).count();
      out.add(
          new BlockStatus(
              block,
              "DISK",
              false,
              left > 0,
              left > 0,
              left,
              5,
              left > 0 ? Reason.ON_SSD_CLEAN : Reason.NEVER_READ,
              left > 0 ? queued(left, 0.25) : null));
    }
    return out;
  }
}
